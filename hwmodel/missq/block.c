/* Sub-queues of the L1D miss queues as a block (engine/block.h). */

#include <string.h>

#include "engine/gpu.h"
#include "missq/missq.h"
#include "missq/report.h"

static int init(struct mh_gpu *g)
{
    struct mh_missq *m = g->missq;

    g->subqueues = g->cfg.l1d.subqueues != 0;
    if (!g->subqueues)
        return 0;
    m->gpu_rate = !strcmp(g->cfg.l1d.rate_clock, "gpu");
    m->sm = mh_aligned_zeros(g->cfg.sm.count * sizeof *m->sm);
    if (!m->sm)
        return -1;
    for (uint32_t t = 0; t < MH_MAX_TENANTS; t++)
        m->rate[t] = MH_RATE_FREE;
    for (uint32_t sm = 0; sm < g->cfg.sm.count; sm++) {
        struct mh_miss_queue *q = &m->sm[sm];

        q->wakes_at = UINT64_MAX;
        q->last[0] = q->last[1] = (uint8_t)(g->tenants - 1); /* tenant 0 first */
        for (uint32_t t = 0; t < MH_MAX_TENANTS; t++)
            q->of[t].credits = mh_credits_free();
    }
    return 0;
}

static void free_all(struct mh_gpu *g)
{
    free(g->missq->sm);
}

/* A head that waits for an issue credit may get one earlier, and one that waits for MISS_QUEUES 0 needs none. */
static void apply(struct mh_gpu *g, const struct mh_knobs *before)
{
    bool rates = memcmp(before->issue_rate, g->knobs.issue_rate, sizeof before->issue_rate) != 0;
    bool order = before->miss_queues != g->knobs.miss_queues;

    if (!g->subqueues || !(rates || order))
        return;
    for (uint32_t sm = 0; sm < g->cfg.sm.count; sm++)
        mh_missq_settle(g, sm);
    memcpy(g->missq->rate, g->knobs.issue_rate, sizeof g->missq->rate);
    for (uint32_t sm = 0; sm < g->cfg.sm.count; sm++) {
        mh_missq_open(g, sm);
        mh_missq_run(g, sm);
        mh_sm_kick(g, sm);
    }
}

const struct mh_block mh_block_missq = {MH_BLOCK_STATE(missq, 1), .init = init,
                                        .free = free_all,         .apply = apply,
                                        .check = mh_missq_check,  .left = mh_missq_left};
