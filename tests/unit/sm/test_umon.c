/*
 * Monitors of the L1D: positions by hand, against lists of lines in order of last use, and against caches of fewer
 * ways really hit.
 */
#include "unit/test.h"
#include "sm_fixture.h"
#include "sm/umon.h"

enum { WAYS = 4, ALL = 0xf };

static struct mh_config config(uint32_t sets, uint32_t tenants)
{
    struct mh_config cfg = script_config(1, tenants);
    script_share_sms(&cfg);
    cfg.l1d.ways = WAYS;
    cfg.l1d.bytes = sets * WAYS * MH_LINE_BYTES;
    return cfg;
}

TEST(test_positions_by_hand)
{
    struct mh_config cfg = config(1, 2);
    struct mh_umon *u = mh_umon_create(&cfg, 0);
    static const uint32_t lines[] = {1, 2, 3, 1, 1, 2, 4, 5, 3, 1};
    for (uint32_t i = 0; i < sizeof lines / sizeof *lines; i++)
        mh_umon_load(u, lines[i], 1, ALL, ALL);
    /* 1 at 2, 1 at 0, 2 at 2; before 5 comes 3 is the last of four, and goes; so does 1 when 3 comes. */
    const uint32_t want[MH_L1D_POSITIONS] = {1, 0, 2, 0};
    assert_memory_equal(u->hits[1], want, sizeof want);
    const uint32_t none[MH_L1D_POSITIONS] = {0};
    assert_memory_equal(u->hits[0], none, sizeof none);
    mh_umon_load(u, 1, 0, ALL, ALL); /* tenant 0 has a directory of its own */
    assert_memory_equal(u->hits[0], none, sizeof none);
    mh_umon_drop(u, 1, 1); /* an atomic: the line is gone, those behind it move up */
    mh_umon_load(u, 3, 1, ALL, ALL);
    assert_int_equal(u->hits[1][0], 2);
    mh_umon_load(u, 1, 1, ALL, ALL);
    assert_int_equal(u->hits[1][0], 2);
    mh_umon_destroy(u);
}

/* A line that lacks a sector is no hit, and is the most recent one; what a miss fetches is there then. */
TEST(test_sectors)
{
    struct mh_config cfg = config(1, 2);
    struct mh_umon *u = mh_umon_create(&cfg, 0);
    mh_umon_load(u, 1, 0, 1, 3);
    mh_umon_load(u, 2, 0, 1, 3);
    mh_umon_load(u, 1, 0, 4, 12); /* lacks it */
    mh_umon_load(u, 1, 0, 2, 3);  /* came with the first; position 0 */
    mh_umon_load(u, 2, 0, 3, 3);  /* position 1 */
    mh_umon_load(u, 2, 0, 5, 15); /* one of two: no hit */
    const uint32_t want[MH_L1D_POSITIONS] = {1, 1};
    assert_memory_equal(u->hits[0], want, sizeof want);
    mh_umon_destroy(u);
}

/* Which sets: those congruent to the SM's number modulo 8; of 5 sets one. */
TEST(test_sampled_sets)
{
    for (uint32_t sm = 0; sm < 20; sm++)
        for (uint32_t sets = 1; sets < 30; sets++) {
            struct mh_config cfg = config(sets, 3);
            struct mh_umon *u = mh_umon_create(&cfg, sm);
            uint32_t every = sets < 8 ? sets : 8;
            for (uint32_t line = 0; line < sets; line++)
                for (uint32_t twice = 0; twice < 2; twice++)
                    mh_umon_load(u, line, 2, ALL, ALL);
            uint32_t sampled = 0;
            for (uint32_t set = 0; set < sets; set++)
                sampled += set % every == sm % every;
            assert_int_equal(u->hits[2][0], sampled);
            mh_umon_destroy(u);
        }
}

enum { SETS = 19, LINES = 200, TENANTS = 3, MOST = 64 };

struct line {
    uint32_t line;
    uint8_t sectors;
};

struct list {
    struct line line[MOST];
    uint32_t count;
};

static int place(const struct list *l, uint32_t line)
{
    for (uint32_t i = 0; i < l->count; i++)
        if (l->line[i].line == line)
            return (int)i;
    return -1;
}

static struct line take(struct list *l, int at)
{
    struct line taken = l->line[at];
    memmove(&l->line[at], &l->line[at + 1], (--l->count - (uint32_t)at) * sizeof l->line[0]);
    return taken;
}

/* Position of the hit, or -1. */
static int look_up(struct list *l, uint32_t line, uint8_t sectors)
{
    int at = place(l, line);
    struct line found = at < 0 ? (struct line){line, 0} : take(l, at);
    bool hit = !(sectors & ~found.sectors);
    found.sectors |= sectors;
    memmove(&l->line[1], &l->line[0], l->count * sizeof l->line[0]);
    l->line[0] = found;
    if (++l->count > WAYS)
        l->count = WAYS;
    return hit ? at : -1;
}

TEST(test_random)
{
    struct mh_config cfg = config(SETS, TENANTS);
    struct mh_umon *u = mh_umon_create(&cfg, 3);
    static struct list list[TENANTS][SETS];
    uint32_t hits[MH_MAX_TENANTS][MH_L1D_POSITIONS] = {0};
    uint64_t rng = 11;
    for (uint32_t i = 0; i < 100000; i++) {
        uint32_t tenant = pick(&rng, 0, TENANTS - 1), line = pick(&rng, 0, LINES - 1), set = line % SETS;
        uint8_t sectors = (uint8_t)(pick(&rng, 0, 3) ? 1 : pick(&rng, 1, 15));
        bool drop = pick(&rng, 0, 19) == 0;
        if (drop)
            mh_umon_drop(u, line, tenant);
        else
            mh_umon_load(u, line, tenant, sectors, sectors);
        if (set % 8 != 3)
            continue;
        struct list *l = &list[tenant][set];
        if (drop && place(l, line) >= 0)
            take(l, place(l, line));
        int at = drop ? -1 : look_up(l, line, sectors);
        if (at >= 0)
            hits[tenant][at]++;
    }
    assert_memory_equal(u->hits, hits, sizeof hits);
    assert_true(hits[2][WAYS - 1] > 100);
    mh_umon_destroy(u);
}

/* One in `stores` is a store; 0: none. */
static struct script *random_chain(uint64_t seed, uint32_t stores)
{
    struct script *s = script_paged(CHAIN_PAGES, 1);
    for (uint32_t i = 0; i < 400; i++) {
        uint64_t address = in_page(pick(&seed, 0, 1) ? pick(&seed, 0, 2) : pick(&seed, 0, 8), 0);
        bool store = stores && !pick(&seed, 0, stores - 1);
        script_add(s, 0, 0, 0, op_wait(store ? op_store(address) : op_load(address)));
    }
    return s;
}

static uint32_t read_hits(struct mh_gpu *g, uint32_t tenant, uint32_t ways)
{
    uint32_t sum = 0;
    for (uint32_t w = 0; w < ways; w++)
        sum += script_read(g, MH_REG_L1D_HITS_0 + tenant * MH_REG_L1D_HITS_0_STRIDE + 4 * w);
    return sum;
}

/* One SM with one set of that many ways, two tenants, a load at a time each. */
static struct mh_gpu *two_chains(uint32_t ways, bool monitor, bool both)
{
    struct mh_config cfg = config(1, 2);
    cfg.l1d.ways = ways;
    cfg.l1d.bytes = ways * MH_LINE_BYTES;
    struct script *s[2] = {random_chain(1, 0), both ? random_chain(2, 0) : script_computing(1, 10)};
    struct mh_gpu *g = script_gpu(&cfg, s);
    script_knob(g, MH_REG_L1D_MONITOR, monitor);
    script_until(g, &g->tenant[0].count.completions, 1);
    return g;
}

/* With n ways, alone, tenant 0 hits what the monitors of 8 ways have said, whichever tenant shared them then. */
TEST(test_predicts_fewer_ways)
{
    for (uint32_t both = 0; both < 2; both++) {
        LOCAL_GPU(wide) = two_chains(8, true, both);
        assert_int_equal(read_hits(wide, 0, 8), 0); /* before the SNAPSHOT */
        script_write(wide, MH_REG_SNAPSHOT, 1);
        for (uint32_t ways = 1; ways <= 8; ways++) {
            LOCAL_GPU(g) = two_chains(ways, false, false);
            assert_int_equal(read_hits(wide, 0, ways), g->tenant[0].count.l1d_hit);
            assert_true(g->tenant[0].count.l1d_hit > 20);
            script_write(g, MH_REG_SNAPSHOT, 1);
            assert_int_equal(read_hits(g, 0, 8), 0);
        }
        assert_int_equal(read_hits(wide, 0, 16), read_hits(wide, 0, 8));
        assert_true((read_hits(wide, 1, 8) > 0) == both);
    }
}

/* A store that drops the line of the L1D drops that of the directory: with all ways alone both hit alike. */
TEST(test_follows_stores)
{
    uint64_t hits[2];
    for (uint32_t drop = 0; drop < 2; drop++) {
        struct mh_config cfg = config(1, 2);
        cfg.l1d.store_hit = drop ? MH_STORE_HIT_DROP : MH_STORE_HIT_KEEP;
        struct script *s[2] = {random_chain(3, 4), script_computing(1, 10)};
        LOCAL_GPU(g) = script_gpu(&cfg, s);
        script_knob(g, MH_REG_L1D_MONITOR, 1);
        script_until(g, &g->tenant[0].count.completions, 1);
        script_write(g, MH_REG_SNAPSHOT, 1);
        hits[drop] = g->tenant[0].count.l1d_hit;
        assert_int_equal(read_hits(g, 0, WAYS), hits[drop]);
    }
    assert_true(hits[1] > 20 && hits[1] + 20 < hits[0]);
}

/* The monitors change nothing but their registers. */
TEST(test_only_looks)
{
    struct mh_gpu *a = two_chains(4, true, true), *b = two_chains(4, false, true);
    assert_int_equal(mh_gpu_now(a), mh_gpu_now(b));
    for (uint32_t t = 0; t < 2; t++)
        assert_memory_equal(&mh_gpu_stats(a)->tenant[t], &mh_gpu_stats(b)->tenant[t], sizeof(struct mh_counters));
    mh_gpu_destroy(a);
    mh_gpu_destroy(b);
}
