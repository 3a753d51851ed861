#include "gpu/gpu.h"

/*
 * A debug build checks every translation when it is used, and at the end of every run conservation: every handle is
 * either on its free list or held by exactly the structures that say they hold it.
 */
#ifdef MH_DEBUG
#include <inttypes.h>
#include <string.h>

/* --- Translations. */

/* Whose the frame is, as seen by the tenant. */
static void name_owner(const struct mh_gpu *g, uint32_t tenant, uint32_t frame, char text[64])
{
    const struct mh_page_tables *pt = &g->pages;
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
    const struct mh_page_tables *pt = &g->pages;
    uint32_t right = mh_pt_translate(pt, g->tenant[tenant].page_root, vpn);
    bool usable = !(frame >> pt->frame_bits) && mh_pt_usable(pt, frame, g->tenant[tenant].asid);
    char does[64];

    if (usable && (frame == right || pt->state[frame] == MH_PT_LEFT))
        return;
    snprintf(does, sizeof does, "translates virtual page 0x%x to", vpn);
    foreign(g, tenant, does, frame, right);
}

static uint32_t frame_of_node(const struct mh_gpu *g, uint32_t node)
{
    return node == MH_PT_NONE ? MH_PT_NONE : g->pages.node[node].line >> g->page_shift;
}

void mh_check_walk(const struct mh_gpu *g, const struct mh_walk *w)
{
    uint32_t right = mh_pt_at(&g->pages, g->tenant[w->tenant].page_root, w->vpn, w->depth);
    char does[64];

    if (w->node == right)
        return;
    snprintf(does, sizeof does, "walks at depth %u to virtual page 0x%x in", w->depth, w->vpn);
    foreign(g, w->tenant, does, frame_of_node(g, w->node), frame_of_node(g, right));
}

/* --- Conservation. */

static uint32_t count_pending(const struct mh_sm *sm, uint32_t head)
{
    uint32_t n = 0;

    for (uint32_t id = head; id != MH_NONE; id = sm->pending[id].next)
        n++;
    return n;
}

static uint32_t held_pending(const struct mh_gpu *g, const struct mh_sm *sm)
{
    uint32_t held = count_pending(sm, sm->replay_head);

    for (uint32_t i = 0; i < g->cfg.l1tlb.mshrs; i++)
        if (mh_tlb_mshr_of(sm, sm->tlb_mshr[i].key) == i)
            held += count_pending(sm, sm->tlb_mshr[i].head);
    for (uint32_t i = 0; i < g->cfg.l1d.mshrs; i++)
        if (mh_index_find(&sm->l1_index, sm->l1_mshr[i].line) == (int)i)
            held += count_pending(sm, sm->l1_mshr[i].head);
    return held;
}

/* Loads that wait in an L1D MSHR itself. */
static uint32_t first_loads(const struct mh_gpu *g, const struct mh_sm *sm)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < g->cfg.l1d.mshrs; i++)
        n += mh_index_find(&sm->l1_index, sm->l1_mshr[i].line) == (int)i && sm->l1_mshr[i].first.sectors;
    return n;
}

static void check_sm(const struct mh_gpu *g, const struct mh_sm *sm)
{
    uint64_t warps = 0, ctas = 0;

    for (uint32_t i = 0; i < g->cfg.sm.cta_slots; i++) {
        if (sm->free_ctas >> i & 1)
            continue;
        MH_CHECK(sm->cta[i].warps && !(warps & sm->cta[i].warps));
        warps |= sm->cta[i].warps;
        ctas++;
    }
    MH_CHECK((warps & sm->free_warps) == 0);
    MH_CHECK((warps | sm->free_warps) == ~0ull >> (64 - g->cfg.sm.warps));
    uint64_t by_tenant = 0;
    for (uint32_t t = 0; t < g->tenants; t++)
        by_tenant += sm->tenant_ctas[t];
    MH_CHECK(by_tenant == ctas);
    MH_CHECK(mh_sm_positions(sm, warps) == sm->standing);
    for (uint64_t m = warps; m; m &= m - 1)
        MH_CHECK(sm->slot_at[sm->warp[__builtin_ctzll(m)].position] == (uint32_t)__builtin_ctzll(m));
    uint32_t held = held_pending(g, sm);
    MH_CHECK(count_pending(sm, sm->free_pending) + held == g->cfg.sm.pending);
    MH_CHECK(sm->places + held + first_loads(g, sm) == g->cfg.sm.pending);
}

/* A look-up that is stalled has a reason, or an event that tries it again. */
static void check_lane(const struct mh_gpu *g, uint32_t lane)
{
    const struct mh_l2tlb *t = &g->l2tlb;
    const struct mh_ring *stalled = &t->lane[lane].stalled, *queue = &g->iommu.queue[lane];

    if (stalled->count && !t->retry_event) {
        uint32_t mshr = mh_ring_peek(stalled), sm = mshr / g->cfg.l1tlb.mshrs;
        uint32_t tenant = g->sm[sm].tlb_mshr[mshr % g->cfg.l1tlb.mshrs].tenant;
        const struct mh_l2tlb_part *part = &t->part[tenant];

        MH_CHECK(t->free_walk == MH_NONE || part->held >= part->may_hold ||
                 (!g->cfg.iommu.l1_entries && !mh_walk_room(g, tenant)));
    }
    if (g->iommu.stalled >> lane & 1)
        MH_CHECK(queue->count && !mh_walk_room(g, t->walk[mh_ring_peek(queue)].tenant));
    else
        MH_CHECK(!queue->count || g->iommu.look_up_event);
}

static void check_stalls(const struct mh_gpu *g)
{
    uint32_t stalled = 0, waiting = 0;

    for (uint32_t i = 0; i < g->tenants; i++) {
        stalled += g->l2tlb.lane[i].stalled.count;
        waiting += g->iommu.queue[i].count;
        if (i < g->l2tlb.lanes)
            check_lane(g, i);
    }
    MH_CHECK(stalled == g->l2tlb.stalled && waiting == g->iommu.waiting);
}

/* A tenant's MSHRs; what it has of them and of credits adds up. */
static void check_parts(const struct mh_gpu *g)
{
    const struct mh_l2tlb *t = &g->l2tlb;
    uint32_t held = 0, free = 0, sent = 0;
    int64_t credits = 0;

    for (uint32_t i = 0; i < g->tenants; i++) {
        held += t->part[i].held;
        sent += t->part[i].sent;
        credits += t->lane[i].credits;
    }
    for (uint32_t w = t->free_walk; w != MH_NONE; w = t->walk[w].next_free)
        free++;
    MH_CHECK(held + free == t->mshrs);
    MH_CHECK(t->lanes > 1 || credits + sent == g->cfg.l2tlb.queue);
}

/* No walker is idle while it may serve somebody who waits; every queue has the walks that it says. */
static void check_queues(const struct mh_gpu *g)
{
    const struct mh_steal *s = &g->steal;
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
    uint32_t sets = mh_walk_sets(&g->cfg), idle = 0;
    uint64_t live = 0, have = g->steal.queued;

    for (uint32_t w = g->l2tlb.free_walk; w != MH_NONE; w = g->l2tlb.walk[w].next_free)
        idle++;
    for (uint32_t i = 0; i < g->tenants; i++)
        live += g->tenant[i].count.walks_live;
    for (uint32_t i = 0; i < sets; i++) {
        const struct mh_walkers *k = &g->walkers[i];

        have += k->waiting.count + (mh_config_walkers(&g->cfg) - k->idle);
        MH_CHECK(k->waiting.count <= k->places && (!k->waiting.count || !k->idle));
    }
    MH_CHECK(idle + live + g->iommu.waiting + g->iommu.on_their_way == g->l2tlb.mshrs);
    MH_CHECK(live == have);
}

static uint32_t count_waiting(const struct mh_gpu *g, uint32_t bank)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < g->l2.mshrs; i++)
        if (mh_l2_mshr_used(&g->l2, bank, i))
            for (uint32_t req = g->l2.bank[bank].mshr[i].head; req != MH_NONE; req = g->noc.req[req].next)
                n++;
    return n;
}

/* An MSHR is free or waits for DRAM; of those that bypass the cache none has a dirty line. */
static void check_l2_mshrs(const struct mh_gpu *g, uint32_t bank)
{
    const struct mh_l2_bank *b = &g->l2.bank[bank];
    uint32_t known = 0;

    for (uint32_t m = b->free_mshr; m != MH_NONE; m = b->mshr[m].next_free)
        known++;
    for (uint32_t m = 0; m < g->l2.mshrs; m++) {
        bool used = mh_l2_mshr_used(&g->l2, bank, m);

        known += used;
        MH_CHECK(!used || !b->mshr[m].bypass || (b->mshr[m].walk && !b->mshr[m].dirty));
    }
    MH_CHECK(known == g->l2.mshrs);
}

/* With l2.partition no tenant has more lines in a set than its part. */
static void check_partition(const struct mh_gpu *g)
{
    const struct mh_tags *tags = &g->l2.tags;

    for (uint32_t s = 0; g->l2.partition && s < tags->sets; s++) {
        const uint32_t *set = mh_tags_set(tags, s);
        uint32_t lines[MH_MAX_TENANTS] = {0};

        for (uint32_t w = 0; w < tags->ways && set[w]; w++)
            lines[mh_line_tenant(g, set[w] >> MH_TAG_BITS)]++;
        for (uint32_t t = 0; t < g->tenants; t++)
            MH_CHECK(lines[t] <= mh_config_part(tags->ways, g->tenants, t));
    }
}

/* A request is in its port's queue, holds a credit of its bank, waits for DRAM, or is on its way back. */
static void check_requests(const struct mh_gpu *g)
{
    uint32_t held = g->noc.replies;

    for (uint32_t b = 0; b < g->noc.banks; b++) {
        MH_CHECK(g->l2.stops[b] == (g->l2.bank[b].stalled.count != 0));
        check_l2_mshrs(g, b);
        held += g->cfg.noc.bank_queue - g->noc.bank[b].credits + count_waiting(g, b);
    }
    for (uint32_t p = 0; p < g->noc.ports; p++)
        held += g->noc.port[p].queue.count;
    MH_CHECK(g->noc.live == held);
}

/* Requests of a channel and the places that they take. */
static void check_channels(const struct mh_gpu *g)
{
    for (uint32_t c = 0; c < g->memory.channels; c++)
        MH_CHECK(mh_dram_sound(g->memory.channel[c].dram));
}

void mh_gpu_check(const struct mh_gpu *g)
{
    check_channels(g);
    for (uint32_t i = 0; i < g->cfg.sm.count; i++)
        check_sm(g, &g->sm[i]);
    check_walks(g);
    check_stalls(g);
    check_parts(g);
    if (g->steal.on)
        check_queues(g);
    check_requests(g);
    check_partition(g);
}

/* --- Faults on purpose. */

void mh_loss_init(struct mh_loss *loss)
{
    const char *wish = getenv("MEMHELM_LOSE_EVENT");
    size_t n = wish ? strcspn(wish, ":") : 0;

    for (uint32_t kind = 0; n && mh_event_name(kind); kind++)
        if (strlen(mh_event_name(kind)) == n && !strncmp(wish, mh_event_name(kind), n))
            *loss = (struct mh_loss){.kind = kind, .number = (uint32_t)strtoul(wish + n + (wish[n] == ':'), NULL, 10)};
}

bool mh_event_lost(struct mh_gpu *g, uint32_t event)
{
    if (!g->loss.number || g->loss.kind != MH_EVENT_KIND(event) || --g->loss.number)
        return false;
    if (g->loss.again) {
        g->loss.number = 1;
        mh_wheel_add(&g->wheel, g->wheel.now, event);
    }
    return true;
}

#else

void mh_gpu_check(const struct mh_gpu *g)
{
    (void)g;
}

#endif
