/*
 * Requests put into the sub-queues of an L1D miss queue by hand, past the LSU, for the tests of missq/. All tenants
 * share SM 0, on which they sleep.
 */
#ifndef TESTS_SUBQUEUES_H
#define TESTS_SUBQUEUES_H

#include "requests.h"

/** Preset `mask` with 8 sub-queues of 16 for `tenants` tenants on the same `sms` SMs; no warp ever waits for
 * a credit of a bank. */
static inline struct mh_config subqueues_config(uint32_t sms, uint32_t tenants)
{
    struct mh_config cfg = script_config(sms, tenants);

    script_share_sms(&cfg);
    cfg.l1d.miss_queue = 128;
    cfg.l1d.subqueues = 8;
    cfg.l1d.mshrs = 512;
    cfg.noc.bank_queue = 512;
    return cfg;
}

/** A sleeping GPU with MISS_QUEUES 1. */
static inline struct mh_gpu *subqueues_gpu(const struct mh_config *cfg)
{
    struct mh_gpu *g = sleeping_gpu(cfg);
    script_knob(g, MH_REG_MISS_QUEUES, 1);
    return g;
}

/** Knobs of a tenant. */
static inline void set_rate(struct mh_gpu *g, uint32_t tenant, uint32_t rate)
{
    script_knob(g, MH_REG_ISSUE_RATE + tenant * MH_REG_ISSUE_RATE_STRIDE, rate);
}

static inline void set_first(struct mh_gpu *g, uint32_t tenant)
{
    script_knob(g, MH_REG_ISSUE_FIRST + tenant * MH_REG_ISSUE_FIRST_STRIDE, 1);
}

/** What L1D does: asks for a place, and sends. False: there is none. */
static inline bool queue_request(struct mh_gpu *g, uint32_t sm, uint32_t tenant, struct mh_req r)
{
    if (!mh_noc_room(g->noc, sm) && !mh_missq_room(g, sm, tenant))
        return false;
    r.tenant = (uint8_t)tenant;
    const uint32_t id = mh_noc_new(g->noc);

    g->req[id] = r;
    mh_missq_push(g, id);
    return true;
}

/** A read of a line in this bank, the n-th of the tenant's there. */
static inline bool queue_read(struct mh_gpu *g, uint32_t sm, uint32_t tenant, uint32_t bank, uint32_t n)
{
    uint32_t line = bank_line(g, tenant, bank, n);
    if (!mh_noc_room(g->noc, sm) && !mh_missq_room(g, sm, tenant))
        return false;
    return queue_request(g, sm, tenant, read_of(g, sm, line));
}

/** A write of a whole line: five flits. No load waits for it. */
static inline bool queue_write(struct mh_gpu *g, uint32_t sm, uint32_t tenant, uint32_t bank, uint32_t n)
{
    return queue_request(g, sm, tenant, request_of(g, sm, MH_REQ_WRITE, bank_line(g, tenant, bank, n)));
}

static inline uint32_t queued(const struct mh_gpu *g, uint32_t sm, uint32_t tenant)
{
    return g->missq->sm[sm].of[tenant].count;
}

/** Requests of the tenant that banks have looked up. */
static inline uint64_t looked_up_of(const struct mh_gpu *g, uint32_t tenant)
{
    return g->tenant[tenant].count.l2_access;
}

enum { NOBODY = -1 };

/**
 * Tenant whose request is looked up first from now on, and the cycle of that, counted from `start`; NOBODY: none within
 * 100000 cycles. Of one cycle the lowest tenant.
 */
static inline int next_look_up(struct mh_gpu *g, uint64_t start, uint64_t *at)
{
    for (uint64_t end = mh_gpu_now(g) + 100000; mh_gpu_now(g) < end;) {
        uint64_t before[MH_MAX_TENANTS] = {0};
        for (uint32_t t = 0; t < g->tenants; t++)
            before[t] = looked_up_of(g, t);
        mh_gpu_advance(g, mh_gpu_now(g) + 1);
        mh_gpu_check(g);
        *at = mh_gpu_now(g) - start;
        for (uint32_t t = 0; t < g->tenants; t++)
            if (looked_up_of(g, t) > before[t])
                return (int)t;
    }
    return NOBODY;
}

/** The next look-ups are of these tenants, at these cycles from `start` on. */
static inline void assert_order(struct mh_gpu *g, uint64_t start, uint32_t count, const int *tenant, const uint64_t *at)
{
    for (uint32_t i = 0; i < count; i++) {
        uint64_t cycle;
        int who = next_look_up(g, start, &cycle);
        if (who != tenant[i] || cycle != at[i])
            fail_msg("look-up %u: tenant %d at %llu, not %d at %llu", i, who, (unsigned long long)cycle, tenant[i],
                     (unsigned long long)at[i]);
    }
}

#endif
