#include "gpu/path.h"

#include <inttypes.h>

#include "gpu/gpu.h"

static uint64_t address(const struct mh_gpu *g, uint32_t line)
{
    return (uint64_t)line * g->cfg.memory.line_bytes;
}

static uint32_t bank_of(const struct mh_gpu *g, uint32_t line)
{
    return mh_noc_bank(&g->noc, mh_line_tenant(g, line), line);
}

static const char *kind_name(enum mh_req_kind kind)
{
    static const char *const names[] = {
        [MH_REQ_READ] = "read",
        [MH_REQ_WRITE] = "write",
        [MH_REQ_ATOMIC] = "atomic",
        [MH_REQ_PTE] = "page table entry",
    };

    return names[kind];
}

/* --- L2 and DRAM. */

void mh_path_fill(const struct mh_gpu *g, uint32_t bank, uint32_t mshr, FILE *out)
{
    const struct mh_l2_mshr *e = &g->l2.bank[bank].mshr[mshr];
    uint32_t channel = bank / g->memory.banks_per_channel;

    fprintf(out, "; L2 bank %u, MSHR %u: asked DRAM channel %u for physical line 0x%" PRIx64 " at cycle %" PRIu64, bank,
            mshr, channel, address(g, e->line), e->since);
    const struct mh_dram *d = g->memory.channel[channel].dram;
    const char *queue = mh_dram_holds(d, bank * g->l2.mshrs + mshr);

    if (queue && g->knobs.dram_queues) /* for long, perhaps, while others of higher priority come: it is no deadlock */
        fprintf(out, ", which has it in its %s and does not serve it; %" PRIu64 " requests have come to the channel",
                queue, mh_dram_arrivals(d));
    else if (queue)
        fprintf(out, ", which has it in its %s and does not serve it", queue);
    else
        fprintf(out, ", which has served it: the line (%s) never came", e->bypass ? "EV_BYPASS_FILL" : "EV_L2_FILL");
}

/* The bank's oldest line on its way. */
static uint32_t oldest_fill(const struct mh_gpu *g, uint32_t bank)
{
    const struct mh_l2_bank *b = &g->l2.bank[bank];
    uint32_t oldest = MH_NONE;

    for (uint32_t m = 0; m < g->l2.mshrs; m++)
        if (mh_l2_mshr_used(&g->l2, bank, m) && (oldest == MH_NONE || b->mshr[m].since < b->mshr[oldest].since))
            oldest = m;
    return oldest;
}

static void say_need(const struct mh_gpu *g, uint32_t bank, uint32_t req, FILE *out)
{
    uint32_t fill = oldest_fill(g, bank);

    switch (mh_l2_need(g, bank, req)) {
    case MH_L2_NEEDS_NOTHING:
        fputs("nothing that is short: its wake-up (EV_L2_RETRY) was lost", out);
        return;
    case MH_L2_NEEDS_WAY:
        fputs("a victim: all ways of its set are reserved", out);
        break;
    case MH_L2_NEEDS_MSHR:
        fputs("an MSHR", out);
        break;
    case MH_L2_NEEDS_DRAM:
        fprintf(out, "room in DRAM channel %u", bank / g->memory.banks_per_channel);
        return;
    }
    if (fill != MH_NONE)
        mh_path_fill(g, bank, fill, out);
}

void mh_path_bank(const struct mh_gpu *g, uint32_t bank, FILE *out)
{
    const struct mh_l2_bank *b = &g->l2.bank[bank];

    if (!b->stalled.count) {
        fprintf(out, "; L2 bank %u: none is stalled, so a look-up (EV_L2) never came", bank);
        return;
    }
    uint32_t req = mh_ring_peek(&b->stalled);
    const struct mh_req *r = &g->noc.req[req];

    fprintf(out, "; L2 bank %u: the head of its stalled queue, a %s of physical line 0x%" PRIx64 ", needs ", bank,
            kind_name(r->kind), address(g, r->line));
    say_need(g, bank, req, out);
}

/* --- Crossbar. */

static void say_port(const struct mh_gpu *g, uint32_t port, FILE *out)
{
    if (port < g->cfg.sm.count)
        fprintf(out, "port of SM %u", port);
    else
        fprintf(out, "port %u of the walkers", port - g->cfg.sm.count);
}

void mh_path_port(const struct mh_gpu *g, uint32_t port, FILE *out)
{
    const struct mh_port *p = &g->noc.port[port];
    uint32_t line = g->noc.req[mh_ring_peek(&p->queue)].line, bank = bank_of(g, line);

    fputs("; ", out);
    say_port(g, port, out);
    if (!p->waiting) {
        fprintf(out, " is about to send physical line 0x%" PRIx64 " (EV_INJECT), and does not", address(g, line));
        return;
    }
    fprintf(out, " has no credit of bank %u", bank);
    mh_path_bank(g, bank, out);
}

struct wanted {
    uint32_t line, port, owner;
    enum mh_req_kind kind;
};

static bool is_wanted(const struct mh_gpu *g, uint32_t req, const struct wanted *w)
{
    const struct mh_req *r = &g->noc.req[req];

    return r->line == w->line && r->port == w->port && r->owner == w->owner && r->kind == w->kind;
}

static bool in_ring(const struct mh_gpu *g, const struct mh_ring *ring, const struct wanted *w)
{
    for (uint32_t i = 0; i < ring->count; i++)
        if (is_wanted(g, ring->item[(ring->head + i) & ring->mask], w))
            return true;
    return false;
}

/* MSHR of the bank at which the request waits, or MH_NONE. */
static uint32_t waits_at(const struct mh_gpu *g, uint32_t bank, const struct wanted *w)
{
    for (uint32_t bypass = 0; bypass < 2; bypass++) {
        int m = mh_l2_mshr_of(&g->l2, bank, w->line, bypass);

        for (uint32_t req = m < 0 ? MH_NONE : g->l2.bank[bank].mshr[m].head; req != MH_NONE; req = g->noc.req[req].next)
            if (is_wanted(g, req, w))
                return (uint32_t)m;
    }
    return MH_NONE;
}

static void say_request(const struct mh_gpu *g, const struct wanted *w, FILE *out)
{
    uint32_t bank = bank_of(g, w->line);
    const struct mh_l2_bank *b = &g->l2.bank[bank];
    uint32_t mshr = waits_at(g, bank, w);

    if (in_ring(g, &g->noc.port[w->port].queue, w)) {
        fputs(", in the queue of its port", out);
        mh_path_port(g, w->port, out);
    } else if (in_ring(g, &b->stalled, w)) {
        fprintf(out, ", stalled at bank %u", bank);
        mh_path_bank(g, bank, out);
    } else if (mshr != MH_NONE) {
        mh_path_fill(g, bank, mshr, out);
    } else {
        fprintf(out, ", sent to L2 bank %u: its look-up (EV_L2, EV_L2_BYPASS) or its reply (EV_REPLY, %s) never came",
                bank,
                w->kind == MH_REQ_READ    ? "EV_L1_FILL"
                : g->cfg.iommu.l1_entries ? "EV_PTE, EV_IOMMU_BACK"
                                          : "EV_PTE");
    }
}

/* --- Translation. */

static bool holds(const struct mh_ring *ring, uint32_t item)
{
    for (uint32_t i = 0; i < ring->count; i++)
        if (ring->item[(ring->head + i) & ring->mask] == item)
            return true;
    return false;
}

static uint32_t lane_of_walk(const struct mh_gpu *g, uint32_t walk)
{
    return g->l2tlb.part[g->l2tlb.walk[walk].tenant].lane;
}

static bool in_iommu(const struct mh_gpu *g, uint32_t walk)
{
    return g->iommu.waiting && holds(&g->iommu.queue[lane_of_walk(g, walk)], walk);
}

typedef bool walk_test(const struct mh_gpu *g, uint32_t walk, uint32_t which);

static bool in_lane(const struct mh_gpu *g, uint32_t walk, uint32_t lane)
{
    return lane_of_walk(g, walk) == lane;
}

static bool runs_in_set(const struct mh_gpu *g, uint32_t walk, uint32_t set)
{
    return g->l2tlb.walk[walk].runs && g->walkers_of[g->l2tlb.walk[walk].tenant] == set;
}

static bool runs_on(const struct mh_gpu *g, uint32_t walk, uint32_t walker)
{
    return g->l2tlb.walk[walk].runs && g->l2tlb.walk[walk].walker == walker;
}

static bool waits_of(const struct mh_gpu *g, uint32_t walk, uint32_t tenant)
{
    return g->l2tlb.walk[walk].waits && g->l2tlb.walk[walk].tenant == tenant;
}

/* The oldest MSHR of the L2 TLB that passes; MH_NONE: there is none. */
static uint32_t oldest_walk(const struct mh_gpu *g, walk_test *passes, uint32_t which)
{
    const struct mh_l2tlb *t = &g->l2tlb;
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
    const struct mh_walk *w = &g->l2tlb.walk[walk];

    fprintf(out, "; walk %u of page 0x%x, started at cycle %" PRIu64 ", at depth %u: ", walk, w->vpn, mh_walk_since(w),
            w->depth);
    struct wanted wanted = {.line = mh_pt_line(&g->pages, w->node, w->vpn, w->depth),
                            .port = g->cfg.sm.count + walk % g->cfg.noc.walker_ports,
                            .owner = walk,
                            .kind = MH_REQ_PTE};
    fprintf(out, "reads physical line 0x%" PRIx64, address(g, wanted.line));
    say_request(g, &wanted, out);
}

/* The walker in whose queue a walk waits. */
static uint32_t queue_of(const struct mh_gpu *g, uint32_t walk)
{
    for (uint32_t q = 0; q < g->steal.walkers; q++)
        for (uint32_t id = g->steal.queue[q].oldest; id != MH_NO_WALK; id = g->l2tlb.walk[id].younger)
            if (id == walk)
                return q;
    return MH_NO_WALKER;
}

/* The walk whose end the tenant's walks wait for, this one if it waits for a walker. */
static uint32_t blocker(const struct mh_gpu *g, uint32_t walk, FILE *out)
{
    uint32_t tenant = g->l2tlb.walk[walk].tenant;

    if (!g->steal.on)
        return oldest_walk(g, runs_in_set, g->walkers_of[tenant]);
    if (!g->l2tlb.walk[walk].waits)
        walk = oldest_walk(g, waits_of, tenant);
    if (walk == MH_NONE)
        return MH_NONE;
    uint32_t walker = queue_of(g, walk);
    fprintf(out, ", where it is walker %u that is waited for", walker);
    return oldest_walk(g, runs_on, walker);
}

/* Nothing begins until a walk ends. */
static void say_walkers(const struct mh_gpu *g, uint32_t walk, FILE *out)
{
    uint32_t busy = blocker(g, walk, out);

    if (busy == MH_NONE)
        fputs(", though no walk is under way: a wake-up was lost", out);
    else
        say_running(g, busy, out);
}

void mh_path_walk(const struct mh_gpu *g, uint32_t walk, FILE *out)
{
    if (in_iommu(g, walk)) {
        fprintf(out, "; walk %u waits in the IOMMU, whose head has no room in the walk buffer", walk);
        say_walkers(g, walk, out);
    } else if (!g->l2tlb.walk[walk].depth) {
        fprintf(out, "; walk %u was sent to the IOMMU, and its way there or back (EV_IOMMU, EV_IOMMU_BACK) never ended",
                walk);
    } else if (g->l2tlb.walk[walk].waits) {
        fprintf(out, "; walk %u waits for a walker", walk);
        say_walkers(g, walk, out);
    } else {
        say_running(g, walk, out);
    }
}

static void say_no_walk(const struct mh_gpu *g, uint32_t lane, FILE *out)
{
    uint32_t walk = oldest_walk(g, in_lane, lane);

    if (walk == MH_NONE)
        fputs(", though no walk is under way: a look-up (EV_L2TLB, EV_L2TLB_RETRY) never came", out);
    else
        mh_path_walk(g, walk, out);
}

void mh_path_translation(const struct mh_gpu *g, uint32_t sm, uint32_t mshr, FILE *out)
{
    const struct mh_sm *s = &g->sm[sm];
    const struct mh_tlb_mshr *e = &s->tlb_mshr[mshr];
    int walk = mh_index_find(&g->l2tlb.index, e->key);
    uint32_t lane = g->l2tlb.part[e->tenant].lane;

    fprintf(out, "; L1 TLB MSHR %u of SM %u waits for page 0x%x", mshr, sm, e->vpn);
    if (holds(&s->tlb_queue, mshr)) {
        fputs(", without a credit of the L2 TLB", out);
        say_no_walk(g, lane, out);
    } else if (holds(&g->l2tlb.lane[lane].stalled, sm * g->cfg.l1tlb.mshrs + mshr)) {
        fputs(", stalled at the L2 TLB without an MSHR there or room in the walk buffer", out);
        say_no_walk(g, lane, out);
    } else if (walk >= 0) {
        mh_path_walk(g, (uint32_t)walk, out);
    } else {
        fputs(", and its look-up (EV_L2TLB) or the answer (EV_TLB_FILL) never came", out);
    }
}

/* --- SM. */

struct load {
    uint32_t warp, slot;
};

static bool is_of(struct mh_use use, const struct load *l)
{
    return use.warp == l->warp && use.slot == l->slot && use.kind == MH_OP_LOAD;
}

static bool in_list(const struct mh_sm *sm, uint32_t head, const struct load *l)
{
    for (uint32_t id = head; id != MH_NONE; id = sm->pending[id].next)
        if (is_of(sm->pending[id].use, l))
            return true;
    return false;
}

/* First L1D MSHR in use; with a load, one at which a line of it waits. MH_NONE: there is none. */
static uint32_t find_l1_mshr(const struct mh_gpu *g, const struct mh_sm *sm, const struct load *l)
{
    for (uint32_t i = 0; i < g->cfg.l1d.mshrs; i++) {
        const struct mh_l1_mshr *e = &sm->l1_mshr[i];

        if (mh_index_find(&sm->l1_index, e->line) == (int)i &&
            (!l || (e->first.sectors && is_of(e->first, l)) || in_list(sm, e->head, l)))
            return i;
    }
    return MH_NONE;
}

/* The same of the L1 TLB. */
static uint32_t find_tlb_mshr(const struct mh_gpu *g, const struct mh_sm *sm, const struct load *l)
{
    for (uint32_t i = 0; i < g->cfg.l1tlb.mshrs; i++)
        if (mh_tlb_mshr_of(sm, sm->tlb_mshr[i].key) == i && (!l || in_list(sm, sm->tlb_mshr[i].head, l)))
            return i;
    return MH_NONE;
}

static void say_l1_mshr(const struct mh_gpu *g, uint32_t sm, uint32_t mshr, FILE *out)
{
    struct wanted w = {.line = g->sm[sm].l1_mshr[mshr].line, .port = sm, .owner = mshr, .kind = MH_REQ_READ};

    fprintf(out, "; L1D MSHR %u of SM %u waits for physical line 0x%" PRIx64, mshr, sm, address(g, w.line));
    say_request(g, &w, out);
}

void mh_path_stores(const struct mh_gpu *g, uint32_t sm, FILE *out)
{
    fprintf(out, "; the store buffer of SM %u waits for acknowledgements (EV_STORE_ACK)", sm);
    if (g->noc.port[sm].queue.count)
        mh_path_port(g, sm, out);
}

static void say_shortage(const struct mh_gpu *g, uint32_t sm, FILE *out)
{
    const struct mh_sm *s = &g->sm[sm];
    bool untranslated = s->replay_head == MH_NONE && s->lsu[s->lsu_head].page == MH_NO_PAGE;
    uint32_t tlb = find_tlb_mshr(g, s, NULL), l1 = find_l1_mshr(g, s, NULL);

    if (untranslated && s->free_tlb_mshr == MH_NONE) {
        fputs(": no L1 TLB MSHR is free", out);
        mh_path_translation(g, sm, tlb, out);
    } else if (s->free_l1_mshr == MH_NONE || (!s->places && l1 != MH_NONE)) {
        fprintf(out, ": no %s is free", s->free_l1_mshr == MH_NONE ? "L1D MSHR" : "place for a pending line");
        say_l1_mshr(g, sm, l1, out);
    } else if (!s->places && tlb != MH_NONE) {
        fputs(": no place for a pending line is free", out);
        mh_path_translation(g, sm, tlb, out);
    } else if (!mh_noc_room(&g->noc, sm)) {
        fputs(": the miss queue is full", out);
        mh_path_port(g, sm, out);
    } else if (g->noc.acks && s->stores == g->cfg.l1d.store_buffer) {
        mh_path_stores(g, sm, out);
    } else {
        fputs(": nothing that it needs is short; its wake-up was lost", out);
    }
}

void mh_path_lsu(const struct mh_gpu *g, uint32_t sm, FILE *out)
{
    const struct mh_sm *s = &g->sm[sm];
    const struct mh_lsu_op *op = &s->lsu[s->lsu_head];
    bool replay = s->replay_head != MH_NONE;

    fprintf(out, "; the LSU of SM %u, at line 0x%" PRIx64 " of warp %u, ", sm,
            address(g, replay ? s->pending[s->replay_head].line : op->lines.at[op->next].line),
            replay ? s->pending[s->replay_head].use.warp : op->use.warp);
    if (!s->lsu_stalled) {
        fputs("could go on, but its step (EV_LSU) never came", out);
        return;
    }
    fputs("is stopped", out);
    say_shortage(g, sm, out);
}

static bool in_lsu(const struct mh_sm *sm, struct load l)
{
    for (uint32_t i = 0; i < sm->lsu_count; i++) {
        const struct mh_lsu_op *op = &sm->lsu[(sm->lsu_head + i) % sm->lsu_size];

        if (is_of(op->use, &l))
            return true;
    }
    return false;
}

static void say_warp(const struct mh_gpu *g, const struct mh_sm *sm, struct load l, FILE *out)
{
    const struct mh_warp *w = &sm->warp[l.warp];
    const struct mh_tenant *t = &g->tenant[w->tenant];

    fprintf(out,
            "load that warp %u of SM %u issued at cycle %" PRIu64 " (tenant %u: %.40s, launch %s, CTA %u, warp %u)",
            l.warp, sm->id, mh_load_issued(&w->load[l.slot], g->wheel.now), w->tenant, g->cfg.tenants[w->tenant].kernel,
            t->work->launches[w->cursor.launch].name, w->cursor.cta, w->cursor.warp);
}

void mh_path_load(const struct mh_gpu *g, uint32_t sm, uint32_t warp, uint32_t slot, FILE *out)
{
    const struct mh_sm *s = &g->sm[sm];
    struct load l = {warp, slot};
    uint32_t l1 = find_l1_mshr(g, s, &l), tlb = find_tlb_mshr(g, s, &l);

    say_warp(g, s, l, out);
    if (l1 != MH_NONE) {
        say_l1_mshr(g, sm, l1, out);
    } else if (tlb != MH_NONE) {
        mh_path_translation(g, sm, tlb, out);
    } else if (in_list(s, s->replay_head, &l) || in_lsu(s, l)) {
        fputs(", still in the LSU", out);
        mh_path_lsu(g, sm, out);
    } else {
        fputs(": all its data have come, but the end of the load (EV_LOAD_DONE) never did", out);
    }
}
