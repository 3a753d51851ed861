/*
 * Ranks of tenants at one DRAM channel under random traffic of three tenants whose ranks change. A second
 * implementation knows the waiting requests and gives, for each bank, the command and its tenant: every ACT and PRE,
 * and every line that is served, is that, and none was possible in its cycle for a bank of a higher rank
 * (tests/dram_check.h knows what is possible).
 */
#include "unit/test.h"
#include "dram_tenants_random.h"

enum { NOBODY = -1 };

/* What a bank does next. */
struct wish {
    enum mh_dram_command command;
    int standing; /* 0: the highest; NOBODY: it wants nothing */
    uint32_t row;
    bool starves; /* a waiting request, which may have been found since */
};

struct run {
    struct traffic t;
    uint32_t rank[MH_MAX_TENANTS], passed[MH_MAX_DRAM_BANKS], open[MH_MAX_DRAM_BANKS];
};

static int standing(const struct run *r, const struct shadow *s)
{
    int n = 0;
    if (!r->t.differ || !s->known || starved(&r->t, s))
        return 0;
    for (uint32_t t = 0; t < TENANTS; t++)
        n += r->rank[t] > r->rank[s->tenant];
    return n;
}

/* Best of those that want the bank's open row (`hits`) or another; by rank, then age. NULL: none. */
static const struct shadow *best(const struct run *r, uint32_t bank, uint32_t write, bool hits)
{
    const struct shadow *b = NULL;
    for (uint32_t i = 0; i < queued(&r->t); i++) {
        const struct shadow *s = waits(&r->t, i);
        if (s->bank == bank && s->write == write && (s->row == r->open[bank]) == hits &&
            (!b || standing(r, s) < standing(r, b)))
            b = s;
    }
    return b;
}

static struct wish wish_of(const struct run *r, uint32_t bank, uint32_t write)
{
    const struct shadow *hit = best(r, bank, write, true), *other = best(r, bank, write, false);
    struct wish w = {MH_DRAM_PRE, NOBODY, r->open[bank], somebody_starves(&r->t, bank)};
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

/* The bank issued the right command for the right tenant, and no request of a higher rank could have gone. */
static void check_choice(struct run *r, uint64_t cycle, enum mh_dram_command cmd, uint32_t bank, uint32_t row,
                         uint32_t write)
{
    struct wish mine = wish_of(r, bank, write);
    if (mine.starves)
        return;
    assert_int_not_equal(mine.standing, NOBODY);
    assert_int_equal(mine.command, cmd);
    assert_int_equal(mine.row, row);
    for (uint32_t b = 0; b < r->t.d->banks; b++) {
        struct wish w = wish_of(r, b, write);
        if (b == bank || w.standing == NOBODY || w.standing >= mine.standing || w.starves)
            continue;
        if (possible(&r->t, cycle, w.command, b, w.row))
            fail_msg("cycle %llu: %d for bank %u of standing %d, where %d for bank %u of %d could go",
                     (unsigned long long)cycle, cmd, bank, mine.standing, w.command, b, w.standing);
    }
}

/* Row commands as they are issued. Column commands are told later: they are looked at when their line is served. */
static void command(void *ctx, uint64_t cycle, enum mh_dram_command cmd, uint32_t bank, uint32_t row)
{
    struct run *r = ctx;
    if (cmd == MH_DRAM_ACT || cmd == MH_DRAM_PRE)
        check_choice(r, cycle, cmd, bank, row, r->t.d->writing);
    dram_check_command(&r->t.check, cycle, cmd, bank, row);
    if (cmd == MH_DRAM_ACT)
        r->passed[bank] = 0;
    if (cmd == MH_DRAM_ACT || cmd == MH_DRAM_PRE)
        r->open[bank] = cmd == MH_DRAM_ACT ? row : MH_NO_ROW;
}

/* The oldest request of the line's row; whether it passes an older one of another row. */
static void check_age(struct run *r, const struct shadow *s)
{
    bool passes = false;
    for (uint32_t i = 0; i < queued(&r->t) && waits(&r->t, i)->number < s->number; i++) {
        const struct shadow *older = waits(&r->t, i);
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
    const struct shadow *s = &r->t.shadow[tag];
    const struct mh_dram *d = r->t.d;
    uint64_t at = finish - d->latency[s->write] - (d->split ? 0 : (d->columns - 1) * d->stride);
    check_choice(r, at, s->write ? MH_DRAM_WR : MH_DRAM_RD, s->bank, s->row, s->write);
    check_age(r, s);
    served(&r->t, tag);
}

/* Requests queued when ranks begin to differ belong to no tenant; later ones are known. */
static void set_ranks(struct traffic *t)
{
    struct run *r = (struct run *)t;
    bool before = t->differ;
    t->differ = false;
    for (uint32_t k = 0; k < MH_MAX_TENANTS; k++) {
        r->rank[k] = k < TENANTS ? (uint32_t)(random_next(&t->rng) % TENANTS * 100) : r->rank[0];
        t->differ |= r->rank[k] != r->rank[0];
    }
    for (uint32_t i = 0; i < t->count && !before; i++)
        t->shadow[t->waiting[i]].known = false;
    t->next = mh_dram_set_ranks(t->d, t->now++, r->rank);
}

static void run(struct mh_dram_cfg cfg, uint64_t seed)
{
    struct run r = {.t = {.cfg = cfg, .rng = seed, .most = 40000}};
    memset(r.open, 0xff, sizeof r.open);
    traffic_run(&r.t, (struct mh_dram_hooks){.done = done, .command = command}, set_ranks);
}

/* Refreshes close rows that are wanted: there are none here. */
TEST(test_highest_rank_first)
{
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

/* One stream of pushes and late steps; `ours`: ranks that are equal and the watch are switched on the way. */
static struct digest same_traffic(struct mh_dram_cfg cfg, uint64_t seed, bool ours)
{
    struct digest s = {0};
    struct mh_dram_hooks hooks = {.ctx = &s, .done = fold};
    struct mh_dram *d = mh_dram_create(&cfg, &hooks);
    uint64_t rng = seed, own = seed + 99, now = 0;
    for (uint32_t i = 0; i < 30000; i++) {
        struct mh_dram_request req = any_request(&rng, i);
        wait_for_room(d, &req, &now);
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

TEST(test_equal_ranks_are_fr_fcfs)
{
    for (uint32_t kind = 0; kind < 8; kind++)
        for (uint64_t seed = 1; seed < 3; seed++) {
            struct mh_dram_cfg cfg = mask_dram;
            cfg.rows = kind % 2 ? MH_ROWS_CLOSED : MH_ROWS_OPEN;
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
            struct digest a = same_traffic(cfg, seed, true), b = same_traffic(cfg, seed, false);
            assert_int_equal(a.count, 30000);
            assert_int_equal(a.sum, b.sum);
        }
}

TEST_GROUP(.slow = true);
