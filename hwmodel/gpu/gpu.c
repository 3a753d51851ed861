#include "gpu/gpu.h"

#include "control/control.h"
#include "dram/memory.h"
#include "engine/gpu.h"
#include "engine/upstream.h"
#include "translate/instruction.h"
#include "pages/page_table.h"
#include "translate/steal.h"
#include "uvm/uvm.h"
#include "waits/waits.h"
#include "workload/workload.h"

static void (*const handlers[])(struct mh_gpu *g, uint32_t payload) = {
#define MH_EVENT_ROW(name, handler, what) [name] = handler,
#include "engine/events.def"
};

static inline void dispatch(struct mh_gpu *g, uint32_t event)
{
    if (!mh_event_lost(g, event))
        handlers[MH_EVENT_KIND(event)](g, MH_EVENT_PAYLOAD(event));
}

/*
 * Events of a cycle may add more to it. First those in the bucket, without a look at the spill; then those that have
 * spilled.
 */
static void run_cycle(struct mh_gpu *g)
{
    const struct mh_wheel *w = &g->wheel;
    const uint32_t slot = mh_wheel_slot(w), *event = w->bucket[slot];
    const uint8_t *count = &w->count[slot];
    uint32_t i = 0;

    for (; i < *count; i++)
        dispatch(g, event[i]);
    for (; i < mh_wheel_count(w, slot); i++)
        dispatch(g, mh_wheel_event(w, slot, i));
}

/* Runs all events up to `limit`, stopping after a cycle in which the interrupt line has moved. */
static void run(struct mh_gpu *g, uint64_t limit)
{
    while (mh_wheel_next(&g->wheel, limit)) {
        run_cycle(g);
        mh_wheel_done(&g->wheel);
        if (mh_control_irq(g->control) != g->line || g->attention || g->wheel.overrun)
            return;
    }
}

/* What the warm-up counted; 0 without one. */
static void leave_out_warmup(struct mh_stats *s, const struct mh_stats *warm)
{
    s->warmup = warm->cycles;
    s->cycles -= warm->cycles;
    for (uint32_t t = 0; t < s->tenants; t++)
        mh_counters_leave_out(&s->tenant[t], &warm->tenant[t]);
}

static void fill_stats(struct mh_gpu *g)
{
    g->stats.cycles = g->wheel.now;
    g->stats.tenants = g->tenants;
    g->stats.walker_queues = g->steal->walkers;
    mh_blocks_counters(g, g->stats.tenant);
    for (uint32_t t = 0; t < g->tenants; t++) {
        g->stats.moved[t] = mh_workload_moved(g->tenant[t].work);
        if (g->cfg.run.completions)
            g->stats.completed[t] = g->tenant[t].completed;
    }
    mh_waits_read(g, g->stats.waits);
    g->stats.knobs = g->knobs;
    g->stats.control = *mh_control_stats(g->control);
    g->stats.events = g->wheel.executed;
    leave_out_warmup(&g->stats, &g->warm);
}

/* The end comes once: when the cycles are over, or all tenants have finished. */
static void host_events(struct mh_gpu *g)
{
    if (g->series->next == g->wheel.now)
        mh_series_take(g);
    if (g->timeline->next == g->wheel.now)
        mh_timeline_take(g);
    if (g->next_warm == g->wheel.now) {
        fill_stats(g);
        g->warm = g->stats;
        g->next_warm = UINT64_MAX;
    }
    if (g->next_status == g->wheel.now) {
        g->next_status += g->cfg.run.status_every;
        mh_control_event(g->control, g->wheel.now, MH_EVENT_HOST_STATUS, 0, 0);
    }
    if ((g->wheel.now == g->cfg.run.cycles || g->finished) && !g->ended) {
        mh_gpu_latch(g); /* first: HOST_STOP is not in the statistics */
        mh_control_event(g->control, g->wheel.now, MH_EVENT_HOST_STOP, 0, 0);
    }
}

/*
 * Order within a cycle: its events, timers, drains, tenants that leave and come, requests of the host; accesses of the
 * caller after all. It does not depend on how far one advances at a time.
 */
uint64_t mh_gpu_advance(struct mh_gpu *g, uint64_t until)
{
    g->line = mh_control_irq(g->control);
    while (!g->ended && g->wheel.now < until && mh_control_irq(g->control) == g->line) {
        uint64_t timer = mh_control_next(g->control);

        /* Up to the next cycle in which something outside the events happens. */
        run(g, mh_min64(mh_min64(mh_min64(until, g->cfg.run.cycles), mh_min64(g->deadlock->look, g->next_change)),
                        mh_min64(mh_min64(timer, mh_min64(g->next_status, g->next_warm)),
                                 mh_min64(g->series->next, g->timeline->next))));
        if (mh_deadlock_found(g)) {
            fill_stats(g);
            g->ended = true;
            break;
        }
        if (g->wheel.now == timer)
            mh_control_tick(g->control, timer);
        if (g->attention)
            mh_tenants_drain(g);
        if (g->wheel.now == g->next_change)
            mh_tenants_change(g);
        host_events(g);
    }
    return g->wheel.now;
}

uint64_t mh_gpu_now(const struct mh_gpu *g)
{
    return g->wheel.now;
}

bool mh_gpu_irq(const struct mh_gpu *g)
{
    return mh_control_irq(g->control);
}

bool mh_gpu_committed(const struct mh_gpu *g)
{
    return mh_control_stats(g->control)->commits > 0;
}

uint64_t mh_gpu_epochs_answered(const struct mh_gpu *g)
{
    return mh_control_stats(g->control)->source[MH_SOURCE_EPOCH].answered;
}

bool mh_gpu_ended(const struct mh_gpu *g)
{
    return g->ended;
}

const char *mh_gpu_deadlock(const struct mh_gpu *g)
{
    return *g->deadlock->report ? g->deadlock->report : NULL;
}

void mh_gpu_observe(struct mh_gpu *g, const struct mh_observer *obs)
{
    mh_control_observe(g->control, obs);
    mh_mem_observe(g->memory, obs);
    mh_uvm_observe(g, obs);
    mh_series_observe(g->series, obs);
    mh_timeline_observe(g->timeline, obs);
}

enum mh_access mh_gpu_read(struct mh_gpu *g, uint32_t offset, uint32_t size, uint32_t *value)
{
    return mh_control_read(g->control, g->wheel.now, offset, size, value);
}

enum mh_access mh_gpu_write(struct mh_gpu *g, uint32_t offset, uint32_t size, uint32_t value)
{
    return mh_control_write(g->control, g->wheel.now, offset, size, value);
}

enum mh_access mh_gpu_peek(const struct mh_gpu *g, uint32_t offset, uint32_t size, uint32_t *value)
{
    return mh_control_peek(g->control, offset, size, value);
}

bool mh_gpu_refused(const struct mh_gpu *g, char *text, size_t size)
{
    return mh_control_refused(g->control, text, size);
}

void mh_gpu_describe(const struct mh_gpu *g, uint32_t offset, char *text, size_t size)
{
    mh_control_describe(g->control, offset, text, size);
}

void mh_gpu_safe(struct mh_gpu *g)
{
    if (g->ended)
        return;
    mh_control_safe(g->control);
    mh_tenants_give_back(g);
    mh_instructions_forget_scores(g->instructions);
}

void mh_gpu_swap(struct mh_gpu *g)
{
    if (g->ended)
        return;
    mh_control_swap(g->control);
    mh_tenants_give_back(g);
    mh_instructions_forget_scores(g->instructions);
}

int mh_gpu_remap(struct mh_gpu *g, uint32_t tenant, uint32_t vpn)
{
    const struct mh_tenant *t = &g->tenant[tenant];

    if (g->uvm->on) /* frames are units' */
        return -1;
    return mh_pt_remap(g->pages, t->page_root, t->asid, vpn);
}

const char *mh_gpu_assumption(const struct mh_gpu *g, uint32_t tenant)
{
    return mh_workload_assumption(g->tenant[tenant].work);
}

void mh_gpu_check(const struct mh_gpu *g)
{
    mh_blocks_check(g);
}

void mh_gpu_latch(struct mh_gpu *g)
{
    if (g->ended)
        return;
    fill_stats(g);
    for (uint32_t t = 0; t < g->tenants; t++)
        if (g->tenant[t].presence == MH_PRESENT)
            mh_launch_over(g, t, &g->stats.tenant[t], false);
    g->ended = true;
    /* Debug builds: at the end everything must be accounted for. */
    mh_gpu_check(g);
}

const struct mh_stats *mh_gpu_stats(struct mh_gpu *g)
{
    if (!g->ended)
        fill_stats(g);
    return &g->stats;
}

uint64_t mh_gpu_lane_instr(struct mh_gpu *g)
{
    const struct mh_stats *s = mh_gpu_stats(g);
    uint64_t sum = 0;

    for (uint32_t t = 0; t < s->tenants; t++)
        sum += s->tenant[t].lane_instr + g->warm.tenant[t].lane_instr;
    return sum;
}
