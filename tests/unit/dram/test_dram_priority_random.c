/*
 * Tenants before each other at one DRAM channel under random traffic of three tenants whose priorities change: every
 * command keeps its timing (tests/dram_check.h), every request is served once, a row is closed for another only when
 * nobody wants it any more, and whoever goes first by the rules of hwmodel/dram/README.md has its row opened first.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "dram/channel.h"
#include "dram_check.h"
#include "dram_fixture.h"

enum { TENANTS = 3, STARVED_HITS = 64, STARVED_QUEUES = 4, MOST = 60000 };

struct shadow {
    uint64_t number; /* of the arrival */
    uint32_t bank, row, served;
    uint8_t tenant, write;
};

struct run {
    struct mh_dram *d;
    struct mh_dram_cfg cfg;
    struct mh_dram_map map;
    struct dram_check check;
    struct shadow *shadow;
    uint32_t waiting[512], count; /* tags, oldest first */
    uint8_t priority[MH_MAX_TENANTS];
    uint64_t rng, now, next, served, pushed, compared;
};

/* Requests that are in the queue: the youngest may be on their way into it. */
static uint32_t queued(const struct run *r)
{
    return r->count - r->d->inbox_count;
}

static bool starved(const struct run *r, const struct shadow *s)
{
    return r->pushed - r->d->inbox_count - s->number > (uint64_t)STARVED_QUEUES * r->cfg.queue;
}

static uint32_t standing(const struct run *r, const struct shadow *s)
{
    return starved(r, s) ? 0 : r->priority[s->tenant];
}

/* The request of the bank whose row is to be opened; NULL: none. */
static const struct shadow *first_of(const struct run *r, uint32_t bank)
{
    const struct shadow *first = NULL;
    for (uint32_t i = 0; i < queued(r); i++) {
        const struct shadow *s = &r->shadow[r->waiting[i]];
        if (s->bank == bank && s->write == r->d->writing && (!first || standing(r, s) < standing(r, first)))
            first = s;
    }
    return first;
}

static bool somebody_starves(const struct run *r, uint32_t bank)
{
    for (uint32_t i = 0; i < queued(r); i++)
        if (r->shadow[r->waiting[i]].bank == bank && starved(r, &r->shadow[r->waiting[i]]))
            return true;
    return false;
}

/* Before that ACT is noted. */
static void check_activate(struct run *r, uint64_t cycle, uint32_t bank, uint32_t row)
{
    const struct shadow *opened = first_of(r, bank);
    assert_non_null(opened);
    assert_int_equal(opened->row, row);
    for (uint32_t b = 0; b < r->d->banks; b++) {
        const struct shadow *other = first_of(r, b);
        if (b == bank || !other || r->check.bank[b].open || somebody_starves(r, b) || somebody_starves(r, bank) ||
            standing(r, other) >= standing(r, opened))
            continue;
        struct dram_check after = r->check;
        dram_check_command(&after, cycle, MH_DRAM_ACT, b, other->row);
        r->compared++;
        if (!after.violation[0])
            fail_msg("cycle %llu: bank %u is for tenant %u, bank %u for tenant %u", (unsigned long long)cycle, bank,
                     opened->tenant, b, other->tenant);
    }
}

/* Nobody of the present direction waits for the row, or its hits have passed an older request too often. */
static void check_precharge(const struct run *r, uint32_t bank, uint32_t row)
{
    if (r->d->bank[bank].passed >= STARVED_HITS)
        return;
    for (uint32_t i = 0; i < queued(r); i++) {
        const struct shadow *s = &r->shadow[r->waiting[i]];
        assert_false(s->bank == bank && s->row == row && s->write == r->d->writing);
    }
}

static void command(void *ctx, uint64_t cycle, enum mh_dram_command cmd, uint32_t bank, uint32_t row)
{
    struct run *r = ctx;
    if (cmd == MH_DRAM_ACT)
        check_activate(r, cycle, bank, row);
    if (cmd == MH_DRAM_PRE)
        check_precharge(r, bank, row);
    dram_check_command(&r->check, cycle, cmd, bank, row);
}

static void done(void *ctx, uint32_t tag, uint64_t finish, bool row_hit)
{
    struct run *r = ctx;
    uint32_t i = 0;
    (void)finish, (void)row_hit;
    while (r->waiting[i] != tag)
        i++;
    assert_true(i < queued(r));
    memmove(&r->waiting[i], &r->waiting[i + 1], (--r->count - i) * sizeof r->waiting[0]);
    r->shadow[tag].served++;
    r->served++;
}

/* A few hot rows among many, and a tenant that has half of the traffic. */
static void push(struct run *r)
{
    struct mh_dram_request req = {.tag = (uint32_t)r->pushed};
    struct shadow *s = &r->shadow[r->pushed];
    dram_scattered(&r->rng, 0, &req);
    if (random_next(&r->rng) % 2)
        req.addr %= 64 * r->cfg.row_bytes;
    req.write = random_next(&r->rng) % 4 == 0;
    req.tenant = (uint8_t)(random_next(&r->rng) % 4 % TENANTS);
    s->number = r->pushed;
    s->row = mh_dram_map_row(&r->map, req.addr);
    s->bank = mh_dram_map_bank(&r->map, req.addr, s->row);
    s->tenant = req.tenant;
    s->write = req.write;
    while (r->d->next < r->now && !r->d->inbox_count) /* what is due before it does not know it */
        r->next = mh_dram_step(r->d, r->now - 1);
    r->waiting[r->count++] = req.tag;
    r->pushed++;
    r->next = mh_dram_push(r->d, r->now, &req);
}

static void drive(struct run *r)
{
    while (r->pushed < MOST || mh_dram_waiting(r->d)) {
        uint64_t burst = random_next(&r->rng) % (random_next(&r->rng) % 8 ? 6 : 300);
        if (random_next(&r->rng) % 64 == 0) {
            r->next = mh_dram_step(r->d, r->now);
            for (uint32_t t = 0; t < TENANTS; t++)
                r->priority[t] = (uint8_t)(random_next(&r->rng) % TENANTS);
            r->next = mh_dram_set_priorities(r->d, r->now++, r->priority);
        }
        assert_true(mh_dram_check(r->d));
        while (burst-- && r->pushed < MOST && mh_dram_free(r->d))
            push(r);
        r->next = mh_dram_step(r->d, r->now);
        r->now = r->next == MH_DRAM_NEVER || r->next <= r->now ? r->now + 1 : r->next;
    }
}

static struct mh_dram_cfg by_tenant(struct mh_dram_cfg cfg)
{
    cfg.golden = 16;
    cfg.silver = 64;
    cfg.normal = 192;
    strcpy(cfg.scheduler, "mpki");
    return cfg;
}

static void run(struct mh_dram_cfg cfg, uint64_t seed)
{
    struct run r = {.cfg = cfg, .rng = seed, .next = MH_DRAM_NEVER};
    struct mh_dram_hooks hooks = {&r, done, command};
    dram_check_init(&r.check, &cfg);
    r.shadow = calloc(MOST, sizeof *r.shadow);
    r.d = mh_dram_create(&cfg, &hooks);
    assert_non_null(r.d);
    assert_int_equal(mh_dram_map_init(&r.map, &cfg, NULL), 0);
    drive(&r);
    assert_string_equal(r.check.violation, "");
    for (uint32_t i = 0; i < MOST; i++)
        assert_int_equal(r.shadow[i].served, 1);
    assert_int_equal(mh_dram_free(r.d), cfg.queue);
    assert_true(r.compared > 1000);
    mh_dram_destroy(r.d);
    free(r.shadow);
}

/* Refreshes close rows that are wanted: there are none here. */
static void test_first_tenants_rows_first(void **state)
{
    (void)state;
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

/* --- Equal priorities. */

struct served {
    uint64_t count, sum;
};

static void fold(void *ctx, uint32_t tag, uint64_t finish, bool row_hit)
{
    struct served *s = ctx;
    s->count++;
    s->sum = s->sum * 1000003 + finish * 4096 + tag * 2 + row_hit;
}

/* The same stream of pushes and late steps, queues apart in the middle third. */
static struct served same_traffic(struct mh_dram_cfg cfg, uint64_t seed)
{
    struct served s = {0};
    struct mh_dram_hooks hooks = {.ctx = &s, .done = fold};
    struct mh_dram *d = mh_dram_create(&cfg, &hooks);
    const uint32_t thresh[MH_MAX_TENANTS] = {20, 10, 5};
    uint64_t rng = seed, now = 0;
    mh_dram_set_turns(d, thresh);
    for (uint32_t i = 0; i < 30000; i++) {
        struct mh_dram_request req = {.tag = i, .tenant = (uint8_t)(random_next(&rng) % TENANTS)};
        dram_scattered(&rng, 0, &req);
        req.addr %= 1 << (16 + random_next(&rng) % 8);
        req.walk = random_next(&rng) % 8 == 0;
        req.write = !req.walk && random_next(&rng) % 4 == 0;
        if (i % 10000 == 0)
            mh_dram_set_queues(d, now++, i == 10000);
        while (!mh_dram_takes(d, req.write ? NULL : &req, req.write))
            mh_dram_step(d, now += 3);
        mh_dram_push(d, now += random_next(&rng) % 12, &req);
    }
    mh_dram_step(d, now + 1000000);
    assert_int_equal(mh_dram_waiting(d), 0);
    mh_dram_destroy(d);
    return s;
}

/* Tenants of the same priority are served as FR-FCFS serves them, with one queue and with three, refreshes and all. */
static void test_equal_priorities_are_fr_fcfs(void **state)
{
    (void)state;
    for (uint32_t closed = 0; closed < 2; closed++)
        for (uint64_t seed = 1; seed < 4; seed++) {
            struct mh_dram_cfg ours = by_tenant(mask_dram), plain;
            strcpy(ours.rows, closed ? "closed" : "open");
            plain = ours;
            strcpy(plain.scheduler, "fr-fcfs");
            struct served a = same_traffic(ours, seed), b = same_traffic(plain, seed);
            assert_int_equal(a.count, 30000);
            assert_int_equal(a.sum, b.sum);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_first_tenants_rows_first),
        cmocka_unit_test(test_equal_priorities_are_fr_fcfs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
