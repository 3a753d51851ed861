#include "gpu/gauges.h"

#include "gpu/gpu.h"

static uint64_t saturated(uint64_t value)
{
    return value < MH_GAUGE_MOST ? value : MH_GAUGE_MOST;
}

static uint64_t most_active(const struct mh_gpu *g, uint32_t tenant)
{
    uint32_t most = 0;

    for (uint32_t i = 0; i < g->cfg.sm.count; i++) {
        uint32_t warps = mh_bits(g->sm[i].active_warps[tenant]);

        most = warps > most ? warps : most;
    }
    return most;
}

/* A walk takes its first cycle off the area and adds its last one: those that still run have the second to come. */
void mh_gauges_read(const struct mh_gpu *g, struct mh_counters *out)
{
    for (uint32_t t = 0; t < g->tenants; t++) {
        out[t].walks_area += out[t].walks_live * g->wheel.now;
        out[t].walks_peak = saturated(out[t].walks_peak);
        out[t].stalled_peak = saturated(out[t].stalled_peak);
        out[t].warps_active = most_active(g, t);
    }
}

void mh_gauges_restart(struct mh_gpu *g)
{
    for (uint32_t t = 0; t < g->tenants; t++) {
        g->tenant[t].count.walks_peak = g->tenant[t].count.walks_live;
        g->tenant[t].count.stalled_peak = 0;
        for (uint32_t i = 0; i < g->cfg.sm.count; i++)
            g->sm[i].active_warps[t] = g->sm[i].tenant_warps[t];
    }
}
