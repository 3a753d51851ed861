/*
 * The order of walks (WALK_ORDER) inside the queues of single walkers (WALK_QUEUES 1): which of a queue's walks goes
 * next is for the order to say, by score and in batches; which queue that is is not.
 */
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "steal_fixture.h"
#include "translate_fixture.h"

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
    /* In the same time walker 1 serves walks that pass nobody here. */
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

static void test_scenes(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++)
        play(&scenes[i]);
}

/* Out of a queue the choice by score costs its search, beside the tables; searches of two queues do not disturb. */
static void test_search_takes_time(void **state)
{
    (void)state;
    for (enum mh_walk_order order = MH_WALK_FCFS; order <= MH_WALK_SCORED; order++) {
        const struct scene s = {"", "01", order, 1, AGE, STATIC, NULL, {NULL}};
        uint32_t search = order >= MH_WALK_SIMT ? SCAN : 0;
        struct mh_gpu *g = open_scene(&s);
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
        mh_gpu_destroy(g);
    }
}

int test_steal_order(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_scenes), cmocka_unit_test(test_search_takes_time)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
