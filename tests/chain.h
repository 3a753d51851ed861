/*
 * A chain of loads by one warp, each of which waits for the one before: what a load costs on an otherwise idle GPU.
 */
#ifndef TESTS_CHAIN_H
#define TESTS_CHAIN_H

#include "script.h"

enum { CHAIN_MOST = 256, CHAIN_PAGES = 2048 };

/** Address of byte `offset` in page `page` of the buffer that every chain has. */
static inline uint64_t in_page(uint64_t page, uint64_t offset)
{
    return SCRIPT_BASE + page * SCRIPT_PAGE + offset;
}

/** The first warp of a script loads addr[0 .. count - 1], and waits for the last of them. */
static inline void chain_loads(struct script *s, uint32_t count, const uint64_t *addr)
{
    for (uint32_t i = 0; i < count; i++)
        script_add(s, 0, 0, 0, op_wait(op_load(addr[i])));
    script_add(s, 0, 0, 0, op_wait(op_barrier()));
}

/** The GPU at cycle 0 with a chain over addr[0 .. count - 1] on its first SM; *s is set for chain_cycles(). */
static inline struct mh_gpu *chain_gpu(const struct mh_config *cfg, uint32_t count, const uint64_t *addr,
                                       struct script **s)
{
    *s = script_paged(CHAIN_PAGES, 1);
    chain_loads(*s, count, addr);
    return script_gpu(cfg, s);
}

/** Issue of load `i` to its data, once the chain has run. */
static inline uint64_t chain_cycles(const struct script *s, uint32_t i)
{
    return script_issued(s, 0, 0, 0, i + 1) - script_issued(s, 0, 0, 0, i);
}

/** Runs the chain, or whatever tenant 0 does, to its end. */
static inline void chain_run(struct mh_gpu *g)
{
    script_until(g, &g->tenant[0].count.completions, 1);
}

/** A chain that has run. */
static inline struct mh_gpu *chain_ended(const struct mh_config *cfg, uint32_t count, const uint64_t *addr,
                                         struct script **s)
{
    struct mh_gpu *g = chain_gpu(cfg, count, addr, s);
    chain_run(g);
    return g;
}

/** CTAs of one warp that compute for `gap` instructions. */
static inline struct script *script_computing(uint32_t ctas, uint32_t gap)
{
    struct script *s = script_new();
    script_buffer(s, SCRIPT_BASE, CHAIN_PAGES * SCRIPT_PAGE);
    script_launch(s, (struct mh_launch){.ctas = ctas, .threads = 64});
    for (uint32_t cta = 0; cta < ctas; cta++)
        script_add(s, 0, cta, 0, op_after(gap, op_exit()));
    return s;
}

/** script_computing() without an end. */
static inline struct script *script_computing_on(uint32_t ctas, uint32_t gap)
{
    struct script *s = script_computing(ctas, gap);
    script_repeat(s);
    return s;
}

#endif
