/*
 * Feeds the trace reader damaged traces: fuzz_trace [ITERATIONS [SEED [FILE..]]]. Every round is a function of seed and
 * round number, so that a failure is repeated by the numbers it prints. Build it with -fsanitize=address,undefined:
 * a crash, a leak or a hang is what it looks for; a trace that is accepted is replayed and has to stay in its buffers.
 */
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "fuzz/traces.h"

#define TEST_DATA "tests/data/"

enum { MAX_SEEDS = 16 };

static const char *const default_files[] = {
    TEST_DATA "pb_bicg.w32.gmt.zst", TEST_DATA "pb_gemm.w64.gmt.zst",     TEST_DATA "rod_nw.w64.gmt.zst",
    TEST_DATA "rod_lud.w64.gmt.zst", TEST_DATA "rod_hotspot.w32.gmt.zst",
};

static struct sample load(const char *path)
{
    struct sample s = {malloc(1 << 20), 0};
    FILE *f = fopen(path, "rb");

    if (!f || !s.data)
        die("cannot read ", path);
    s.size = fread(s.data, 1, 1 << 20, f);
    fclose(f);
    return s;
}

/* The first bytes of the decompressed trace: mutations there reach the parser instead of the decompressor. */
static struct sample unpack(const struct sample *packed)
{
    struct sample s = {malloc(MAX_PLAIN), 0};
    ZSTD_DStream *z = ZSTD_createDStream();
    ZSTD_inBuffer in = {packed->data, packed->size, 0};
    ZSTD_outBuffer out = {s.data, MAX_PLAIN, 0};

    if (!s.data || !z)
        die("out of memory", "");
    while (out.pos < out.size && in.pos < in.size)
        if (ZSTD_isError(ZSTD_decompressStream(z, &out, &in)))
            die("a seed file does not unpack", "");
    s.size = out.pos;
    ZSTD_freeDStream(z);
    return s;
}

static uint8_t interesting(struct dice *d)
{
    static const uint8_t bytes[] = {0, 1, 0x7f, 0x80, 0xff, 'L', 'C', 'W', 'E', 32, 64, 0x24, 0x28, 0x2c, 0x70};

    return roll(d, 2) ? bytes[roll(d, sizeof bytes)] : (uint8_t)roll(d, 256);
}

/* One change; room for a few bytes more is there. */
static void mutate(struct dice *d, struct sample *m)
{
    size_t at = m->size ? roll(d, m->size) : 0, length;

    if (m->size == 0)
        return;
    switch (roll(d, 6)) {
    case 0: /* flip a bit */
        m->data[at] ^= (uint8_t)(1u << roll(d, 8));
        break;
    case 1:
    case 2:
        m->data[at] = interesting(d);
        break;
    case 3: /* cut */
        m->size = at;
        break;
    case 4: /* leave out */
        length = 1 + roll(d, 8);
        if (at + length < m->size) {
            memmove(m->data + at, m->data + at + length, m->size - at - length);
            m->size -= length;
        }
        break;
    case 5: /* repeat */
        length = 1 + roll(d, 8);
        if (at + length < m->size && m->size < MAX_PLAIN) {
            memmove(m->data + at + length, m->data + at, m->size - at);
            m->size += length;
        }
        break;
    }
}

static struct sample random_bytes(struct dice *d)
{
    static const char header[] = "GMT1 warp=32\n";
    struct sample m = {malloc(1024), roll(d, 1024)};

    if (!m.data)
        die("out of memory", "");
    for (size_t i = 0; i < m.size; i++)
        m.data[i] = interesting(d);
    if (m.size > sizeof header && roll(d, 4))
        memcpy(m.data, header, sizeof header - 1);
    return m;
}

static struct sample written(struct dice *d)
{
    struct sample m = written_gmt(d);

    if (roll(d, 2))
        mutate(d, &m);
    return m;
}

static struct sample mutated(struct dice *d, const struct sample *s)
{
    struct sample m = {malloc(s->size + 4096), s->size};
    unsigned changes = 1 + (unsigned)roll(d, 8);

    if (!m.data)
        die("out of memory", "");
    memcpy(m.data, s->data, s->size);
    while (changes-- > 0)
        mutate(d, &m);
    return m;
}

/* True when the trace was accepted. */
static bool try_one(const struct sample *m, uint32_t lanes)
{
    /* An exact copy lets the address sanitizer see every byte read past the end. */
    uint8_t *copy = malloc(m->size ? m->size : 1);
    struct mh_error err = {{0}};
    struct mh_workload *w;

    if (!copy)
        die("out of memory", "");
    memcpy(copy, m->data, m->size);
    w = mh_trace_parse(copy, m->size, "fuzz", (struct mh_trace_how){.lanes = lanes}, &err);
    free(copy);
    if (!w) {
        if (!err.text[0])
            abort(); /* a refusal has to say why */
        return false;
    }
    replay(w, lanes);
    w->destroy(w);
    return true;
}

/* Seeds come in pairs, compressed and not. Damage to a compressed one seldom gets past the decompressor. */
static struct sample one_sample(struct dice *d, const struct sample *seeds, size_t count)
{
    uint64_t kind = roll(d, 16);

    if (kind < 2)
        return random_bytes(d);
    if (kind < 9)
        return written(d);
    return mutated(d, &seeds[roll(d, count / 2) * 2 + (kind > 9)]);
}

static bool run_round(uint64_t seed, uint64_t n, const struct sample *seeds, size_t count)
{
    struct dice d = {.seed = mh_random(seed, n)};
    struct sample m = one_sample(&d, seeds, count);
    bool ok;

    hang_begins();
    ok = try_one(&m, 32);
    ok |= try_one(&m, 64);
    hang_ends();
    free(m.data);
    return ok;
}

int main(int argc, char **argv)
{
    uint64_t rounds = dice_argument(argc, argv, 1, 2000), seed = dice_argument(argc, argv, 2, 1), accepted = 0;
    const char *const *files = argc > 3 ? (const char *const *)argv + 3 : default_files;
    size_t count = argc > 3 ? (size_t)argc - 3 : sizeof default_files / sizeof *default_files;
    struct sample seeds[2 * MAX_SEEDS];

    if (count > MAX_SEEDS)
        die("too many files", "");
    for (size_t i = 0; i < count; i++) {
        seeds[2 * i] = load(files[i]);
        seeds[2 * i + 1] = unpack(&seeds[2 * i]);
    }
    printf("fuzz_trace: seed %llu, %llu rounds\n", (unsigned long long)seed, (unsigned long long)rounds);
    fflush(stdout);
    for (uint64_t n = 0; n < rounds; n++)
        accepted += run_round(seed, n, seeds, 2 * count);
    printf("fuzz_trace: done, %llu traces accepted\n", (unsigned long long)accepted);
    for (size_t i = 0; i < 2 * count; i++)
        free(seeds[i].data);
    return 0;
}
