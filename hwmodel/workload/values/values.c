#include "memhelm/kernels.h"
#include "workload/workload.h"
#include "workload/values/table.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MH_VALUES(symbol) extern const struct mh_values_of mh_values_##symbol;
#include "workload/values/values.def"
#undef MH_VALUES

#define MH_VALUES(symbol) &mh_values_##symbol,
const struct mh_values_of *const mh_values_table[] = {
#include "workload/values/values.def"
    NULL,
};
#undef MH_VALUES

static const struct mh_values_of *find(const char *spec)
{
    const struct mh_kernel *k = mh_kernel_find(spec);

    for (const struct mh_values_of *const *of = mh_values_table; k && *of; of++)
        if (!strcmp((*of)->kernel, k->name))
            return *of;
    return NULL;
}

bool mh_values_known(const char *spec, const struct mh_workload *w)
{
    return find(spec) && (!w || mh_gen_of(w));
}

static struct mh_extent writes(const struct mh_values *v, uint32_t launch, uint32_t b)
{
    if (v->of->writes)
        return v->of->writes(v, launch, b);
    return mh_extent_if(v, b, v->of->written[launch % v->of->period] >> b & 1);
}

static bool is_written(const struct mh_values *v, uint32_t b)
{
    for (uint32_t l = 0; l < v->g->w.launch_count; l++)
        if (writes(v, l, b).end)
            return true;
    return false;
}

/* Memory that is never touched costs the host nothing. */
static bool take_memory(struct mh_values *v)
{
    for (uint32_t b = 0; b < v->buffers; b++) {
        v->data[b] = calloc(1, v->bytes[b]);
        v->spare[b] = is_written(v, b) ? calloc(1, v->bytes[b]) : NULL;
        if (!v->data[b] || (!v->spare[b] && is_written(v, b)))
            return false;
    }
    if (v->of->need)
        v->tiles = calloc(mh_values_tiles(v), mh_values_tiles(v));
    return !v->of->need || v->tiles;
}

/* The size of buffer `b`, whose base is known: buffers of the workload are sorted. */
static uint64_t bytes_of(const struct mh_gen *g, uint32_t b)
{
    for (uint32_t i = 0; i < g->w.buffer_count; i++)
        if (g->w.buffers[i].base == g->base[b])
            return g->w.buffers[i].bytes;
    return 0;
}

static void say_unknown(const char *spec, struct mh_error *err)
{
    char names[200];
    size_t at = 0;

    for (const struct mh_values_of *const *of = mh_values_table; *of; of++)
        at += (size_t)snprintf(names + at, sizeof names - at, "%s%s", at ? ", " : "", (*of)->kernel);
    (void)mh_fail(err, "%s: its values are not known; known are those of %s", spec, names);
}

struct mh_values *mh_values_create(const char *spec, const struct mh_workload *w, struct mh_error *err)
{
    const struct mh_values_of *of = mh_values_known(spec, w) ? find(spec) : NULL;
    struct mh_values *v = of ? calloc(1, sizeof *v) : NULL;

    if (!of)
        say_unknown(spec, err);
    else if (!v)
        (void)mh_fail(err, "%s: out of memory for its values", spec);
    if (!v)
        return NULL;
    v->g = mh_gen_of(w);
    (void)mh_launches_whole(w, &v->range);
    v->finished = v->range.first;
    v->of = of;
    v->buffers = w->buffer_count;
    for (uint32_t b = 0; b < v->buffers; b++)
        v->bytes[b] = bytes_of(v->g, b);
    if (take_memory(v))
        return v;
    (void)mh_fail(err, "%s: out of memory for its values", spec);
    mh_values_destroy(v);
    return NULL;
}

void mh_values_destroy(struct mh_values *v)
{
    for (uint32_t b = 0; v && b < v->buffers; b++) {
        free(v->data[b]);
        free(v->spare[b]);
    }
    if (v)
        free(v->tiles);
    free(v);
}

void mh_values_finish(struct mh_values *v, uint32_t launches)
{
    if (v->range.first + launches > v->finished)
        v->finished = v->range.first + launches;
}

const char *mh_values_array(const struct mh_values *v, uint32_t i, uint64_t *base, uint64_t *bytes)
{
    if (i >= v->buffers)
        return NULL;
    *base = v->g->base[i];
    *bytes = v->bytes[i];
    return v->of->arrays[i];
}

void mh_values_restart(struct mh_values *v)
{
    for (uint32_t b = 0; v->has_input && b < v->buffers; b++)
        memset(v->data[b], 0, v->bytes[b]);
    v->done = 0;
    v->finished = v->range.first;
    v->has_input = v->has_next = false;
}

/* --- Time. */

/* What has been computed ahead is what has happened. */
static void take_next(struct mh_values *v, uint32_t b)
{
    const struct mh_extent e = v->ahead[b];

    if (e.end - e.first == v->bytes[b]) {
        v->spare[b] = v->data[b];
        v->data[b] = v->next[b];
    } else if (e.end) {
        memcpy((uint8_t *)v->data[b] + e.first, (uint8_t *)v->next[b] + e.first, e.end - e.first);
    }
}

/* A launch whose values were not read while it ran computes in place: its CTAs do not wait for each other. */
static void run_whole(struct mh_values *v)
{
    memcpy(v->next, v->data, sizeof v->next);
    v->of->run(v, v->done);
}

static void catch_up(struct mh_values *v)
{
    if (!v->has_input)
        v->of->init(v);
    v->has_input = true;
    for (; v->done < v->finished; v->done++, v->has_next = false) {
        if (!v->has_next)
            run_whole(v);
        for (uint32_t b = 0; v->has_next && b < v->buffers; b++)
            take_next(v, b);
    }
}

static void look_ahead(struct mh_values *v)
{
    for (uint32_t b = 0; b < v->buffers; b++) {
        struct mh_extent e = writes(v, v->done, b);

        v->ahead[b] = e;
        v->next[b] = e.end ? v->spare[b] : v->data[b];
        if (e.end)
            memcpy((uint8_t *)v->next[b] + e.first, (uint8_t *)v->data[b] + e.first, e.end - e.first);
    }
    v->of->run(v, v->done);
    v->has_next = true;
}

/* --- Reading. */

static void read_buffer(struct mh_values *v, bool stored, uint32_t b, uint64_t offset, uint8_t *out, uint64_t count)
{
    const struct mh_extent e = v->ahead[b];
    bool next = stored && offset < e.end && offset + count > e.first;

    if (v->of->need)
        v->of->need(v, next, b, offset, count);
    memcpy(out, (uint8_t *)v->data[b] + offset, count);
    if (!next)
        return;
    uint64_t from = offset > e.first ? offset : e.first, to = offset + count < e.end ? offset + count : e.end;

    memcpy(out + (from - offset), (uint8_t *)v->next[b] + from, to - from);
}

void mh_values_read(struct mh_values *v, bool stored, uint64_t va, void *bytes, uint32_t count)
{
    catch_up(v);
    stored = stored && v->done < v->range.end;
    if (stored && !v->has_next)
        look_ahead(v);
    memset(bytes, 0, count);
    for (uint32_t b = 0; b < v->buffers; b++) {
        uint64_t base = v->g->base[b], from = va > base ? va : base;
        uint64_t end = base + v->bytes[b], to = va + count < end ? va + count : end;

        if (from < to)
            read_buffer(v, stored, b, from - base, (uint8_t *)bytes + (from - va), to - from);
    }
}

#define LN2_HIGH 6.93147180369123816490e-01 /* 32 bits of ln 2: its products with exponents are exact */
#define LN2_LOW  1.90821492927058770002e-10
#define SQRT2    1.41421356237309504880

static double from_bits(uint64_t bits)
{
    double d;

    memcpy(&d, &bits, sizeof d);
    return d;
}

/* x = k ln 2 + r, |r| <= ln 2 / 2; e^r by its series, whose 18th term is below 2^-60. */
double mh_exact_exp(double x)
{
    const double scaled = x * 1.44269504088896338700;
    const int64_t k = (int64_t)(scaled < 0 ? scaled - 0.5 : scaled + 0.5);
    const double r = (x - (double)k * LN2_HIGH) - (double)k * LN2_LOW;
    double sum = 1;

    for (int n = 18; n; n--)
        sum = 1 + r / n * sum;
    return sum * from_bits((uint64_t)(1023 + k) << 52);
}

/* x = 2^k m, m near 1; ln m = 2 artanh(s), s = (m - 1) / (m + 1), |s| < 0.172. */
double mh_exact_log(double x)
{
    uint64_t bits;

    memcpy(&bits, &x, sizeof bits);
    int64_t k = (int64_t)(bits >> 52) - 1023;
    double m = from_bits((bits & 0xfffffffffffffu) | (uint64_t)1023 << 52);

    if (m > SQRT2) {
        m /= 2;
        k++;
    }
    const double s = (m - 1) / (m + 1), s2 = s * s;
    double sum = 0;

    for (int n = 25; n > 0; n -= 2)
        sum = sum * s2 + 1.0 / n;
    return (double)k * LN2_HIGH + (2 * s * sum + (double)k * LN2_LOW);
}

/* 24 bits of the root of the significand, one by one, and one to round by: no root lies half way. */
float mh_exact_sqrtf(float x)
{
    uint32_t bits;
    uint64_t root = 0;

    memcpy(&bits, &x, sizeof bits);
    if (!bits)
        return x;
    int32_t exponent = (int32_t)(bits >> 23) - 127;
    uint64_t value = (uint64_t)((bits & 0x7fffffu) | 0x800000u) << (25 + (exponent & 1));

    for (uint64_t bit = (uint64_t)1 << 24; bit; bit >>= 1)
        if ((root | bit) * (root | bit) <= value)
            root |= bit;
    bits = (uint32_t)((exponent - (exponent & 1)) / 2 + 127) << 23;
    bits += (uint32_t)((root + 1) >> 1) - 0x800000u;
    memcpy(&x, &bits, sizeof x);
    return x;
}
