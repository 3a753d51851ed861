/* A register window with a toy GPU behind it, for the tests of control/. */
#ifndef TESTS_CONTROL_FIXTURE_H
#define TESTS_CONTROL_FIXTURE_H

#include "unit/test.h"
#include "control/control.h"
#include "memhelm/registers.h"

/** Counters are whatever the test puts there; apply() is counted. */
struct toy_gpu {
    struct mh_counters live[MH_MAX_TENANTS];
    struct mh_knobs applied;
    unsigned applies, reads, restarts;
    uint32_t status; /**< what every status register reads */
    bool refuses;    /**< every command */
    unsigned commands;
    uint32_t command, value;     /**< the last one: its offset, what was written */
    uint32_t instruction, score; /**< of the last WALK_SCORE */
    bool waits;                  /**< a walk of it */
};

struct access_log {
    uint64_t cycle;
    bool write;
    uint32_t offset, value;
    enum mh_access result;
};

struct row_log {
    struct mh_epoch_row row;
    struct mh_knobs knobs;
};

struct fixture {
    struct toy_gpu gpu;
    struct mh_control *c;
    struct access_log access[64];
    struct row_log row[64];
    unsigned accesses, rows;
    uint64_t now;
};

static const struct mh_caps fixture_caps = {
    .sms = 63, /* the last bit of a word of SMs is not one */
    .tenants = 2,
    .warps = 48,
    .lanes = 64,
    .cta_slots = 8,
    .sm_registers = 32768,
    .sm_shared = 49152,
    .walkers = 64,
    .levels = 4,
    .l2tlb_entries = 512,
    .bypass_entries = 32,
    .channels = 8,
    .walk_queue = 128,
    .walk_queues = 1,
    .walker_owners = 64,
    .rate_interval = 76800,
    .reply_bytes = 160,
    .line_bytes = 128,
    .noc_peak = 349525,
    .dram_peak = 181475,
    .features = MH_FEATURE_TOKENS | MH_FEATURE_CTA_LIMIT | MH_FEATURE_CTA_THROTTLE | MH_FEATURE_SM_THROTTLE |
                MH_FEATURE_WALK_QUEUES,
    .epoch = 100000,
    .gpu_khz = 1020000,
    .mcu_khz = 200000,
    .present = 2,
    .sm_root = {[0] = 1, [62] = 1},
    .arrivals = 4,
    .fault_cycles = 20400,
};

static inline void toy_counters(void *gpu, struct mh_counters *out)
{
    struct toy_gpu *g = gpu;
    memcpy(out, g->live, fixture_caps.tenants * sizeof *out);
    g->reads++;
}

static inline void toy_restart(void *gpu)
{
    ((struct toy_gpu *)gpu)->restarts++;
}

static inline void toy_apply(void *gpu, const struct mh_knobs *knobs)
{
    struct toy_gpu *g = gpu;
    g->applied = *knobs;
    g->applies++;
}

static inline uint32_t toy_status(void *gpu, uint32_t offset)
{
    const struct toy_gpu *g = gpu;
    return offset == MH_REG_TENANTS ? fixture_caps.present : g->status;
}

static inline bool toy_command(void *gpu, uint32_t offset, uint32_t value)
{
    struct toy_gpu *g = gpu;
    g->command = offset;
    g->value = value;
    g->commands++;
    return !g->refuses;
}

static inline bool toy_score(void *gpu, uint32_t instruction, uint32_t score)
{
    struct toy_gpu *g = gpu;
    g->instruction = instruction;
    g->score = score;
    return g->waits;
}

static inline void log_access(void *ctx, uint64_t cycle, bool write, uint32_t offset, uint32_t value,
                              enum mh_access result)
{
    struct fixture *f = ctx;
    f->access[f->accesses++ % 64] = (struct access_log){cycle, write, offset, value, result};
}

static inline void log_row(void *ctx, const struct mh_epoch_row *row)
{
    struct fixture *f = ctx;
    f->row[f->rows % 64].row = *row;
    f->row[f->rows++ % 64].knobs = *row->knobs;
}

static inline void fixture_open(struct fixture *f)
{
    memset(f, 0, sizeof *f);
    struct mh_control_ops ops = {.gpu = &f->gpu,
                                 .counters = toy_counters,
                                 .restart = toy_restart,
                                 .apply = toy_apply,
                                 .status = toy_status,
                                 .command = toy_command,
                                 .score = toy_score};
    f->c = mh_control_create(&fixture_caps, &ops);
    assert_non_null(f->c);
    struct mh_observer obs = {.ctx = f, .access = log_access, .epoch = log_row};
    mh_control_observe(f->c, &obs);
}

static inline void fixture_close(struct fixture *f)
{
    mh_control_destroy(f->c);
}

/** For cmocka: ends the fixture that the test's setup has put into *state. */
static inline int fixture_teardown(void **state)
{
    fixture_close(*state);
    return 0;
}

static inline uint32_t get(struct fixture *f, uint32_t offset)
{
    uint32_t value = 0xdeadbeef;
    assert_int_equal(mh_control_read(f->c, f->now, offset, 4, &value), MH_ACCESS_OK);
    return value;
}

static inline void put(struct fixture *f, uint32_t offset, uint32_t value)
{
    assert_int_equal(mh_control_write(f->c, f->now, offset, 4, value), MH_ACCESS_OK);
}

/** Advances as a GPU would: ticks at exactly the cycle of each expiry up to `cycle`. */
static inline void run_to(struct fixture *f, uint64_t cycle)
{
    while (mh_control_next(f->c) <= cycle) {
        f->now = mh_control_next(f->c);
        mh_control_tick(f->c, f->now);
    }
    f->now = cycle;
}

#endif
