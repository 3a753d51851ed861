/*
 * Every number of the configuration at the ends of its range: it is refused with a message that names the key, or the
 * GPU runs with it and does not stop.
 */
#include "unit/config_text.h"

#include "config/internal.h"
#include "memhelm/hwmodel.h"

static struct mh_error err;

enum { CYCLES = 20000 };

static unsigned complaints;

/* All of them are shown before the test fails. */
static void complain(const char *assignment, const char *what)
{
    print_error("%s: %s\n", assignment, what);
    complaints++;
}

/* A small mask with a pair that translates, computes and writes. */
static void base(struct mh_config *cfg)
{
    static const char *const sets[] = {"sm.count=2", "memory.bytes=1073741824", "dram.channels=2", "l2.banks=4",
                                       "l2.bytes=524288"};
    preset(cfg);
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
        assert_int_equal(mh_config_set(cfg, sets[i], &err), 0);
    assert_int_equal(mh_config_workload(cfg, "MVT:512+2DCONV:512", &err), 0);
    cfg->run.cycles = CYCLES;
}

static void run(const struct mh_config *cfg, const char *assignment, const char *key)
{
    struct mh_gpu *g = mh_gpu_create(cfg, &err);
    if (!g) {
        if (!strstr(err.text, key))
            complain(assignment, err.text);
        return;
    }
    for (uint64_t c = 1000; c <= CYCLES && !mh_gpu_ended(g); c += 1000)
        mh_gpu_advance(g, c);
    if (mh_gpu_deadlock(g))
        complain(assignment, mh_gpu_deadlock(g));
    if (!mh_gpu_stats(g)->tenant[0].warp_instr)
        complain(assignment, "nothing runs");
    mh_gpu_destroy(g);
}

static void with(const struct mh_field *f, uint64_t value)
{
    struct mh_config cfg;
    char assignment[MH_KEY_MAX + 32];
    snprintf(assignment, sizeof assignment, "%s=%llu", f->name, (unsigned long long)value);
    base(&cfg);
    bool refused = mh_config_set(&cfg, assignment, &err) || mh_config_resolve(&cfg, &err);
    if (!refused)
        run(&cfg, assignment, f->name);
    else if (!strstr(err.text, f->name))
        complain(assignment, err.text);
}

/* Of the run itself: a length, and what is written. */
static bool is_run(const struct mh_field *f)
{
    return !strncmp(f->name, "run.", 4);
}

static void each(uint64_t (*value)(const struct mh_field *f))
{
    complaints = 0;
    for (size_t i = 0; i < mh_config_fields.count; i++) {
        const struct mh_field *f = &mh_config_fields.field[i];
        if (mh_field_is_number(f) && !is_run(f))
            with(f, value(f));
    }
    assert_int_equal(complaints, 0);
}

static uint64_t zero(const struct mh_field *f)
{
    return 0;
}

static uint64_t least(const struct mh_field *f)
{
    return f->min;
}

static uint64_t most(const struct mh_field *f)
{
    return f->max;
}

/* The least and the largest power of two: most keys that are sizes take nothing else. */
static uint64_t least_power(const struct mh_field *f)
{
    uint64_t v = 1;
    while (v < f->min)
        v *= 2;
    return v;
}

static uint64_t most_power(const struct mh_field *f)
{
    uint64_t v = 1;
    while (v <= f->max / 2)
        v *= 2;
    return v;
}

/* No number that may be written stands for more than it says: the least is what the GPU gets. */
TEST(test_least_is_least)
{
    const struct mh_field *walkers = mh_field_find(&mh_config_fields, "walk.walkers");
    struct mh_config cfg;
    char assignment[MH_KEY_MAX + 32];
    base(&cfg);
    snprintf(assignment, sizeof assignment, "%s=%llu", walkers->name, (unsigned long long)least(walkers));
    assert_int_equal(mh_config_set(&cfg, assignment, &err), 0);
    assert_int_equal(mh_config_resolve(&cfg, &err), 0);
    struct mh_gpu *g = mh_gpu_create(&cfg, &err);
    uint32_t walkers_of_gpu = 0;
    assert_non_null(g);
    assert_int_equal(mh_gpu_read(g, MH_REG_CAP_WALKERS, 4, &walkers_of_gpu), MH_ACCESS_OK);
    assert_int_equal(walkers_of_gpu, 1);
    mh_gpu_destroy(g);
}

TEST(test_zero)
{
    each(zero);
}

TEST(test_least)
{
    each(least);
    each(least_power);
}

TEST(test_most)
{
    each(most);
    each(most_power);
}

/* All that bounds a queue or a count of misses at its least, at once: everything waits for everything. */
TEST(test_all_least)
{
    static const char *const keys[] = {
        "sm.loads_per_warp", "sm.lsu_queue", "sm.pending",     "l1d.mshrs",        "l1d.miss_queue",
        "l1tlb.entries",     "l1tlb.mshrs",  "noc.bank_queue", "noc.walker_ports", "l2.mshrs",
        "l2tlb.mshrs",       "l2tlb.queue",  "walk.walkers",   "l2.ports",         "l2tlb.ports",
    };
    struct mh_config cfg;
    char assignment[MH_KEY_MAX + 32];
    base(&cfg);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const struct mh_field *f = mh_field_find(&mh_config_fields, keys[i]);
        snprintf(assignment, sizeof assignment, "%s=%llu", keys[i], (unsigned long long)f->min);
        assert_int_equal(mh_config_set(&cfg, assignment, &err), 0);
    }
    assert_int_equal(mh_config_set(&cfg, "walk.buffer=1", &err), 0);
    assert_int_equal(mh_config_set(&cfg, "l1d.store_buffer=1", &err), 0);
    cfg.dram.queue = 2;
    cfg.dram.write_high = 1;
    cfg.dram.write_low = 0;
    assert_int_equal(mh_config_resolve(&cfg, &err), 0);
    assert_int_equal(mh_config_walkers(&cfg), 1); /* the least is one, not as many as you like */
    complaints = 0;
    run(&cfg, "all least", "");
    assert_int_equal(complaints, 0);
}

TEST_GROUP(.slow = true);
