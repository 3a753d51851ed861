/* L1D_WAYS: victims by hand and against the rules of sm/ways.h written again; the lines that a tenant keeps. */
#include "unit/test.h"
#include "sm_fixture.h"
#include "sm/l1d.h"

enum { WAYS = 4, TENANTS = 3 };

static void set_ways(struct mh_gpu *g, const uint32_t ways[TENANTS])
{
    for (uint32_t t = 0; t < TENANTS; t++)
        script_write(g, MH_REG_L1D_WAYS + t * MH_REG_L1D_WAYS_STRIDE, ways[t]);
    script_commit(g);
}

static struct mh_gpu *three_tenants(void)
{
    struct mh_config cfg = shared_config(TENANTS);
    struct script *s[TENANTS];
    cfg.l1d.ways = WAYS;
    for (uint32_t t = 0; t < TENANTS; t++)
        s[t] = script_computing(1, 10);
    return script_gpu(&cfg, s);
}

/* Line n of the tenant, as an entry of the L1D. */
static uint32_t entry(const struct mh_gpu *g, uint32_t tenant, uint32_t n)
{
    return script_line(g, tenant, in_page(n, 0)) << MH_TAG_BITS | 1;
}

/* A set by its tenants, most recently used first; '-': an empty way. */
static void fill(const struct mh_gpu *g, uint32_t *set, const char *tenants)
{
    for (uint32_t w = 0; w < WAYS; w++)
        set[w] = tenants[w] == '-' ? 0 : entry(g, (uint32_t)(tenants[w] - 'A'), w);
}

TEST(test_by_hand)
{
    static const struct {
        uint32_t ways[TENANTS];
        const char *set, *comes; /* each tenant whose line comes */
        uint32_t way;
    } rows[] = {
        {{2, 2, 0}, "ABAB", "A", 2},                              /* it has its ways: its own, though B's is older */
        {{2, 2, 0}, "ABAB", "B", 3}, {{3, 1, 0}, "BBAA", "A", 1}, /* below: B's oldest, though its own is older */
        {{3, 1, 0}, "BBAA", "B", 1},                              /* above: its own */
        {{3, 1, 0}, "AB-A", "A", 2},                              /* an empty way, wherever it is */
        {{1, 3, 0}, "AB--", "A", 0},                              /* no more than its ways, even where some are empty */
        {{1, 1, 2}, "ABBC", "C", 2},                              /* B has more than its ways; A has just its own */
        {{2, 0, 0}, "AABC", "B", 3}, /* without ways of their own: the oldest of those that have none */
        {{2, 0, 0}, "BCAA", "B", 1}, {{2, 0, 0}, "BCAA", "C", 1},
        {{2, 0, 0}, "BCBA", "A", 2}, {{2, 2, 0}, "ABBA", "C", 3}, /* all are others' own: the oldest */
        {{4, 4, 0}, "ABBA", "A", 2},                              /* more ways than there are: the oldest of another */
    };
    LOCAL_GPU(g) = three_tenants();
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t set[WAYS], line = entry(g, (uint32_t)(*rows[i].comes - 'A'), 7) >> MH_TAG_BITS;
        set_ways(g, rows[i].ways);
        fill(g, set, rows[i].set);
        assert_true(g->l1d_apart);
        assert_int_equal(mh_ways_victim(g, set, line), rows[i].way);
    }
}

struct held {
    uint32_t owner[WAYS]; /* of each way, TENANTS: empty */
};

static uint32_t count(const struct held *h, uint32_t tenant)
{
    uint32_t n = 0;
    for (uint32_t w = 0; w < WAYS; w++)
        n += h->owner[w] == tenant;
    return n;
}

/* Lower goes first; the way's age decides among equals. */
static uint32_t weight(const struct held *h, const uint32_t *ways, uint32_t tenant, uint32_t w)
{
    uint32_t o = h->owner[w];
    bool full = ways[tenant] && count(h, tenant) >= ways[tenant];
    if (full)
        return o == tenant ? 0 : 4;
    if (o == TENANTS)
        return 0;
    if (!ways[o] || count(h, o) > ways[o])
        return 1;
    return o == tenant ? 3 : 2;
}

static uint32_t expected(const struct held *h, const uint32_t *ways, uint32_t tenant)
{
    uint32_t best = 0;
    for (uint32_t w = 1; w < WAYS; w++)
        if (weight(h, ways, tenant, w) <= weight(h, ways, tenant, best))
            best = w;
    return best;
}

TEST(test_random_sets)
{
    LOCAL_GPU(g) = three_tenants();
    uint64_t rng = 5;
    for (uint32_t i = 0; i < 20000; i++) {
        uint32_t ways[TENANTS], set[WAYS], tenant = pick(&rng, 0, TENANTS - 1);
        struct held h;
        if (i % 50 == 0) {
            for (uint32_t t = 0; t < TENANTS; t++)
                ways[t] = pick(&rng, 0, WAYS);
            ways[0] += !ways[0] && !ways[1] && !ways[2];
            set_ways(g, ways);
        }
        memcpy(ways, g->knobs.l1d_ways, sizeof ways);
        for (uint32_t w = 0; w < WAYS; w++) {
            h.owner[w] = pick(&rng, 0, TENANTS - (pick(&rng, 0, 2) != 0));
            set[w] = h.owner[w] == TENANTS ? 0 : entry(g, h.owner[w], w);
        }
        assert_int_equal(mh_ways_victim(g, set, entry(g, tenant, 9) >> MH_TAG_BITS), expected(&h, ways, tenant));
    }
}

/* Loads of lines of one set, `gap` cycles behind the data of the one before; `lines` of them in turn. */
static struct script *circle(uint32_t lines, uint32_t loads, uint32_t gap)
{
    struct script *s = script_paged(CHAIN_PAGES, 1);
    for (uint32_t i = 0; i < loads; i++)
        script_add(s, 0, 0, 0, op_wait(op_after(gap, op_load(in_page(i % lines, 0)))));
    return s;
}

/* One SM of one set: tenant 0 goes round two lines at leisure, tenant 1 round twenty. Hits of tenant 0's 200 loads. */
static uint64_t hits_with(uint32_t own, uint32_t other)
{
    enum { LOADS = 200 };
    struct mh_config cfg = script_config(1, 2);
    script_share_sms(&cfg);
    cfg.l1d.ways = WAYS;
    cfg.l1d.bytes = WAYS * MH_LINE_BYTES;
    cfg.sm.scheduler = MH_LRR; /* GTO would not let tenant 1 issue in the gaps */
    struct script *s[2] = {circle(2, LOADS, 1000), circle(20, LOADS, 0)};
    script_repeat(s[1]);
    LOCAL_GPU(g) = script_gpu(&cfg, s);
    script_write(g, MH_REG_L1D_WAYS, own);
    script_write(g, MH_REG_L1D_WAYS + MH_REG_L1D_WAYS_STRIDE, other);
    script_commit(g);
    uint64_t most = 0;
    while (!g->tenant[0].count.completions) {
        mh_gpu_advance(g, mh_gpu_now(g) + 100);
        uint32_t held = 0;
        for (uint32_t w = 0; w < WAYS; w++)
            held += g->sm->l1d.entry[w] && mh_line_tenant(g, g->sm->l1d.entry[w] >> MH_TAG_BITS) == 1;
        most = held > most ? held : most;
    }
    if (other)
        assert_true(most <= other);
    uint64_t hits = g->tenant[0].count.l1d_hit;
    assert_int_equal(g->tenant[1].count.l1d_hit, 0);
    return hits;
}

TEST(test_ways_keep_lines)
{
    assert_int_equal(hits_with(2, 2), 200 - 2);
    assert_int_equal(hits_with(2, 0), 200 - 2);
    assert_int_equal(hits_with(1, 3), 0);
    assert_int_equal(hits_with(0, 0), 0);
}

/* Where tenants have SMs of their own there is nothing to share: the knobs stay at 0. */
TEST(test_where_sms_are_not_shared)
{
    struct mh_config cfg = script_config(2, 2);
    struct script *s[2] = {circle(2, 10, 0), circle(2, 10, 0)};
    struct mh_gpu *g = script_gpu(&cfg, s);
    assert_int_equal(script_read(g, MH_REG_CAP_FEATURES) & MH_FEATURE_L1D_WAYS, 0);
    assert_int_equal(script_read(g, MH_REG_CAP_L1D_WAYS), cfg.l1d.ways);
    script_refused(g, MH_REG_L1D_WAYS, 1);
    script_refused(g, MH_REG_L1D_MONITOR, 1);
    mh_gpu_destroy(g);
    g = three_tenants();
    assert_true(script_read(g, MH_REG_CAP_FEATURES) & MH_FEATURE_L1D_WAYS);
    script_knob(g, MH_REG_L1D_WAYS, WAYS);
    script_refused(g, MH_REG_L1D_WAYS, WAYS + 1);
    mh_gpu_destroy(g);
}
