#include "dram/tap.h"

#include <stdlib.h>

#include "dram/memory.h"
#include "engine/gpu.h"

int mh_tap_init(struct mh_memory *m, const struct mh_config *cfg)
{
    m->tap.channel = cfg->run.log_dram ? cfg->run.log_dram_channel : UINT32_MAX;
    if (!cfg->run.log_dram)
        return 0;
    m->tap.entered = calloc((size_t)m->banks_per_channel * cfg->l2.mshrs * MH_MAX_SECTORS, sizeof *m->tap.entered);
    return m->tap.entered ? 0 : -1;
}

void mh_tap_free(struct mh_memory *m)
{
    free(m->tap.entered);
}

/* Tags of a channel's banks follow each other: the remainder is the MSHR's place among theirs. */
static uint64_t *entered(const struct mh_gpu *g, uint32_t tag)
{
    struct mh_tap *tap = &g->memory->tap;
    uint32_t sectors = tag >> MH_ASKED_SECTORS, mshr = tag & MH_ASKED_MSHR;

    if (tag & (MH_TAG_MIGRATE | MH_TAG_EXTRA))
        return &tap->migrated;
    return &tap->entered[mshr % (g->memory->banks_per_channel * g->cfg.l2.mshrs) * MH_MAX_SECTORS +
                         (sectors ? (uint32_t)__builtin_ctz(sectors) : 0)];
}

void mh_tap_enter(struct mh_gpu *g, uint64_t cycle, const struct mh_dram_request *r)
{
    const struct mh_observer *obs = &g->memory->tap.obs;

    if (!r->write)
        *entered(g, r->tag) = cycle;
    if (obs->dram_enter)
        obs->dram_enter(obs->ctx, cycle, r->addr, r->write);
}

void mh_tap_serve(struct mh_gpu *g, uint32_t tag, uint64_t finish, bool row_hit)
{
    const struct mh_observer *obs = &g->memory->tap.obs;
    bool write = tag & MH_TAG_WRITE;

    if (obs->dram_serve)
        obs->dram_serve(obs->ctx, write ? 0 : *entered(g, tag), finish, write, row_hit);
}
