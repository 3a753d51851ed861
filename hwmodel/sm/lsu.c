#include "engine/gpu.h"
#include "sm/l1d.h"
#include "sm/lsu.h"
#include "sm/stalls.h"
#include "sm/coalesce.h"
#include "translate/tlb.h"
#include "pages/page_table.h"
#include "translate/walk.h"
#include "waits/waits.h"

/*
 * Load-store unit: one line a cycle through L1 TLB and L1D (l1d.c). A line whose page misses waits in the page's MSHR
 * while others go on; when the translation comes, it is replayed ahead of new work. With l1tlb.on_miss hold it stays
 * where it is (lsu_hold.c). Whatever cannot be taken (no MSHR, no place in the miss queue) stops the LSU until
 * something changes.
 */

/* For a part of a step, which is the hottest of all events: once more where tenants have an order of their own. */
#define IN_STEP inline __attribute__((always_inline))

struct mh_tlb_mshr *mh_tlb_mshr(const struct mh_gpu *g, uint32_t id)
{
    uint32_t sm = mh_quotient(&g->l1tlb_mshrs, id);

    return &g->sm[sm].tlb_mshr[id - sm * g->l1tlb_mshrs.by];
}

uint32_t mh_tlb_mshr_of(const struct mh_sm *sm, uint32_t key)
{
    int at = mh_assoc_find(&sm->tlb, key);

    return at < (int)sm->tlb.capacity ? MH_NONE : (uint32_t)at - sm->tlb.capacity;
}

void mh_lsu_count_refused(struct mh_gpu *g, struct mh_sm *sm, uint64_t until)
{
    for (uint32_t m = sm->lsu_refused; m; m &= m - 1) {
        uint32_t tenant = (uint32_t)__builtin_ctz(m);

        g->tenant[tenant].count.reservation_fails += (uint32_t)until - sm->refused_at[tenant];
        sm->refused_at[tenant] = (uint32_t)until;
    }
}

void mh_lsu_again(struct mh_gpu *g, struct mh_sm *sm)
{
    if (sm->lsu_refused)
        mh_lsu_count_refused(g, sm, mh_lsu_next_step(g, sm));
    if (sm->lsu_stalled)
        mh_waits_again(g, sm->id);
    sm->lsu_refused = 0;
    sm->lsu_stalled = false;
}

void mh_lsu_kick(struct mh_gpu *g, struct mh_sm *sm)
{
    if (!sm->lsu_stalled)
        return;
    mh_lsu_again(g, sm);
    mh_lsu_soon(g, sm);
}

void mh_sm_kick(struct mh_gpu *g, uint32_t sm)
{
    mh_lsu_kick(g, &g->sm[sm]);
}

/* The one place at which a translation is used. */
static IN_STEP enum mh_taken use_translation(struct mh_gpu *g, struct mh_sm *sm, uint32_t line, uint32_t ppn,
                                             struct mh_use use)
{
    mh_check_translation(g, use.tenant, line >> g->page_shift, ppn);
    enum mh_taken taken = mh_l1d_access(g, sm, ppn << g->page_shift | (line & (g->lines_per_page - 1)), use);

    if (__builtin_expect(g->watch_units, 0) && taken >= MH_TAKEN)
        mh_uvm_access(g, ppn, use.kind != MH_OP_LOAD);
    return taken;
}

/* A request that lacks a place in the miss queue and nothing else counts once, however often it tries. */
static void refuse(struct mh_gpu *g, struct mh_use *use, enum mh_taken why)
{
    if (why != MH_NO_ROOM || use->refused)
        return;
    use->refused = true;
    g->tenant[use->tenant].count.issue_demand++;
}

/* What was refused has got its place, and counts as any request; or its data have come without. */
static void make_up(struct mh_gpu *g, struct mh_use *use, enum mh_taken taken)
{
    use->refused = false;
    g->tenant[use->tenant].count.issue_demand -= taken == MH_SENT;
}

/* Its pending entry is free while the line is looked up: when that misses, it takes the same one again. */
static IN_STEP bool replay(struct mh_gpu *g, struct mh_sm *sm, uint32_t id, uint32_t ppn)
{
    struct mh_pending *p = &sm->pending[id];
    uint32_t next = p->next;

    mh_pending_give(sm, id);
    if (mh_lsu_marked(sm, p->use))
        sm->written->now = sm->written->pending[id];
    enum mh_taken taken = use_translation(g, sm, p->line, ppn, p->use);

    /* Also when it has taken the entry again. */
    if (taken >= MH_TAKEN) {
        if (__builtin_expect(p->use.refused, 0))
            make_up(g, &p->use, taken);
        return true;
    }
    mh_pending_take(sm);
    p->next = next;
    refuse(g, &p->use, taken);
    return false;
}

static IN_STEP bool replay_head(struct mh_gpu *g, struct mh_sm *sm)
{
    const struct mh_pending *p = &sm->pending[sm->replay_head];
    uint32_t next = p->next, ppn = p->ppn == MH_NO_PAGE ? sm->replay_ppn : p->ppn;

    if (!replay(g, sm, sm->replay_head, ppn))
        return false;
    sm->replay_head = next;
    sm->replay_ppn = ppn;
    return true;
}

bool mh_lsu_replay(struct mh_gpu *g, struct mh_sm *sm, uint32_t id)
{
    return replay(g, sm, id, sm->pending[id].ppn);
}

/* --- Translation. */

static IN_STEP bool tlb_allocate(struct mh_gpu *g, struct mh_sm *sm, struct mh_lsu_op *op, struct mh_lsu_page page)
{
    uint32_t m = sm->free_tlb_mshr;

    if (m == MH_NONE) {
        mh_waits_refused(g, sm->id, MH_STOP_TLB);
        return false;
    }
    sm->free_tlb_mshr = sm->tlb_mshr[m].next_free;
    sm->tlb_mshr[m] = (struct mh_tlb_mshr){.key = page.key,
                                           .vpn = page.first,
                                           .head = MH_NONE,
                                           .instruction = op->instruction,
                                           .tenant = op->use.tenant,
                                           .warp = op->use.warp,
                                           .token = op->token,
                                           .warps = 1};
    mh_assoc_expect(&sm->tlb, page.key, m);
    op->tlb_mshr = m;
    mh_waits_asked(g, sm->id * g->cfg.l1tlb.mshrs + m);
    mh_lsu_ask(g, sm, m);
    return true;
}

static IN_STEP struct mh_lsu_page small_page(const struct mh_lsu_op *op, uint32_t page)
{
    return (struct mh_lsu_page){mh_page_key(op->use.tenant, page), page};
}

/* Physical page, or -1: the L1 TLB misses, and the op has the MSHR that waits for the page, or MH_NONE. */
static IN_STEP int64_t l1tlb_lookup(struct mh_sm *sm, struct mh_lsu_op *op, uint32_t page)
{
    int at = mh_assoc_find(&sm->tlb, mh_page_key(op->use.tenant, page));

    if (at >= 0 && at < sm->tlb.capacity)
        return mh_assoc_touch(&sm->tlb, (uint16_t)at);
    op->tlb_mshr = at < 0 ? MH_NONE : (uint32_t)at - sm->tlb.capacity;
    return -1;
}

/* l1tlb.merges: as many lines wait for the page as its MSHR has room for. */
static __attribute__((noinline)) bool is_full(struct mh_gpu *g, const struct mh_sm *sm, uint32_t mshr)
{
    uint32_t left = g->cfg.l1tlb.merges;

    for (uint32_t id = sm->tlb_mshr[mshr].head; left && id != MH_NONE; id = sm->pending[id].next)
        left--;
    if (!left)
        mh_waits_refused(g, sm->id, MH_STOP_PAGE + mshr);
    return !left;
}

static IN_STEP bool may_join(struct mh_gpu *g, const struct mh_sm *sm, uint32_t mshr)
{
    return __builtin_expect(!g->cfg.l1tlb.merges, 1) || !is_full(g, sm, mshr);
}

/* Translates the page of the op's next line. False: it misses and finds no place in an MSHR. Then nothing is counted.
 */
static IN_STEP bool translate_by(struct mh_gpu *g, struct mh_sm *sm, struct mh_lsu_op *op, uint32_t page, bool apart)
{
    struct mh_counters *c = &g->tenant[op->use.tenant].count;

    op->page = page;
    op->ppn = apart ? mh_lsu_tlb_apart(g, sm, op, page) : l1tlb_lookup(sm, op, page);
    if (op->ppn >= 0) {
        c->l1tlb_hit++;
    } else if (op->tlb_mshr != MH_NONE) {
        if (!may_join(g, sm, op->tlb_mshr)) {
            op->page = MH_NO_PAGE;
            return false;
        }
        sm->tlb_mshr[op->tlb_mshr].token |= op->token;
        sm->tlb_mshr[op->tlb_mshr].warps++;
        c->l1tlb_merge++;
    } else if (!tlb_allocate(g, sm, op, apart ? mh_lsu_page(g, op->use.tenant, page) : small_page(op, page))) {
        op->page = MH_NO_PAGE;
        return false;
    }
    c->l1tlb_access++;
    return true;
}

static __attribute__((noinline, cold)) bool translate_apart(struct mh_gpu *g, struct mh_sm *sm, struct mh_lsu_op *op,
                                                            uint32_t page)
{
    return mh_lsu_same_large(g, sm, op, page) || translate_by(g, sm, op, page, true);
}

static IN_STEP bool translate(struct mh_gpu *g, struct mh_sm *sm, struct mh_lsu_op *op, uint32_t page)
{
    if (__builtin_expect(g->l1tlb_apart, 0))
        return translate_apart(g, sm, op, page);
    return translate_by(g, sm, op, page, false);
}

static IN_STEP enum mh_taken wait_for_translation(struct mh_gpu *g, struct mh_sm *sm, uint32_t line, struct mh_use use,
                                                  uint32_t mshr)
{
    if (__builtin_expect(g->misses_hold, 0))
        return mh_lsu_hold(g, sm, use, mshr);
    struct mh_tlb_mshr *e = &sm->tlb_mshr[mshr];

    if (!may_join(g, sm, mshr))
        return MH_REFUSED;
    if (!sm->places) {
        mh_waits_refused(g, sm->id, MH_STOP_LINE);
        return MH_REFUSED;
    }
    uint32_t id = mh_pending_take(sm);

    sm->pending[id] = (struct mh_pending){.line = line, .ppn = MH_NO_PAGE, .next = MH_NONE, .use = use};
    if (mh_lsu_marked(sm, use))
        sm->written->pending[id] = sm->written->now;
    if (e->head == MH_NONE)
        e->head = id;
    else
        sm->pending[e->tail].next = id;
    e->tail = id;
    if (__builtin_expect(g->cfg.sm.fault_last, 0))
        mh_sm_fault_last(g, sm);
    return MH_TAKEN;
}

/*
 * The op knows the page of the line before. If it waits for an MSHR that has been answered since, it looks again: the
 * page is in the L1 TLB now.
 */
static IN_STEP bool same_page(const struct mh_gpu *g, const struct mh_sm *sm, const struct mh_lsu_op *op, uint32_t page)
{
    if (page != op->page)
        return false;
    if (op->ppn >= 0)
        return true;
    return !g->l1tlb_apart && mh_tlb_mshr_of(sm, mh_page_key(op->use.tenant, page)) == op->tlb_mshr;
}

static __attribute__((noinline)) void room_again(struct mh_gpu *g, struct mh_sm *sm)
{
    if (sm->count_stalls)
        mh_stalls_lsu(g, sm);
    mh_sm_wake(g, sm);
}

/* Only a full LSU keeps warps from issuing. */
static IN_STEP void leave(struct mh_gpu *g, struct mh_sm *sm)
{
    const struct mh_use use = sm->lsu[sm->lsu_head].use;
    bool full = sm->lsu_count-- == sm->lsu_size;

    sm->lsu_head = mh_lsu_place(sm, 1);
    if (full)
        room_again(g, sm);
    if (__builtin_expect(sm->rationed, 0) && !mh_use_returns(use))
        mh_quota_done(g, sm, use.tenant);
}

static IN_STEP bool process(struct mh_gpu *g, struct mh_sm *sm, struct mh_lsu_op *op)
{
    const struct mh_line *l = &op->lines.at[op->next];
    uint32_t page = l->line >> g->page_shift;

    if (!same_page(g, sm, op, page) && !translate(g, sm, op, page))
        return false;
    const struct mh_use use = mh_use_of_line(op->use, l);

    if (mh_lsu_marked(sm, use))
        sm->written->now = mh_lsu_written(sm, op)[op->next];
    /* A line that cannot be taken leaves `page` and `ppn` as they are: same_page() spares the next try the look-up. */
    enum mh_taken taken = op->ppn >= 0 ? use_translation(g, sm, l->line, (uint32_t)op->ppn, use)
                                       : wait_for_translation(g, sm, l->line, use, op->tlb_mshr);

    if (taken < MH_TAKEN) {
        refuse(g, &op->use, taken);
        return false;
    }
    if (__builtin_expect(op->use.refused, 0))
        make_up(g, &op->use, taken);
    op->next++;
    return true;
}

static IN_STEP bool process_head(struct mh_gpu *g, struct mh_sm *sm)
{
    struct mh_lsu_op *op = &sm->lsu[sm->lsu_head];

    if (!process(g, sm, op))
        return false;
    if (op->next == op->lines.count)
        leave(g, sm);
    return true;
}

bool mh_lsu_process(struct mh_gpu *g, struct mh_sm *sm, struct mh_lsu_op *op)
{
    return process(g, sm, op);
}

/* A replay that cannot be taken stops new lines, too: nothing overtakes it. */
static IN_STEP bool take(struct mh_gpu *g, struct mh_sm *sm)
{
    return sm->replay_head != MH_NONE ? replay_head(g, sm) : process_head(g, sm);
}

/*
 * sm.lsu_lines: up to so many lines of one instruction, or of those to be replayed. Line n is taken in cycle now + n:
 * the clock goes ahead for it, and back at the end, so that all that it sends and counts has that cycle.
 *
 * Approximation: events of the cycles in between come later, but find the lines taken. A translation that arrives there
 * is replayed behind them, and an instruction leaves the LSU with its last line up to lsu_lines - 1 cycles early. A
 * line that cannot be taken waits from its cycle on; what frees a place before makes it try again in that cycle.
 */
static __attribute__((noinline)) void step_lines(struct mh_gpu *g, struct mh_sm *sm)
{
    const uint64_t now = g->wheel.now, end = now + g->cfg.sm.lsu_lines;
    const bool replays = sm->replay_head != MH_NONE;
    const uint32_t instructions = sm->lsu_count;
    bool taken, more;

    do {
        taken = take(g, sm);
        g->wheel.now += taken;
        more = replays ? sm->replay_head != MH_NONE : sm->lsu_count == instructions;
    } while (taken && more && g->wheel.now < end);
    sm->lsu_free = g->wheel.now;
    g->wheel.now = now;
    sm->lsu_stalled = !taken;
    if (taken && (sm->replay_head != MH_NONE || sm->lsu_count))
        mh_lsu_step_at(g, sm, sm->lsu_free);
}

static __attribute__((noinline, cold)) void other_step(struct mh_gpu *g, struct mh_sm *sm)
{
    if (sm->lsu_apart)
        mh_lsu_order_step(g, sm);
    else
        step_lines(g, sm);
}

void mh_lsu_step(struct mh_gpu *g, uint32_t id)
{
    struct mh_sm *sm = &g->sm[id];

    sm->lsu_event = false;
    if (sm->replay_head == MH_NONE && !sm->lsu_count)
        return;
    if (__builtin_expect(sm->lsu_differs, 0)) {
        other_step(g, sm);
        return;
    }
    if (!take(g, sm)) {
        sm->lsu_stalled = true;
        mh_waits_stopped(g, id);
        return;
    }
    sm->lsu_free = g->wheel.now + 1;
    if (sm->replay_head != MH_NONE || sm->lsu_count)
        mh_lsu_step_at(g, sm, sm->lsu_free);
}
