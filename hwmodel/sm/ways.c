#include "sm/l1d.h"

#include "engine/gpu.h"
#include "engine/tags.h"
#include "pages/page_table.h"

static uint32_t tenant_of(const struct mh_gpu *g, uint32_t entry)
{
    return mh_line_tenant(g, entry >> MH_TAG_BITS);
}

static uint32_t ways_of(const struct mh_gpu *g, uint32_t tenant)
{
    return g->tenant[tenant].presence == MH_PRESENT ? g->knobs.l1d_ways[tenant] : 0;
}

void mh_ways_apply(struct mh_gpu *g)
{
    g->l1d_apart = false;
    for (uint32_t t = 0; t < g->tenants; t++)
        g->l1d_apart |= g->knobs.l1d_ways[t] != 0;
}

/* Least recently used line of a tenant in the mask. Pre: there is one. */
static uint32_t last_of(const struct mh_gpu *g, const uint32_t *set, uint32_t tenants)
{
    uint32_t w = g->cfg.l1d.ways - 1;

    while (!set[w] || !(tenants >> tenant_of(g, set[w]) & 1))
        w--;
    return w;
}

uint32_t mh_ways_victim(const struct mh_gpu *g, const uint32_t *set, uint32_t line)
{
    uint32_t held[MH_MAX_TENANTS] = {0}, there = 0, beyond = 0, empty = MH_NONE;
    uint32_t tenant = mh_line_tenant(g, line), own = ways_of(g, tenant);

    for (uint32_t w = 0; w < g->cfg.l1d.ways; w++) {
        if (set[w])
            held[tenant_of(g, set[w])]++;
        else
            empty = w;
    }
    if (own && held[tenant] >= own)
        return last_of(g, set, 1u << tenant);
    if (empty != MH_NONE)
        return empty;
    for (uint32_t t = 0; t < g->tenants; t++) {
        there |= (uint32_t)(held[t] > 0) << t;
        beyond |= (uint32_t)(held[t] > ways_of(g, t)) << t;
    }
    return last_of(g, set, beyond ? beyond : there & ~(1u << tenant));
}
