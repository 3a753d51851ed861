/* Translation: where a page walk is, and what the L1 TLB and the L2 TLB wait for. */
#include "translate/walk.h"

#include <inttypes.h>

#include "engine/gpu.h"
#include "noc/path.h"
#include "engine/request.h"
#include "engine/upstream.h"
#include "translate/iommu.h"
#include "pages/page_table.h"
#include "translate/steal.h"

static uint32_t lane_of_walk(const struct mh_gpu *g, uint32_t walk)
{
    return g->l2tlb->part[g->l2tlb->walk[walk].tenant].lane;
}

static bool in_iommu(const struct mh_gpu *g, uint32_t walk)
{
    return g->iommu->waiting && mh_ring_has(&g->iommu->queue[lane_of_walk(g, walk)], walk);
}

typedef bool walk_test(const struct mh_gpu *g, uint32_t walk, uint32_t which);

static bool in_lane(const struct mh_gpu *g, uint32_t walk, uint32_t lane)
{
    return lane_of_walk(g, walk) == lane;
}

static bool runs_in_set(const struct mh_gpu *g, uint32_t walk, uint32_t set)
{
    return g->l2tlb->walk[walk].runs && g->walkers_of[g->l2tlb->walk[walk].tenant] == set;
}

static bool runs_on(const struct mh_gpu *g, uint32_t walk, uint32_t walker)
{
    return g->l2tlb->walk[walk].runs && g->l2tlb->walk[walk].walker == walker;
}

static bool waits_of(const struct mh_gpu *g, uint32_t walk, uint32_t tenant)
{
    return g->l2tlb->walk[walk].waits && g->l2tlb->walk[walk].tenant == tenant;
}

/* The oldest MSHR of the L2 TLB that is in use (the index leads to it) and passes; MH_NONE: there is none. */
static uint32_t oldest_walk(const struct mh_gpu *g, walk_test *passes, uint32_t which)
{
    const struct mh_l2tlb *t = g->l2tlb;
    uint32_t oldest = MH_NONE;

    for (uint32_t w = 0; w < t->mshrs; w++)
        if (mh_index_find(&t->index, t->walk[w].key) == (int)w && passes(g, w, which) &&
            (oldest == MH_NONE || mh_walk_since(&t->walk[w]) < mh_walk_since(&t->walk[oldest])))
            oldest = w;
    return oldest;
}

/* A walk that holds a walker. */
static void say_running(const struct mh_gpu *g, uint32_t walk, FILE *out)
{
    const struct mh_walk *w = &g->l2tlb->walk[walk];

    fprintf(out, "; walk %u of page 0x%x, started at cycle %" PRIu64 ", at depth %u: ", walk, w->vpn, mh_walk_since(w),
            w->depth);
    /* As read_entry() in walk.c sends it. */
    struct mh_wanted wanted = {.line = mh_pt_line(g->pages, w->node, w->vpn, w->depth),
                               .port = g->cfg.sm.count + walk % g->cfg.noc.walker_ports,
                               .owner = walk,
                               .kind = MH_REQ_PTE};

    fprintf(out, "reads physical line 0x%" PRIx64, mh_line_address(&g->cfg, wanted.line));
    mh_path_request(g, &wanted, out);
}

/* The walker in whose queue a walk waits. */
static uint32_t queue_of(const struct mh_gpu *g, uint32_t walk)
{
    for (uint32_t q = 0; q < g->steal->walkers; q++)
        for (uint32_t id = g->steal->queue[q].oldest; id != MH_NO_WALK; id = g->l2tlb->walk[id].younger)
            if (id == walk)
                return q;
    return MH_NO_WALKER;
}

/*
 * The walk that has to end before this one gets a walker. If this one does not wait for a walker: before the oldest of
 * its tenant's that does.
 */
static uint32_t blocker(const struct mh_gpu *g, uint32_t walk, FILE *out)
{
    uint32_t tenant = g->l2tlb->walk[walk].tenant;

    if (!g->steal->on)
        return oldest_walk(g, runs_in_set, g->walkers_of[tenant]);
    if (!g->l2tlb->walk[walk].waits)
        walk = oldest_walk(g, waits_of, tenant);
    if (walk == MH_NONE)
        return MH_NONE;
    uint32_t walker = queue_of(g, walk);

    fprintf(out, ", where it is walker %u that is waited for", walker);
    return oldest_walk(g, runs_on, walker);
}

/* All walkers are busy: tells of the walk that has to end first. */
static void say_walkers(const struct mh_gpu *g, uint32_t walk, FILE *out)
{
    uint32_t busy = blocker(g, walk, out);

    if (busy == MH_NONE)
        fputs(", though no walk is under way: a wake-up was lost", out);
    else
        say_running(g, busy, out);
}

/*
 * A walk has depth 0 until it begins. One whose answer is on its way back from the IOMMU reads as if it ran: the last
 * words of mh_path_request() name that event, too.
 */
void mh_path_walk(const struct mh_gpu *g, uint32_t walk, FILE *out)
{
    if (in_iommu(g, walk)) {
        fprintf(out, "; walk %u waits in the IOMMU, whose head has no room in the walk buffer", walk);
        say_walkers(g, walk, out);
    } else if (!g->l2tlb->walk[walk].depth) {
        fprintf(out, "; walk %u was sent to the IOMMU, and its way there or back (EV_IOMMU, EV_IOMMU_BACK) never ended",
                walk);
    } else if (g->l2tlb->walk[walk].waits) {
        fprintf(out, "; walk %u waits for a walker", walk);
        say_walkers(g, walk, out);
    } else {
        say_running(g, walk, out);
    }
}

void mh_path_oldest_walk(const struct mh_gpu *g, const struct mh_oldest *o, FILE *out)
{
    mh_path_walk(g, o->a, out);
}

static void say_no_walk(const struct mh_gpu *g, uint32_t lane, FILE *out)
{
    uint32_t walk = oldest_walk(g, in_lane, lane);

    if (walk == MH_NONE)
        fputs(", though no walk is under way: a look-up (EV_L2TLB, EV_L2TLB_RETRY) never came", out);
    else
        mh_path_walk(g, walk, out);
}

/* From the SM on: the first place that has the request tells. */
void mh_path_translation(const struct mh_gpu *g, uint32_t sm, uint32_t mshr, FILE *out)
{
    const uint32_t id = sm * g->cfg.l1tlb.mshrs + mshr;
    const struct mh_tlb_mshr *e = mh_tlb_mshr(g, id);
    int walk = mh_index_find(&g->l2tlb->index, e->key);
    uint32_t lane = g->l2tlb->part[e->tenant].lane;

    fprintf(out, "; L1 TLB MSHR %u of SM %u waits for page 0x%x", mshr, sm, e->vpn);
    if (mh_lsu_queues(g, sm, mshr)) {
        fputs(", without a credit of the L2 TLB", out);
        say_no_walk(g, lane, out);
    } else if (mh_ring_has(&g->l2tlb->lane[lane].stalled, id)) {
        fputs(", stalled at the L2 TLB without an MSHR there or room in the walk buffer", out);
        say_no_walk(g, lane, out);
    } else if (walk >= 0) {
        mh_path_walk(g, (uint32_t)walk, out);
    } else if (!mh_uvm_tell(g, id, out)) {
        fputs(", and its look-up (EV_L2TLB) or the answer (EV_TLB_FILL) never came", out);
    }
}
