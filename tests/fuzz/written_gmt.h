/* Random GMT traces that follow the format: what the recordings are too long for. Some of their parts are empty. */
#ifndef TESTS_FUZZ_WRITTEN_GMT_H
#define TESTS_FUZZ_WRITTEN_GMT_H

#include <string.h>

#include "fuzz/dice.h"
#include "workload/trace/trace.h"

struct sample {
    uint8_t *data;
    size_t size;
};

enum { MAX_PLAIN = 1 << 16 /**< bytes of a sample, not compressed */ };

static inline void put(struct sample *m, uint64_t v)
{
    for (; v > 0x7f; v >>= 7)
        m->data[m->size++] = (uint8_t)(v | 0x80);
    m->data[m->size++] = (uint8_t)v;
}

static inline void put_signed(struct sample *m, int64_t v)
{
    put(m, ((uint64_t)v << 1) ^ (0 - (uint64_t)(v < 0)));
}

/* Which loads an op with this gap needs; rarely more than there is. */
static inline void put_needs(struct dice *d, struct sample *m, uint64_t gap)
{
    put(m, MH_NEEDS(1 + roll(d, MH_WAIT_MAX), roll(d, gap + 1)) + (roll(d, 64) ? 0 : roll(d, 4096)));
}

/* A record of any kind, with all lanes; addresses lie in the 64 KiB at 1 MiB, or nearly always do. */
static inline void put_record(struct dice *d, struct sample *m, uint32_t lanes, bool second, bool *used)
{
    static const unsigned kinds[] = {0x20, 0x21, 0x22, 0x28, 0x29, 0x38, 0x70, 0x03};
    unsigned flags = kinds[roll(d, sizeof kinds / sizeof *kinds)];
    uint64_t pc = 1 + roll(d, 8), gap = roll(d, 300);
    bool depends = second && roll(d, 2);

    m->data[m->size++] = (uint8_t)(flags | (depends ? 0x80 : 0));
    put(m, gap);
    put(m, pc);
    if (depends)
        put_needs(d, m, gap);
    if (flags == 0x03) /* a barrier */
        return;
    if (flags >= 0x70)
        put(m, 1 + roll(d, 32));
    put_signed(m, used[pc] ? 0 : (1 << 20) + 8192 + (int64_t)roll(d, 32768));
    used[pc] = true;
    if (!(flags & 8))
        put_signed(m, (int64_t)roll(d, 256) - 127);
    for (uint32_t l = 1; flags & 8 && l < lanes; l++)
        put_signed(m, (int64_t)roll(d, 256) - 127);
}

static inline void put_warp(struct dice *d, struct sample *m, uint32_t warp, uint32_t lanes, bool second,
                            uint64_t records)
{
    bool used[16] = {false};
    uint64_t gap = roll(d, 2) * roll(d, 8);

    m->data[m->size++] = 'W';
    put(m, warp);
    put(m, records);
    while (records-- > 0)
        put_record(d, m, lanes, second, used);
    if (!second)
        return;
    put(m, gap);
    if (roll(d, 2))
        put_needs(d, m, gap);
    else
        put(m, 0);
}

static inline void put_launch(struct dice *d, struct sample *m, uint32_t ctas, uint32_t threads, bool second)
{
    const uint64_t head[] = {1, 'k', ctas, 1, 1, threads, 1, 1}, rest[] = {ctas, 1, 1 << 20, 1 << 16};

    m->data[m->size++] = 'L';
    for (size_t i = 0; i < sizeof head / sizeof *head; i++)
        put(m, head[i]);
    for (size_t i = 0; second && i < 2; i++)
        put(m, roll(d, 64)); /* registers, shared memory */
    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++)
        put(m, rest[i]);
}

/* Launches, CTAs and warps without a record are as frequent as others, wherever they stand. */
static inline struct sample written_gmt(struct dice *d)
{
    uint32_t lanes = roll(d, 2) ? 32 : 64, warps = 1 + (uint32_t)roll(d, 3), ctas = 1 + (uint32_t)roll(d, 3);
    struct sample m = {malloc(MAX_PLAIN), 0};
    bool second = roll(d, 2);

    if (!m.data)
        die("out of memory", "");
    m.size = (size_t)sprintf((char *)m.data, second ? "GMT2.%d warp=%u\n" : "GMT%d warp=%u\n",
                             second ? MH_GMT2_CONTENT : 1, lanes);
    for (uint64_t launches = 1 + roll(d, 3); launches > 0; launches--) {
        bool launch_works = roll(d, 3);

        put_launch(d, &m, ctas, warps * lanes, second);
        for (uint32_t cta = 0; cta < ctas && roll(d, 8); cta++) {
            bool cta_works = launch_works && roll(d, 3);

            m.data[m.size++] = 'C';
            put(&m, cta);
            put(&m, warps);
            for (uint32_t w = 0; w < warps; w++)
                put_warp(d, &m, w, lanes, second, cta_works ? roll(d, 6) : 0);
        }
    }
    m.data[m.size++] = 'E';
    return m;
}

#endif
