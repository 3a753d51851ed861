/*
 * Feeds the reader of Accel-Sim's traces damaged ones: fuzz_traceg [ITERATIONS [SEED [FILE..]]]. As fuzz_trace: every
 * round is a function of seed and round number; a crash, a leak or a hang is what it looks for. A trace that is
 * accepted is replayed twice, the second time from the end, and has to say the same and to stay in its buffers.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz/traces.h"

#define TEST_DATA "tests/data/"

enum { MAX_SEEDS = 16 };

static const char *const default_files[] = {
    TEST_DATA "traceg/kernel-1.traceg",  TEST_DATA "traceg/kernel-2.traceg", TEST_DATA "traceg/kernel-3.traceg.xz",
    TEST_DATA "traceg/version-1.traceg", TEST_DATA "traceg/kernelslist.g",
};

static struct text load(const char *path)
{
    struct text t = new_text();
    FILE *f = fopen(path, "rb");

    if (!f)
        die("cannot read ", path);
    t.size = fread(t.s, 1, MAX_TEXT, f);
    fclose(f);
    return t;
}

/* ---- damage ---- */

static char interesting(struct dice *d)
{
    static const char bytes[] = "0123456789abcdefRx-#=(), \t\n\r.LSDGTE";

    return roll(d, 8) ? bytes[roll(d, sizeof bytes - 1)] : (char)roll(d, 256);
}

static size_t line_at(const struct text *t, size_t at)
{
    while (at > 0 && t->s[at - 1] != '\n')
        at--;
    return at;
}

/* One change: a byte, a piece or a line left out or there twice, the end cut off. */
static void mutate(struct dice *d, struct text *t)
{
    size_t at = t->size ? roll(d, t->size) : 0, length = 1 + roll(d, 12);
    char *end;

    if (t->size == 0)
        return;
    if (roll(d, 3) == 0) { /* whole lines */
        at = line_at(t, at);
        end = memchr(t->s + at, '\n', t->size - at);
        length = end ? (size_t)(end - (t->s + at)) + 1 : 1;
    }
    if (at + length > t->size)
        length = t->size - at;
    switch (roll(d, 8)) {
    case 0:
        t->size = at;
        break;
    case 1:
    case 2:
        memmove(t->s + at, t->s + at + length, t->size - at - length);
        t->size -= length;
        break;
    case 3:
        if (t->size + length < MAX_TEXT) {
            memmove(t->s + at + length, t->s + at, t->size - at);
            t->size += length;
        }
        break;
    default:
        t->s[at] = interesting(d);
    }
}

static struct text one_sample(struct dice *d, const struct text *seeds, size_t count)
{
    const struct text *seed = &seeds[roll(d, count)];
    unsigned changes = (unsigned)roll(d, 4);
    struct text t;

    if (roll(d, 2)) {
        t = written_traceg(d);
    } else {
        t = new_text();
        memcpy(t.s, seed->s, seed->size);
        t.size = seed->size;
        changes++;
    }
    while (changes-- > 0)
        mutate(d, &t);
    return t;
}

/* True when the trace was accepted. */
static bool run_round(uint64_t seed, uint64_t n, const struct text *seeds, size_t count)
{
    struct dice d = {.seed = mh_random(seed, n)};
    struct text t = one_sample(&d, seeds, count);
    struct mh_error err = {{0}};
    struct mh_workload *w;

    hang_begins();
    w = mh_trace_parse(t.s, t.size, TEST_DATA "traceg/fuzz", (struct mh_trace_how){.lanes = 32, .lenient = roll(&d, 2)},
                       &err);
    if (!w && !err.text[0])
        abort(); /* a refusal has to say why */
    if (w) {
        replay(w, 32);
        w->destroy(w);
    }
    hang_ends();
    free(t.s);
    return w != NULL;
}

int main(int argc, char **argv)
{
    uint64_t rounds = dice_argument(argc, argv, 1, 2000), seed = dice_argument(argc, argv, 2, 1), accepted = 0;
    const char *const *files = argc > 3 ? (const char *const *)argv + 3 : default_files;
    size_t count = argc > 3 ? (size_t)argc - 3 : sizeof default_files / sizeof *default_files;
    struct text seeds[MAX_SEEDS];

    if (count > MAX_SEEDS)
        die("too many files", "");
    for (size_t i = 0; i < count; i++)
        seeds[i] = load(files[i]);
    printf("fuzz_traceg: seed %llu, %llu rounds\n", (unsigned long long)seed, (unsigned long long)rounds);
    fflush(stdout);
    for (uint64_t n = 0; n < rounds; n++)
        accepted += run_round(seed, n, seeds, count);
    printf("fuzz_traceg: done, %llu traces accepted\n", (unsigned long long)accepted);
    for (size_t i = 0; i < count; i++)
        free(seeds[i].s);
    return 0;
}
