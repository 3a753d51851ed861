/*
 * Walks by hand, past L1 and L2 TLBs. steal_gpu(): walkers with queues of their own, in a GPU in which nothing else
 * moves. struct bench: one queue of walks, which arrive and are picked without events.
 */
#ifndef TESTS_WALK_FIXTURE_H
#define TESTS_WALK_FIXTURE_H

#include "requests.h"
#include "translate_fixture.h"

/** `walkers` with queues of `entries` each for `tenants` on as many SMs; equal parts; WALK_STEAL = `steal`. */
static inline struct mh_gpu *steal_gpu(uint32_t tenants, uint32_t walkers, uint32_t entries, uint32_t steal)
{
    struct mh_config cfg = script_config(tenants, tenants);
    cfg.walk.walkers = walkers;
    cfg.walk.buffer = walkers * entries;
    cfg.l2tlb.mshrs = 256;
    cfg.run.log_registers = 0;
    struct mh_gpu *g = sleeping_gpu(&cfg);
    script_write(g, MH_REG_WALK_QUEUES, 1);
    script_knob(g, MH_REG_WALK_STEAL, steal);
    return g;
}

static inline void set_owner(struct mh_gpu *g, uint32_t walker, uint32_t tenant)
{
    script_write(g, MH_REG_WALKER_OWNER + walker * MH_REG_WALKER_OWNER_STRIDE, tenant);
}

/** Owners as digits, from walker 0 on; with a COMMIT. */
static inline void set_owners(struct mh_gpu *g, const char *owners)
{
    for (uint32_t w = 0; owners[w]; w++)
        set_owner(g, w, (uint32_t)(owners[w] - '0'));
    script_commit(g);
}

/** A walk of the tenant's instruction for a page that no TLB has, as after a miss; no load waits for it. */
static inline uint32_t begin_walk_of(struct mh_gpu *g, uint32_t tenant, uint32_t instruction, uint32_t page)
{
    struct mh_l2tlb *t = g->l2tlb;
    uint32_t id = t->free_walk, vpn = (uint32_t)(SCRIPT_BASE / SCRIPT_PAGE) + page;
    assert_int_not_equal(id, MH_NONE);
    t->free_walk = t->walk[id].next_free;
    t->part[tenant].held++;
    t->walk[id] = (struct mh_walk){.key = mh_page_key(tenant, vpn),
                                   .vpn = vpn,
                                   .head = MH_NONE,
                                   .instruction = instruction,
                                   .missed = g->wheel.now,
                                   .tenant = (uint8_t)tenant};
    mh_index_put(&t->index, t->walk[id].key, id);
    mh_walk_begin(g, id, g->wheel.now);
    return id;
}

/** begin_walk_of() for any instruction. */
static inline uint32_t begin_walk(struct mh_gpu *g, uint32_t tenant, uint32_t page)
{
    return begin_walk_of(g, tenant, 0, page);
}

/** Walks that run, in the order of their walkers: a digit for the tenant, '.' for none. */
static inline const char *running(const struct mh_gpu *g)
{
    static char text[MH_MAX_WALKER_QUEUES + 1];
    memset(text, '.', g->steal->walkers);
    text[g->steal->walkers] = 0;
    for (uint32_t id = 0; id < g->l2tlb->mshrs; id++)
        if (g->l2tlb->walk[id].runs)
            text[g->l2tlb->walk[id].walker] = (char)('0' + g->l2tlb->walk[id].tenant);
    return text;
}

/** Lengths of the queues, a digit for each walker. */
static inline const char *lengths(const struct mh_gpu *g)
{
    static char text[MH_MAX_WALKER_QUEUES + 1];
    for (uint32_t w = 0; w < g->steal->walkers; w++)
        text[w] = (char)('0' + g->steal->queue[w].count);
    text[g->steal->walkers] = 0;
    return text;
}

/** The cycle at which this many walks of all tenants have ended. */
static inline uint64_t until_walks(struct mh_gpu *g, uint64_t walks)
{
    uint64_t ended;
    do {
        mh_gpu_advance(g, mh_gpu_now(g) + 1);
        ended = 0;
        for (uint32_t t = 0; t < g->tenants; t++)
            ended += g->tenant[t].count.walks;
    } while (ended < walks);
    return mh_gpu_now(g);
}

/* A bench is a GPU of preset `mask` whose SMs do nothing; its page walk cache has one set of `pwc` entries (0: none).
 */

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
        s[t] = script_paged(CHAIN_PAGES, 1);
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
