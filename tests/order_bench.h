/*
 * A queue of walks by hand, for the tests of the order in which they are served: walks arrive and are picked without
 * events, on a GPU of preset `mask` whose SMs do nothing. Its page walk cache has one set of `pwc` entries (0: none).
 */
#ifndef TESTS_ORDER_BENCH_H
#define TESTS_ORDER_BENCH_H

#include "translate_fixture.h"

enum { BENCH_TENANTS = 2 };

struct bench {
    struct mh_gpu *g;
    struct mh_walk_queue q;
    uint32_t next; /**< walk that arrives next */
};

static inline void bench_config(struct mh_config *cfg, uint32_t pwc)
{
    *cfg = script_config(2, BENCH_TENANTS);
    cfg->l2tlb.mshrs = 1024;
    cfg->walk.pwc_bytes = pwc * 8;
    cfg->walk.pwc_ways = pwc ? pwc : 1;
}

static inline struct bench bench_of(const struct mh_config *cfg)
{
    struct script *s[BENCH_TENANTS];
    struct bench b;

    for (uint32_t t = 0; t < BENCH_TENANTS; t++) {
        s[t] = script_new();
        script_buffer(s[t], SCRIPT_BASE, CHAIN_PAGES * SCRIPT_PAGE);
        script_warps(s[t], 1);
    }
    b.g = script_gpu(cfg, s);
    b.g->knobs.walk_order = MH_WALK_SIMT;
    b.next = 0;
    mh_walk_queue_init(&b.q);
    return b;
}

static inline struct bench bench_open(uint32_t pwc)
{
    struct mh_config cfg;

    bench_config(&cfg, pwc);
    return bench_of(&cfg);
}

static inline void bench_close(struct bench *b)
{
    mh_gpu_destroy(b->g);
}

static inline struct mh_walk *bench_walk(const struct bench *b, uint32_t walk)
{
    return &b->g->l2tlb->walk[walk];
}

/** A walk of the instruction, for page `page` of the tenant's buffer, arrives and waits; returns it. */
static inline uint32_t bench_arrive(struct bench *b, uint32_t instruction, uint32_t tenant, uint32_t page)
{
    uint32_t walk = b->next++ % b->g->cfg.l2tlb.mshrs;
    struct mh_walk *w = bench_walk(b, walk);

    *w = (struct mh_walk){.vpn = (uint32_t)(SCRIPT_BASE / SCRIPT_PAGE) + page,
                          .node = b->g->tenant[tenant].page_root,
                          .instruction = instruction,
                          .tenant = (uint8_t)tenant,
                          .depth = 1,
                          .waits = true};
    w->record = mh_instruction_walk(b->g, instruction, tenant, 0);
    mh_walk_queue_push(&b->q, b->g->l2tlb->walk, walk);
    mh_order_arrived(b->g, walk);
    return walk;
}

/** The walk that goes next is served at once: it looks up the page walk cache and ends. */
static inline uint32_t bench_serve(struct bench *b)
{
    uint32_t walk = mh_order_pick(b->g, &b->q);
    struct mh_walk *w = bench_walk(b, walk);

    mh_order_leave(b->g, &b->q, walk);
    mh_pwc_look_up(b->g, w->tenant, w->node, w->vpn, MH_PWC_DOWN, w->pinned);
    w->pinned = 0;
    mh_instruction_walked(b->g->instructions, w->record, 1);
    return walk;
}

static inline uint32_t bench_score(const struct bench *b, uint32_t instruction)
{
    return mh_instruction_find(b->g->instructions, instruction)->score;
}

#endif
