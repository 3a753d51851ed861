/*
 * Mutated files of sweeps, and values of axes made of pieces.
 *   fuzz_sweep [ITERATIONS [SEED]]
 * Deterministic. Nothing may crash; what is refused names the file; of what is accepted each choice has a value on each
 * axis.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz/dice.h"
#include "sweep/spec.h"

enum { TEXT_MAX = 4096, MUTATIONS = 6, PARTS = 8, LOOKED_AT = 100 };

static const char file[] = "preset: [mask, dws]\n"
                           "image: baseline\n"
                           "workload: ['@mine', A+B]\n"
                           "lists: {mine: [C, D]}\n"
                           "seeds: 2-4\n"
                           "cycles: 2M\n"
                           "set: [sm.count=4]\n"
                           "vary:\n"
                           "  l2tlb.entries: [128, 256..1024*2]\n"
                           "  walk.walkers: 1..3\n"
                           "sample: {latin: 5, seed: 7}\n"
                           "metrics: {w: weighted_speedup}\n"
                           "alone: whole\n";

static const char *const pieces[] = {"\n",      ": ",          "- ",      "{",        "}",     "[",
                                     "]",       ",",           "'",       "..",       "*2",    "+1",
                                     "-",       "&a ",         "*a",      "points:",  "vary:", "#",
                                     "random:", "99999999999", "0.00001", "latin: 0", "\xff",  "sm.count: 1..4",
                                     "|"};

static const char *piece(struct dice *d)
{
    return pieces[roll(d, sizeof pieces / sizeof *pieces)];
}

static size_t mutate(struct dice *d, char *text, size_t n)
{
    size_t at = n ? roll(d, n) : 0, length = roll(d, 20);
    const char *more = piece(d);
    if (n && !roll(d, 3)) {
        text[at] = (char)(1 + roll(d, 255));
        return n;
    }
    if (!roll(d, 3)) {
        length = length < n - at ? length : n - at;
        memmove(text + at, text + at + length, n - at - length);
        return n - length;
    }
    length = strlen(more);
    if (n + length >= TEXT_MAX)
        return n;
    memmove(text + at + length, text + at, n - at);
    memcpy(text + at, more, length);
    return n + length;
}

static void look_at_choices(const struct sweep_spec *s)
{
    struct choices c;
    struct mh_error err = {""};
    if (choices_make(&c, s, &err)) {
        require(*err.text, "choices are refused without a reason");
        choices_free(&c);
        return;
    }
    for (uint64_t i = 0; i < c.count && i < LOOKED_AT; i++)
        for (unsigned a = 0; a < s->axis_count; a++)
            require(choices_value(&c, i, a) < s->axes[a].values.count, "a choice without a value");
    choices_free(&c);
}

static bool try_file(struct dice *d)
{
    struct sweep_spec s;
    struct mh_error err = {""};
    char room[TEXT_MAX];
    size_t n = strlen(file);
    memcpy(room, file, n);
    for (uint64_t i = roll(d, MUTATIONS); i; i--)
        n = mutate(d, room, n);
    char *own = malloc(n ? n : 1); /* a read beyond the end is found */
    require(own != NULL, "out of memory");
    memcpy(own, room, n);
    spec_init(&s);
    bool good = !spec_parse(&s, "x.yaml", own, n, &err);
    require(good || !strncmp(err.text, "x.yaml", 6), "refused without the file's name");
    if (good)
        look_at_choices(&s);
    spec_free(&s);
    free(own);
    return good;
}

static void try_axis(struct dice *d)
{
    struct words w = {0};
    struct mh_error err = {""};
    char text[256] = "";
    for (uint64_t i = roll(d, PARTS); i; i--) {
        if (roll(d, 2))
            snprintf(text + strlen(text), sizeof text - strlen(text), "%d", (int)roll(d, 3000) - 100);
        else
            strncat(text, piece(d), sizeof text - strlen(text) - 1);
    }
    int status = axis_parse(&w, text, &err);
    require(status ? *err.text != 0 : w.count > 0, "neither values nor a reason");
    words_free(&w);
}

static bool one_round(uint64_t seed, uint64_t n)
{
    struct dice d = {seed + n, 0};
    try_axis(&d);
    return try_file(&d);
}

int main(int argc, char **argv)
{
    return dice_rounds(argc, argv, "fuzz_sweep", 3000, one_round);
}
