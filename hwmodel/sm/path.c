/* SM: where a load is, and what the LSU waits for. */
#include "sm/block.h"

#include <inttypes.h>

#include "engine/gpu.h"
#include "noc/noc.h"
#include "missq/missq.h"
#include "sm/lsu.h"
#include "translate/walk.h"

struct load {
    uint32_t warp, slot;
};

static bool is_of(struct mh_use use, const struct load *l)
{
    return use.warp == l->warp && use.slot == l->slot && mh_use_returns(use);
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

/* Likewise for the L1 TLB. */
static uint32_t find_tlb_mshr(const struct mh_gpu *g, const struct mh_sm *sm, const struct load *l)
{
    for (uint32_t i = 0; i < g->cfg.l1tlb.mshrs; i++)
        if (mh_tlb_mshr_of(sm, sm->tlb_mshr[i].key) == i && (!l || in_list(sm, sm->tlb_mshr[i].head, l)))
            return i;
    return MH_NONE;
}

static void say_l1_mshr(const struct mh_gpu *g, uint32_t sm, uint32_t mshr, FILE *out)
{
    struct mh_wanted w = {.line = g->sm[sm].l1_mshr[mshr].line, .port = sm, .owner = mshr, .kind = MH_REQ_READ};

    fprintf(out, "; L1D MSHR %u of SM %u waits for physical line 0x%" PRIx64, mshr, sm,
            mh_line_address(&g->cfg, w.line));
    if (!mh_path_subqueue(g, &w, out))
        mh_path_request(g, &w, out);
}

/* Stores without an acknowledgement. */
static void say_stores(const struct mh_gpu *g, uint32_t sm, FILE *out)
{
    fprintf(out, "; the store buffer of SM %u waits for acknowledgements (EV_STORE_ACK)", sm);
    if (!mh_noc_idle(g->noc, sm))
        mh_path_port(g, sm, out);
    else if (!mh_missq_idle(g, sm))
        mh_path_subqueues(g, sm, out);
}

/* The line that the LSU takes next; with an order of its own, the tenant's. */
struct next_line {
    uint32_t line, warp, tenant;
    bool untranslated;
    uint32_t held; /**< MSHR of the L1 TLB for whose page it stays in the LSU, or MH_NONE */
};

static bool is_next(const struct mh_sm *sm, struct mh_use use, uint32_t tenant)
{
    return !sm->lsu_apart || tenant == MH_NONE || use.tenant == tenant;
}

/* l1tlb.on_miss hold. */
static uint32_t held_for(const struct mh_gpu *g, const struct mh_lsu_op *op)
{
    return g->misses_hold && op->page != MH_NO_PAGE && op->ppn < 0 ? op->tlb_mshr : MH_NONE;
}

static struct next_line next_line(const struct mh_gpu *g, const struct mh_sm *sm, uint32_t tenant)
{
    for (uint32_t id = sm->replay_head; id != MH_NONE; id = sm->pending[id].next) {
        struct mh_use use = sm->pending[id].use;

        if (is_next(sm, use, tenant))
            return (struct next_line){sm->pending[id].line, use.warp, use.tenant, false, MH_NONE};
    }
    for (uint32_t i = 0; i < sm->lsu_count; i++) {
        const struct mh_lsu_op *op = mh_lsu_at(sm, i);

        if (is_next(sm, op->use, tenant))
            return (struct next_line){op->lines.at[op->next].line, op->use.warp, op->use.tenant, op->page == MH_NO_PAGE,
                                      held_for(g, op)};
    }
    return (struct next_line){0};
}

static bool is_full(const struct mh_gpu *g, uint32_t sm, uint32_t tenant)
{
    return g->subqueues ? mh_missq_full(g, sm, tenant) : !mh_noc_room(g->noc, sm);
}

/* Why the line was refused is not kept: what is short now tells. */
static void say_shortage(const struct mh_gpu *g, uint32_t sm, const struct next_line *next, FILE *out)
{
    const struct mh_sm *s = &g->sm[sm];
    uint32_t tlb = find_tlb_mshr(g, s, NULL), l1 = find_l1_mshr(g, s, NULL);

    if (next->held != MH_NONE) {
        fputs(": its page is not in the L1 TLB", out);
        mh_path_translation(g, sm, next->held, out);
    } else if (next->untranslated && s->free_tlb_mshr == MH_NONE) {
        fputs(": no L1 TLB MSHR is free", out);
        mh_path_translation(g, sm, tlb, out);
    } else if (s->free_l1_mshr == MH_NONE || (!s->places && l1 != MH_NONE)) {
        fprintf(out, ": no %s is free", s->free_l1_mshr == MH_NONE ? "L1D MSHR" : "place for a pending line");
        say_l1_mshr(g, sm, l1, out);
    } else if (!s->places && tlb != MH_NONE) {
        fputs(": no place for a pending line is free", out);
        mh_path_translation(g, sm, tlb, out);
    } else if (is_full(g, sm, next->tenant)) {
        mh_path_miss_queue(g, sm, next->tenant, out);
    } else if (g->noc->acks && s->stores == g->cfg.l1d.store_buffer) {
        say_stores(g, sm, out);
    } else {
        fputs(": nothing that it needs is short; its wake-up was lost", out);
    }
}

static void say_lsu(const struct mh_gpu *g, uint32_t sm, uint32_t tenant, FILE *out)
{
    const struct mh_sm *s = &g->sm[sm];
    const struct next_line next = next_line(g, s, tenant);

    fprintf(out, "; the LSU of SM %u, at line 0x%" PRIx64 " of warp %u, ", sm, mh_line_address(&g->cfg, next.line),
            next.warp);
    if (!s->lsu_stalled || (s->lsu_apart && !(s->lsu_order->stopped >> next.tenant & 1))) {
        fputs("could go on, but its step (EV_LSU) never came", out);
        return;
    }
    fputs("is stopped", out);
    say_shortage(g, sm, &next, out);
}

static bool in_lsu(const struct mh_sm *sm, struct load l)
{
    for (uint32_t i = 0; i < sm->lsu_count; i++) {
        const struct mh_lsu_op *op = mh_lsu_at(sm, i);

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

/* A warp of these tenants that waits for nothing of its own; MH_NONE: there is none. */
static uint32_t held_warp(const struct mh_sm *sm, uint32_t tenants, uint64_t positions)
{
    for (uint64_t m = sm->can_issue & sm->allowed & positions; m; m &= m - 1) {
        const uint32_t slot = sm->slot_at[__builtin_ctzll(m)];

        if (tenants >> sm->warp[slot].tenant & 1)
            return slot;
    }
    return MH_NONE;
}

static void say_round(const struct mh_gpu *g, const struct mh_sm *sm, FILE *out)
{
    const uint32_t holders = mh_quota_holders(g, sm) & ~sm->quota.spent;

    if (!holders) {
        fputs("nobody has any left, but the round has not ended", out);
        return;
    }
    const uint32_t t = (uint32_t)__builtin_ctz(holders);

    fprintf(out, "tenant %u (%.40s) has %u of %u left", t, g->cfg.tenants[t].kernel, sm->quota.left[t],
            g->knobs.warp_quota[t]);
}

/* Warps that would issue but for a quota. True: there is one. */
static bool say_quota(const struct mh_gpu *g, const struct mh_sm *sm, FILE *out)
{
    const uint32_t spent = held_warp(sm, sm->quota.spent, ~0ull), full = held_warp(sm, sm->quota.full, sm->memory);
    const uint32_t held = spent != MH_NONE ? spent : full;

    if (!sm->rationed || held == MH_NONE)
        return false;
    const uint32_t t = sm->warp[held].tenant;

    fprintf(out, "; warp %u of SM %u (tenant %u: %.40s) waits for ", held, sm->id, t, g->cfg.tenants[t].kernel);
    if (held == full && spent == MH_NONE)
        fprintf(out, "MEM_LIMIT: it has %u of %u memory instructions in flight", sm->quota.in_flight[t],
                g->knobs.mem_limit[t]);
    else
        fputs("the next round of WARP_QUOTA: ", out), say_round(g, sm, out);
    return true;
}

/* A line of an atomic whose result has not left the L2. */
static bool say_atomic(const struct mh_gpu *g, uint32_t sm, struct load l, FILE *out)
{
    const uint32_t slot = (sm * MH_MAX_WARPS + l.warp) * MH_MAX_LOADS + l.slot;

    for (uint32_t i = 0; i < g->noc->reqs; i++) {
        const struct mh_req *r = &g->req[i];
        struct mh_wanted w = {.line = r->line, .port = sm, .owner = slot, .kind = MH_REQ_ATOMIC_READ};

        if (!mh_is_wanted(r, &w))
            continue;
        fprintf(out, "; its atomic on physical line 0x%" PRIx64, mh_line_address(&g->cfg, r->line));
        if (!mh_path_subqueue(g, &w, out))
            mh_path_request(g, &w, out);
        return true;
    }
    return false;
}

void mh_path_load(const struct mh_gpu *g, uint32_t sm, uint32_t warp, uint32_t slot, FILE *out)
{
    const struct mh_sm *s = &g->sm[sm];
    struct load l = {warp, slot};
    uint32_t l1 = find_l1_mshr(g, s, &l), tlb = find_tlb_mshr(g, s, &l);

    say_warp(g, s, l, out);
    /* From the far end back, so that the line that has come furthest tells. */
    if (l1 != MH_NONE) {
        say_l1_mshr(g, sm, l1, out);
    } else if (tlb != MH_NONE) {
        mh_path_translation(g, sm, tlb, out);
    } else if (in_list(s, s->replay_head, &l) || in_lsu(s, l)) {
        fputs(", still in the LSU", out);
        say_lsu(g, sm, s->warp[warp].tenant, out);
    } else if (!say_atomic(g, sm, l, out)) {
        fputs(": all its data have come, but the end of the load (EV_LOAD_DONE, EV_ATOMIC_BACK) never did", out);
    }
    say_quota(g, s, out);
}

/* --- As a block. */

static void tell_load(const struct mh_gpu *g, const struct mh_oldest *o, FILE *out)
{
    mh_path_load(g, o->a, o->b, o->c, out);
}

static void loads_of(const struct mh_gpu *g, uint32_t sm, struct mh_oldest *o)
{
    uint32_t slots = (1u << g->cfg.sm.loads_per_warp) - 1;

    for (uint32_t w = 0; w < g->cfg.sm.warps; w++) {
        const struct mh_warp *warp = &g->sm[sm].warp[w];

        for (uint32_t m = warp->loads ? slots & ~(uint32_t)warp->free_slots : 0; m; m &= m - 1) {
            uint32_t slot = (uint32_t)__builtin_ctz(m);
            uint64_t since = mh_load_issued(&warp->load[slot], g->wheel.now);

            mh_oldest_consider(o, &(struct mh_oldest){tell_load, since, sm, w, slot});
        }
    }
}

void mh_sm_oldest(const struct mh_gpu *g, struct mh_oldest *o)
{
    for (uint32_t s = 0; s < g->cfg.sm.count; s++)
        loads_of(g, s, o);
}

static bool tell_left(const struct mh_gpu *g, const struct mh_sm *sm, FILE *out)
{
    uint32_t tlb = find_tlb_mshr(g, sm, NULL);

    if (sm->issue_at != UINT64_MAX)
        fprintf(out, "; a warp of SM %u could issue, but its turn (EV_ISSUE) never came", sm->id);
    else if (sm->replay_head != MH_NONE || sm->lsu_count)
        say_lsu(g, sm->id, MH_NONE, out);
    else if (sm->stores)
        say_stores(g, sm->id, out);
    else if (tlb != MH_NONE)
        mh_path_translation(g, sm->id, tlb, out);
    else
        return say_quota(g, sm, out);
    return true;
}

/* Stores and atomics, for which no warp waits, and warps that were forgotten. */
bool mh_sm_left(const struct mh_gpu *g, FILE *out)
{
    for (uint32_t s = 0; s < g->cfg.sm.count; s++)
        if (tell_left(g, &g->sm[s], out))
            return true;
    return false;
}
