/* What SMs wait for, as a block (engine/block.h). */
#include <stdlib.h>
#include <string.h>

#include "engine/align.h"
#include "engine/block.h"
#include "engine/gpu.h"
#include "engine/upstream.h"
#include "waits/waits.h"

const char *const mh_wait_names[MH_WAITS] = {
    [MH_WAIT_LSU] = "lsu",
    [MH_WAIT_L1] = "l1",
    [MH_WAIT_TLB] = "tlb",
    [MH_WAIT_WALK_QUEUE] = "walk_queue",
    [MH_WAIT_WALK] = "walk",
    [MH_WAIT_FAULT] = "fault",
    [MH_WAIT_NOC] = "noc",
    [MH_WAIT_L2] = "l2",
    [MH_WAIT_DRAM_QUEUE] = "dram_queue",
    [MH_WAIT_DRAM] = "dram",
    [MH_WAIT_BARRIER] = "barrier",
    [MH_WAIT_THROTTLE] = "throttle",
    [MH_WAIT_OTHER] = "other",
    [MH_WAIT_EMPTY] = "empty",
    [MH_WAIT_OF_TLB_MSHR] = "of_tlb_mshr",
    [MH_WAIT_OF_MSHR] = "of_mshr",
};

static int init(struct mh_gpu *g)
{
    struct mh_waits *w = g->waits;
    const size_t sms = g->cfg.sm.count;

    g->tells_waits = g->cfg.sm.wait_reasons;
    if (!g->tells_waits)
        return 0;
    w->loads = g->cfg.sm.loads_per_warp;
    w->page = calloc(sms * g->cfg.l1tlb.mshrs, sizeof *w->page);
    w->line = calloc(sms * g->cfg.l1d.mshrs, sizeof *w->line);
    w->load = calloc(sms * MH_MAX_WARPS * w->loads, sizeof *w->load);
    w->ready = calloc(sms * MH_MAX_WARPS, sizeof *w->ready);
    w->walk = calloc((size_t)g->cfg.l2tlb.mshrs * MH_MAX_TENANTS, sizeof *w->walk);
    w->stops = calloc(sms, sizeof *w->stops);
    w->open = malloc(sms * sizeof *w->open);
    if (!w->page || !w->line || !w->load || !w->ready || !w->walk || !w->stops || !w->open)
        return -1;
    memset(w->open, 0xff, sms * sizeof *w->open);
    return 0;
}

static void free_all(struct mh_gpu *g)
{
    struct mh_waits *w = g->waits;

    free(w->page);
    free(w->line);
    free(w->load);
    free(w->ready);
    free(w->walk);
    free(w->stops);
    free(w->open);
}

void mh_waits_translated(struct mh_gpu *g, uint32_t mshr, uint32_t sm, uint32_t warp, uint32_t slot)
{
    struct mh_page_way *p = &mh_waits_load(g, sm, warp, slot)->page;

    *p = g->waits->page[mshr];
    p->came = g->wheel.now;
}

void mh_waits_back(struct mh_gpu *g, uint32_t sm, uint32_t mshr, uint64_t back)
{
    mh_waits_way(g, sm, mshr)->back = back;
    g->waits->stops[sm].line = mshr;
}

void mh_waits_line(struct mh_gpu *g, uint32_t sm, uint32_t mshr, uint32_t warp, uint32_t slot)
{
    mh_waits_load(g, sm, warp, slot)->line = *mh_waits_way(g, sm, mshr);
}

/* All cycles of all gaps have one cause; those in which counters were read have none yet. */
static void check(const struct mh_gpu *g)
{
    uint64_t stalls = 0, causes = 0;

    for (uint32_t t = 0; t < g->tenants && g->tells_waits; t++) {
        stalls += g->tenant[t].count.sm_stalls;
        for (uint32_t w = 0; w < MH_WAIT_EMPTY; w++)
            causes += g->waits->count[t][w];
    }
    for (uint32_t i = 0; i < g->cfg.sm.count && g->tells_waits; i++)
        if (g->waits->open[i] != UINT64_MAX)
            causes += mh_sm_quiet_from(g, i) - g->waits->open[i];
    MH_CHECK(stalls == causes);
}

const struct mh_block mh_block_waits = {MH_BLOCK_STATE(waits, 1), .init = init, .free = free_all, .check = check};
