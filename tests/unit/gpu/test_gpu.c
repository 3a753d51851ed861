/* The GPU as a whole: advancing, stopping, snapshots, the end; and that how it is advanced does not matter. */
#include "unit/test.h"
#include "memhelm/config_file.h"
#include "memhelm/kernels.h"
#include "mix.h"

/* One warp that computes without end. */
static struct mh_gpu *computing_gpu(struct mh_config *cfg)
{
    struct script *s = script_paged(1, 1);
    script_add(s, 0, 0, 0, op_after(1000000, op_exit()));
    return script_gpu(cfg, &s);
}

static uint64_t counter(struct mh_gpu *g, uint32_t tenant, uint32_t index)
{
    uint32_t at = MH_COUNTER_BASE + tenant * MH_COUNTER_STRIDE + 8 * index;
    return script_read(g, at) | (uint64_t)script_read(g, at + 4) << 32;
}

/* One instruction a cycle, from cycle 0 on: after cycle c there are c + 1, in the middle of a burst as well. */
TEST(test_snapshot_in_a_burst)
{
    static const uint64_t cycles[] = {1, 2, 17, 4095, 4096, 4097, 99999};
    struct mh_config cfg = script_config(1, 1);
    LOCAL_GPU(g) = computing_gpu(&cfg);
    script_write(g, MH_REG_SNAPSHOT, 1);
    assert_int_equal(counter(g, 0, MH_COUNTER_WARP_INSTR), 0); /* nothing has run yet */
    for (uint32_t i = 0; i < 7; i++) {
        assert_int_equal(mh_gpu_advance(g, cycles[i]), cycles[i]);
        assert_int_equal(mh_gpu_stats(g)->tenant[0].warp_instr, cycles[i] + 1);
        script_write(g, MH_REG_SNAPSHOT, 1);
        assert_int_equal(counter(g, 0, MH_COUNTER_WARP_INSTR), cycles[i] + 1);
        assert_int_equal(counter(g, 0, MH_COUNTER_LANE_INSTR), 64 * (cycles[i] + 1));
        assert_int_equal(script_read(g, MH_REG_SNAP_CYCLE_LO), cycles[i]);
    }
    mh_gpu_advance(g, 200000); /* the snapshot stays */
    assert_int_equal(counter(g, 0, MH_COUNTER_WARP_INSTR), 100000);
}

/* Burst, load, burst: the count never jumps, whatever is issued. */
TEST(test_count_is_smooth)
{
    struct mh_config cfg = script_config(1, 1);
    struct script *s = script_paged(1, 1);
    for (uint32_t i = 0; i < 10; i++)
        script_add(s, 0, 0, 0, op_after(i, i % 2 ? op_store(SCRIPT_BASE) : op_barrier()));
    script_add(s, 0, 0, 0, op_after(100, op_exit()));
    LOCAL_GPU(g) = script_gpu(&cfg, &s);
    for (uint64_t c = 1; c < 55 + 100; c++) { /* 45 in gaps, 10 others */
        mh_gpu_advance(g, c);
        assert_int_equal(mh_gpu_stats(g)->tenant[0].warp_instr, c + 1);
    }
    mh_gpu_advance(g, 1000);
    assert_int_equal(mh_gpu_stats(g)->tenant[0].warp_instr, 155);
}

/* The run ends at its cycle, in the middle of a burst, and nothing later counts. */
TEST(test_end)
{
    struct mh_config cfg = script_config(1, 1);
    cfg.run.cycles = 500;
    LOCAL_GPU(g) = computing_gpu(&cfg);
    script_write(g, MH_REG_IRQ_ENABLE, MH_IRQ_EVENT);
    assert_int_equal(mh_gpu_advance(g, 499), 499);
    assert_false(mh_gpu_ended(g));
    assert_int_equal(mh_gpu_advance(g, 10000), 500);
    assert_true(mh_gpu_ended(g));
    assert_true(mh_gpu_irq(g));
    assert_int_equal(script_read(g, MH_REG_EVENT_POP), MH_EVENT_HOST_STOP);
    struct mh_stats at_end = *mh_gpu_stats(g);
    assert_int_equal(at_end.cycles, 500);
    assert_int_equal(at_end.tenant[0].warp_instr, 501);
    assert_int_equal(mh_gpu_advance(g, 20000), 500); /* time stands still */
    script_write(g, MH_REG_SNAPSHOT, 1);             /* what firmware does now is not a result any more */
    script_write(g, MH_REG_COMMIT, 1);
    mh_gpu_latch(g);
    assert_memory_equal(mh_gpu_stats(g), &at_end, sizeof at_end);
}

/* An exit before the end latches where it is. */
TEST(test_latch)
{
    struct mh_config cfg = script_config(1, 1);
    LOCAL_GPU(g) = computing_gpu(&cfg);
    mh_gpu_advance(g, 123);
    mh_gpu_latch(g);
    assert_true(mh_gpu_ended(g));
    assert_int_equal(mh_gpu_stats(g)->cycles, 123);
    assert_int_equal(mh_gpu_stats(g)->tenant[0].warp_instr, 124);
    assert_int_equal(mh_gpu_advance(g, 1000), 123);
}

TEST(test_advance)
{
    struct mh_config cfg = script_config(1, 1);
    LOCAL_GPU(g) = computing_gpu(&cfg);
    assert_int_equal(mh_gpu_now(g), 0);
    assert_int_equal(mh_gpu_advance(g, 0), 0);
    assert_int_equal(mh_gpu_advance(g, 50), 50);
    assert_int_equal(mh_gpu_advance(g, 50), 50);
    assert_int_equal(mh_gpu_advance(g, 20), 50); /* the past */
    assert_int_equal(mh_gpu_now(g), 50);
}

static void start_timer(struct mh_gpu *g, uint32_t timer, uint32_t interval, uint32_t mode)
{
    script_write(g, MH_REG_TIMER_INTERVAL + timer * MH_REG_TIMER_INTERVAL_STRIDE, interval);
    script_write(g, MH_REG_TIMER_CTRL + timer * MH_REG_TIMER_CTRL_STRIDE, mode);
}

/* It stops exactly where the line moves: timers, a tenant that is done, requests of the host. */
TEST(test_stops_where_the_line_moves)
{
    struct mh_config cfg = script_config(1, 1);
    cfg.run.status_every = 450;
    cfg.run.cycles = 1000;
    struct script *s = script_paged(1, 1);
    script_add(s, 0, 0, 0, op_after(331, op_exit()));
    script_repeat(s);
    LOCAL_GPU(g) = script_gpu(&cfg, &s);
    start_timer(g, 0, 300, 2);
    start_timer(g, 1, 700, 1);
    script_write(g, MH_REG_IRQ_ENABLE, 7);
    static const struct {
        uint64_t cycle;
        uint32_t pending;
    } want[] = {{300, MH_IRQ_TIMER0},
                {331, MH_IRQ_EVENT},
                {450, MH_IRQ_EVENT},
                {600, MH_IRQ_TIMER0},
                {662, MH_IRQ_EVENT},
                {700, MH_IRQ_TIMER1},
                {900, MH_IRQ_TIMER0 | MH_IRQ_EVENT},
                {993, MH_IRQ_EVENT},
                {1000, MH_IRQ_EVENT}};
    for (uint32_t i = 0; i < 9; i++) {
        assert_false(mh_gpu_irq(g));
        assert_int_equal(mh_gpu_advance(g, 100000), want[i].cycle);
        assert_true(mh_gpu_irq(g));
        assert_int_equal(script_read(g, MH_REG_IRQ_PENDING), want[i].pending);
        script_write(g, MH_REG_IRQ_PENDING, 7);
    }
    assert_true(mh_gpu_ended(g));
}

/* A line that is high already does not move: it runs on. Masked interrupts do not stop it either. */
TEST(test_runs_on_while_the_line_is_still)
{
    struct mh_config cfg = script_config(1, 1);
    LOCAL_GPU(g) = computing_gpu(&cfg);
    start_timer(g, 0, 100, 2);
    assert_int_equal(mh_gpu_advance(g, 250), 250); /* not enabled */
    script_write(g, MH_REG_IRQ_ENABLE, MH_IRQ_TIMER0);
    assert_true(mh_gpu_irq(g)); /* an access moved it */
    assert_int_equal(mh_gpu_advance(g, 1234), 1234);
    script_write(g, MH_REG_IRQ_PENDING, MH_IRQ_TIMER0);
    assert_int_equal(mh_gpu_advance(g, 5000), 1300);
}

/* All that firmware can see, hashed (FNV-1a): every register of the window that may be read without side effects. */
static uint64_t window_hash(struct mh_gpu *g)
{
    uint64_t h = 0xcbf29ce484222325;
    for (uint32_t offset = 0; offset < MH_WINDOW_BYTES; offset += 4) {
        uint32_t value;
        if (mh_gpu_peek(g, offset, 4, &value) != MH_ACCESS_OK)
            continue;
        h = (h ^ value) * 0x100000001b3;
    }
    return h;
}

struct trail {
    uint64_t hash[600], cycle[600];
    uint32_t count;
    struct mh_stats stats;
};

static void note(struct trail *t, struct mh_gpu *g)
{
    assert_true(t->count < 600);
    script_write(g, MH_REG_SNAPSHOT, 1);
    t->cycle[t->count] = mh_gpu_now(g);
    t->hash[t->count++] = window_hash(g);
}

/* What a policy may do: acknowledge, pop, change knobs. Depends on the cycle alone. */
static void handle(struct trail *t, struct mh_gpu *g)
{
    uint32_t turn = t->count;
    note(t, g);
    script_write(g, MH_REG_IRQ_PENDING, script_read(g, MH_REG_IRQ_PENDING));
    while (script_read(g, MH_REG_EVENT_POP))
        ;
    script_write(g, MH_REG_TOKENS + turn % 2 * MH_REG_TOKENS_STRIDE, turn * 5 % 33);
    script_write(g, MH_REG_CTA_LIMIT + turn % 2 * MH_REG_CTA_LIMIT_STRIDE, 1 + turn % 8);
    script_write(g, MH_REG_COMMIT, 1);
}

/* Two tenants, one SM each and one in common, up to cycle `end` in steps of `step`, with results from `warmup` on. */
static void travel_to(struct trail *t, uint64_t step, uint64_t seed, uint64_t warmup, uint64_t end)
{
    struct mh_config cfg = script_config(3, 2);
    struct mix mix[2];
    struct script *s[2];
    cfg.clock.dram_hz = 1674000000;
    cfg.dram.refi = 6528;
    cfg.run.cycles = end;
    cfg.run.warmup = warmup;
    cfg.run.status_every = 9100;
    cfg.run.seed = seed;
    for (uint32_t i = 0; i < 2; i++) {
        cfg.tenants[i].sm_first = i;
        cfg.tenants[i].sm_count = 2;
        mix[i] = (struct mix){.seed = seed + i, .bytes = 2 << 20, .ops = 10, .lanes = 64, .threads = 200};
        s[i] = mix_script(&mix[i], 2, 6);
        script_repeat(s[i]);
    }
    LOCAL_GPU(g) = script_gpu(&cfg, s);
    memset(t, 0, sizeof *t);
    start_timer(g, 0, 777, 2);
    script_write(g, MH_REG_IRQ_ENABLE, 7);
    while (!mh_gpu_ended(g)) {
        uint64_t now = mh_gpu_now(g);
        mh_gpu_advance(g, step > UINT64_MAX - now ? step : now + step);
        if (mh_gpu_irq(g))
            handle(t, g);
    }
    t->stats = *mh_gpu_stats(g);
}

static void travel(struct trail *t, uint64_t step, uint64_t seed)
{
    travel_to(t, step, seed, 0, 60000);
}

static void assert_same(const struct trail *a, const struct trail *b)
{
    assert_int_equal(a->count, b->count);
    for (uint32_t i = 0; i < a->count; i++) {
        assert_int_equal(a->cycle[i], b->cycle[i]);
        assert_int_equal(a->hash[i], b->hash[i]);
    }
    assert_memory_equal(&a->stats, &b->stats, sizeof a->stats);
}

TEST(test_steps_do_not_matter)
{
    static struct trail whole, other;
    travel(&whole, UINT64_MAX, 1);
    assert_true(whole.count > 60000 / 777);
    assert_true(whole.stats.tenant[0].completions + whole.stats.tenant[1].completions > 0);
    static const uint64_t steps[] = {1, 7, 1000};
    for (uint32_t i = 0; i < 3; i++) {
        travel(&other, steps[i], 1);
        assert_same(&whole, &other);
    }
}

/* The counters of a run without its warm-up are the differences of two runs; all that firmware sees is as without. */
TEST(test_warmup)
{
    static struct trail whole, start, rest;
    travel_to(&whole, 7, 1, 0, 60000);
    travel_to(&start, 1000, 1, 0, 20011);
    travel_to(&rest, UINT64_MAX, 1, 20011, 60000);
    assert_int_equal(rest.stats.cycles, 60000 - 20011);
    assert_int_equal(rest.stats.warmup, 20011);
    for (uint32_t t = 0; t < 2; t++) {
        const struct mh_counters *a = &start.stats.tenant[t], *b = &whole.stats.tenant[t], *c = &rest.stats.tenant[t];
        assert_true(a->warp_instr && c->warp_instr);
#define MH_TENANT_GAUGE(name, field, unit, doc)   assert_int_equal(c->field, b->field);
#define MH_TENANT_COUNTER(name, field, unit, doc) assert_int_equal(c->field, b->field - a->field);
#include "memhelm/registers.def"
    }
    rest.stats = whole.stats;
    assert_same(&whole, &rest);
}

/* Peeking all the time changes nothing. */
TEST(test_peeks_are_free)
{
    struct mh_config cfg;
    struct mh_stats stats[2];
    for (uint32_t peek = 0; peek < 2; peek++) {
        struct mix mix = {.seed = 5, .bytes = 1 << 20, .ops = 40, .lanes = 64, .threads = 256};
        cfg = script_config(2, 1);
        cfg.run.cycles = 5000;
        struct script *s = mix_script(&mix, 1, 8);
        script_repeat(s);
        LOCAL_GPU(g) = script_gpu(&cfg, &s);
        for (uint64_t c = 100; !mh_gpu_ended(g); c += 100) {
            mh_gpu_advance(g, c);
            if (peek)
                window_hash(g);
        }
        stats[peek] = *mh_gpu_stats(g);
    }
    assert_memory_equal(&stats[0], &stats[1], sizeof stats[0]);
}

static uint64_t snapshot_of(struct mh_gpu *g, uint32_t counter)
{
    script_write(g, MH_REG_SNAPSHOT, MH_SNAPSHOT_EPOCH);
    return script_read(g, MH_COUNTER_BASE + 8 * counter);
}

struct rows {
    uint64_t count, warp_instr;
};

static void add_row(void *ctx, const struct mh_epoch_row *row)
{
    struct rows *rows = ctx;
    rows->count++;
    rows->warp_instr += row->delta.warp_instr;
}

/* Firmware that takes over reads what it would have read from the start; the epoch log misses nothing. */
TEST(test_counters_begin_anew_at_a_swap)
{
    struct mix mix = {.seed = 9, .bytes = 2 << 20, .ops = 10, .lanes = 64, .threads = 256};
    struct mh_config cfg = script_config(1, 1);
    struct rows rows = {0};
    struct script *s = mix_script(&mix, 1, 12);
    cfg.run.cycles = 30000;
    script_repeat(s);
    LOCAL_GPU(g) = script_gpu(&cfg, &s);
    mh_gpu_observe(g, &(struct mh_observer){.ctx = &rows, .epoch = add_row});
    script_write(g, MH_REG_TIMER_INTERVAL, 4000);
    script_write(g, MH_REG_TIMER_CTRL, 2);
    mh_gpu_advance(g, 4000);
    uint64_t before = snapshot_of(g, MH_COUNTER_WARP_INSTR);
    script_write(g, MH_REG_COMMIT, 1);
    assert_true(before > 0 && mh_gpu_now(g) == 4000);
    while (mh_gpu_now(g) < 6000)
        mh_gpu_advance(g, 6000);
    mh_gpu_swap(g);
    assert_int_equal(script_read(g, MH_COUNTER_BASE + 8 * MH_COUNTER_WARP_INSTR), 0); /* none of its own yet */
    assert_int_equal(snapshot_of(g, MH_COUNTER_WARP_INSTR), 0);
    const uint64_t passed = mh_gpu_stats(g)->tenant[0].warp_instr;
    assert_true(passed > before);
    while (mh_gpu_now(g) < 8000)
        mh_gpu_advance(g, 8000);
    assert_int_equal(snapshot_of(g, MH_COUNTER_WARP_INSTR), mh_gpu_stats(g)->tenant[0].warp_instr - passed);
    script_write(g, MH_REG_COMMIT, 1);
    assert_int_equal(rows.count, 2);
    assert_int_equal(rows.warp_instr, mh_gpu_stats(g)->tenant[0].warp_instr);
}

enum rescue { KEEPS_KNOBS, RESETS_KNOBS, IS_MADE_SAFE, IS_SWAPPED };

/* A policy restricts both tenants at cycle 2000; at 10 000 it is gone. */
static void lose_policy(enum rescue rescue, struct mh_stats *stats)
{
    struct mix mix = {.seed = 9, .bytes = 2 << 20, .ops = 10, .lanes = 64, .threads = 256};
    struct mh_config cfg = script_config(2, 1);
    cfg.run.cycles = 30000;
    struct script *s = mix_script(&mix, 2, 12);
    script_repeat(s);
    LOCAL_GPU(g) = script_gpu(&cfg, &s);
    mh_gpu_advance(g, 2000);
    script_write(g, MH_REG_TOKENS, 0);
    script_write(g, MH_REG_CTA_LIMIT, 1);
    script_write(g, MH_REG_SM_THROTTLE_0, 2);
    script_write(g, MH_REG_COMMIT, 1);
    script_write(g, MH_REG_IRQ_ENABLE, MH_IRQ_EVENT);
    while (mh_gpu_now(g) < 10000)
        mh_gpu_advance(g, 10000);
    if (rescue == IS_MADE_SAFE)
        mh_gpu_safe(g);
    if (rescue == IS_SWAPPED) {
        mh_gpu_swap(g);
        assert_int_equal(mh_gpu_stats(g)->knobs.cta_limit[0], 1); /* in force up to the COMMIT */
        script_write(g, MH_REG_COMMIT, 1);
    }
    script_write(g, MH_REG_IRQ_ENABLE, 0);
    if (rescue == RESETS_KNOBS) {
        script_write(g, MH_REG_KNOB_RESET, 1);
        script_write(g, MH_REG_COMMIT, 1);
    }
    mh_gpu_advance(g, UINT64_MAX);
    mh_gpu_safe(g); /* after the end: nothing */
    mh_gpu_swap(g);
    *stats = *mh_gpu_stats(g);
}

TEST(test_safe_is_a_reset_of_the_knobs)
{
    static struct mh_stats kept, reset, safe, swapped;
    lose_policy(KEEPS_KNOBS, &kept);
    lose_policy(RESETS_KNOBS, &reset);
    lose_policy(IS_MADE_SAFE, &safe);
    lose_policy(IS_SWAPPED, &swapped);
    assert_memory_equal(&safe.tenant, &reset.tenant, sizeof safe.tenant);
    assert_memory_equal(&swapped.tenant, &reset.tenant, sizeof swapped.tenant);
    assert_memory_equal(&safe.knobs, &reset.knobs, sizeof safe.knobs);
    assert_int_equal(safe.control.commits, 1);
    assert_int_equal(kept.knobs.cta_limit[0], 1);
    assert_true(safe.tenant[0].warp_instr > kept.tenant[0].warp_instr + kept.tenant[0].warp_instr / 2);
}

static void run_to_end(struct mh_gpu *g, struct mh_stats *stats)
{
    assert_non_null(g);
    mh_gpu_advance(g, 5000);
    *stats = *mh_gpu_stats(g);
    mh_gpu_destroy(g);
}

/* GPUs that are given their workloads, one after the other, run as one that makes them. */
TEST(test_workloads_are_lent)
{
    struct mh_config cfg;
    struct mh_error err;
    struct mh_stats own, lent[2];
    struct mh_workload *work[2];
    assert_int_equal(mh_config_preset(&cfg, "ccbp", &err), 0);
    assert_int_equal(mh_config_workload(&cfg, "BP:4096+BFS:1024", &err), 0);
    assert_int_equal(mh_config_resolve(&cfg, &err), 0);
    run_to_end(mh_gpu_create(&cfg, &err), &own);
    assert_true(own.tenant[0].warp_instr && own.tenant[1].warp_instr);
    for (uint32_t t = 0; t < 2; t++) {
        work[t] = mh_workload_make(&cfg, t, &err);
        assert_non_null(work[t]);
    }
    for (uint32_t i = 0; i < 2; i++) {
        run_to_end(mh_gpu_create_of(&cfg, work, &err), &lent[i]);
        assert_memory_equal(lent[i].tenant, own.tenant, sizeof own.tenant);
    }
    for (uint32_t t = 0; t < 2; t++)
        mh_workload_free(work[t]);
}
