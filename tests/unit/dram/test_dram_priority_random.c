/*
 * Tenants before each other at one DRAM channel under random traffic of three tenants whose priorities change: every
 * command keeps its timing (tests/dram_check.h), every request is served once, a row is closed for another only when
 * no request needs it, and the request that goes first by the rules of dram/priority.h has its row opened first.
 */
#include "unit/test.h"
#include "dram_tenants_random.h"

struct run {
    struct traffic t;
    uint8_t priority[MH_MAX_TENANTS];
};

static uint32_t standing(const struct run *r, const struct shadow *s)
{
    return starved(&r->t, s) ? 0 : r->priority[s->tenant];
}

/* The request of the bank whose row is to be opened; NULL: none. */
static const struct shadow *first_of(const struct run *r, uint32_t bank)
{
    const struct shadow *first = NULL;
    for (uint32_t i = 0; i < queued(&r->t); i++) {
        const struct shadow *s = waits(&r->t, i);
        if (s->bank == bank && s->write == r->t.d->writing && (!first || standing(r, s) < standing(r, first)))
            first = s;
    }
    return first;
}

/* Before that ACT is noted. */
static void check_activate(struct run *r, uint64_t cycle, uint32_t bank, uint32_t row)
{
    const struct shadow *opened = first_of(r, bank);
    assert_non_null(opened);
    assert_int_equal(opened->row, row);
    for (uint32_t b = 0; b < r->t.d->banks; b++) {
        const struct shadow *other = first_of(r, b);
        if (b == bank || !other || r->t.check.bank[b].open || somebody_starves(&r->t, b) ||
            somebody_starves(&r->t, bank) || standing(r, other) >= standing(r, opened))
            continue;
        if (possible(&r->t, cycle, MH_DRAM_ACT, b, other->row))
            fail_msg("cycle %llu: bank %u is for tenant %u, bank %u for tenant %u", (unsigned long long)cycle, bank,
                     opened->tenant, b, other->tenant);
    }
}

/* No request of the present direction waits for the row, or its hits have passed an older request too often. */
static void check_precharge(const struct run *r, uint32_t bank, uint32_t row)
{
    if (r->t.d->bank[bank].passed >= STARVED_HITS)
        return;
    for (uint32_t i = 0; i < queued(&r->t); i++) {
        const struct shadow *s = waits(&r->t, i);
        assert_false(s->bank == bank && s->row == row && s->write == r->t.d->writing);
    }
}

static void command(void *ctx, uint64_t cycle, enum mh_dram_command cmd, uint32_t bank, uint32_t row)
{
    struct run *r = ctx;
    if (cmd == MH_DRAM_ACT)
        check_activate(r, cycle, bank, row);
    if (cmd == MH_DRAM_PRE)
        check_precharge(r, bank, row);
    dram_check_command(&r->t.check, cycle, cmd, bank, row);
}

static void done(void *ctx, uint32_t tag, uint64_t finish, bool row_hit)
{
    struct run *r = ctx;
    (void)finish, (void)row_hit;
    served(&r->t, tag);
}

static void set_priorities(struct traffic *t)
{
    struct run *r = (struct run *)t;
    for (uint32_t k = 0; k < TENANTS; k++)
        r->priority[k] = (uint8_t)(random_next(&t->rng) % TENANTS);
    t->next = mh_dram_set_priorities(t->d, t->now++, r->priority);
}

static struct mh_dram_cfg by_tenant(struct mh_dram_cfg cfg)
{
    cfg.golden = 16;
    cfg.silver = 64;
    cfg.normal = 192;
    cfg.scheduler = MH_DRAM_MPKI;
    return cfg;
}

static void run(struct mh_dram_cfg cfg, uint64_t seed)
{
    struct run r = {.t = {.cfg = cfg, .rng = seed, .most = 60000}};
    traffic_run(&r.t, (struct mh_dram_hooks){.done = done, .command = command}, set_priorities);
}

/* Refreshes close rows that are wanted: there are none here. */
TEST(test_first_tenants_rows_first)
{
    struct mh_dram_cfg cfg = by_tenant(mask_dram);
    cfg.refi = 0;
    run(cfg, 1);
    cfg.queue = 12;
    cfg.write_high = 8;
    cfg.write_low = 2;
    run(cfg, 2);
    cfg.queue = 256;
    cfg.banks = 16; /* 2 ranks x 4 groups x 4 banks */
    cfg.ranks = 2;
    cfg.groups = 4;
    cfg.ccd_l = 4;
    cfg.rrd_l = 17;
    cfg.wtr_l = 14;
    cfg.rank_gap = 5;
    run(cfg, 3);
}

/* One stream of pushes and late steps, with separate queues in the middle third. */
static struct digest same_traffic(struct mh_dram_cfg cfg, uint64_t seed)
{
    struct digest s = {0};
    struct mh_dram_hooks hooks = {.ctx = &s, .done = fold};
    struct mh_dram *d = mh_dram_create(&cfg, &hooks);
    const uint32_t thresh[MH_MAX_TENANTS] = {20, 10, 5};
    uint64_t rng = seed, now = 0;
    mh_dram_set_turns(d, thresh);
    for (uint32_t i = 0; i < 30000; i++) {
        struct mh_dram_request req = any_request(&rng, i);
        if (i % 10000 == 0)
            mh_dram_set_queues(d, now++, i == 10000);
        wait_for_room(d, &req, &now);
        mh_dram_push(d, now += random_next(&rng) % 12, &req);
    }
    mh_dram_step(d, now + 1000000);
    assert_int_equal(mh_dram_waiting(d), 0);
    mh_dram_destroy(d);
    return s;
}

/* Tenants of the same priority are served as FR-FCFS serves them, with one queue and with three, refreshes and all. */
TEST(test_equal_priorities_are_fr_fcfs)
{
    for (uint32_t closed = 0; closed < 2; closed++)
        for (uint64_t seed = 1; seed < 4; seed++) {
            struct mh_dram_cfg ours = by_tenant(mask_dram), plain;
            ours.rows = closed ? MH_ROWS_CLOSED : MH_ROWS_OPEN;
            plain = ours;
            plain.scheduler = MH_DRAM_FR_FCFS;
            struct digest a = same_traffic(ours, seed), b = same_traffic(plain, seed);
            assert_int_equal(a.count, 30000);
            assert_int_equal(a.sum, b.sum);
        }
}

TEST_GROUP(.slow = true);
