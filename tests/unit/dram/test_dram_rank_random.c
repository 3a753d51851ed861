/*
 * Ranks of tenants at one DRAM channel under random traffic of three tenants whose ranks change. A second
 * implementation knows who waits and says, for each bank, which command it is for whom: every ACT and PRE, and every
 * line that is served, is that, and none was possible in its cycle for a bank of a higher rank (tests/dram_check.h
 * knows what is possible).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "dram/channel.h"
#include "dram_check.h"
#include "dram_fixture.h"

enum { TENANTS = 3, STARVED_HITS = 64, STARVED_QUEUES = 4, MOST = 40000, NOBODY = -1 };

struct shadow {
    uint64_t number; /* of the arrival */
    uint32_t bank, row, served;
    uint8_t tenant, write;
    bool known; /* came while ranks differed */
};

/* What a bank does next. */
struct wish {
    enum mh_dram_command command;
    int standing; /* 0: the highest; NOBODY: it wants nothing */
    uint32_t row;
    bool starves; /* somebody there, who may have been found since */
};

struct run {
    struct mh_dram *d;
    struct mh_dram_cfg cfg;
    struct mh_dram_map map;
    struct dram_check check;
    struct shadow *shadow;
    uint32_t waiting[512], count; /* tags, oldest first */
    uint32_t rank[MH_MAX_TENANTS];
    bool differ;
    uint32_t passed[MH_MAX_DRAM_BANKS], open[MH_MAX_DRAM_BANKS];
    uint64_t rng, now, next, pushed, compared;
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

static int standing(const struct run *r, const struct shadow *s)
{
    int n = 0;
    if (!r->differ || !s->known || starved(r, s))
        return 0;
    for (uint32_t t = 0; t < TENANTS; t++)
        n += r->rank[t] > r->rank[s->tenant];
    return n;
}

/* Best of those that want the bank's open row (`hits`) or another; by rank, then age. NULL: none. */
static const struct shadow *best(const struct run *r, uint32_t bank, uint32_t write, bool hits)
{
    const struct shadow *b = NULL;
    for (uint32_t i = 0; i < queued(r); i++) {
        const struct shadow *s = &r->shadow[r->waiting[i]];
        if (s->bank == bank && s->write == write && (s->row == r->open[bank]) == hits &&
            (!b || standing(r, s) < standing(r, b)))
            b = s;
    }
    return b;
}

static bool somebody_starves(const struct run *r, uint32_t bank)
{
    for (uint32_t i = 0; i < queued(r); i++)
        if (r->shadow[r->waiting[i]].bank == bank && starved(r, &r->shadow[r->waiting[i]]))
            return true;
    return false;
}

static struct wish wish_of(const struct run *r, uint32_t bank, uint32_t write)
{
    const struct shadow *hit = best(r, bank, write, true), *other = best(r, bank, write, false);
    struct wish w = {MH_DRAM_PRE, NOBODY, r->open[bank], somebody_starves(r, bank)};
    if (hit && (!other || standing(r, hit) < standing(r, other) ||
                (standing(r, hit) == standing(r, other) && r->passed[bank] < STARVED_HITS))) {
        w.command = write ? MH_DRAM_WR : MH_DRAM_RD;
        w.standing = standing(r, hit);
    } else if (other) {
        w.standing = standing(r, other);
        if (r->open[bank] == MH_NO_ROW) {
            w.command = MH_DRAM_ACT;
            w.row = other->row;
        }
    }
    return w;
}

/* The bank did what it should, for whom it should; and nobody of a higher rank could have gone. */
static void check_choice(struct run *r, uint64_t cycle, enum mh_dram_command cmd, uint32_t bank, uint32_t row,
                         uint32_t write)
{
    struct wish mine = wish_of(r, bank, write);
    if (mine.starves)
        return;
    assert_int_not_equal(mine.standing, NOBODY);
    assert_int_equal(mine.command, cmd);
    assert_int_equal(mine.row, row);
    for (uint32_t b = 0; b < r->d->banks; b++) {
        struct wish w = wish_of(r, b, write);
        if (b == bank || w.standing == NOBODY || w.standing >= mine.standing || w.starves)
            continue;
        struct dram_check after = r->check;
        dram_check_command(&after, cycle, w.command, b, w.row);
        r->compared++;
        if (!after.violation[0])
            fail_msg("cycle %llu: %d for bank %u of standing %d, where %d for bank %u of %d could go",
                     (unsigned long long)cycle, cmd, bank, mine.standing, w.command, b, w.standing);
    }
}

/* Row commands as they are issued. Column commands are told later: they are looked at when their line is served. */
static void command(void *ctx, uint64_t cycle, enum mh_dram_command cmd, uint32_t bank, uint32_t row)
{
    struct run *r = ctx;
    if (cmd == MH_DRAM_ACT || cmd == MH_DRAM_PRE)
        check_choice(r, cycle, cmd, bank, row, r->d->writing);
    dram_check_command(&r->check, cycle, cmd, bank, row);
    if (cmd == MH_DRAM_ACT)
        r->passed[bank] = 0;
    if (cmd == MH_DRAM_ACT || cmd == MH_DRAM_PRE)
        r->open[bank] = cmd == MH_DRAM_ACT ? row : MH_NO_ROW;
}

/* The oldest request of the line's row; whether it passes an older one of another row. */
static void check_age(struct run *r, const struct shadow *s)
{
    bool passes = false;
    for (uint32_t i = 0; i < queued(r) && r->shadow[r->waiting[i]].number < s->number; i++) {
        const struct shadow *older = &r->shadow[r->waiting[i]];
        if (older->bank != s->bank || older->write != s->write)
            continue;
        assert_int_not_equal(older->row, s->row);
        passes = true;
    }
    r->passed[s->bank] += passes;
}

static void done(void *ctx, uint32_t tag, uint64_t finish, bool row_hit)
{
    struct run *r = ctx;
    struct shadow *s = &r->shadow[tag];
    uint32_t i = 0;
    (void)row_hit;
    uint64_t at = finish - r->d->latency[s->write] - r->d->span;
    check_choice(r, at, s->write ? MH_DRAM_WR : MH_DRAM_RD, s->bank, s->row, s->write);
    check_age(r, s);
    while (r->waiting[i] != tag)
        i++;
    assert_true(i < queued(r));
    memmove(&r->waiting[i], &r->waiting[i + 1], (--r->count - i) * sizeof r->waiting[0]);
    s->served++;
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
    uint32_t row = mh_dram_map_row(&r->map, req.addr);
    *s = (struct shadow){r->pushed, mh_dram_map_bank(&r->map, req.addr, row), row, 0, req.tenant, req.write, r->differ};
    while (r->d->next < r->now && !r->d->inbox_count) /* what is due before it does not know it */
        r->next = mh_dram_step(r->d, r->now - 1);
    r->waiting[r->count++] = req.tag;
    r->pushed++;
    r->next = mh_dram_push(r->d, r->now, &req);
}

/* All queued requests are nobody's when ranks begin to differ; while they do, all that come are known. */
static void set_ranks(struct run *r)
{
    r->next = mh_dram_step(r->d, r->now);
    bool before = r->differ;
    r->differ = false;
    for (uint32_t t = 0; t < MH_MAX_TENANTS; t++) {
        r->rank[t] = t < TENANTS ? (uint32_t)(random_next(&r->rng) % TENANTS * 100) : r->rank[0];
        r->differ |= r->rank[t] != r->rank[0];
    }
    for (uint32_t i = 0; i < r->count && !before; i++)
        r->shadow[r->waiting[i]].known = false;
    r->next = mh_dram_set_ranks(r->d, r->now++, r->rank);
}

static void drive(struct run *r)
{
    while (r->pushed < MOST || mh_dram_waiting(r->d)) {
        uint64_t burst = random_next(&r->rng) % (random_next(&r->rng) % 8 ? 6 : 300);
        if (random_next(&r->rng) % 64 == 0)
            set_ranks(r);
        assert_true(mh_dram_check(r->d));
        while (burst-- && r->pushed < MOST && mh_dram_free(r->d))
            push(r);
        r->next = mh_dram_step(r->d, r->now);
        r->now = r->next == MH_DRAM_NEVER || r->next <= r->now ? r->now + 1 : r->next;
    }
}

static void run(struct mh_dram_cfg cfg, uint64_t seed)
{
    struct run r = {.cfg = cfg, .rng = seed, .next = MH_DRAM_NEVER};
    struct mh_dram_hooks hooks = {&r, done, command};
    memset(r.open, 0xff, sizeof r.open);
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
static void test_highest_rank_first(void **state)
{
    (void)state;
    struct mh_dram_cfg cfg = mask_dram;
    cfg.refi = 0;
    run(cfg, 1);
    cfg.golden = cfg.silver = cfg.normal = 128;
    run(cfg, 2);
    cfg.queue = 12;
    cfg.write_high = 8;
    cfg.write_low = 2;
    run(cfg, 3);
}

/* --- Equal ranks, and a watch, change nothing. */

struct served {
    uint64_t count, sum;
};

static void fold(void *ctx, uint32_t tag, uint64_t finish, bool row_hit)
{
    struct served *s = ctx;
    s->count++;
    s->sum = s->sum * 1000003 + finish * 4096 + tag * 2 + row_hit;
}

/* The same stream of pushes and late steps; `ours`: ranks that are equal and the watch are switched on the way. */
static struct served same_traffic(struct mh_dram_cfg cfg, uint64_t seed, bool ours)
{
    struct served s = {0};
    struct mh_dram_hooks hooks = {.ctx = &s, .done = fold};
    struct mh_dram *d = mh_dram_create(&cfg, &hooks);
    uint64_t rng = seed, own = seed + 99, now = 0;
    for (uint32_t i = 0; i < 30000; i++) {
        struct mh_dram_request req = {.tag = i, .tenant = (uint8_t)(random_next(&rng) % TENANTS)};
        dram_scattered(&rng, 0, &req);
        req.addr %= 1 << (16 + random_next(&rng) % 8);
        req.walk = random_next(&rng) % 8 == 0;
        req.write = !req.walk && random_next(&rng) % 4 == 0;
        while (!mh_dram_takes(d, req.write ? NULL : &req, req.write))
            mh_dram_step(d, now += 3);
        now += random_next(&rng) % 12;
        mh_dram_step(d, now);
        if (ours && random_next(&own) % 50 == 0) {
            uint32_t rank[MH_MAX_TENANTS], equal = (uint32_t)(random_next(&own) % 256);
            for (uint32_t t = 0; t < MH_MAX_TENANTS; t++)
                rank[t] = equal;
            mh_dram_set_ranks(d, now, rank);
            if (random_next(&own) % 40 == 0)
                mh_dram_set_watch(d, now, random_next(&own) % 3);
        }
        mh_dram_push(d, now, &req);
    }
    mh_dram_step(d, now + 1000000);
    assert_int_equal(mh_dram_waiting(d), 0);
    assert_int_equal(mh_dram_free(d), cfg.queue);
    assert_int_equal(mh_dram_watched(d, now, 0).reads > 1000, ours);
    mh_dram_destroy(d);
    return s;
}

static void test_equal_ranks_are_fr_fcfs(void **state)
{
    (void)state;
    for (uint32_t kind = 0; kind < 8; kind++)
        for (uint64_t seed = 1; seed < 3; seed++) {
            struct mh_dram_cfg cfg = mask_dram;
            strcpy(cfg.rows, kind % 2 ? "closed" : "open");
            cfg.golden = cfg.silver = cfg.normal = kind & 2 ? 64 : 0;
            if (kind & 4) { /* 2 ranks x 4 groups x 4 banks */
                cfg.banks = 16;
                cfg.ranks = 2;
                cfg.groups = 4;
                cfg.ccd_l = 4;
                cfg.rrd_l = 17;
                cfg.wtr_l = 14;
                cfg.rank_gap = 5;
                cfg.rfc_bank = 60;
                cfg.rrefd = 11;
            }
            struct served a = same_traffic(cfg, seed, true), b = same_traffic(cfg, seed, false);
            assert_int_equal(a.count, 30000);
            assert_int_equal(a.sum, b.sum);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_highest_rank_first),
        cmocka_unit_test(test_equal_ranks_are_fr_fcfs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
