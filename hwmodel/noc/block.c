/* The crossbars as a block (engine/block.h). */
#include <string.h>

#include "cache/l2_report.h"
#include "engine/gpu.h"
#include "noc/noc.h"
#include "noc/path.h"

static int init(struct mh_gpu *g)
{
    if (mh_noc_init(g->noc, &g->cfg))
        return -1;
    g->req = g->noc->req;
    g->req_bytes = g->noc->bytes;
    return strcmp(g->cfg.noc.queues, "input") ? 0 : mh_inputs_init(g, g->noc);
}

static void free_all(struct mh_gpu *g)
{
    mh_noc_free(g->noc);
}

/* A request is in its port's queue, or in a sub-queue before it, holds a credit of its bank or wires of its own, waits
 * for DRAM, or is on its way back. */
#ifdef MH_DEBUG
static void check_requests(const struct mh_gpu *g)
{
    uint32_t held = g->noc->replies;

    for (uint32_t b = 0; b < g->noc->banks; b++)
        held += g->noc->places - g->noc->bank[b].credits + mh_l2_waiting(g, b);
    for (uint32_t p = 0; p < g->noc->ports; p++)
        held += mh_noc_waiting(g->noc, p);
    held += mh_missq_held(g) + g->noc->passing;
    MH_CHECK(g->noc->live == held);
    if (g->noc->inputs)
        mh_inputs_check(g->noc);
}
#else
#define check_requests NULL
#endif

const struct mh_block mh_block_noc = {MH_BLOCK_STATE(noc, 1), .init = init, .free = free_all, .check = check_requests,
                                      .left = mh_noc_left};
