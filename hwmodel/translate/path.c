#include "translate/walk.h"
#include "engine/gpu.h"
#include "noc/noc.h"
#include "engine/request.h"
#include "engine/upstream.h"
#include "translate/gpctlb.h"
#include "translate/iommu.h"
#include "pages/page_table.h"
#include "translate/steal.h"
#include "translate/tlb.h"

#include <inttypes.h>

/* Translation: where a page walk is, and what the L1 TLB and the L2 TLB wait for. */

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
    uint32_t on = g->gpctlb->gpcs ? mh_gpctlb_tell(g, id, out) : id;

    if (on != id) {
        mh_path_translation(g, on / g->cfg.l1tlb.mshrs, on % g->cfg.l1tlb.mshrs, out);
        return;
    }
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

#ifdef MH_DEBUG

/* --- Translations. */

/* Whose the frame is, as seen by the tenant. */
static void name_owner(const struct mh_gpu *g, uint32_t tenant, uint32_t frame, char text[64])
{
    const struct mh_page_tables *pt = g->pages;
    uint32_t asid = frame >= pt->frames ? 0 : pt->owner[frame];

    if (frame >= pt->frames)
        snprintf(text, 64, "which memory does not have");
    else if (!asid)
        snprintf(text, 64, "which is nobody's");
    else if (asid != g->tenant[tenant].asid)
        snprintf(text, 64, "which is tenant %u's (asid %u)", g->tenant_of_asid[asid], asid);
    else
        snprintf(text, 64, "which is its own%s", pt->state[frame] == MH_PT_FREED ? " and was freed" : "");
}

static void foreign(const struct mh_gpu *g, uint32_t tenant, const char *does, uint32_t frame, uint32_t right)
{
    char owner[64], instead[32] = "none";

    name_owner(g, tenant, frame, owner);
    if (right != MH_PT_NONE)
        snprintf(instead, sizeof instead, "frame 0x%x", right);
    fprintf(stderr,
            "memhelm: invariant broken in cycle %" PRIu64 ": tenant %u (asid %u) %s frame 0x%x, %s; "
            "its page table says %s\n",
            g->wheel.now, tenant, g->tenant[tenant].asid, does, frame, owner, instead);
    abort();
}

void mh_check_translation(const struct mh_gpu *g, uint32_t tenant, uint32_t vpn, uint32_t frame)
{
    const struct mh_page_tables *pt = g->pages;
    uint32_t right = mh_pt_translate(pt, g->tenant[tenant].page_root, vpn);
    bool usable = frame < pt->frames && mh_pt_usable(pt, frame, g->tenant[tenant].asid);
    char does[64];

    if (usable && (frame == right || pt->state[frame] == MH_PT_LEFT || pt->state[frame] == MH_PT_LEAVING))
        return;
    snprintf(does, sizeof does, "translates virtual page 0x%x to", vpn);
    foreign(g, tenant, does, frame, right);
}

static uint32_t frame_of_node(const struct mh_gpu *g, uint32_t node)
{
    return node == MH_PT_NONE ? MH_PT_NONE : g->pages->node[node].line[0] >> g->page_shift;
}

void mh_check_walk(const struct mh_gpu *g, const struct mh_walk *w)
{
    uint32_t right = mh_pt_at(g->pages, g->tenant[w->tenant].page_root, w->vpn, w->depth);
    char does[64];

    if (w->node == right)
        return;
    snprintf(does, sizeof does, "walks at depth %u to virtual page 0x%x in", w->depth, w->vpn);
    foreign(g, w->tenant, does, frame_of_node(g, w->node), frame_of_node(g, right));
}

/* --- Conservation: every handle is either on its free list or held by exactly the structures that say they hold it. */

/*
 * A look-up that is stalled has a reason, or an event that tries it again. The head speaks for its lane: those behind
 * it wait for it. With an IOMMU, room for the walk is asked for there.
 */
static void check_lane(const struct mh_gpu *g, uint32_t lane)
{
    const struct mh_l2tlb *t = g->l2tlb;
    const struct mh_ring *stalled = &t->lane[lane].stalled;

    if (!stalled->count || t->retry_event)
        return;
    uint32_t tenant = mh_tlb_mshr(g, mh_ring_peek(stalled))->tenant;
    const struct mh_l2tlb_part *part = &t->part[tenant];

    MH_CHECK(t->free_walk == MH_NONE || part->held >= part->may_hold ||
             (!g->cfg.iommu.l1_entries && !mh_walk_room(g, tenant)));
}

/* MSHRs and credits. Credits of several lanes have no fixed sum: parts are rounded, and at least 1. */
void mh_l2tlb_check(const struct mh_gpu *g)
{
    const struct mh_l2tlb *t = g->l2tlb;
    uint32_t held = 0, free = 0, sent = 0, stalled = 0;
    int64_t credits = 0;

    for (uint32_t i = 0; i < g->tenants; i++) {
        held += t->part[i].held;
        sent += t->part[i].sent;
        credits += t->lane[i].credits;
        stalled += t->lane[i].stalled.count;
        if (i < t->lanes)
            check_lane(g, i);
    }
    for (uint32_t w = t->free_walk; w != MH_NONE; w = t->walk[w].next_free)
        free++;
    MH_CHECK(stalled == t->stalled);
    MH_CHECK(held + free == t->mshrs);
    MH_CHECK(t->lanes > 1 || credits + sent == g->cfg.l2tlb.queue);
}

/* A stalled queue waits for room. Any other that is not empty waits for its turn, which is scheduled. */
void mh_iommu_check(const struct mh_gpu *g)
{
    const struct mh_iommu *m = g->iommu;
    uint32_t waiting = 0;

    for (uint32_t i = 0; i < g->tenants; i++) {
        const struct mh_ring *queue = &m->queue[i];

        waiting += queue->count;
        if (m->stalled >> i & 1)
            MH_CHECK(queue->count && !mh_walk_room(g, g->l2tlb->walk[mh_ring_peek(queue)].tenant));
        else
            MH_CHECK(!queue->count || m->look_up_event);
    }
    MH_CHECK(waiting == m->waiting);
}

/* No walker idles while a walk it may serve is waiting; the count of every queue is right. */
static void check_queues(const struct mh_gpu *g)
{
    const struct mh_steal *s = g->steal;
    uint32_t queued = 0, idle = 0;

    for (uint32_t w = 0; w < s->walkers; w++) {
        bool is_idle = mh_walker_set_has(&s->idle, w);

        idle += is_idle;
        queued += s->queue[w].count;
        MH_CHECK(mh_walker_set_has(&s->loaded, w) == (s->queue[w].count > 0));
        MH_CHECK(!is_idle || !s->queue[w].count);
        for (uint32_t q = 0; is_idle && q < s->walkers; q++)
            MH_CHECK(!s->queue[q].count || (s->owner[q] != s->owner[w] && g->knobs.walk_steal == MH_STEAL_NEVER));
    }
    MH_CHECK(queued == s->queued && idle == g->walkers[0].idle && queued <= s->places);
    MH_CHECK(!g->walkers[0].waiting.count);
}

/* An MSHR of the L2 TLB is on its way to the IOMMU or back, in its queue, in the walk buffer, or has a walker. */
static void check_walks(const struct mh_gpu *g)
{
    uint32_t idle = 0;
    uint64_t live = 0, have = g->steal->queued;

    for (uint32_t w = g->l2tlb->free_walk; w != MH_NONE; w = g->l2tlb->walk[w].next_free)
        idle++;
    for (uint32_t i = 0; i < g->tenants; i++)
        live += g->tenant[i].count.walks_live;
    for (uint32_t i = 0; i < mh_config_walk_sets(&g->cfg); i++) {
        const struct mh_walkers *k = &g->walkers[i];

        have += k->waiting.count + (mh_config_walkers(&g->cfg) - k->idle);
        MH_CHECK(k->waiting.count <= k->places && (!k->waiting.count || !k->idle));
    }
    MH_CHECK(idle + live + g->iommu->waiting + g->iommu->on_their_way == g->l2tlb->mshrs);
    MH_CHECK(live == have);
}

void mh_walkers_check(const struct mh_gpu *g)
{
    check_walks(g);
    if (g->steal->on)
        check_queues(g);
}

#endif
