/* The SMs as a block: all of them together (engine/block.h). */

#include <string.h>

#include "engine/gpu.h"
#include "sm/l1d.h"
#include "sm/report.h"
#include "sm/sm.h"
#include "sm/stalls.h"
#include "sm/umon.h"
#include "sm/ways.h"

static int init(struct mh_gpu *g)
{
    const struct mh_config *c = &g->cfg;

    g->l1d_mshrs = mh_divisor(c->l1d.mshrs);
    g->l1tlb_mshrs = mh_divisor(c->l1tlb.mshrs);
    g->store_drops = !strcmp(c->l1d.store_hit, "drop");
    g->misses_hold = !strcmp(c->l1tlb.on_miss, "hold");
    g->sm = mh_aligned_zeros(c->sm.count * sizeof *g->sm);
    for (uint32_t i = 0; g->sm && i < c->sm.count; i++)
        if (mh_sm_init(&g->sm[i], i, c))
            return -1;
    return g->sm ? 0 : -1;
}

static void free_all(struct mh_gpu *g)
{
    for (uint32_t i = 0; g->sm && i < g->cfg.sm.count; i++)
        mh_sm_free(&g->sm[i]);
    free(g->sm);
}

static bool quotas_changed(const struct mh_knobs *k, const struct mh_knobs *before)
{
    return memcmp(k->warp_quota, before->warp_quota, sizeof k->warp_quota) ||
           memcmp(k->mem_quota, before->mem_quota, sizeof k->mem_quota) ||
           memcmp(k->mem_limit, before->mem_limit, sizeof k->mem_limit);
}

static void apply(struct mh_gpu *g, const struct mh_knobs *before)
{
    if (memcmp(before->l1d_ways, g->knobs.l1d_ways, sizeof before->l1d_ways))
        mh_ways_apply(g);
    if (before->l1d_monitor != g->knobs.l1d_monitor)
        mh_umon_apply(g);
    if (quotas_changed(&g->knobs, before))
        for (uint32_t i = 0; i < g->cfg.sm.count; i++)
            mh_quota_apply(g, &g->sm[i], before);
    /* Where no tenant is throttled, CTAs start and end without a look at the throttle. */
    g->cta_throttle = false;
    for (uint32_t i = 0; i < g->tenants; i++)
        g->cta_throttle |= g->knobs.cta_throttle[i] < g->cfg.sm.cta_slots;
    for (uint32_t i = 0; i < g->cfg.sm.count; i++)
        mh_sm_throttle(g, &g->sm[i]);
    /* A limit or a throttle may be gone, and an SM have room for CTAs. */
    mh_cta_dispatch(g);
}

static void settle(struct mh_gpu *g)
{
    for (uint32_t i = 0; i < g->cfg.sm.count; i++) {
        struct mh_sm *sm = &g->sm[i];

        mh_sm_count_stall(g, sm);
        mh_lsu_count_refused(g, sm, g->wheel.now);
        if (sm->count_stalls)
            mh_stalls_settle(g, sm);
    }
}

static void take_burst(const struct mh_gpu *g, const struct mh_sm *sm, const struct mh_issue_port *port,
                       struct mh_counters *out)
{
    uint64_t left = mh_sm_burst_left(sm, port, g->wheel.now);
    const struct mh_warp *w;

    if (!left)
        return;
    w = &sm->warp[sm->slot_at[port->last]];
    out[w->tenant].warp_instr -= left;
    out[w->tenant].lane_instr -= left * w->active;
}

/*
 * Bursts are counted when they start: what lies after this cycle is taken off again. The instruction of this cycle has
 * issued, as a memory instruction of this cycle has.
 */
static void read_counts(const struct mh_gpu *g, struct mh_counters *out)
{
    for (uint32_t t = 0; t < g->tenants; t++) {
        out[t].warps_active = out[t].mem_peak = 0;
        mh_l1d_read_counts(&out[t]);
    }
    for (uint32_t i = 0; i < g->cfg.sm.count; i++) {
        const struct mh_sm *sm = &g->sm[i];

        for (uint32_t t = 0; t < g->tenants; t++) {
            out[t].warps_active = mh_max64(out[t].warps_active, mh_bits(sm->active_warps[t]));
            out[t].mem_peak = mh_max64(out[t].mem_peak, sm->quota.peak[t]);
        }
        for (uint32_t p = 0; p < sm->ports; p++)
            take_burst(g, sm, &sm->port[p], out);
    }
    mh_sm_less_stocks(g, out);
    if (g->cfg.sm.stall_reasons)
        mh_stalls_read(g, out);
}

/* Warps that are there count again, whether or not they issue. */
static void restart(struct mh_gpu *g)
{
    for (uint32_t i = 0; i < g->cfg.sm.count; i++) {
        for (uint32_t t = 0; t < g->tenants; t++)
            g->sm[i].active_warps[t] = g->sm[i].tenant_warps[t];
        mh_quota_restart(&g->sm[i]);
    }
}

const struct mh_block mh_block_sm = {.init = init,
                                     .free = free_all,
                                     .apply = apply,
                                     .check = mh_sm_check,
                                     .oldest = mh_sm_oldest,
                                     .left = mh_sm_left,
                                     .settle = settle,
                                     .read = read_counts,
                                     .restart = restart};
