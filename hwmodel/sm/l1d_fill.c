/* L1D: what comes from the L2, loads that have all of it, and lines that leave it as a whole or by their page. */
#include "engine/gpu.h"
#include "sm/l1d.h"
#include "waits/waits.h"
#include "sm/umon.h"

/* A line of a load has come. If all have, a line that hit may have its data later still. */
static void arrived(struct mh_gpu *g, struct mh_sm *sm, struct mh_use use)
{
    struct mh_load *load = &sm->warp[use.warp].load[use.slot];

    MH_CHECK(load->lines);
    if (--load->lines)
        return;
    if (load->hit_at > g->wheel.now)
        mh_l1d_done_at(g, sm, use, load->hit_at);
    else
        mh_sm_load_done(g, sm, use.warp, use.slot);
}

void mh_l1d_give_up(struct mh_gpu *g, struct mh_sm *sm, struct mh_use use)
{
    arrived(g, sm, use);
}

void mh_l1d_reply(struct mh_gpu *g, uint32_t sm, uint32_t mshr, uint8_t sectors, uint64_t cycle)
{
    uint32_t id = sm * g->cfg.l1d.mshrs + mshr;

    mh_wheel_add(&g->wheel, cycle + mh_l1d_latency(g), MH_EVENT(EV_L1_FILL, id << MH_MAX_SECTORS | sectors));
}

/* The first sectors may be gone by now: replaced, or dropped by an atomic or a store. */
static inline __attribute__((always_inline)) void fill(const struct mh_gpu *g, struct mh_sm *sm, uint32_t line,
                                                       uint8_t sectors)
{
    uint32_t *set = mh_l1d_set(sm, line);
    int way = mh_tags_find(&sm->l1d, set, line);

    sectors |= mh_l1d_sectors(set, way);
    if (way < 0)
        way = __builtin_expect(g->l1d_apart, 0) ? (int)mh_ways_victim(g, set, line) : (int)sm->l1d.ways - 1;
    mh_tags_front(set, (uint32_t)way, line << MH_TAG_BITS | sectors);
}

void mh_l1d_fill(const struct mh_gpu *g, struct mh_sm *sm, uint32_t line, uint8_t sectors)
{
    fill(g, sm, line, sectors);
}

/* Those whose sectors have all arrived are served; the rest stay. */
static uint32_t serve(struct mh_gpu *g, struct mh_sm *sm, uint32_t head, uint8_t there)
{
    uint32_t rest = MH_NONE;

    for (uint32_t id = head, next; id != MH_NONE; id = next) {
        struct mh_pending *p = &sm->pending[id];

        next = p->next;
        if (p->use.sectors & ~there) {
            p->next = rest;
            rest = id;
            continue;
        }
        mh_pending_give(sm, id);
        arrived(g, sm, p->use);
    }
    return rest;
}

/*
 * What waits in the MSHR itself goes to the end of its list, where serve() looks at it. The place that it has had
 * becomes that of the entry.
 */
static void queue_first(struct mh_sm *sm, struct mh_l1_mshr *e)
{
    uint32_t *last = &e->head;

    while (*last != MH_NONE)
        last = &sm->pending[*last].next;
    sm->places++;
    *last = mh_pending_take(sm);
    sm->pending[*last].next = MH_NONE;
    sm->pending[*last].use = e->first;
    e->first.sectors = 0;
}

/* All that was asked for is there. */
static void finish(struct mh_gpu *g, struct mh_sm *sm, uint32_t mshr)
{
    struct mh_l1_mshr *e = &sm->l1_mshr[mshr];

    mh_index_del(&sm->l1_index, e->line);
    if (e->head != MH_NONE)
        serve(g, sm, e->head, e->arrived);
    if (e->first.sectors) {
        sm->places++;
        arrived(g, sm, e->first);
    }
    e->next_free = sm->free_l1_mshr;
    sm->free_l1_mshr = mshr;
}

/* Those that do not have all that they need yet are told again. */
static __attribute__((noinline, cold)) void tell_waits(struct mh_gpu *g, const struct mh_sm *sm, uint32_t mshr)
{
    const struct mh_l1_mshr *e = &sm->l1_mshr[mshr];

    mh_waits_back(g, sm->id, mshr, g->wheel.now - mh_l1d_latency(g));
    if (e->first.sectors)
        mh_waits_line(g, sm->id, mshr, e->first.warp, e->first.slot);
    for (uint32_t id = e->head; id != MH_NONE; id = sm->pending[id].next)
        mh_waits_line(g, sm->id, mshr, sm->pending[id].use.warp, sm->pending[id].use.slot);
}

void mh_l1d_filled(struct mh_gpu *g, uint32_t arrived_there)
{
    const uint8_t sectors = arrived_there & ((1u << MH_MAX_SECTORS) - 1);
    const uint32_t id = arrived_there >> MH_MAX_SECTORS, at = mh_quotient(&g->l1d_mshrs, id);
    const uint32_t mshr = id - at * g->l1d_mshrs.by;
    struct mh_sm *sm = &g->sm[at];
    struct mh_l1_mshr *e = &sm->l1_mshr[mshr];

    fill(g, sm, e->line, sectors);
    e->arrived |= sectors;
    if (mh_waits_on(g))
        tell_waits(g, sm, mshr);
    if (e->arrived == e->asked) {
        finish(g, sm, mshr);
    } else {
        if (e->first.sectors)
            queue_first(sm, e);
        e->head = serve(g, sm, e->head, e->arrived);
    }
    mh_lsu_kick(g, sm);
}

/* --- Results of atomics. */

void mh_l1d_result(struct mh_gpu *g, uint32_t slot, uint64_t cycle)
{
    mh_wheel_add(&g->wheel, cycle + mh_l1d_latency(g), MH_EVENT(EV_ATOMIC_BACK, slot));
}

void mh_l1d_returned(struct mh_gpu *g, uint32_t slot)
{
    const uint32_t warp = slot / MH_MAX_LOADS;
    struct mh_sm *sm = &g->sm[warp / MH_MAX_WARPS];

    MH_CHECK(sm->results);
    sm->results--;
    sm->places++;
    arrived(g, sm, (struct mh_use){.warp = (uint8_t)(warp % MH_MAX_WARPS), .slot = slot % MH_MAX_LOADS});
    mh_lsu_kick(g, sm);
}

void mh_l1d_flush(struct mh_sm *sm)
{
    memset(sm->l1d.entry, 0, (size_t)sm->l1d.sets * sm->l1d.stride * sizeof *sm->l1d.entry);
    mh_umon_clear(sm->umon);
}

bool mh_l1d_waits(const struct mh_gpu *g, const struct mh_sm *sm, mh_line_test *test, const void *ctx)
{
    for (uint32_t m = 0; m < g->cfg.l1d.mshrs; m++)
        if (mh_index_find(&sm->l1_index, sm->l1_mshr[m].line) == (int)m && test(ctx, sm->l1_mshr[m].line))
            return true;
    return false;
}

void mh_l1d_drop_page(struct mh_sm *sm, uint32_t ppn, uint32_t page_shift)
{
    const struct mh_tags *tags = &sm->l1d;

    for (uint32_t i = 0; i < tags->sets; i++) {
        uint32_t *set = mh_tags_set(tags, i);

        for (uint32_t w = tags->ways; w--;)
            if (set[w] && mh_tags_line(tags, i, set[w]) >> page_shift == ppn)
                mh_tags_drop(tags, set, w);
    }
    if (sm->monitored)
        mh_umon_drop_page(sm->umon, ppn, page_shift);
}
