/*
 * Random requests to random sub-queues, with invariants after each step: shares, credits and places in line add up, and
 * no tenant starves. Quotas that fit the wire are met to the request. MH_SEED=n in the environment runs seed n alone.
 */
#include "unit/test.h"

#include "subqueues.h"

enum { SEEDS = 60, MOST_SMS = 2 };

struct world {
    struct mh_gpu *g;
    uint64_t rng;
    uint64_t sent[MOST_SMS][MH_MAX_TENANTS]; /* requests that found a place */
};

static void random_config(struct mh_config *cfg, uint64_t *rng)
{
    uint32_t tenants = pick(rng, 1, 5);
    *cfg = subqueues_config(pick(rng, 1, MOST_SMS), tenants);
    cfg->l1d.subqueues = pick(rng, tenants > 2 ? tenants : 2, 8);
    cfg->l1d.miss_queue = cfg->l1d.subqueues * pick(rng, 1, 6);
    cfg->l1d.arbiter = pick(rng, 1, 4);
    cfg->l1d.arbiter_patience = pick(rng, 0, 3);
    cfg->l1d.rate_interval = pick(rng, 20, 200);
    cfg->l1d.rate_clock = pick(rng, 0, 1) ? MH_RATE_NOC : MH_RATE_GPU;
    cfg->clock.noc_hz = cfg->clock.gpu_hz / 100 * pick(rng, 30, 250);
}

static uint64_t gone(const struct world *w, uint32_t sm, uint32_t tenant)
{
    return w->sent[sm][tenant] - queued(w->g, sm, tenant);
}

/* Writes, for which no load waits; a line of any bank, or of a few. */
static bool send_one(struct world *w, uint32_t sm, uint32_t tenant, uint32_t banks)
{
    bool found = queue_write(w->g, sm, tenant, pick(&w->rng, 0, banks - 1), pick(&w->rng, 0, 9));
    w->sent[sm][tenant] += found;
    return found;
}

static void fill(struct world *w, uint32_t banks)
{
    for (uint32_t sm = 0; sm < w->g->cfg.sm.count; sm++)
        for (uint32_t t = 0; t < w->g->tenants; t++)
            while (send_one(w, sm, t, banks))
                ;
}

/* --- Whatever comes: invariants, and all of it arrives. */

static void random_commit(struct world *w)
{
    uint32_t t = pick(&w->rng, 0, w->g->tenants - 1), kind = pick(&w->rng, 0, 5);
    if (kind == 0)
        script_knob(w->g, MH_REG_MISS_QUEUES, pick(&w->rng, 0, 3) != 0);
    else if (kind == 1)
        set_rate(w->g, t, MH_RATE_FREE);
    else if (kind < 5)
        set_rate(w->g, t, pick(&w->rng, 1, pick(&w->rng, 0, 1) ? 256 : 65534));
    else
        script_knob(w->g, MH_REG_ISSUE_FIRST + t * MH_REG_ISSUE_FIRST_STRIDE, pick(&w->rng, 0, 1));
}

/* MISS_QUEUES 0 keeps the test short: a rate of 1/256 takes long. */
static void end_world(struct world *w)
{
    script_knob(w->g, MH_REG_MISS_QUEUES, 0);
    for (uint32_t n = 0; w->g->noc->live && n < 1000; n++)
        mh_gpu_advance(w->g, mh_gpu_now(w->g) + 1000);
    script_assert_idle(w->g);
}

static void random_run(uint64_t seed)
{
    struct mh_config cfg;
    struct world w = {.rng = seed};
    uint64_t total = 0, looked_up = 0;
    random_config(&cfg, &w.rng);
    cfg.noc.bank_queue = pick(&w.rng, 1, 4);
    w.g = subqueues_gpu(&cfg);
    uint32_t banks = pick(&w.rng, 1, 16);
    for (uint32_t i = 0; i < 1500; i++) {
        mh_gpu_advance(w.g, mh_gpu_now(w.g) + pick(&w.rng, 1, 12));
        mh_gpu_check(w.g);
        for (uint32_t n = pick(&w.rng, 0, 6); n; n--)
            (void)send_one(&w, pick(&w.rng, 0, cfg.sm.count - 1), pick(&w.rng, 0, w.g->tenants - 1), banks);
        if (pick(&w.rng, 0, 30) == 0)
            random_commit(&w);
    }
    end_world(&w);
    for (uint32_t t = 0; t < w.g->tenants; t++)
        looked_up += looked_up_of(w.g, t);
    for (uint32_t sm = 0; sm < cfg.sm.count; sm++)
        for (uint32_t t = 0; t < w.g->tenants; t++)
            total += w.sent[sm][t];
    assert_true(total > 100);
    assert_int_equal(looked_up, total);
    mh_gpu_destroy(w.g);
}

/* --- No tenant starves: as long as one waits and the crossbar accepts, one goes in ceil(256 / quota) + 1 intervals. */

enum { FLITS = 5, INTERVALS = 40 };

/* Quotas that the wire carries in an interval, in whole requests, each of five flits. */
static void random_quotas(struct mh_config *cfg, uint64_t *rng, uint32_t *quota)
{
    uint32_t each = cfg->l1d.rate_interval / FLITS / cfg->tenants_count - 1;
    for (uint32_t t = 0; t < cfg->tenants_count; t++)
        quota[t] = pick(rng, 0, 1) ? pick(rng, 8, 256) : pick(rng, 8, 256 * each);
}

/*
 * Each tenant always has more than it may send. Then of any n intervals each sends its quotas to the request: floor(n q
 * / 256) since the first that has a quota.
 */
static void quotas_run(uint64_t seed)
{
    struct mh_config cfg;
    struct world w = {.rng = seed};
    uint32_t quota[MH_MAX_TENANTS];
    uint64_t before[INTERVALS + 1][MOST_SMS][MH_MAX_TENANTS];
    random_config(&cfg, &w.rng);
    cfg.clock.noc_hz = 0;
    cfg.l1d.rate_interval = pick(&w.rng, 100, 200);
    random_quotas(&cfg, &w.rng, quota);
    w.g = subqueues_gpu(&cfg);
    for (uint32_t t = 0; t < w.g->tenants; t++) {
        set_rate(w.g, t, quota[t]);
        script_knob(w.g, MH_REG_ISSUE_FIRST + t * MH_REG_ISSUE_FIRST_STRIDE, pick(&w.rng, 0, 1));
    }
    mh_gpu_advance(w.g, cfg.l1d.rate_interval - 1);
    for (uint32_t i = 0; i <= INTERVALS; i++) {
        for (uint32_t sm = 0; sm < cfg.sm.count; sm++)
            for (uint32_t t = 0; t < w.g->tenants; t++)
                before[i][sm][t] = gone(&w, sm, t);
        for (uint32_t c = 0; c < cfg.l1d.rate_interval; c++) {
            fill(&w, 16);
            mh_gpu_advance(w.g, mh_gpu_now(w.g) + 1);
        }
        mh_gpu_check(w.g);
    }
    for (uint32_t sm = 0; sm < cfg.sm.count; sm++)
        for (uint32_t t = 0; t < w.g->tenants; t++) {
            uint32_t most = (256 + quota[t] - 1) / quota[t] + 1;
            for (uint32_t i = 0; i <= INTERVALS; i++)
                assert_int_equal(before[i][sm][t] - before[0][sm][t], (uint64_t)i * quota[t] / 256);
            for (uint32_t i = 0; i + most <= INTERVALS; i++)
                assert_true(before[i + most][sm][t] > before[i][sm][t]);
        }
    mh_gpu_destroy(w.g);
}

/*
 * The tenant that goes first has no rate, and always something to send. After the patience the others' heads take their
 * turn among its requests, in the next interval with a credit: one in ceil(256 / quota).
 */
static void beside_unlimited_run(uint64_t seed)
{
    struct mh_config cfg;
    struct world w = {.rng = seed};
    uint32_t quota[MH_MAX_TENANTS], passed[MOST_SMS][MH_MAX_TENANTS] = {{0}};
    random_config(&cfg, &w.rng);
    cfg.clock.noc_hz = 0;
    cfg.l1d.rate_interval = pick(&w.rng, 100, 200);
    cfg.l1d.arbiter_patience = pick(&w.rng, 1, 4);
    random_quotas(&cfg, &w.rng, quota);
    w.g = subqueues_gpu(&cfg);
    for (uint32_t t = 0; t < w.g->tenants; t++) {
        bool first = t == 0 || pick(&w.rng, 0, 2) == 0;
        set_rate(w.g, t, first ? MH_RATE_FREE : quota[t]);
        quota[t] = first ? 256 : quota[t];
        if (first)
            set_first(w.g, t);
    }
    mh_gpu_advance(w.g, cfg.l1d.rate_interval - 1);
    for (uint32_t i = 0; i < INTERVALS; i++) {
        uint64_t before[MOST_SMS][MH_MAX_TENANTS];
        for (uint32_t n = 0; n < cfg.sm.count * w.g->tenants; n++)
            before[n % cfg.sm.count][n / cfg.sm.count] = gone(&w, n % cfg.sm.count, n / cfg.sm.count);
        for (uint32_t c = 0; c < cfg.l1d.rate_interval; c++) {
            fill(&w, 16);
            mh_gpu_advance(w.g, mh_gpu_now(w.g) + 1);
        }
        for (uint32_t sm = 0; sm < cfg.sm.count; sm++)
            for (uint32_t t = 0; t < w.g->tenants; t++) {
                passed[sm][t] = gone(&w, sm, t) == before[sm][t] ? passed[sm][t] + 1 : 0;
                assert_true(passed[sm][t] <= cfg.l1d.arbiter_patience + (256 + quota[t] - 1) / quota[t]);
            }
    }
    mh_gpu_destroy(w.g);
}

static void each_seed(void (*run)(uint64_t))
{
    const struct seeds seeds = seeds_of(SEEDS);
    for (uint64_t seed = seeds.first; seed <= seeds.last; seed++)
        run(seed);
}

TEST(test_random)
{
    each_seed(random_run);
}

TEST(test_quotas_are_met)
{
    each_seed(quotas_run);
}

TEST(test_nobody_starves)
{
    each_seed(beside_unlimited_run);
}

/*
 * All want one bank, which has a credit now and then. SMs share it alike, and so do the tenants of an SM; with
 * ISSUE_FIRST one takes all that its SM gets.
 */
TEST(test_turns_at_a_bank)
{
    for (uint32_t first = 0; first < 2; first++) {
        struct mh_config cfg = subqueues_config(2, 2);
        struct world w = {.rng = 3};
        cfg.noc.bank_queue = 1;
        w.g = subqueues_gpu(&cfg);
        if (first)
            set_first(w.g, 1);
        for (uint32_t i = 0; i < 3000; i++) {
            fill(&w, 1);
            mh_gpu_advance(w.g, mh_gpu_now(w.g) + 1);
        }
        uint64_t all = 0;
        for (uint32_t i = 0; i < 4; i++)
            all += gone(&w, i / 2, i % 2);
        assert_true(all > 100);
        for (uint32_t sm = 0; sm < 2; sm++) {
            assert_in_range(gone(&w, sm, 0), first ? 0 : all / 4 - 1, first ? 1 : all / 4 + 1);
            assert_in_range(gone(&w, sm, 1), all / (first ? 2 : 4) - 1, all / (first ? 2 : 4) + 1);
        }
        mh_gpu_destroy(w.g);
    }
}

TEST_GROUP(.slow = true);
