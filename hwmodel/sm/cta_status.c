#include "engine/gpu.h"
#include "sm/sm.h"

/* What firmware reads of CTAs: who holds them, how many, what they take. */

static uint32_t holders(const struct mh_gpu *g, uint32_t word)
{
    uint32_t mask = 0;

    for (uint32_t s = 32 * word; s < 32 * word + 32 && s < g->cfg.sm.count; s++)
        mask |= (uint32_t)(g->sm[s].standing != 0) << s % 32;
    return mask;
}

static uint32_t residents(const struct mh_sm *sm, uint32_t word)
{
    uint32_t value = 0;

    for (uint32_t t = 0; t < 4; t++)
        value |= sm->tenant_ctas[4 * word + t] << 8 * t;
    return value;
}

static uint32_t launch_status(const struct mh_gpu *g, uint32_t offset)
{
    const struct mh_tenant *t = &g->tenant[(offset - MH_REG_CTA_THREADS) / MH_TENANT_STRIDE];
    const struct mh_launch *l = &t->work->launches[t->launch];

    switch ((offset - MH_REG_CTA_THREADS) % MH_TENANT_STRIDE + MH_REG_CTA_THREADS) {
    case MH_REG_CTA_THREADS:
        return l->threads;
    case MH_REG_CTA_REGISTERS:
        return l->registers * l->threads;
    default:
        return l->shared_bytes;
    }
}

uint32_t mh_cta_status(const struct mh_gpu *g, uint32_t offset)
{
    if (offset < MH_REG_SM_HOLDS)
        return launch_status(g, offset);
    if (offset < MH_REG_SM_CTAS_0)
        return holders(g, (offset - MH_REG_SM_HOLDS) / 4);
    offset -= MH_REG_SM_CTAS_0;
    return residents(&g->sm[offset / MH_REG_SM_CTAS_0_STRIDE], offset / 4 % 2);
}
