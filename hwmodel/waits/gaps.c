/* Each cycle of a gap gets its cause. */
#include <string.h>

#include "engine/upstream.h"
#include "waits/waits.h"

/* Cycles before `at` have their cause, of those before `end`. */
struct cut {
    uint64_t *count; /**< [MH_WAITS] */
    uint64_t at, end;
};

/* What lies between the last time and this one is the cause's. A time that is 0, or earlier, takes nothing. */
static void cut_to(struct cut *c, enum mh_wait cause, uint64_t time)
{
    const uint64_t to = mh_min64(time, c->end);

    if (to <= c->at)
        return;
    c->count[cause] += to - c->at;
    c->at = to;
}

/* --- Stops of the LSU. */

static struct mh_stop *stop_at(struct mh_stops *s, uint64_t n)
{
    return &s->at[n % MH_STOPS];
}

static enum mh_wait part_of(const struct mh_stops *s)
{
    return s->why == MH_STOP_TLB ? MH_WAIT_OF_TLB_MSHR : s->why == MH_STOP_LINE ? MH_WAIT_OF_MSHR : MH_WAITS;
}

/* From where the last one ended to `to`: nothing if that is earlier. */
static void add_stop(struct mh_stops *s, enum mh_wait cause, uint64_t to)
{
    if (to <= s->since)
        return;
    *stop_at(s, s->count++) = (struct mh_stop){s->since, to, (uint8_t)cause, (uint8_t)part_of(s)};
    s->since = to;
}

/* As the page of the MSHR has come, or as far as it has, up to now. */
static void add_page(const struct mh_gpu *g, struct mh_stops *s, const struct mh_page_way *p)
{
    const uint64_t now = g->wheel.now, ended = p->ended ? p->ended : now;
    const bool walks = !p->ended && p->walk;
    const struct mh_walk_way w = walks ? g->waits->walk[p->walk - 1] : (struct mh_walk_way){p->queued, p->started};

    if (w.queued) {
        add_stop(s, MH_WAIT_TLB, mh_min64(w.queued, now));
        add_stop(s, MH_WAIT_WALK_QUEUE, mh_min64(w.started ? w.started : ended, now));
        add_stop(s, MH_WAIT_WALK, mh_min64(ended, now));
    }
    add_stop(s, p->faulted ? MH_WAIT_FAULT : MH_WAIT_TLB, now);
}

/* What is under way in the L2 waits for DRAM. */
static void add_line(const struct mh_gpu *g, struct mh_stops *s, const struct mh_line_way *l)
{
    const uint64_t now = g->wheel.now, there = l->filled ? l->filled : l->picked ? now : l->looked;

    add_stop(s, MH_WAIT_NOC, mh_min64(l->looked ? l->looked : now, now));
    if (!l->back && !l->filled)
        add_stop(s, MH_WAIT_DRAM_QUEUE, now);
    add_stop(s, MH_WAIT_DRAM_QUEUE, mh_min64(l->picked, now));
    add_stop(s, MH_WAIT_DRAM, mh_min64(l->filled, now));
    add_stop(s, MH_WAIT_L2, mh_min64(there + g->cfg.l2.latency, now));
    add_stop(s, MH_WAIT_NOC, now);
}

/* The page that has been asked for longest, of those that have not come. */
static uint32_t oldest_page(const struct mh_gpu *g, uint32_t sm)
{
    const struct mh_page_way *p = &g->waits->page[sm * g->cfg.l1tlb.mshrs];
    uint32_t oldest = 0;

    for (uint32_t m = 1; m < g->cfg.l1tlb.mshrs; m++)
        oldest = p[m].asked < p[oldest].asked ? m : oldest;
    return oldest;
}

static uint32_t oldest_line(const struct mh_gpu *g, uint32_t sm)
{
    const struct mh_line_way *l = &g->waits->line[(size_t)sm * g->cfg.l1d.mshrs];
    uint32_t oldest = MH_NONE;

    for (uint32_t m = 0; m < g->cfg.l1d.mshrs; m++)
        if (l[m].sent && !l[m].back && (oldest == MH_NONE || l[m].sent < l[oldest].sent))
            oldest = m;
    return oldest;
}

/*
 * What has passed of the stop under way. What ends it is what it was for: the page, the line that has come. While it
 * goes on that is not known: the oldest stands for it.
 */
static void settle(const struct mh_gpu *g, uint32_t sm)
{
    struct mh_stops *s = &g->waits->stops[sm];
    uint32_t page = s->page, line = s->line;

    if (!s->under_way)
        return;
    if (s->why >= MH_STOP_PAGE)
        page = s->why - MH_STOP_PAGE;
    else if (s->why == MH_STOP_TLB && page == MH_NONE)
        page = oldest_page(g, sm);
    if (s->why == MH_STOP_LINE && line == MH_NONE)
        line = oldest_line(g, sm);
    if (s->why >= MH_STOP_PAGE || s->why == MH_STOP_TLB)
        add_page(g, s, &g->waits->page[sm * g->cfg.l1tlb.mshrs + page]);
    else if (s->why == MH_STOP_LINE && line != MH_NONE)
        add_line(g, s, &g->waits->line[(size_t)sm * g->cfg.l1d.mshrs + line]);
    add_stop(s, MH_WAIT_NOC, g->wheel.now);
}

void mh_waits_went_on(struct mh_gpu *g, uint32_t sm)
{
    settle(g, sm);
    g->waits->stops[sm].under_way = false;
}

/* The part of the way that lies in the LSU, up to `time`. */
static void cut_lsu(const struct mh_gpu *g, struct cut *c, uint32_t sm, uint64_t time)
{
    struct mh_stops *s = &g->waits->stops[sm];
    const uint64_t first = s->count > MH_STOPS ? s->count - MH_STOPS : 0;
    uint64_t n = s->count;

    while (n > first && stop_at(s, n - 1)->to > c->at)
        n--;
    for (; n < s->count && c->at < time; n++) {
        const struct mh_stop *stop = stop_at(s, n);

        cut_to(c, MH_WAIT_LSU, mh_min64(stop->from, time));
        const uint64_t from = c->at;

        cut_to(c, (enum mh_wait)stop->cause, mh_min64(stop->to, time));
        if (stop->of != MH_WAITS)
            c->count[stop->of] += c->at - from;
    }
    cut_to(c, MH_WAIT_LSU, time);
}

/* --- Ways. */

static void cut_page(const struct mh_gpu *g, struct cut *c, uint32_t sm, const struct mh_page_way *p)
{
    cut_lsu(g, c, sm, p->asked);
    if (p->queued) {
        cut_to(c, MH_WAIT_TLB, p->queued);
        cut_to(c, MH_WAIT_WALK_QUEUE, p->started);
        cut_to(c, MH_WAIT_WALK, p->ended);
    }
    cut_to(c, p->faulted ? MH_WAIT_FAULT : MH_WAIT_TLB, p->came);
}

static void cut_line(const struct mh_gpu *g, struct cut *c, uint32_t sm, const struct mh_line_way *l)
{
    const uint64_t there = l->filled ? l->filled : l->looked;

    cut_lsu(g, c, sm, l->sent);
    cut_to(c, MH_WAIT_NOC, l->looked);
    cut_to(c, MH_WAIT_DRAM_QUEUE, l->picked);
    cut_to(c, MH_WAIT_DRAM, l->filled);
    if (there)
        cut_to(c, MH_WAIT_L2, there + g->cfg.l2.latency);
    cut_to(c, MH_WAIT_NOC, l->back);
}

static void cut_load(const struct mh_gpu *g, struct cut *c, uint32_t sm, const struct mh_load_way *load, uint64_t ready)
{
    const uint32_t l1 = g->cfg.l1tlb.latency + g->cfg.l1d.latency;

    /* What an earlier load of the slot has left is earlier than the gap. */
    cut_page(g, c, sm, &load->page);
    if (load->line.back > c->at)
        cut_line(g, c, sm, &load->line);
    else
        cut_lsu(g, c, sm, ready - mh_min64(ready, l1));
    cut_to(c, MH_WAIT_L1, ready);
}

static void cut_ready(const struct mh_gpu *g, struct cut *c, uint32_t sm, uint32_t warp)
{
    const struct mh_ready *r = &g->waits->ready[(size_t)sm * MH_MAX_WARPS + warp];
    static const enum mh_wait cause[] = {[MH_READY_BARRIER] = MH_WAIT_BARRIER,
                                         [MH_READY_THROTTLE] = MH_WAIT_THROTTLE,
                                         [MH_READY_START] = MH_WAIT_OTHER,
                                         [MH_READY_RESULT] = MH_WAIT_OTHER};

    if (r->at <= c->at)
        return;
    if (r->by == MH_READY_LOAD)
        cut_load(g, c, sm, mh_waits_load(g, sm, warp, r->slot), r->at);
    else
        cut_to(c, cause[r->by], r->at);
}

/* --- Gaps. */

/* A gap in which counters were read began before that. */
static uint64_t begun(struct mh_gpu *g, uint32_t sm, uint64_t from)
{
    const uint64_t open = g->waits->open[sm];

    g->waits->open[sm] = UINT64_MAX;
    return mh_min64(open, from);
}

void mh_waits_gap(struct mh_gpu *g, uint32_t sm, uint32_t warp, uint32_t tenant, bool memory, uint64_t from)
{
    if (!mh_waits_on(g))
        return;
    struct cut c = {g->waits->count[tenant], begun(g, sm, from), g->wheel.now};

    settle(g, sm);
    cut_ready(g, &c, sm, warp);
    if (memory)
        cut_lsu(g, &c, sm, c.end);
    else
        cut_to(&c, MH_WAIT_OTHER, c.end);
}

void mh_waits_open(struct mh_gpu *g, uint32_t sm, uint64_t from)
{
    if (mh_waits_on(g) && from < g->wheel.now)
        g->waits->open[sm] = mh_min64(g->waits->open[sm], from);
}

/* A gap that no issue ended: its warps were stopped. */
void mh_waits_empty(struct mh_gpu *g, uint32_t sm, uint32_t tenant, uint64_t from)
{
    if (!mh_waits_on(g))
        return;
    struct cut c = {g->waits->count[tenant], begun(g, sm, from), g->wheel.now};

    cut_to(&c, MH_WAIT_OTHER, from);
    cut_to(&c, MH_WAIT_EMPTY, c.end);
}

static uint32_t first_tenant(const struct mh_gpu *g, uint32_t sm)
{
    for (uint32_t t = 0; t < g->tenants; t++)
        if (g->tenant[t].sms[sm / 64] >> sm % 64 & 1)
            return t;
    return 0;
}

static void read_sm(const struct mh_gpu *g, uint32_t sm, uint64_t out[MH_MAX_TENANTS][MH_WAITS])
{
    const uint64_t now = g->wheel.now, open = g->waits->open[sm], busy = mh_sm_quiet_from(g, sm);
    const uint32_t tenant = mh_sm_first_tenant(g, sm);

    if (tenant == MH_NONE) {
        struct cut c = {out[first_tenant(g, sm)], mh_min64(open, busy), now};

        cut_to(&c, MH_WAIT_OTHER, busy);
        cut_to(&c, MH_WAIT_EMPTY, now);
    } else if (open < now) {
        out[tenant][MH_WAIT_OTHER] += now - open;
    }
}

void mh_waits_read(const struct mh_gpu *g, uint64_t out[MH_MAX_TENANTS][MH_WAITS])
{
    if (!mh_waits_on(g))
        return;
    memcpy(out, g->waits->count, sizeof g->waits->count);
    for (uint32_t i = 0; i < g->cfg.sm.count; i++)
        read_sm(g, i, out);
}
