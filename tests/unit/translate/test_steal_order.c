/* Walkers with queues of their own: the order inside a queue, and a full queue stops no other tenant. */
#include <ctype.h>
#include "unit/test.h"
#include "walk_fixture.h"
#include "translate_fixture.h"
#include "script.h"

enum { WALKERS = 4, ENTRIES = 8, TABLE = 4, SCAN = 8 };

/*
 * Walks arrive a cycle apart, an instruction a letter: capitals are tenant 0's, the others tenant 1's. Without a page
 * walk cache each adds 4 to the score of its instruction. The first ones, X, Y and z, take the idle walkers; the others
 * wait, and since all walks take equally long the walkers are free again in turn. `served` is what each walker does.
 */
struct scene {
    const char *name, *owners;
    enum mh_walk_order order;
    uint32_t batch, age, steal, diff_thres;
    const char *arrivals, *served[WALKERS];
};

#define AGE    1000
#define STATIC MH_STEAL_NEVER, MH_DIFF_NEVER

static const struct scene scenes[] = {
    {"fcfs", "01", MH_WALK_FCFS, 1, AGE, STATIC, "XzAAABBCdddde", {"XAAABBC", "zdddde"}},
    {"lowest scores, in batches", "01", MH_WALK_SIMT, 1, AGE, STATIC, "XzAAABBCdddde", {"XCBBAAA", "zedddd"}},
    {"of equals the oldest", "01", MH_WALK_SIMT, 0, AGE, STATIC, "XzABABcdcd", {"XABAB", "zcdcd"}},
    {"each queue has its own batch", "01", MH_WALK_SIMT, 1, AGE, STATIC, "XzABABcdcd", {"XAABB", "zccdd"}},
    {"also with what took the walker", "01", MH_WALK_SIMT, 1, AGE, STATIC, "XzAXBczd", {"XXAB", "zzcd"}},
    {"scored, without scores", "01", MH_WALK_SCORED, 1, AGE, STATIC, "XzAAABddde", {"XBAAA", "zeddd"}},
    /* In the same time walker 1 serves walks that pass none here. */
    {"two may pass in the queue", "01", MH_WALK_SIMT, 1, 2, STATIC, "XzAABCDEmnopqr", {"XBCAADE", "zmnopqr"}},
    /* Queues A B A and B A C; 12, 8 and 4. B does not wait in walker 0's queue any more, its score is still 8. */
    {"one tenant's", "0011", MH_WALK_SIMT, 1, AGE, STATIC, "XYABBAAC", {"XBAA", "YCBA", "", ""}},
    {"not the lowest score of another queue", "01", MH_WALK_SIMT, 1, AGE, STATIC, "XzAAABBde", {"XBBAAA", "zde"}},
    {"nor of the tenant's own", "0011", MH_WALK_SIMT, 1, AGE, STATIC, "XYABACA", {"XAAA", "YBC", "", ""}},
    /* Walker 1 has none left when two As wait. */
    {"DWS: nor while it has walks", "01", MH_WALK_SIMT, 1, AGE, MH_STEAL_DWS, 0, "XzAAABBde", {"XBBAA", "zdeA"}},
    {"DWS: in the queue that is stolen from", "01", MH_WALK_SIMT, 1, AGE, MH_STEAL_DWS, 0, "Xzdddef", {"Xedd", "zfd"}},
    {"DWS++: no theft", "01", MH_WALK_SIMT, 1, AGE, MH_STEAL_DWSPP, MH_DIFF_NEVER, "XzAAAde", {"XAAA", "zde"}},
    /* 2 pending walks against 7, 1 against 4; never twice. */
    {"DWS++: early theft", "01", MH_WALK_SIMT, 1, AGE, MH_STEAL_DWSPP, 0, "XzAAddddde", {"XeAdA", "zdddd"}},
};

static void set_order(struct mh_gpu *g, const struct scene *s)
{
    script_write(g, MH_REG_WALK_ORDER, s->order);
    script_write(g, MH_REG_WALK_BATCH, s->batch);
    script_write(g, MH_REG_WALK_AGE, s->age);
    script_write(g, MH_REG_QUEUE_THRES, ENTRIES);
    for (uint32_t t = 0; t < 2; t++)
        script_write(g, MH_REG_DIFF_THRES + t * MH_REG_DIFF_THRES_STRIDE, s->diff_thres);
    script_commit(g);
}

/* All page table lines are in the L2. */
static struct mh_gpu *open_scene(const struct scene *s)
{
    struct mh_gpu *g = steal_gpu(2, (uint32_t)strlen(s->owners), ENTRIES, s->steal);

    assert_int_equal(g->cfg.walk.pwc_bytes, 0);
    assert_int_equal(g->cfg.walk.table_latency, TABLE);
    assert_int_equal(g->cfg.walk.scan_latency, SCAN);
    set_owners(g, s->owners);
    for (uint32_t t = 0; t < 2; t++)
        begin_walk(g, t, 8);
    until_walks(g, 2);
    set_order(g, s);
    return g;
}

struct log {
    char served[WALKERS][16];
    uint32_t walk[WALKERS]; /* that the walker has or had last */
};

/* One cycle, and the walks that have got a walker in it. */
static void step(struct mh_gpu *g, struct log *log)
{
    mh_gpu_advance(g, mh_gpu_now(g) + 1);
    for (uint32_t id = 0; id < g->l2tlb->mshrs; id++) {
        const struct mh_walk *w = &g->l2tlb->walk[id];

        if (!w->runs || log->walk[w->walker] == id)
            continue;
        log->walk[w->walker] = id;
        log->served[w->walker][strlen(log->served[w->walker])] = (char)w->instruction;
    }
}

static void play(const struct scene *s)
{
    struct mh_gpu *g = open_scene(s);
    struct log log = {.served = {""}};
    uint32_t walks = (uint32_t)strlen(s->arrivals);

    memset(log.walk, 0xff, sizeof log.walk);
    for (uint32_t i = 0; i < walks; i++) {
        begin_walk_of(g, islower((unsigned char)s->arrivals[i]) != 0, (uint32_t)s->arrivals[i], i);
        step(g, &log);
    }
    while (g->tenant[0].count.walks + g->tenant[1].count.walks < 2 + walks)
        step(g, &log);
    for (uint32_t w = 0; s->owners[w]; w++)
        if (strcmp(log.served[w], s->served[w]))
            fail_msg("%s: walker %u serves %s, expected %s", s->name, w, log.served[w], s->served[w]);
    script_end(g);
}

TEST(test_scenes)
{
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++)
        play(&scenes[i]);
}

/* Out of a queue the choice by score adds its search to the tables; searches of two queues do not disturb. */
TEST(test_search_takes_time)
{
    for (enum mh_walk_order order = MH_WALK_FCFS; order <= MH_WALK_SCORED; order++) {
        const struct scene s = {"", "01", order, 1, AGE, STATIC, NULL, {NULL}};
        uint32_t search = order >= MH_WALK_SIMT ? SCAN : 0;
        LOCAL_GPU(g) = open_scene(&s);
        uint64_t now = mh_gpu_now(g);

        for (uint32_t i = 0; i < 4; i++) {
            begin_walk_of(g, i % 2, 'A' + i, i);
            mh_gpu_advance(g, now + i + 1);
        }
        assert_string_equal(lengths(g), "11");
        assert_int_equal(until_walks(g, 2 + 1), now + TABLE + WALK);
        assert_int_equal(until_walks(g, 2 + 2), now + 1 + TABLE + WALK);
        assert_int_equal(until_walks(g, 2 + 3), now + TABLE + WALK + TABLE + search + WALK);
        assert_int_equal(until_walks(g, 2 + 4), now + 1 + TABLE + WALK + TABLE + search + WALK);
    }
}

enum { LIST = 60, LATER = 500 };

/* One walker and one place for each of two tenants, and few of all else. */
static struct mh_config narrow_config(bool iommu)
{
    struct mh_config cfg = walking_config(2);

    cfg = script_config(2, 2);
    cfg.l1tlb.entries = 1;
    cfg.l2tlb.mshrs = 8;
    cfg.l2tlb.queue = 4;
    cfg.walk.walkers = 2;
    cfg.walk.buffer = 2;
    cfg.iommu.latency = iommu ? 10 : 0;
    cfg.iommu.l1_entries = iommu;
    cfg.iommu.l2_entries = 0;
    return cfg;
}

/* Tenant 0 loads `pages` pages at once; tenant 1 one page, later. */
static struct mh_gpu *two_tenants(const struct mh_config *cfg, uint32_t pages)
{
    struct script *s[2];
    uint64_t addr[MH_MAX_LANES] = {0};
    for (uint32_t t = 0; t < 2; t++) {
        s[t] = script_paged(64, 1);
    }
    for (uint32_t l = 0; l < pages; l++)
        addr[l] = in_page(l, 0);
    if (pages)
        script_add_list(s[0], 0, 0, 0, op_lanes(MH_OP_LOAD, 4, UINT64_MAX >> (64 - pages), 0, 0), addr);
    script_ops(s[1], 0, 0, 0, op_after(LATER, op_load(in_page(0, 0))), op_wait(op_barrier()));
    return script_gpu(cfg, s);
}

/* The cycle at which tenant 1 has its page. */
static uint64_t page_of_the_second(bool iommu, bool queues, uint32_t pages)
{
    struct mh_config cfg = narrow_config(iommu);
    struct mh_gpu *g = two_tenants(&cfg, pages);
    script_knob(g, MH_REG_WALK_QUEUES, queues);
    uint64_t done = script_until(g, &g->tenant[1].count.walks, 1);
    mh_gpu_check(g);
    if (pages) /* it was full all the while */
        assert_true(g->tenant[0].count.walks < LIST - 10);
    script_until(g, &g->tenant[1].count.completions, 1);
    if (pages)
        chain_run(g);
    assert_int_equal(g->tenant[0].count.walks, pages);
    script_end(g);
    return done;
}

/* With the other queue full a walk takes as long as alone, apart from the other's reads in the L2 and DRAM. */
TEST(test_full_queues_stop_their_tenant)
{
    for (uint32_t iommu = 0; iommu < 2; iommu++) {
        uint64_t alone = page_of_the_second(iommu, true, 0), beside = page_of_the_second(iommu, true, LIST);
        uint64_t shared = page_of_the_second(iommu, false, LIST);
        assert_in_range(beside, alone, alone + WALK);
        assert_true(shared > alone + 3 * WALK);
    }
}

/* How many walks of tenant 0, whose queue is full, end between the load of tenant 1 and the beginning of its walk. */
static uint64_t ends_before_the_second(const char *lanes)
{
    struct mh_config cfg = narrow_config(false);
    set_word(&cfg, "l2tlb.lanes", lanes);
    struct mh_gpu *g = two_tenants(&cfg, LIST);
    script_knob(g, MH_REG_WALK_QUEUES, 1);
    mh_gpu_advance(g, LATER);
    uint64_t before = g->tenant[0].count.walks;
    script_until(g, &g->tenant[1].count.walks_live, 1);
    uint64_t ended = g->tenant[0].count.walks - before;
    mh_gpu_check(g);
    chain_run(g);
    assert_int_equal(g->tenant[0].count.walks, LIST);
    script_end(g);
    return ended;
}

/*
 * l2tlb.lanes one: behind the four look-ups that have the credits, and the one whose SM was first to wait for a credit.
 * Each enters when a walk ends, and with the last of them tenant 1's, whose walker is idle.
 */
TEST(test_one_lane)
{
    assert_int_equal(ends_before_the_second("tenant"), 0);
    assert_int_equal(ends_before_the_second("one"), 4 + 1);
}

/* Eight MSHRs. Of tenant 0 five walks find room, one with its walker and four in its queue: all, or half of the MSHRs.
 */
TEST(test_mshr_table)
{
    static const char *const tables[] = {"split", "one"};
    for (uint32_t one = 0; one < 2; one++) {
        struct mh_config cfg = narrow_config(false);
        uint32_t most = 0;
        cfg.walk.buffer = 8;
        cfg.l2tlb.queue = 64;
        set_word(&cfg, "l2tlb.mshr_table", tables[one]);
        struct mh_gpu *g = two_tenants(&cfg, LIST);
        script_knob(g, MH_REG_WALK_QUEUES, 1);
        while (!g->tenant[0].count.completions) {
            mh_gpu_advance(g, mh_gpu_now(g) + 1);
            most = g->l2tlb->part[0].held > most ? g->l2tlb->part[0].held : most;
        }
        assert_int_equal(most, one ? 5 : 4);
        mh_gpu_check(g);
        chain_run(g);
        script_end(g);
    }
}

/* Look-ups that are stalled and SMs that wait go on, in whichever lane the change of queues puts them. */
TEST(test_changes_under_pressure)
{
    for (uint32_t iommu = 0; iommu < 2; iommu++)
        for (uint64_t when = 1; when < 2500; when += 97) {
            struct mh_config cfg = narrow_config(iommu);
            LOCAL_GPU(g) = two_tenants(&cfg, LIST);
            for (uint32_t i = 1; i < 6; i++) {
                mh_gpu_advance(g, when * i);
                script_write(g, MH_REG_WALK_QUEUES, i % 2);
                script_knob(g, MH_REG_WALKER_OWNER, i == 3);
                mh_gpu_check(g);
            }
            while (g->tenant[0].count.completions + g->tenant[1].count.completions < 2)
                mh_gpu_advance(g, mh_gpu_now(g) + 1000);
            script_assert_idle(g);
            assert_int_equal(g->tenant[0].count.walks, LIST);
        }
}

/* Two tenants go to and fro between two pages each, in an L2 TLB of two: with one each they hit, with one for both not.
 */
static uint64_t hits(bool private)
{
    struct mh_config cfg = walking_config(2);
    struct script *s[2];
    cfg = script_config(2, 2);
    cfg.l1tlb.entries = 1;
    cfg.l2tlb.entries = cfg.l2tlb.ways = 2;
    cfg.l2tlb.bypass_entries = 0;
    cfg.l2tlb.private = private;
    for (uint32_t t = 0; t < 2; t++) {
        s[t] = script_paged(64, 1);
        for (uint32_t i = 0; i < 20; i++)
            script_add(s[t], 0, 0, 0, op_wait(op_load(in_page(i % 2, 128 * i))));
    }
    struct mh_gpu *g = script_gpu(&cfg, s);
    while (g->tenant[0].count.completions + g->tenant[1].count.completions < 2)
        mh_gpu_advance(g, mh_gpu_now(g) + 1000);
    uint64_t n = g->tenant[0].count.l2tlb_hit + g->tenant[1].count.l2tlb_hit;
    script_end(g);
    return n;
}

TEST(test_private_l2tlb)
{
    assert_int_equal(hits(true), 2 * 18);
    assert_true(hits(false) < 18);
}

/* One walker each: both walk at once, and a queue of the other's is not in the way. */
TEST(test_private_walkers)
{
    uint64_t done[2];
    for (uint32_t private = 0; private < 2; private ++) {
        struct mh_config cfg = narrow_config(false);
        cfg.walk.walkers = cfg.walk.buffer = 1;
        cfg.walk.private = private;
        cfg.l2tlb.private = private;
        struct mh_gpu *g = two_tenants(&cfg, LIST);
        done[private] = script_until(g, &g->tenant[1].count.walks, 1);
        chain_run(g);
        script_end(g);
    }
    assert_true(done[1] + 3 * WALK < done[0]);
}
