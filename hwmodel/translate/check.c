#include "translate/check.h"

#ifdef MH_DEBUG
#include <inttypes.h>

#include "engine/gpu.h"
#include "engine/request.h"
#include "engine/upstream.h"
#include "translate/iommu.h"
#include "pages/page_table.h"
#include "translate/steal.h"
#include "translate/walk.h"

/* --- Translations. */

/* Whose the frame is, as seen by the tenant. */
static void name_owner(const struct mh_gpu *g, uint32_t tenant, uint32_t frame, char text[64])
{
    const struct mh_page_tables *pt = g->pages;
    uint32_t asid = frame >> pt->frame_bits ? 0 : pt->owner[frame];

    if (frame >> pt->frame_bits)
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
    bool usable = !(frame >> pt->frame_bits) && mh_pt_usable(pt, frame, g->tenant[tenant].asid);
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

/* No walker is idle while it may serve somebody who waits; every queue has the walks that it says. */
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
