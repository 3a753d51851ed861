/*
 * Random traffic on the register window: `fuzz_window [iterations [seed]]`. The same numbers give the same run.
 * What must hold: nothing crashes, knobs in force are legal, every count agrees with one kept here.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "control/control.h"
#include "fuzz/dice.h"
#include "memhelm/registers.h"
#include "random.h"

static const struct mh_caps caps = {.sms = 70,
                                    .tenants = 3,
                                    .warps = 48,
                                    .lanes = 64,
                                    .cta_slots = 8,
                                    .walkers = 64,
                                    .levels = 4,
                                    .channels = 8,
                                    .walk_queue = 128,
                                    .walk_queues = 1,
                                    .walker_owners = 64,
                                    .features = 31,
                                    .epoch = 1000000, /* an event waits long in its FIFO here */
                                    .arrivals = 5,
                                    .fault_cycles = 1000000};

struct expected {
    struct mh_knobs knobs; /* last applied */
    uint32_t applies, errors, accesses, rows, lost, queued, commands, arrivals, arrivals_lost, late, safe;
    uint32_t faults, faults_lost, evicted;
    uint64_t expiries, raised[MH_SOURCES];
};

static struct expected want;
static uint64_t rng;

static uint32_t below(uint32_t n)
{
    return (uint32_t)(random_next(&rng) % n);
}

static void fail(const char *what)
{
    fprintf(stderr, "fuzz_window: %s\n", what);
    exit(1);
}

static void hold(bool holds, const char *what)
{
    if (!holds)
        fail(what);
}

static void counters(void *gpu, struct mh_counters *out)
{
    (void)gpu;
    for (uint32_t t = 0; t < caps.tenants; t++)
        memset(&out[t], (int)below(256), sizeof out[t]);
}

/* CTAs of SMs, and what a CTA of each tenant takes. */
static bool of_ctas(uint32_t offset)
{
    return (offset >= MH_REG_SM_CTAS_0 && offset < MH_REG_SM_CTAS_0 + 8 * caps.sms) ||
           (offset >= MH_REG_CTA_THREADS && offset < MH_REG_CTA_THREADS + MH_TENANT_STRIDE * caps.tenants &&
            (offset - MH_REG_CTA_THREADS) % MH_TENANT_STRIDE <= MH_REG_CTA_SHARED - MH_REG_CTA_THREADS);
}

static uint32_t status(void *gpu, uint32_t offset)
{
    (void)gpu;
    hold(offset == MH_REG_TENANTS || offset == MH_REG_UVM_FREE || of_ctas(offset) ||
             (offset >= MH_REG_SM_DRAINING && offset < MH_REG_SM_DRAINING + 4 * MH_SM_WORDS) ||
             (offset >= MH_REG_SM_HOLDS && offset < MH_REG_SM_HOLDS + 4 * MH_SM_WORDS),
         "status of a register that the GPU does not keep");
    return offset;
}

/* Refuses some; only values in range come here. */
static bool command(void *gpu, uint32_t offset, uint32_t value)
{
    bool root = offset >= MH_REG_SM_ROOT && offset < MH_REG_SM_ROOT + 4 * caps.sms;

    (void)gpu;
    hold(root || offset == MH_REG_TLB_FLUSH || offset == MH_REG_PTE_CHANGED, "a command that is none");
    hold(value < (offset == MH_REG_TLB_FLUSH ? caps.sms : caps.tenants), "a command out of range");
    want.commands++;
    return !root || value;
}

static void restart(void *gpu)
{
    (void)gpu;
}

static void apply(void *gpu, const struct mh_knobs *knobs)
{
    (void)gpu;
    want.knobs = *knobs;
    want.applies++;
}

static bool score(void *gpu, uint32_t instruction, uint32_t value)
{
    (void)gpu;
    hold(instruction < 1u << MH_WALK_INSTR_BITS && value >= 1 && value <= MH_WALK_SCORE_MAX, "an illegal score");
    want.late += instruction & 1;
    return !(instruction & 1);
}

static void on_access(void *ctx, uint64_t cycle, bool write, uint32_t offset, uint32_t value, enum mh_access result)
{
    (void)ctx, (void)cycle, (void)write, (void)value;
    want.accesses++;
    want.errors += result == MH_ACCESS_ERROR;
    hold(result == MH_ACCESS_ERROR || offset < MH_WINDOW_BYTES, "an access outside of the window was answered");
}

static void on_epoch(void *ctx, const struct mh_epoch_row *row)
{
    (void)ctx;
    want.rows++;
    hold(row->tenant < caps.tenants, "row of a tenant that is not there");
}

/* Mostly near registers, sometimes anywhere. */
static uint32_t random_offset(void)
{
    switch (below(8)) {
    case 0:
        return (uint32_t)random_next(&rng);
    case 1:
        return below(MH_WINDOW_BYTES);
    case 2:
        return MH_COUNTER_BASE + 4 * below(5 * MH_COUNTER_STRIDE / 4);
    case 3:
    case 4:
        return below(4) ? MH_REG_TOKENS + 0x100 * below(5) + 4 * below(5) : MH_REG_SM_THROTTLE_0 + 4 * below(24);
    default:
        return below(6) ? 0x100 + 4 * below(64) : MH_REG_SM_ROOT + 4 * below(0x90);
    }
}

static uint32_t random_value(void)
{
    if (!below(16))
        return below(258) << MH_WALK_INSTR_BITS | below(1u << MH_WALK_INSTR_BITS); /* near a WALK_SCORE */
    static const uint32_t special[] = {0, 1, 2, 3, 7, 8, 9, 48, 49, 100, 0x7fffffff, 0x80000000, 0xffffffff};
    if (below(4))
        return special[below(sizeof special / sizeof special[0])];
    uint32_t value = (uint32_t)random_next(&rng);
    return value >> below(32);
}

static uint32_t random_size(void)
{
    static const uint32_t sizes[] = {0, 1, 2, 8, 16, 0xffffffff};
    return below(16) ? 4 : sizes[below(6)];
}

static void check_read(struct mh_control *c, uint64_t now)
{
    uint32_t offset = random_offset(), size = random_size(), peeked, read;
    enum mh_access expect = mh_control_peek(c, offset, size, &peeked);
    hold(mh_control_read(c, now, offset, size, &read) == expect, "peek and read disagree on an error");
    hold(read == peeked, "peek and read disagree on a value");
    hold(expect == MH_ACCESS_OK || read == 0, "an error gave a value");
    if (expect == MH_ACCESS_OK && offset == MH_REG_EVENT_POP && read)
        want.queued--;
    if (expect == MH_ACCESS_OK && offset == MH_REG_WALK_ARRIVAL && read)
        want.arrivals--;
    if (expect == MH_ACCESS_OK && offset == MH_REG_PAGE_FAULT && read)
        want.faults--;
}

static void random_arrival(struct mh_control *c, uint64_t now)
{
    want.raised[MH_SOURCE_ARRIVAL]++;
    mh_control_arrival(c, now, MH_WALK_ARRIVAL_VALID | (uint32_t)random_next(&rng));
    if (want.arrivals == caps.arrivals)
        want.arrivals_lost++;
    else
        want.arrivals++;
}

static void check_fault(struct mh_control *c, bool come, uint32_t tenant, uint32_t sm)
{
    uint32_t word = MH_PAGE_FAULT_VALID | (come ? MH_PAGE_FAULT_COME : 0) | tenant << MH_PAGE_FAULT_TENANT |
                    sm << MH_PAGE_FAULT_SM | (want.evicted >> tenant & 1 ? MH_PAGE_FAULT_EVICTED : 0);
    uint32_t head;
    hold(mh_control_peek(c, MH_REG_PAGE_FAULT, 4, &head) == MH_ACCESS_OK && head == word, "PAGE_FAULT");
}

static void random_fault(struct mh_control *c, uint64_t now)
{
    uint32_t come = below(2), tenant = below(caps.tenants), sm = below(caps.sms);
    bool wanted = mh_control_knobs(c)->fault_events >> come & 1;
    if (!below(4)) {
        mh_control_evicted(c, tenant);
        want.evicted |= 1u << tenant;
    } else if (!below(4)) {
        mh_control_write(c, now, MH_REG_EVICT_ARM, 4, tenant);
        want.evicted &= ~(1u << tenant);
    }
    mh_control_page_fault(c, now, come, tenant, sm);
    want.raised[MH_SOURCE_PAGE_FAULT] += wanted;
    want.faults_lost += wanted && want.faults == MH_PAGE_FAULT_FIFO;
    want.faults += wanted && want.faults < MH_PAGE_FAULT_FIFO;
    if (wanted && want.faults == 1)
        check_fault(c, come, tenant, sm);
}

static void random_event(struct mh_control *c, uint64_t now)
{
    static const uint32_t kinds[] = {MH_EVENT_TENANT_DONE, MH_EVENT_HOST_STATUS, MH_EVENT_TENANT_ARRIVED,
                                     MH_EVENT_TENANT_LEFT};
    uint32_t kind = kinds[below(4)], tenant = below(caps.tenants);
    uint32_t before = mh_control_stats(c)->events_lost;
    mh_control_event(c, now, kind, tenant, (uint32_t)random_next(&rng));
    want.raised[MH_SOURCE_TENANT] += kind >= MH_EVENT_TENANT_ARRIVED;
    if (want.queued == MH_EVENT_FIFO)
        want.lost++;
    else
        want.queued++;
    hold(mh_control_stats(c)->events_lost - before <= 1, "one event was lost twice");
}

static void random_walk_epoch(struct mh_control *c, uint64_t now)
{
    const uint32_t enq[MH_MAX_TENANTS] = {below(200)};
    mh_control_walk_epoch(c, now, enq);
    want.raised[MH_SOURCE_WALK_EPOCH]++;
}

/* The firmware is gone; its knobs, too. */
static void make_safe(struct mh_control *c)
{
    mh_control_safe(c);
    want.applies--; /* it is no COMMIT */
    want.safe++;
    want.evicted = 0;
    hold(!mh_control_irq(c), "safe, and an interrupt is enabled");
    hold(want.knobs.tokens[0] == caps.warps && !want.knobs.walk_order, "safe, and a knob is not at reset");
}

/* Each thing raised is answered, missed, or still open: one of an epoch, as many as the FIFOs and the firmware have. */
static void check_sources(const struct mh_control_stats *s)
{
    static const uint64_t open[MH_SOURCES] = {1, 1, UINT64_MAX, 2 * MH_EVENT_FIFO + 1, 2 * MH_PAGE_FAULT_FIFO, 1, 1};
    want.raised[MH_SOURCE_EPOCH] = want.expiries;
    for (unsigned i = 0; i < MH_SOURCES; i++) {
        const struct mh_source_stats *source = &s->source[i];
        hold(source->raised == want.raised[i], "a source raised another number");
        hold(source->answered + source->missed <= source->raised, "more answered and missed than raised");
        hold(source->raised - source->answered - source->missed <= open[i], "more open than can be");
        hold(source->latency_max <= source->latency_sum, "latencies");
    }
    hold(s->source[MH_SOURCE_ARRIVAL].missed <= s->arrivals_lost + s->scores_late, "arrivals missed");
}

static void check_invariants(struct mh_control *c)
{
    const struct mh_knobs *k = mh_control_knobs(c);
    const struct mh_control_stats *s = mh_control_stats(c);
    for (uint32_t t = 0; t < caps.tenants; t++) {
        hold(k->tokens[t] <= caps.warps, "illegal TOKENS in force");
        hold(k->cta_limit[t] >= 1 && k->cta_limit[t] <= caps.cta_slots, "illegal CTA_LIMIT in force");
        hold(k->cta_throttle[t] <= caps.cta_slots, "illegal CTA_THROTTLE in force");
        for (uint32_t id = 0; id < caps.sms; id++)
            hold(k->sm_cta_limit[t][id] <= caps.cta_slots, "illegal SM_CTA_LIMIT in force");
    }
    for (uint32_t w = 0; w < caps.walkers; w++)
        hold(k->walker_owner[w] < caps.tenants, "illegal WALKER_OWNER in force");
    hold(k->walk_queues <= 1 && k->walk_steal <= MH_STEAL_DWSPP, "illegal WALK_QUEUES or WALK_STEAL in force");
    for (uint32_t id = caps.sms; id < MH_STEERED_SMS; id++)
        hold(!(k->sm_throttle[id / 32] >> (id % 32) & 1), "an SM that is not there is throttled");
    hold(!want.applies || !memcmp(k, &want.knobs, sizeof *k), "knobs in force are not the last applied ones");
    hold(s->commits == want.applies, "COMMITS");
    hold(s->bad_accesses == want.errors, "BAD_ACCESSES");
    hold(s->events_lost == want.lost, "EVENT_LOST");
    hold(s->arrivals_lost == want.arrivals_lost, "WALK_ARRIVALS_LOST");
    hold(s->scores_late == want.late, "WALK_SCORES_LATE");
    hold(k->walk_order <= MH_WALK_SCORED && k->walk_age >= 1, "illegal knobs of the walks in force");
    hold(s->epochs == want.expiries, "expiries of timer 0");
    hold(s->missed + s->latency_count <= s->epochs && s->epochs <= s->missed + s->latency_count + 1,
         "an epoch is neither missed, answered nor open");
    hold(want.rows == caps.tenants * (s->missed + s->latency_count), "epoch rows");
    check_sources(s);
    uint32_t count;
    hold(mh_control_peek(c, MH_REG_EVENT_COUNT, 4, &count) == MH_ACCESS_OK && count == want.queued, "EVENT_COUNT");
    hold(s->page_faults_lost == want.faults_lost, "PAGE_FAULTS_LOST");
    hold(k->fault_events <= 3, "illegal FAULT_EVENTS in force");
    hold(mh_control_peek(c, MH_REG_PAGE_FAULTS, 4, &count) == MH_ACCESS_OK && count == want.faults, "PAGE_FAULTS");
    hold(mh_control_peek(c, MH_REG_WALK_ARRIVALS, 4, &count) == MH_ACCESS_OK && count == want.arrivals,
         "WALK_ARRIVALS");
}

/* Ticks at every expiry on the way, as the GPU does; says how many were timer 0's. */
static uint64_t advance(struct mh_control *c, uint64_t now, uint64_t cycles)
{
    for (uint64_t next; (next = mh_control_next(c)) <= now + cycles;) {
        hold(next >= now, "an expiry in the past");
        uint32_t before, after;
        mh_control_write(c, next, MH_REG_IRQ_PENDING, 4, MH_IRQ_TIMER0 | MH_IRQ_TIMER1 | MH_IRQ_TIMER2);
        mh_control_peek(c, MH_REG_IRQ_PENDING, 4, &before);
        mh_control_tick(c, next);
        mh_control_peek(c, MH_REG_IRQ_PENDING, 4, &after);
        want.expiries += (after & ~before) & MH_IRQ_TIMER0;
        want.raised[MH_SOURCE_TIMER] += ((after & ~before) & MH_IRQ_TIMER1) != 0;
        want.raised[MH_SOURCE_TIMER_2] += ((after & ~before) & MH_IRQ_TIMER2) != 0;
        hold(mh_control_next(c) > next, "an expiry that does not go away");
    }
    return now + cycles;
}

static void random_write(struct mh_control *c, uint64_t now)
{
    uint32_t offset = random_offset(); /* one after the other: the order of arguments is the compiler's */
    uint32_t size = random_size();
    uint32_t value = random_value();
    mh_control_write(c, now, offset, size, value);
    if (offset == MH_REG_EVICT_ARM && size == 4 && value < caps.tenants)
        want.evicted &= ~(1u << value);
}

static uint32_t sms_of(uint32_t word)
{
    uint32_t mask = 0;
    for (uint32_t s = 32 * word; s < caps.sms && s < 32 * word + 32; s++)
        mask |= 1u << (s % 32);
    return mask;
}

/* A decision as firmware would make it, so that COMMITs are also applied. */
static void decide(struct mh_control *c, uint64_t now)
{
    uint32_t walks;
    mh_control_write(c, now, MH_REG_SNAPSHOT, 4, 1 + below(2));
    mh_control_read(c, now, MH_REG_WALK_ENQ, 4, &walks);
    for (uint32_t t = 0; t < caps.tenants; t++) {
        mh_control_write(c, now, MH_REG_TOKENS + t * MH_REG_TOKENS_STRIDE, 4, below(caps.warps + 1));
        mh_control_write(c, now, MH_REG_CTA_LIMIT + t * MH_REG_CTA_LIMIT_STRIDE, 4, 1 + below(caps.cta_slots));
        mh_control_write(c, now, MH_REG_CTA_THROTTLE + t * MH_REG_CTA_THROTTLE_STRIDE, 4, below(caps.cta_slots + 1));
    }
    for (uint32_t word = 0; word < MH_SM_WORDS; word++)
        mh_control_write(c, now, MH_REG_SM_THROTTLE_0 + 4 * word, 4, (uint32_t)random_next(&rng) & sms_of(word));
    mh_control_write(c, now, MH_REG_WALK_ORDER, 4, below(4));
    mh_control_write(c, now, MH_REG_WALK_AGE, 4, 1 + below(1000));
    mh_control_write(c, now, MH_REG_FAULT_EVENTS, 4, below(4));
    if (!below(4))
        random_write(c, now);
    mh_control_write(c, now, MH_REG_COMMIT, 4, 1);
}

static void step(struct mh_control *c, uint64_t *now)
{
    switch (below(8)) {
    case 0:
        *now = advance(c, *now, below(1 + (1u << below(10))));
        break;
    case 1:
        below(2) ? random_event(c, *now) : random_arrival(c, *now);
        if (!below(2))
            random_fault(c, *now);
        if (!below(8))
            random_walk_epoch(c, *now);
        if (!below(1000))
            make_safe(c);
        break;
    case 2:
    case 3:
        check_read(c, *now);
        break;
    case 4:
        if (!below(4))
            decide(c, *now);
        break;
    default:
        random_write(c, *now);
        break;
    }
    check_invariants(c);
}

int main(int argc, char **argv)
{
    uint64_t iterations = dice_argument(argc, argv, 1, 5000000), seed = dice_argument(argc, argv, 2, 1);
    printf("fuzz_window: %" PRIu64 " iterations, seed %" PRIu64 "\n", iterations, seed);
    rng = seed;
    struct mh_control_ops ops = {
        .counters = counters, .restart = restart, .apply = apply, .status = status, .command = command, .score = score};
    struct mh_observer obs = {.access = on_access, .epoch = on_epoch};
    struct mh_control *c = mh_control_create(&caps, &ops);
    hold(c != NULL, "out of memory");
    mh_control_observe(c, &obs);
    uint64_t now = 0;
    for (uint64_t i = 0; i < iterations; i++)
        step(c, &now);
    const struct mh_control_stats *s = mh_control_stats(c);
    hold(iterations < 100000 ||
             (s->commits && s->rejects && s->missed && s->latency_count && s->events_lost && want.commands > 100 &&
              want.safe && s->source[MH_SOURCE_TENANT].answered && s->source[MH_SOURCE_WALK_EPOCH].answered &&
              s->arrivals_lost && s->scores_late && s->source[MH_SOURCE_PAGE_FAULT].answered && s->page_faults_lost &&
              s->source[MH_SOURCE_TIMER].answered && s->source[MH_SOURCE_TIMER].missed &&
              s->source[MH_SOURCE_TIMER_2].answered && s->source[MH_SOURCE_TIMER_2].missed),
         "the traffic reached too little");
    printf("fuzz_window: ok: %u accesses, %u errors, %u commits, %u rejects, %" PRIu64 " epochs, %" PRIu64 " missed\n",
           want.accesses, want.errors, s->commits, s->rejects, s->epochs, s->missed);
    mh_control_destroy(c);
    return 0;
}
