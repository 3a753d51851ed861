/* What happens by itself: timers, interrupts, events; and how decisions answer them: epochs. */
#include "control/internal.h"

#include <string.h>

static void find_next(struct mh_control *c)
{
    c->next = MH_NO_CYCLE;
    for (uint32_t t = 0; t < MH_TIMERS; t++)
        if (c->timer[t].expiry < c->next)
            c->next = c->timer[t].expiry;
}

void mh_control_timer_set(struct mh_control *c, uint64_t now, uint32_t timer, uint32_t mode)
{
    uint32_t interval = *mh_control_value(c, MH_REG_TIMER_INTERVAL + timer * MH_REG_TIMER_INTERVAL_STRIDE);
    *mh_control_value(c, MH_REG_TIMER_CTRL + timer * MH_REG_TIMER_CTRL_STRIDE) = mode;
    c->timer[timer].expiry = mode ? now + interval : MH_NO_CYCLE;
    c->timer[timer].period = mode == 2 ? interval : 0;
    find_next(c);
}

uint64_t mh_control_next(const struct mh_control *c)
{
    return c->next;
}

static void expire(struct mh_control *c, uint32_t timer)
{
    struct mh_timer *t = &c->timer[timer];
    uint64_t cycle = t->expiry;
    c->pending |= MH_IRQ_TIMER0 << timer;
    if (t->period) {
        t->expiry += t->period;
    } else {
        t->expiry = MH_NO_CYCLE;
        *mh_control_value(c, MH_REG_TIMER_CTRL + timer * MH_REG_TIMER_CTRL_STRIDE) = 0;
    }
    find_next(c);
    if (timer == 0)
        mh_control_epoch_open(c, cycle);
}

void mh_control_tick(struct mh_control *c, uint64_t now)
{
    while (c->next <= now && c->next != MH_NO_CYCLE)
        for (uint32_t t = 0; t < MH_TIMERS; t++)
            if (c->timer[t].expiry == c->next) {
                expire(c, t);
                break;
            }
}

bool mh_control_irq(const struct mh_control *c)
{
    return (c->pending & c->value[c->map.index[MH_REG_IRQ_ENABLE / 4]]) != 0;
}

void mh_control_event(struct mh_control *c, uint32_t kind, uint32_t tenant, uint32_t argument)
{
    struct mh_fifo *f = &c->fifo;
    if (f->count >= (kind == MH_EVENT_HOST_STOP ? MH_FIFO_SLOTS : MH_EVENT_FIFO)) {
        c->stats.events_lost++;
        return;
    }
    f->entry[(f->head + f->count) % MH_FIFO_SLOTS] = (kind & 0xff) | (tenant & 0xff) << 8 | (argument & 0xffff) << 16;
    f->count++;
    c->pending |= MH_IRQ_EVENT;
}

void mh_control_arrival(struct mh_control *c, uint32_t word)
{
    if (mh_ring_full(&c->arrivals)) {
        c->stats.arrivals_lost++;
        return;
    }
    mh_ring_push(&c->arrivals, word);
    c->pending |= MH_IRQ_WALK_ARRIVAL;
}

uint32_t mh_control_fifo_head(const struct mh_control *c)
{
    return c->fifo.count ? c->fifo.entry[c->fifo.head] : MH_EVENT_NONE;
}

void mh_control_fifo_pop(struct mh_control *c)
{
    if (!c->fifo.count)
        return;
    c->fifo.head = (c->fifo.head + 1) % MH_FIFO_SLOTS;
    c->fifo.count--;
}

/* Delta to the base of the row before; `to` becomes the next base. */
static void take_delta(struct mh_counters *delta, struct mh_counters *base, const struct mh_counters *to)
{
    uint64_t *d = (uint64_t *)delta;
    const uint64_t *b = (const uint64_t *)base, *t = (const uint64_t *)to;
    for (uint32_t i = 0; i < MH_COUNTERS; i++)
        d[i] = mh_counter_is_gauge(i) ? t[i] : t[i] - b[i];
    *base = *to;
}

static void emit_rows(struct mh_control *c, uint64_t latency, const struct mh_counters *counters)
{
    struct mh_epoch_row row = {
        .epoch = c->epoch.number, .cycle = c->epoch.cycle, .latency = latency, .knobs = &c->knobs};
    for (row.tenant = 0; row.tenant < c->tenants; row.tenant++) {
        take_delta(&row.delta, &c->epoch.base[row.tenant], &counters[row.tenant]);
        c->obs.epoch(c->obs.ctx, &row);
    }
}

/* Without a decision there is no SNAPSHOT of it, and one of before may be older than the base: count up to here. */
static void close_epoch(struct mh_control *c, uint64_t latency, bool use_snapshot)
{
    c->epoch.open = false;
    if (!c->obs.epoch)
        return;
    if (use_snapshot) {
        emit_rows(c, latency, c->snap);
    } else {
        struct mh_counters live[MH_MAX_TENANTS] = {0};
        c->ops.counters(c->ops.gpu, live);
        emit_rows(c, latency, live);
    }
}

void mh_control_epoch_open(struct mh_control *c, uint64_t cycle)
{
    if (c->epoch.open) {
        c->stats.missed++;
        close_epoch(c, MH_NO_CYCLE, false);
    }
    c->epoch.open = true;
    c->epoch.snapped = false;
    c->epoch.number = c->stats.epochs++;
    c->epoch.cycle = cycle;
}

void mh_control_walk_epoch(struct mh_control *c, uint64_t now, const uint32_t enq[MH_MAX_TENANTS])
{
    c->stats.walk_epochs++;
    c->stats.walk_missed += c->walk.open;
    c->walk = (struct mh_walk_epoch){.open = true, .cycle = now};
    memcpy(c->walk.enq, enq, sizeof c->walk.enq);
    c->pending |= MH_IRQ_WALK_EPOCH;
}

static void answer_walk_epoch(struct mh_control *c, uint64_t now)
{
    if (!c->walk.open || !c->walk.read)
        return;
    uint64_t latency = now - c->walk.cycle;
    c->walk.open = false;
    c->stats.walk_latency_count++;
    c->stats.walk_latency_sum += latency;
    if (latency > c->stats.walk_latency_max)
        c->stats.walk_latency_max = latency;
}

static void answer_epoch(struct mh_control *c, uint64_t now)
{
    if (!c->epoch.open || !c->epoch.snapped)
        return;
    uint64_t latency = now - c->epoch.cycle;
    c->stats.latency_count++;
    c->stats.latency_sum += latency;
    if (latency > c->stats.latency_max)
        c->stats.latency_max = latency;
    close_epoch(c, latency, true);
}

void mh_control_answer(struct mh_control *c, uint64_t now)
{
    answer_walk_epoch(c, now);
    answer_epoch(c, now);
}
