/*
 * The watch of one DRAM channel under random traffic of three tenants, with ranks and queues that change: against a
 * count of each cycle, and of the rows that each tenant has read last. By hand: test_dram_rank.
 */
#include "unit/test.h"
#include "dram/channel.h"
#include "dram_fixture.h"

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
