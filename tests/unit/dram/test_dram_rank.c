/*
 * Ranks of tenants at one DRAM channel (DRAM_RANK, TCM), and the watch (DRAM_MONITOR): cycles by hand, with the `mask`
 * timings (tests/dram_fixture.h). Tenant 1 has the highest rank, tenant 2 the lowest, unless a test says otherwise.
 */
#include "unit/test.h"
#include "dram/channel.h"
#include "dram_tiers.h"

enum { TRC = 73, TRTP = 4, LAST = 2 /* first to last command of a line */ };

static void rank(struct channel *c, uint64_t now, uint32_t zero, uint32_t one, uint32_t two)
{
    uint32_t ranks[MH_MAX_TENANTS] = {zero, one, two};
    c->next = mh_dram_set_ranks(c->d, now, ranks);
}

static struct mh_dram_cfg one_queue(void)
{
    struct mh_dram_cfg cfg = mask_dram;
    cfg.refi = 0;
    return cfg;
}

static struct channel *open_ranked(void)
{
    struct channel *c = open_cfg(one_queue());
    rank(c, 0, 100, 255, 0);
    return c;
}

/* Rank before row hit: the lowest rank's hit loses its row to the highest, and gets it back after it. */
TEST(test_rank_before_row_hit)
{
    struct channel *c = open_ranked();
    push_of(c, 0, 0, 0, 3, 7);
    push_of(c, 200, 1, 1, 3, 8);
    push_of(c, 200, 2, 2, 3, 7);
    close_all(c);
    assert_int_equal(c->finish[1], 200 + CLOSE + ACTIVATE + OPEN);
    assert_int_equal(c->finish[2], 200 + CLOSE + TRC + ACTIVATE + OPEN);
    assert_false(c->hit[1]);
    assert_false(c->hit[2]);
}

/* Rank before class: the PRE for the highest goes in cycle 200, the lowest's hit of another bank in 201. */
TEST(test_rank_before_class)
{
    struct channel *c = open_ranked();
    push_of(c, 0, 0, 0, 3, 7);
    push_of(c, 20, 3, 0, 4, 7);
    push_of(c, 200, 1, 2, 4, 7);
    push_of(c, 200, 2, 1, 3, 8);
    close_all(c);
    assert_int_equal(c->finish[1], 201 + OPEN);
    assert_int_equal(c->finish[2], 200 + CLOSE + ACTIVATE + OPEN);
}

/* Who waits is ranked anew: at once, so the row that opens for 0 is not used. Who came before ranks differed is
 * nobody's, and goes first. */
TEST(test_new_ranks)
{
    for (uint32_t known = 0; known < 2; known++) {
        struct channel *c = open_cfg(one_queue());
        if (known)
            rank(c, 0, 0, 9, 0);
        push_of(c, 0, 0, 0, 3, 7);
        push_of(c, 10, 1, 1, 3, 8);
        push_of(c, 10, 2, 2, 3, 9);
        run_to(c, 12);
        rank(c, 12, 1, 0, 7);
        push_of(c, 13, 3, 2, 3, 10);
        close_all(c);
        const uint32_t order[2][4] = {{0, 1, 2, 3}, {2, 3, 0, 1}};
        assert_memory_equal(c->order, order[known], sizeof order[0]);
    }
}

/* The highest rank keeps a bank busy with rows of its own: after 4 queues of arrivals the other is served. */
TEST(test_nobody_starves)
{
    struct mh_dram_cfg cfg = one_queue();
    cfg.queue = 8;
    cfg.write_high = 6;
    cfg.write_low = 2;
    struct channel *c = open_cfg(cfg);
    rank(c, 0, 100, 255, 0);
    assert_nobody_starves(c);
}

/* Hits pass an older request of their own rank 64 times, one of a lower rank always. */
TEST(test_how_often_hits_pass)
{
    enum { HITS = 100 };
    for (uint32_t tenant = 1; tenant < 3; tenant++) {
        struct channel *c = open_cfg(one_queue());
        rank(c, 0, 5, 5, 0);
        push_of(c, 0, 0, 0, 3, 7);
        push_of(c, 200, 1, tenant, 3, 8);
        for (uint32_t i = 0; i < HITS; i++)
            push_of(c, 200, 2 + i, 0, 3, 7);
        close_all(c);
        assert_int_equal(c->order[tenant == 1 ? 1 + 64 : 1 + HITS], 1);
    }
}

/* With golden, silver and normal: walks first, in order of arrival; ranks inside normal. */
TEST(test_inside_normal)
{
    struct channel *c = open_cfg(tiered());
    c->next = mh_dram_set_queues(c->d, 0, true);
    set_turns(c, 0, 0, 0);
    rank(c, 0, 100, 255, 0);
    push_of(c, 0, 0, 0, 3, 7);
    push_of(c, 200, 1, 2, 3, 7); /* a hit */
    push_of(c, 200, 2, 1, 3, 9);
    struct mh_dram_request walk = {.addr = dram_addr(&c->cfg, 3, 10, 0), .tag = 3, .walk = 1, .tenant = 2};
    push_request(c, 200, &walk);
    close_tiers(c);
    const uint32_t order[] = {0, 3, 2, 1};
    assert_memory_equal(c->order, order, sizeof order);
}

static struct mh_dram_watched watched(struct channel *c, uint64_t now, uint32_t tenant)
{
    return mh_dram_watched(c->d, now, tenant);
}

/*
 * Two tenants take a bank's row from each other: alone each would hit. A read of a closed bank waits 22 cycles, until
 * its column command; with the row of the other open, until PRE, ACT and tRCD.
 */
TEST(test_watch)
{
    struct channel *c = open_cfg(one_queue());
    push_of(c, 0, 0, 0, 5, 3); /* before the watch: no tenant's */
    c->next = mh_dram_set_watch(c->d, 0, true);
    push_of(c, 100, 1, 0, 3, 7);
    push_of(c, 200, 2, 1, 3, 8);
    push_of(c, 300, 3, 0, 3, 7);
    push_of(c, 400, 4, 1, 3, 8);
    struct mh_dram_request write = {.addr = dram_addr(&c->cfg, 6, 9, 0), .tag = 5, .write = 1, .tenant = 1};
    push_request(c, 400, &write);
    run_to(c, 999);
    struct mh_dram_watched a = watched(c, 1000, 0), b = watched(c, 1000, 1);
    assert_int_equal(a.reads, 2);
    assert_int_equal(a.hits, 1);
    assert_int_equal(b.reads, 2);
    assert_int_equal(b.hits, 1);
    assert_int_equal(a.area, ACTIVATE + CLOSE + ACTIVATE);
    assert_int_equal(a.cycles, a.area);
    assert_int_equal(b.area, 2 * (CLOSE + ACTIVATE));
    /* Three banks at once, whose ACTs are tRRD apart; a second read of one of them is no other bank. */
    for (uint32_t i = 0; i < 3; i++)
        push_of(c, 1000, 10 + i, 2, i, 20);
    push_of(c, 1000, 13, 2, 0, 20);
    assert_int_equal(watched(c, 1010, 2).area, 30);
    assert_int_equal(watched(c, 1010, 2).cycles, 10);
    run_to(c, 1099);
    /* Bank 0: 23, as the third ACT goes first, and LINE_CYCLES for its second line; banks 1 and 2: 33 and 44. */
    assert_int_equal(watched(c, 1100, 2).area, ACTIVATE + 1 + LINE_CYCLES + ACTIVATE + 11 + ACTIVATE + 22);
    assert_int_equal(watched(c, 1100, 2).cycles, ACTIVATE + 22);
    assert_int_equal(watched(c, 1100, 2).hits, 1);
    c->next = mh_dram_set_watch(c->d, 1100, false);
    push_of(c, 1200, 6, 0, 3, 7);
    close_all(c);
}

/*
 * The watch of one DRAM channel under random traffic of three tenants, with ranks and queues that change: against a
 * count of each cycle, and of the rows that each tenant has read last. By hand: test_watch.
 */

enum { TENANTS = 3 };

struct read {
    uint32_t bank, row, tenant;
    bool waits, write, counts;
};

struct watched {
    struct read *read;
    uint32_t row[TENANTS][MH_MAX_DRAM_BANKS];
    struct mh_dram_watched sum[TENANTS];
    uint32_t oldest, pushed;
};

static void leave(void *ctx, uint32_t tag, uint64_t finish, bool row_hit)
{
    struct watched *w = ctx;
    struct read *q = &w->read[tag];
    (void)finish, (void)row_hit;
    q->waits = false;
    if (!q->counts)
        return;
    w->sum[q->tenant].reads++;
    w->sum[q->tenant].hits += w->row[q->tenant][q->bank] == q->row;
    w->row[q->tenant][q->bank] = q->row;
}

/* In this cycle. */
static void count_banks(struct watched *w)
{
    uint32_t banks[TENANTS] = {0};
    while (w->oldest < w->pushed && !w->read[w->oldest].waits)
        w->oldest++;
    for (uint32_t i = w->oldest; i < w->pushed; i++)
        if (w->read[i].waits && w->read[i].counts)
            banks[w->read[i].tenant] |= 1u << w->read[i].bank;
    for (uint32_t t = 0; t < TENANTS; t++) {
        w->sum[t].area += (uint64_t)__builtin_popcount(banks[t]);
        w->sum[t].cycles += banks[t] != 0;
    }
}

static void push_watched(struct watched *w, struct mh_dram *d, const struct mh_dram_map *map, uint64_t now,
                         uint64_t *rng, bool on)
{
    struct mh_dram_request req = {.tag = w->pushed, .tenant = (uint8_t)(random_next(rng) % 4 % TENANTS)};
    dram_scattered(rng, 0, &req);
    req.addr %= 1 << (14 + random_next(rng) % 10);
    req.walk = random_next(rng) % 8 == 0;
    req.write = !req.walk && random_next(rng) % 4 == 0;
    if (!mh_dram_takes(d, req.write ? NULL : &req, req.write))
        return;
    uint32_t row = mh_dram_map_row(map, req.addr);
    w->read[w->pushed++] =
        (struct read){mh_dram_map_bank(map, req.addr, row), row, req.tenant, true, req.write, on && !req.write};
    mh_dram_push(d, now, &req);
}

/* With ranks, with one queue and with three in turn; the watch is off for a while. */
TEST(test_watch_by_cycles)
{
    enum { CYCLES = 60000 };
    struct mh_dram_cfg cfg = mask_dram;
    struct mh_dram_map map;
    struct watched w = {.read = calloc(CYCLES, sizeof *w.read)};
    struct mh_dram_hooks hooks = {.ctx = &w, .done = leave};
    const uint32_t ranks[2][MH_MAX_TENANTS] = {{0}, {3, 2, 1}}, thresh[MH_MAX_TENANTS] = {20, 10, 5};
    cfg.golden = 16;
    cfg.silver = 64;
    cfg.normal = 192;
    struct mh_dram *d = mh_dram_create(&cfg, &hooks);
    uint64_t rng = 7;
    bool on = false;
    assert_int_equal(mh_dram_map_init(&map, &cfg, NULL), 0);
    mh_dram_set_turns(d, thresh);
    for (uint64_t now = 0; now < CYCLES; now++) {
        mh_dram_step(d, now);
        if (now % 5000 == 0)
            mh_dram_set_ranks(d, now, ranks[now / 5000 % 2]);
        if (now % 9000 == 0)
            mh_dram_set_queues(d, now, now / 9000 % 2);
        if (now == 1000 || now == 30000 || now == 33000) {
            on = now != 30000;
            mh_dram_set_watch(d, now, on);
            for (uint32_t i = w.oldest; i < w.pushed; i++)
                w.read[i].counts = false;
            memset(w.row, 0xff, sizeof w.row);
        }
        if (random_next(&rng) % 8 == 0)
            push_watched(&w, d, &map, now, &rng, on);
        mh_dram_step(d, now);
        assert_true(now % 97 || mh_dram_check(d));
        if (now % 97 == 0)
            for (uint32_t t = 0; t < TENANTS; t++) {
                struct mh_dram_watched seen = mh_dram_watched(d, now, t);
                assert_memory_equal(&seen, &w.sum[t], sizeof seen);
            }
        count_banks(&w);
    }
    assert_true(w.sum[0].hits > 200 && w.sum[2].area > 2 * w.sum[2].cycles);
    mh_dram_destroy(d);
    free(w.read);
}
