/* Decode, reads and writes, snapshot and commit. */
#include "control/internal.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The knobs as the words that rows of the table name: all members are 32 bits wide. */
static uint32_t *knob_words(struct mh_knobs *knobs)
{
    return (uint32_t *)knobs;
}

struct mh_control *mh_control_create(const struct mh_caps *caps, const struct mh_control_ops *ops)
{
    assert(caps->tenants >= 1 && caps->tenants <= MH_MAX_TENANTS);
    struct mh_control *c = calloc(1, sizeof *c);

    if (!c)
        return NULL;
    if (mh_ring_init(&c->arrivals, caps->arrivals) || mh_ring_init(&c->arrived, caps->arrivals) ||
        mh_ring_init(&c->faults, MH_PAGE_FAULT_FIFO) || mh_ring_init(&c->faulted, MH_PAGE_FAULT_FIFO)) {
        mh_control_destroy(c);
        return NULL;
    }
    c->ops = *ops;
    c->tenants = caps->tenants;
    c->caps = *caps;
    c->fault_cycles = caps->fault_cycles;
    c->monitors = caps->features & MH_FEATURE_L1D_WAYS;
    mh_regmap_build(&c->map, caps);
    /* From 1: index 0 of the map is the undefined register. */
    for (uint32_t i = 1; i <= c->map.count; i++)
        c->value[i] = c->map.desc[i].reset;
    for (uint32_t i = 0; i < c->map.knobs; i++) {
        const struct mh_reg_desc *d = &c->map.desc[c->map.knob[i]];

        assert(mh_reg_legal(d, d->reset));
        knob_words(&c->knobs)[d->word] = d->reset;
    }
    for (uint32_t t = 0; t < MH_TIMERS; t++)
        c->timer[t].expiry = MH_NO_CYCLE;
    c->next = MH_NO_CYCLE;
    return c;
}

void mh_control_destroy(struct mh_control *c)
{
    if (!c)
        return;
    mh_ring_free(&c->arrivals);
    mh_ring_free(&c->arrived);
    mh_ring_free(&c->faults);
    mh_ring_free(&c->faulted);
    free(c);
}

void mh_control_observe(struct mh_control *c, const struct mh_observer *obs)
{
    c->obs = *obs;
}

const struct mh_knobs *mh_control_knobs(const struct mh_control *c)
{
    return &c->knobs;
}

const struct mh_control_stats *mh_control_stats(const struct mh_control *c)
{
    return &c->stats;
}

/* Low word first. Both words are those of one SNAPSHOT, so a carry between two reads does no harm. */
static uint32_t counter_word(const struct mh_control *c, const struct mh_reg_desc *d)
{
    const uint64_t *counters = (const uint64_t *)&c->snap[d->copy];

    return (uint32_t)(counters[d->word / 2] >> (32 * (d->word % 2)));
}

/* What a read gives. It has no side effect: mh_control_peek() is this alone. */
static uint32_t value_of(const struct mh_control *c, const struct mh_reg_desc *d)
{
    switch (d->row) {
    case MH_ROW_COUNTER:
        return counter_word(c, d);
    case MH_ROW_SNAP_CYCLE_LO:
        return (uint32_t)c->snap_cycle;
    case MH_ROW_SNAP_CYCLE_HI:
        return (uint32_t)(c->snap_cycle >> 32);
    case MH_ROW_SNAP_COUNT:
        return c->stats.snapshots;
    case MH_ROW_COMMIT_STATUS:
        return c->commit_status;
    case MH_ROW_COMMIT_BAD:
        return c->stats.last_reject;
    case MH_ROW_COMMITS:
        return c->stats.commits;
    case MH_ROW_REJECTS:
        return c->stats.rejects;
    case MH_ROW_BAD_ACCESSES:
        return c->stats.bad_accesses;
    case MH_ROW_BAD_WRITES:
        return c->stats.bad_writes;
    case MH_ROW_IRQ_PENDING:
        return c->pending;
    case MH_ROW_EVENT_POP:
        return mh_control_fifo_head(c);
    case MH_ROW_EVENT_COUNT:
        return c->fifo.count;
    case MH_ROW_EVENT_LOST:
        return c->stats.events_lost;
    case MH_ROW_TENANTS:
    case MH_ROW_UVM_FREE:
    case MH_ROW_SM_DRAINING:
    case MH_ROW_SM_HOLDS:
    case MH_ROW_SM_CTAS_0:
    case MH_ROW_SM_CTAS_1:
    case MH_ROW_CTA_THREADS:
    case MH_ROW_CTA_REGISTERS:
    case MH_ROW_CTA_SHARED:
        return c->ops.status(c->ops.gpu, d->offset);
    case MH_ROW_WALK_ARRIVAL:
        return c->arrivals.count ? mh_ring_peek(&c->arrivals) : 0;
    case MH_ROW_WALK_ARRIVALS:
        return c->arrivals.count;
    case MH_ROW_WALK_ARRIVALS_LOST:
        return c->stats.arrivals_lost;
    case MH_ROW_PAGE_FAULT:
        return c->faults.count ? mh_ring_peek(&c->faults) : 0;
    case MH_ROW_PAGE_FAULTS:
        return c->faults.count;
    case MH_ROW_PAGE_FAULTS_LOST:
        return c->stats.page_faults_lost;
    case MH_ROW_WALK_SCORES_LATE:
        return c->stats.scores_late;
    case MH_ROW_WALK_EPOCHS:
        return (uint32_t)c->stats.walk_epochs;
    case MH_ROW_WALK_ENQ:
        return c->walk_enq[d->copy];
    default:
        return c->value[d - c->map.desc];
    }
}

static void latch_monitors(struct mh_control *c)
{
    for (uint32_t t = 0; t < c->tenants; t++)
        for (uint32_t p = 0; p < MH_L1D_POSITIONS; p++) {
            uint32_t offset = MH_REG_L1D_HITS_0 + t * MH_REG_L1D_HITS_0_STRIDE + 4 * p;

            *mh_control_value(c, offset) = c->ops.status(c->ops.gpu, offset);
        }
}

void mh_control_counters(const struct mh_control *c, struct mh_counters *out)
{
    c->ops.counters(c->ops.gpu, out);
    for (uint32_t t = 0; t < c->tenants; t++)
        mh_counters_leave_out(&out[t], &c->origin[t]);
}

/* A policy's own window leaves gauges and the open epoch to the decision at the epoch's end. */
static void snapshot(struct mh_control *c, uint64_t now, uint32_t mode)
{
    mh_control_counters(c, c->snap);
    if (c->monitors)
        latch_monitors(c);
    c->snap_cycle = now;
    c->stats.snapshots++;
    if (mode == MH_SNAPSHOT_WINDOW)
        return;
    /* Latched before they restart: the gauges that count since the SNAPSHOT before belong to this one. */
    c->ops.restart(c->ops.gpu);
    c->question[MH_SOURCE_EPOCH].seen = true;
}

bool mh_control_refused(const struct mh_control *c, char *text, size_t size)
{
    const struct mh_reg_desc *d = mh_regmap_find(&c->map, c->stats.last_reject, 4);

    if (c->stats.rejects == 0)
        return false;
    snprintf(text, size, "knob %s[%u] was %" PRIu32 ", allowed are %" PRIu32 "..%" PRIu32, mh_reg_name(d), d->copy,
             c->refused, d->min, d->max);
    return true;
}

/* Gathers the shadows; puts illegal ones back and returns the offset of the first, 0 when all are legal. */
static uint32_t gather(struct mh_control *c, struct mh_knobs *wanted)
{
    uint32_t bad = 0;

    *wanted = c->knobs;
    for (uint32_t i = 0; i < c->map.knobs; i++) {
        const struct mh_reg_desc *d = &c->map.desc[c->map.knob[i]];
        uint32_t *shadow = &c->value[c->map.knob[i]];

        if (mh_reg_legal(d, *shadow)) {
            knob_words(wanted)[d->word] = *shadow;
            continue;
        }
        if (!bad) {
            bad = d->offset;
            c->refused = *shadow;
        }
        *shadow = knob_words(&c->knobs)[d->word];
    }
    return bad;
}

/*
 * All or nothing, in one cycle: the GPU never runs with half of a decision. A rejected COMMIT answers, too: firmware
 * was in time, whatever it wrote. The answer comes last, as the epoch's rows show the knobs in force after the COMMIT.
 */
static void commit(struct mh_control *c, uint64_t now)
{
    struct mh_knobs wanted;
    uint32_t bad = gather(c, &wanted);

    c->commit_status = bad != 0;
    if (bad) {
        c->stats.rejects++;
        c->stats.last_reject = bad;
    } else {
        c->stats.commits++;
        c->knobs = wanted;
        c->ops.apply(c->ops.gpu, &c->knobs);
    }
    mh_control_answer(c, now);
}

void mh_control_reset_shadows(struct mh_control *c)
{
    for (uint32_t i = 0; i < c->map.knobs; i++)
        c->value[c->map.knob[i]] = c->map.desc[c->map.knob[i]].reset;
}

void mh_control_reset_knobs(struct mh_control *c)
{
    struct mh_knobs safe;

    mh_control_reset_shadows(c);
    (void)gather(c, &safe); /* all of them are legal */
    c->knobs = safe;
    c->ops.apply(c->ops.gpu, &c->knobs);
}

/* False: the GPU refuses it, and the write counts as dropped. */
static bool command(struct mh_control *c, const struct mh_reg_desc *d, uint32_t value)
{
    return c->ops.command(c->ops.gpu, d->offset, value);
}

/* Acts in its cycle, without a COMMIT: a score that waited for one would be late. */
static void score(struct mh_control *c, uint64_t now, uint32_t value)
{
    uint32_t instruction = value & MH_INSTR_MASK;
    bool in_time = c->ops.score(c->ops.gpu, instruction, value >> MH_WALK_INSTR_BITS);

    c->stats.scores_late += !in_time;
    mh_arrival_scored(c, now, instruction, in_time);
}

/* Firmware that asks whether its timer runs, or sets it, has looked at its expiry: the next COMMIT is the answer. */
static void look_at_timer(struct mh_control *c, uint32_t offset)
{
    for (uint32_t t = 1; t < MH_TIMERS; t++)
        if (offset == MH_REG_TIMER_CTRL + t * MH_REG_TIMER_CTRL_STRIDE)
            c->question[mh_timer_source[t]].seen = true;
}

/* False: the write is dropped. Its value has passed writable(). */
static bool write_effect(struct mh_control *c, uint64_t now, const struct mh_reg_desc *d, uint32_t value)
{
    switch (d->row) {
    case MH_ROW_SNAPSHOT:
        snapshot(c, now, value);
        break;
    case MH_ROW_COMMIT:
        commit(c, now);
        break;
    case MH_ROW_KNOB_RESET:
        mh_control_reset_shadows(c);
        break;
    case MH_ROW_WALK_SCORE:
        score(c, now, value);
        break;
    case MH_ROW_TIMER_CTRL:
        mh_control_timer_set(c, now, d->copy, value);
        look_at_timer(c, d->offset);
        break;
    case MH_ROW_IRQ_PENDING:
        c->pending &= ~value; /* what still waits in a FIFO does not raise it again */
        break;
    case MH_ROW_EVICT_ARM:
        c->evicted &= ~(1u << value);
        break;
    case MH_ROW_TLB_FLUSH:
    case MH_ROW_PTE_CHANGED:
        return command(c, d, value);
    case MH_ROW_SM_ROOT:
        if (!command(c, d, value))
            return false;
        c->value[d - c->map.desc] = value; /* reads as written; SM_DRAINING tells whether it holds yet */
        break;
    default:
        c->value[d - c->map.desc] = value;
        break;
    }
    return true;
}

static bool writable(const struct mh_reg_desc *d, uint32_t value)
{
    switch (d->access) {
    case MH_ACC_KNOB: /* judged at COMMIT */
        return true;
    case MH_ACC_RW:
    case MH_ACC_CMD:
    case MH_ACC_W1C:
        return mh_reg_legal(d, value);
    default:
        return false;
    }
}

static void observe(struct mh_control *c, uint64_t now, bool write, uint32_t offset, uint32_t value,
                    enum mh_access result)
{
    if (c->obs.access)
        c->obs.access(c->obs.ctx, now, write, offset, value, result);
}

/* Firmware that reads one of them has looked at the walk epoch: its next COMMIT is the answer. */
static bool is_walk_enq(uint32_t offset)
{
    return offset % MH_REG_WALK_ENQ_STRIDE == MH_REG_WALK_ENQ % MH_REG_WALK_ENQ_STRIDE && offset >= MH_REG_WALK_ENQ &&
           offset < MH_REG_WALK_ENQ + MH_MAX_TENANTS * MH_REG_WALK_ENQ_STRIDE;
}

enum mh_access mh_control_read(struct mh_control *c, uint64_t now, uint32_t offset, uint32_t size, uint32_t *value)
{
    /* First the value, then what taking it does. */
    enum mh_access result = mh_control_peek(c, offset, size, value);

    if (result == MH_ACCESS_ERROR)
        c->stats.bad_accesses++;
    else if (offset == MH_REG_EVENT_POP)
        mh_control_fifo_pop(c);
    else if (offset == MH_REG_WALK_ARRIVAL)
        mh_control_arrival_pop(c);
    else if (offset == MH_REG_PAGE_FAULT)
        mh_control_page_fault_pop(c);
    else if (is_walk_enq(offset))
        c->question[MH_SOURCE_WALK_EPOCH].seen = true;
    else
        look_at_timer(c, offset);
    observe(c, now, false, offset, *value, result);
    return result;
}

enum mh_access mh_control_write(struct mh_control *c, uint64_t now, uint32_t offset, uint32_t size, uint32_t value)
{
    const struct mh_reg_desc *d = mh_regmap_find(&c->map, offset, size);

    /* The access is told before what it causes (an epoch row). */
    observe(c, now, true, offset, value, d ? MH_ACCESS_OK : MH_ACCESS_ERROR);
    if (!d) {
        c->stats.bad_accesses++;
        return MH_ACCESS_ERROR;
    }
    /* A bus error would trap: a dropped write is counted, and the mcu goes on. */
    if (!writable(d, value) || !write_effect(c, now, d, value))
        c->stats.bad_writes++;
    return MH_ACCESS_OK;
}

enum mh_access mh_control_peek(const struct mh_control *c, uint32_t offset, uint32_t size, uint32_t *value)
{
    const struct mh_reg_desc *d = mh_regmap_find(&c->map, offset, size);

    *value = d ? value_of(c, d) : 0;
    return d ? MH_ACCESS_OK : MH_ACCESS_ERROR;
}
