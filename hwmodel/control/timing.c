/* What happens by itself: timers, interrupts, events; and how decisions answer them: epochs. */
#include "control/internal.h"

#include <string.h>

const uint8_t mh_timer_source[MH_TIMERS] = {MH_SOURCE_EPOCH, MH_SOURCE_TIMER, MH_SOURCE_TIMER_2};

static void find_next(struct mh_control *c)
{
    c->next = MH_NO_CYCLE;
    for (uint32_t t = 0; t < MH_TIMERS; t++)
        if (c->timer[t].expiry < c->next)
            c->next = c->timer[t].expiry;
}

/* The interval is taken here: a later write of TIMER_INTERVAL waits for the next one of TIMER_CTRL. */
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
    static const uint32_t irq[MH_TIMERS] = {MH_IRQ_TIMER0, MH_IRQ_TIMER1, MH_IRQ_TIMER2};
    struct mh_timer *t = &c->timer[timer];
    uint64_t cycle = t->expiry;

    c->pending |= irq[timer];
    if (t->period) {
        t->expiry += t->period; /* from the expiry, not from its acknowledgement: epochs do not drift */
    } else {
        t->expiry = MH_NO_CYCLE; /* firmware sees a one-shot's expiry in TIMER_CTRL, too: it reads 0 */
        *mh_control_value(c, MH_REG_TIMER_CTRL + timer * MH_REG_TIMER_CTRL_STRIDE) = 0;
    }
    find_next(c);
    if (timer == 0) {
        mh_control_epoch_open(c, cycle);
    } else {
        mh_question_drop(c, mh_timer_source[timer]);
        mh_question_ask(c, mh_timer_source[timer], cycle);
    }
}

/* In order of cycles; in one cycle timer 0, the epoch, goes first. */
void mh_control_tick(struct mh_control *c, uint64_t now)
{
    while (c->next <= now && c->next != MH_NO_CYCLE)
        for (uint32_t t = 0; t < MH_TIMERS; t++)
            if (c->timer[t].expiry == c->next) {
                expire(c, t);
                break;
            }
}

/* A level: it stays high until each bit that is enabled has been acknowledged. */
bool mh_control_irq(const struct mh_control *c)
{
    return (c->pending & c->value[c->map.index[MH_REG_IRQ_ENABLE / 4]]) != 0;
}

/* What finds the FIFO full is lost and counted. One slot more takes HOST_STOP: firmware that lost events can still end
 * its run. */
void mh_control_event(struct mh_control *c, uint64_t now, uint32_t kind, uint32_t tenant, uint32_t argument)
{
    struct mh_fifo *f = &c->fifo;
    uint32_t slot = (f->head + f->count) % MH_FIFO_SLOTS;
    bool lost = f->count >= (kind == MH_EVENT_HOST_STOP ? MH_FIFO_SLOTS : MH_EVENT_FIFO);

    mh_tenant_event_raised(c, kind, lost);
    if (lost) {
        c->stats.events_lost++;
        return;
    }
    f->entry[slot] = (kind & 0xff) | (tenant & 0xff) << 8 | (argument & 0xffff) << 16;
    f->cycle[slot] = now;
    f->count++;
    c->pending |= MH_IRQ_EVENT;
}

/* Scores are advice: the walk of an arrival that is lost goes by the score that the hardware gives it. */
void mh_control_arrival(struct mh_control *c, uint64_t now, uint32_t word)
{
    mh_source_raised(c, MH_SOURCE_ARRIVAL);
    if (mh_ring_full(&c->arrivals)) {
        c->stats.arrivals_lost++;
        mh_source_missed(c, MH_SOURCE_ARRIVAL);
        return;
    }
    mh_ring_push(&c->arrivals, word);
    mh_ring_push(&c->arrived, (uint32_t)now);
    c->pending |= MH_IRQ_WALK_ARRIVAL;
}

void mh_control_arrival_pop(struct mh_control *c)
{
    if (c->arrivals.count)
        mh_arrival_taken(c, mh_ring_pop(&c->arrivals) & MH_INSTR_MASK, mh_ring_pop(&c->arrived));
}

static bool wanted(const struct mh_control *c, bool come)
{
    return c->knobs.fault_events & (come ? MH_FAULT_COME : MH_FAULT_RAISED);
}

/* What is lost, firmware does not decide on: the fault itself is handled all the same. */
void mh_control_page_fault(struct mh_control *c, uint64_t now, bool come, uint32_t tenant, uint32_t sm)
{
    if (!wanted(c, come))
        return;
    mh_source_raised(c, MH_SOURCE_PAGE_FAULT);
    if (mh_ring_full(&c->faults)) {
        c->stats.page_faults_lost++;
        mh_source_missed(c, MH_SOURCE_PAGE_FAULT);
        return;
    }
    mh_ring_push(&c->faults, MH_PAGE_FAULT_VALID | (come ? MH_PAGE_FAULT_COME : 0) |
                                 (c->evicted >> tenant & 1 ? MH_PAGE_FAULT_EVICTED : 0) |
                                 tenant << MH_PAGE_FAULT_TENANT | sm << MH_PAGE_FAULT_SM);
    mh_ring_push(&c->faulted, (uint32_t)now);
    c->pending |= MH_IRQ_PAGE_FAULT;
}

void mh_control_page_fault_pop(struct mh_control *c)
{
    if (!c->faults.count)
        return;
    mh_ring_pop(&c->faults);
    mh_page_fault_taken(c, mh_ring_pop(&c->faulted));
}

void mh_control_evicted(struct mh_control *c, uint32_t tenant)
{
    c->evicted |= 1u << tenant;
}

uint32_t mh_control_fifo_head(const struct mh_control *c)
{
    return c->fifo.count ? c->fifo.entry[c->fifo.head] : MH_EVENT_NONE;
}

void mh_control_fifo_pop(struct mh_control *c)
{
    if (!c->fifo.count)
        return;
    mh_tenant_event_taken(c, c->fifo.entry[c->fifo.head] & 0xff, c->fifo.cycle[c->fifo.head]);
    c->fifo.head = (c->fifo.head + 1) % MH_FIFO_SLOTS;
    c->fifo.count--;
}

/* Delta to the base of the row before; `to` becomes the next base. A gauge is a level: its value counts, not how much
 * it differs. */
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
        .epoch = c->epoch.number, .cycle = c->question[MH_SOURCE_EPOCH].cycle, .latency = latency, .knobs = &c->knobs};

    for (row.tenant = 0; row.tenant < c->tenants; row.tenant++) {
        take_delta(&row.delta, &c->epoch.base[row.tenant], &counters[row.tenant]);
        c->obs.epoch(c->obs.ctx, &row);
    }
}

/*
 * An answered epoch counts up to its SNAPSHOT. A missed one may have none, and that of an epoch before may be older
 * than the base: it counts up to now, so that no delta is negative.
 */
static void close_epoch(struct mh_control *c, uint64_t latency, bool use_snapshot)
{
    if (!c->obs.epoch)
        return;
    if (use_snapshot) {
        emit_rows(c, latency, c->snap);
    } else {
        struct mh_counters live[MH_MAX_TENANTS] = {0};

        mh_control_counters(c, live);
        emit_rows(c, latency, live);
    }
}

static void drop_epoch(struct mh_control *c)
{
    if (mh_question_drop(c, MH_SOURCE_EPOCH))
        close_epoch(c, MH_NO_CYCLE, false);
}

/* The epoch before, if it is still open, is missed: its rows come before the new number. */
void mh_control_epoch_open(struct mh_control *c, uint64_t cycle)
{
    drop_epoch(c);
    c->epoch.number = c->stats.epochs;
    mh_question_ask(c, MH_SOURCE_EPOCH, cycle);
}

void mh_control_walk_epoch(struct mh_control *c, uint64_t now, const uint32_t enq[MH_MAX_TENANTS])
{
    mh_question_drop(c, MH_SOURCE_WALK_EPOCH);
    mh_question_ask(c, MH_SOURCE_WALK_EPOCH, now);
    memcpy(c->walk_enq, enq, sizeof c->walk_enq);
    c->pending |= MH_IRQ_WALK_EPOCH;
}

void mh_control_answer(struct mh_control *c, uint64_t now)
{
    mh_question_answer(c, MH_SOURCE_WALK_EPOCH, now);
    if (mh_question_answer(c, MH_SOURCE_EPOCH, now))
        close_epoch(c, now - c->question[MH_SOURCE_EPOCH].cycle, true);
    for (uint32_t t = 1; t < MH_TIMERS; t++)
        mh_question_answer(c, mh_timer_source[t], now);
    mh_tenant_events_answer(c, now);
    mh_page_faults_answer(c, now);
}

void mh_control_drop(struct mh_control *c)
{
    mh_question_drop(c, MH_SOURCE_WALK_EPOCH);
    drop_epoch(c);
    for (uint32_t t = 1; t < MH_TIMERS; t++)
        mh_question_drop(c, mh_timer_source[t]);
    mh_tenant_events_drop(c);
    mh_page_faults_drop(c);
    c->taken.arrival = false; /* neither answered nor missed: no policy has to score */
}
