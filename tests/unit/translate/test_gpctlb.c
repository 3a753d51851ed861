/* TLBs of the GPCs, and entries that cover several pages: cycles by hand, and against the obvious way to do it. */
#include "unit/test.h"
#include "translate_fixture.h"
#include "random.h"
#include "translate/tlb.h"

/* SM to GPC, and a look-up there. With a GPC TLB the way to the L2 TLB begins behind its look-up. */
enum { V = 3, G = 5, TO_GPC = LSU + L1TLB + V, L2TLB_AND_BACK = G + WIRE + L2TLB + WIRE };

static struct mh_config gpc_config(uint32_t sms, uint32_t gpcs, uint32_t entries)
{
    struct mh_config cfg = small_config(sms);

    cfg.sm.gpcs = gpcs;
    cfg.gpctlb.entries = cfg.gpctlb.ways = entries;
    cfg.gpctlb.latency = G;
    cfg.gpctlb.mshrs = 4;
    cfg.gpctlb.wire = V;
    return cfg;
}

TEST(test_hit)
{
    struct mh_config cfg = gpc_config(1, 1, 2);
    struct script *s;
    LOCAL_GPU(g) = to_and_fro_ended(&cfg, &s);
    const struct mh_counters *c = &g->tenant[0].count;
    assert_int_equal(chain_cycles(s, 2), TO_GPC + G + V + HIT); /* 15 */
    assert_int_equal(chain_cycles(s, 3), TO_GPC + G + V + HIT);
    assert_int_equal(c->gpctlb_access, 4);
    assert_int_equal(c->gpctlb_hit, 2);
    assert_int_equal(c->l2tlb_access, 2);
}

TEST(test_miss)
{
    struct mh_config cfg = gpc_config(1, 1, 1);
    struct script *s;
    LOCAL_GPU(g) = to_and_fro_ended(&cfg, &s);
    const struct mh_counters *c = &g->tenant[0].count;
    assert_int_equal(chain_cycles(s, 2), TO_GPC + L2TLB_AND_BACK + V + HIT); /* 41 */
    assert_int_equal(c->gpctlb_hit + c->gpctlb_merge, 0);
    assert_int_equal(c->l2tlb_access, 4);
    assert_int_equal(c->l2tlb_hit, 2);
}

/* Pages 0 and 1 are in the L2 TLB alone. One instruction wants both; the second waits for the only MSHR. */
TEST(test_stall)
{
    struct mh_config cfg = gpc_config(1, 1, 1);
    uint64_t addr[MH_MAX_LANES] = {in_page(0, 0), in_page(1, 128)};
    struct script *s = script_paged(4, 1);
    cfg.gpctlb.mshrs = 1;
    for (uint32_t i = 0; i < 3; i++)
        script_add(s, 0, 0, 0, op_wait(op_load(in_page(i, 128 * i))));
    script_add_list(s, 0, 0, 0, op_wait(op_lanes(MH_OP_LOAD, 4, 3, 0, 0)), addr);
    script_add(s, 0, 0, 0, op_wait(op_barrier()));
    LOCAL_GPU(g) = script_gpu(&cfg, &s);
    script_until(g, &g->tenant[0].count.completions, 1);
    assert_int_equal(script_issued(s, 0, 0, 0, 4) - script_issued(s, 0, 0, 0, 3),
                     TO_GPC + 2 * L2TLB_AND_BACK + V + HIT); /* 72 */
    assert_int_equal(g->tenant[0].count.gpctlb_access, 5);
    script_assert_idle(g);
}

static void load_one_page(uint32_t gpcs, uint32_t merged, uint32_t went_on)
{
    struct mh_config cfg = gpc_config(4, gpcs, 2);
    LOCAL_GPU(g) = one_load_each(&cfg, 0);
    const struct mh_counters *c = &g->tenant[0].count;
    script_until(g, &c->completions, 1);
    assert_int_equal(c->gpctlb_access, 4);
    assert_int_equal(c->gpctlb_merge, merged);
    assert_int_equal(c->l2tlb_access, went_on);
    assert_int_equal(c->walks, 1);
    script_assert_idle(g);
}

/* Four SMs miss one page: each GPC asks once. */
TEST(test_merge)
{
    load_one_page(1, 3, 1);
    load_one_page(2, 2, 2);
    load_one_page(4, 0, 4);
}

/* 108 = 3 x 16 + 4 x 15. */
TEST(test_division)
{
    struct mh_config cfg = gpc_config(108, 7, 1);
    uint32_t sms[7] = {0};
    struct script *s = script_paged(1, 1);
    LOCAL_GPU(g) = script_gpu(&cfg, &s);
    for (uint32_t i = 0; i < 108; i++) {
        assert_true(!i || g->gpctlb->of_sm[i] - g->gpctlb->of_sm[i - 1] <= 1);
        sms[g->gpctlb->of_sm[i]]++;
    }
    for (uint32_t i = 0; i < 7; i++)
        assert_int_equal(sms[i], i < 3 ? 16 : 15);
}

static void flush_sm(uint32_t gpcs, uint32_t walks)
{
    struct mh_config cfg = gpc_config(2, gpcs, 2);
    LOCAL_GPU(g) = one_load_each(&cfg, 0);
    script_until(g, &g->tenant[0].count.completions, 1);
    mh_flush_sm(g, 0, 0);
    assert_int_equal(mh_wide_lookup(&g->gpctlb->gpc[0].tlb, mh_page_key(0, SCRIPT_BASE / SCRIPT_PAGE)), -1);
    assert_true((mh_wide_lookup(&g->gpctlb->gpc[gpcs - 1].tlb, mh_page_key(0, SCRIPT_BASE / SCRIPT_PAGE)) >= 0) ==
                (walks > 1));
}

/* A flush of an SM is of its GPC's TLB, too; another GPC keeps what it has. */
TEST(test_flush_sm)
{
    flush_sm(1, 1);
    flush_sm(2, 2);
}

/* --- Entries of several pages. */

/* Pages 0 .. 3, then again: they hit where one entry has all of them. */
static const struct mh_counters *rounds(struct mh_config *cfg, struct mh_gpu **g)
{
    const uint64_t addr[] = {in_page(0, 0), in_page(1, 128), in_page(2, 256), in_page(3, 384),
                             in_page(0, 0), in_page(1, 128), in_page(2, 256), in_page(3, 384)};
    struct script *s;
    *g = chain_ended(cfg, 8, addr, &s);
    return &(*g)->tenant[0].count;
}

TEST(test_l1_covers)
{
    for (uint32_t covers = 1; covers <= 16; covers *= 2) {
        struct mh_config cfg = small_config(1);
        struct mh_gpu *g;
        cfg.l1tlb.covers = covers;
        const struct mh_counters *c = rounds(&cfg, &g);
        assert_int_equal(c->l1tlb_access, 8);
        assert_int_equal(c->l1tlb_hit, covers >= 4 ? 4 : 0);
        mh_gpu_destroy(g);
    }
}

TEST(test_gpc_covers)
{
    for (uint32_t covers = 1; covers <= 16; covers *= 2) {
        struct mh_config cfg = gpc_config(1, 1, 1);
        struct mh_gpu *g;
        cfg.gpctlb.covers = covers;
        assert_int_equal(rounds(&cfg, &g)->gpctlb_hit, covers >= 4 ? 4 : 0);
        mh_gpu_destroy(g);
    }
}

TEST(test_l2_covers)
{
    for (uint32_t covers = 1; covers <= 16; covers *= 2) {
        struct mh_config cfg = walking_config(1);
        struct mh_gpu *g;
        cfg.l2tlb.covers = covers;
        const struct mh_counters *c = rounds(&cfg, &g);
        assert_int_equal(c->l2tlb_access, 8);
        assert_int_equal(c->l2tlb_hit, covers >= 4 ? 4 : 0);
        assert_int_equal(c->walks, covers >= 4 ? 4 : 8); /* a page each: its neighbours are not valid with it */
        mh_gpu_destroy(g);
    }
}

/* A TLB whose entries cover several pages, against the obvious way to do it. */

enum { PAGES = 96, TENANTS = 2, MOST_ENTRIES = 16, MOST_COVERS = 16 };

/* Entries in no order, with the time of their last use; 0: free. */
struct list {
    struct {
        uint32_t tenant, group;
        uint64_t used;
        int64_t frame[MOST_COVERS];
    } entry[MOST_ENTRIES];
    uint32_t entries, sets, covers;
    uint64_t time;
};

static int find(const struct list *l, uint32_t tenant, uint32_t group)
{
    for (uint32_t i = 0; i < l->entries; i++)
        if (l->entry[i].used && l->entry[i].tenant == tenant && l->entry[i].group == group)
            return (int)i;
    return -1;
}

/* Entry i belongs to set i % sets. */
static uint32_t victim(const struct list *l, uint32_t set)
{
    uint32_t v = set;
    for (uint32_t i = set; i < l->entries; i += l->sets)
        if (l->entry[i].used < l->entry[v].used)
            v = i;
    return v;
}

static int64_t list_lookup(struct list *l, uint32_t tenant, uint32_t page)
{
    int i = find(l, tenant, page / l->covers);
    if (i < 0 || l->entry[i].frame[page % l->covers] < 0)
        return -1;
    l->entry[i].used = ++l->time;
    return l->entry[i].frame[page % l->covers];
}

static void list_fill(struct list *l, uint32_t tenant, uint32_t page, uint32_t frame)
{
    uint32_t group = page / l->covers;
    int i = find(l, tenant, group);
    if (i < 0) {
        i = (int)victim(l, group % l->sets);
        l->entry[i].tenant = tenant;
        l->entry[i].group = group;
        memset(l->entry[i].frame, 0xff, sizeof l->entry[i].frame);
    }
    l->entry[i].frame[page % l->covers] = frame;
    l->entry[i].used = ++l->time;
}

static void list_drop(struct list *l, uint32_t tenant, uint32_t page)
{
    int i = find(l, tenant, page / l->covers);
    bool left = false;
    if (i < 0)
        return;
    l->entry[i].frame[page % l->covers] = -1;
    for (uint32_t p = 0; p < l->covers; p++)
        left |= l->entry[i].frame[p] >= 0;
    if (!left)
        l->entry[i].used = 0;
}

static void list_flush(struct list *l, uint32_t tenant)
{
    for (uint32_t i = 0; i < l->entries; i++)
        if (l->entry[i].tenant == tenant)
            l->entry[i].used = 0;
}

static void step(struct mh_wide *w, struct list *l, uint64_t *rng)
{
    uint32_t tenant = pick(rng, 0, TENANTS - 1), page = pick(rng, 0, PAGES - 1), key = mh_page_key(tenant, page);
    switch (pick(rng, 0, 99)) {
    case 0:
        mh_wide_flush(w, tenant);
        list_flush(l, tenant);
        return;
    case 1 ... 9:
        mh_wide_drop(w, key);
        list_drop(l, tenant, page);
        return;
    case 10 ... 40:
        mh_wide_fill(w, key, 1000 * tenant + page);
        list_fill(l, tenant, page, 1000 * tenant + page);
        return;
    default:
        assert_int_equal(mh_wide_lookup(w, key), list_lookup(l, tenant, page));
    }
}

static void compare(uint32_t sets, uint32_t ways, uint32_t covers)
{
    struct mh_wide w;
    struct list l = {.entries = sets * ways, .sets = sets, .covers = covers};
    uint64_t rng = sets * 100 + ways * 10 + covers, hits = 0;
    assert_int_equal(mh_wide_init(&w, sets * ways, ways, MH_SETS_MODULO, covers), 0);
    for (uint32_t i = 0; i < 20000; i++)
        step(&w, &l, &rng);
    for (uint32_t t = 0; t < TENANTS; t++)
        for (uint32_t p = 0; p < PAGES; p++)
            hits += mh_wide_lookup(&w, mh_page_key(t, p)) >= 0;
    assert_true(hits);
    mh_wide_free(&w);
}

TEST(test_random)
{
    for (uint32_t covers = 1; covers <= MOST_COVERS; covers *= 2) {
        compare(1, 1, covers);
        compare(1, 5, covers);
        compare(4, 4, covers);
        compare(8, 2, covers);
    }
}
