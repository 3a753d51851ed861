#include "waits/waits.h"

/* Where requests pass. */

static struct mh_line_way *line_of(const struct mh_gpu *g, uint32_t sm, uint32_t mshr)
{
    return &g->waits->line[(size_t)sm * g->cfg.l1d.mshrs + mshr];
}

void mh_waits_asked(struct mh_gpu *g, uint32_t mshr)
{
    g->waits->page[mshr] = (struct mh_page_way){.asked = g->wheel.now};
}

void mh_waits_joined(struct mh_gpu *g, uint32_t mshr, uint32_t walk, bool fresh)
{
    g->waits->page[mshr].walk = walk + 1;
    /* With an IOMMU it is queued later. */
    if (fresh && g->cfg.iommu.l1_entries)
        g->waits->walk[walk] = (struct mh_walk_way){0};
}

void mh_waits_queued(struct mh_gpu *g, uint32_t walk, uint64_t cycle)
{
    g->waits->walk[walk] = (struct mh_walk_way){.queued = cycle};
}

void mh_waits_walk(struct mh_gpu *g, uint32_t walk, uint64_t cycle)
{
    g->waits->walk[walk].started = cycle;
}

void mh_waits_walked(struct mh_gpu *g, uint32_t walk, uint32_t mshr, bool fault)
{
    struct mh_page_way *p = &g->waits->page[mshr];

    if (p->faulted)
        return;
    p->queued = g->waits->walk[walk].queued;
    p->started = g->waits->walk[walk].started;
    p->ended = g->wheel.now;
    p->faulted = fault ? g->wheel.now : 0;
}

void mh_waits_translated(struct mh_gpu *g, uint32_t mshr, uint32_t sm, uint32_t warp, uint32_t slot)
{
    struct mh_page_way *p = &mh_waits_load(g, sm, warp, slot)->page;

    *p = g->waits->page[mshr];
    p->came = g->wheel.now;
}

void mh_waits_l2(struct mh_gpu *g, uint32_t sm, uint32_t mshr, uint32_t sent)
{
    const uint64_t now = g->wheel.now;

    *line_of(g, sm, mshr) = (struct mh_line_way){.sent = now - (uint32_t)((uint32_t)now - sent), .looked = now};
}

void mh_waits_picked(struct mh_gpu *g, uint32_t sm, uint32_t mshr)
{
    line_of(g, sm, mshr)->picked = g->wheel.now;
}

void mh_waits_filled(struct mh_gpu *g, uint32_t sm, uint32_t mshr)
{
    line_of(g, sm, mshr)->filled = g->wheel.now;
}

void mh_waits_back(struct mh_gpu *g, uint32_t sm, uint32_t mshr, uint64_t back)
{
    line_of(g, sm, mshr)->back = back;
    g->waits->stops[sm].line = mshr;
}

void mh_waits_line(struct mh_gpu *g, uint32_t sm, uint32_t mshr, uint32_t warp, uint32_t slot)
{
    mh_waits_load(g, sm, warp, slot)->line = *line_of(g, sm, mshr);
}
