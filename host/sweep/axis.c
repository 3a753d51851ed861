#include "spec.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* FIRST..LAST, and how the next value is made. */
struct range {
    double first, last, by;
    char how;     /* + or * */
    int decimals; /* of its numbers, the most */
};

static int count_decimals(const char *from, const char *end)
{
    const char *point = memchr(from, '.', (size_t)(end - from));
    return point ? (int)(end - point) - 1 : 0;
}

/* A plain number at `*at`, which is moved behind it: digits, a point with digits, no exponent. */
static bool take_number(const char **at, double *value, int *decimals)
{
    const char *from = *at, *end = from + (*from == '-');
    size_t digits = strspn(end, "0123456789");
    end += digits;
    if (*end == '.' && end[1] >= '0' && end[1] <= '9')
        end += 1 + strspn(end + 1, "0123456789");
    int own = count_decimals(from, end);
    if (!digits || own > 9)
        return false;
    *value = strtod(from, NULL);
    *decimals = own > *decimals ? own : *decimals;
    *at = end;
    return true;
}

static bool parse_range(const char *text, struct range *r)
{
    *r = (struct range){.how = '+', .by = 1};
    if (!take_number(&text, &r->first, &r->decimals) || strncmp(text, "..", 2) != 0)
        return false;
    text += 2;
    if (!take_number(&text, &r->last, &r->decimals))
        return false;
    if (*text == '+' || *text == '*') {
        r->how = *text++;
        if (!take_number(&text, &r->by, &r->decimals))
            return false;
    }
    return !*text && r->last >= r->first && (r->how == '+' ? r->by > 0 : r->by > 1 && r->first > 0);
}

/* Each from the first, so that sums of decimals do not drift. */
static int add_range(struct words *values, const struct range *r, struct mh_error *err)
{
    double slack = r->how == '+' ? r->by * 1e-6 : r->last * 1e-9;
    for (unsigned i = 0; values->count <= SPEC_VALUES; i++) {
        char text[64];
        double v = r->how == '+' ? r->first + i * r->by : r->first * pow(r->by, i);
        if (v > r->last + slack)
            return 0;
        snprintf(text, sizeof text, "%.*f", r->decimals, v);
        words_add(values, text);
    }
    return mh_fail(err, "more than %d values", SPEC_VALUES);
}

int axis_parse(struct words *values, const char *text, struct mh_error *err)
{
    struct words parts = {0};
    struct range range;
    int status = 0;
    words_split(&parts, text);
    for (unsigned i = 0; !status && i < parts.count; i++) {
        const char *part = parts.text[i];
        if (!*part)
            status = mh_fail(err, "'%.60s': a value is missing between two commas", text);
        else if (parse_range(part, &range))
            status = add_range(values, &range, err);
        else if (strstr(part, ".."))
            status = mh_fail(err, "'%.60s' is no range: write 1..8, 1..64*2 or 0..100+25, the smaller end first", part);
        else
            words_add(values, part);
    }
    words_free(&parts);
    return status;
}

/* SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): the same numbers on every machine. */
static uint64_t draw(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* 0..below-1, each as likely: what is over a multiple is drawn again. */
static unsigned draw_below(uint64_t *state, unsigned below)
{
    const uint64_t most = UINT64_MAX - UINT64_MAX % below;
    uint64_t z = draw(state);
    while (z >= most)
        z = draw(state);
    return (unsigned)(z % below);
}

/* UINT64_MAX: more than CHOICE_MOST. */
static uint64_t product(const struct sweep_spec *s)
{
    uint64_t all = 1;
    for (unsigned a = 0; a < s->axis_count; a++)
        if ((all *= s->axes[a].values.count) > CHOICE_MOST)
            return UINT64_MAX;
    return all;
}

/* --- Random: different ones. Of a grid whose size is known the n-th is drawn, n without replacement (Floyd). */

static int compare(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static unsigned value_of(const struct sweep_spec *s, uint64_t i, unsigned axis)
{
    if (s->sampling == SPEC_ZIP)
        return (unsigned)i;
    for (unsigned a = s->axis_count - 1; a > axis; a--)
        i /= s->axes[a].values.count;
    return (unsigned)(i % s->axes[axis].values.count);
}

static void draw_random(struct choices *c, uint64_t all, unsigned char *taken, uint64_t *numbers)
{
    const struct sweep_spec *s = c->spec;
    uint64_t state = s->sample_seed, n = 0;
    for (uint64_t top = all - c->count; top < all; top++) {
        uint64_t i = draw_below(&state, (unsigned)top + 1);
        i = taken[i] ? top : i;
        taken[i] = 1;
        numbers[n++] = i;
    }
    qsort(numbers, n, sizeof *numbers, compare);
    for (uint64_t i = 0; i < n; i++)
        for (unsigned a = 0; a < s->axis_count; a++)
            c->table[i * s->axis_count + a] = value_of(s, numbers[i], a);
}

static int make_random(struct choices *c, struct mh_error *err)
{
    uint64_t all = product(c->spec);
    if (all == UINT64_MAX)
        return mh_fail(err, "random: more than %d combinations to draw from: vary fewer values, or take latin: %u",
                       CHOICE_MOST, c->spec->samples);
    if (c->count > all)
        return mh_fail(err, "random: %u of %" PRIu64 " combinations: leave the sample out, and all are run",
                       c->spec->samples, all);
    unsigned char *taken = must_have(all, 1);
    uint64_t *numbers = must_have(c->count, sizeof *numbers);
    draw_random(c, all, taken, numbers);
    free(taken);
    free(numbers);
    return 0;
}

/* --- Latin hypercube (McKay, Beckman and Conover, Technometrics 1979): of each axis a permutation of its parts. */

static void make_latin(struct choices *c)
{
    const struct sweep_spec *s = c->spec;
    uint64_t state = s->sample_seed;
    for (unsigned a = 0; a < s->axis_count; a++) {
        unsigned *column = c->table + a, values = s->axes[a].values.count;
        for (unsigned i = 0; i < c->count; i++) {
            unsigned j = draw_below(&state, i + 1);
            column[(size_t)i * s->axis_count] = column[(size_t)j * s->axis_count];
            column[(size_t)j * s->axis_count] = i;
        }
        for (unsigned i = 0; i < c->count; i++)
            column[(size_t)i * s->axis_count] =
                (unsigned)((uint64_t)column[(size_t)i * s->axis_count] * values / c->count);
    }
}

static int make_sample(struct choices *c, struct mh_error *err)
{
    c->count = c->spec->samples;
    c->table = must_have((size_t)c->count * c->spec->axis_count, sizeof *c->table);
    if (c->spec->sampling == SPEC_RANDOM)
        return make_random(c, err);
    make_latin(c);
    return 0;
}

int choices_make(struct choices *c, const struct sweep_spec *s, struct mh_error *err)
{
    *c = (struct choices){.spec = s};
    if (s->sampling == SPEC_RANDOM || s->sampling == SPEC_LATIN)
        return make_sample(c, err);
    c->count = s->sampling == SPEC_ZIP ? s->axes[0].values.count : product(s);
    return c->count > CHOICE_MOST
               ? mh_fail(err, "more than %d combinations: vary fewer values, or take a sample", CHOICE_MOST)
               : 0;
}

void choices_free(struct choices *c)
{
    free(c->table);
    c->table = NULL;
}

unsigned choices_value(const struct choices *c, uint64_t i, unsigned axis)
{
    return c->table ? c->table[i * c->spec->axis_count + axis] : value_of(c->spec, i, axis);
}
