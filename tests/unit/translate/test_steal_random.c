/*
 * Walkers with queues of their own under random arrivals, completions, owners and knobs, against a list of the
 * waiting walks: every walk is served once, a DWS walk waits for at most one foreign walk, no walker steals while
 * its owner has walks queued, none is lost. MH_SEED=n in the environment runs seed n alone.
 */
#include "unit/test.h"
#include "memhelm/config_file.h"
#include "mix.h"
#include "walk_fixture.h"

enum { SEEDS = 60, STEPS = 400, PAGES = 200 };

/* What the test knows of the walks it has begun. */
struct book {
    struct mh_gpu *g;
    uint64_t begun[MH_MAX_TENANTS];
    uint32_t page;
    bool settled; /* the owners have not changed */
};

static uint32_t queued_of(const struct mh_gpu *g, uint32_t tenant)
{
    uint32_t n = 0;
    for (uint32_t id = 0; id < g->l2tlb->mshrs; id++)
        n += g->l2tlb->walk[id].waits && g->l2tlb->walk[id].tenant == tenant;
    return n;
}

/* Before and after a cycle: has a tenant got a walker of another tenant that had walks queued? */
static void check_thefts(const struct book *b, const bool *ran, const uint32_t *queued)
{
    const struct mh_gpu *g = b->g;
    for (uint32_t id = 0; id < g->l2tlb->mshrs; id++) {
        const struct mh_walk *w = &g->l2tlb->walk[id];
        if (!w->runs || ran[id])
            continue;
        uint32_t owner = g->steal->owner[w->walker];
        if (owner != w->tenant && queued[owner] && queued_of(g, owner))
            fail_msg("walker %u of tenant %u serves tenant %u, and its own wait", w->walker, owner, w->tenant);
        if (g->knobs.walk_steal == MH_STEAL_NEVER)
            assert_int_equal(owner, w->tenant);
    }
}

static uint64_t foreign_of_all(const struct mh_gpu *g)
{
    uint64_t sum = 0;
    for (uint32_t t = 0; t < g->tenants; t++)
        sum += g->tenant[t].count.walks_foreign;
    return sum;
}

/* One walk a cycle at most begins; the cycle's completions are the model's. */
static void cycle(struct book *b, uint64_t *rng, bool arrivals)
{
    static bool ran[4096];
    struct mh_gpu *g = b->g;
    uint32_t queued[MH_MAX_TENANTS], t = pick(rng, 0, g->tenants * 2);
    uint64_t before = foreign_of_all(g), arrived;
    t = t < g->tenants ? t : 0; /* one has more than the others */
    if (arrivals && mh_walk_room(g, t) && pick(rng, 0, 9) < 7) {
        begin_walk(g, t, b->page++ % PAGES);
        b->begun[t]++;
    }
    arrived = foreign_of_all(g);
    for (uint32_t id = 0; id < g->l2tlb->mshrs; id++)
        ran[id] = g->l2tlb->walk[id].runs;
    for (uint32_t k = 0; k < g->tenants; k++)
        queued[k] = queued_of(g, k);
    mh_gpu_advance(g, mh_gpu_now(g) + 1);
    if (g->steal->on && b->settled && g->knobs.walk_steal < MH_STEAL_DWSPP) {
        check_thefts(b, ran, queued);
        assert_true(arrived - before <= 1);
        assert_int_equal(foreign_of_all(g), arrived); /* no steal ahead of waiting walks */
    }
}

static void drain(struct book *b)
{
    struct mh_gpu *g = b->g;
    for (uint32_t i = 0; i < 200000 && (queued_of(g, 0) || g->tenant[0].count.walks < b->begun[0]); i++)
        mh_gpu_advance(g, mh_gpu_now(g) + 1);
    mh_gpu_advance(g, mh_gpu_now(g) + 100000);
    for (uint32_t t = 0; t < g->tenants; t++)
        assert_int_equal(g->tenant[t].count.walks, b->begun[t]);
    script_assert_idle(g);
}

/* Equal parts, one mode for the whole run. */
static void one_steady(uint64_t seed, uint64_t *foreign, uint64_t *stolen)
{
    uint64_t rng = seed * 7919;
    uint32_t tenants = pick(&rng, 2, 4), walkers = tenants * pick(&rng, 1, 4);
    struct book b = {.g = steal_gpu(tenants, walkers, pick(&rng, 1, 4), (uint32_t)(seed % 3)), .settled = true};
    script_write(b.g, MH_REG_QUEUE_THRES, pick(&rng, 0, 4));
    for (uint32_t t = 0; t < tenants; t++)
        script_write(b.g, MH_REG_DIFF_THRES + t * MH_REG_DIFF_THRES_STRIDE, pick(&rng, 0, 900));
    script_commit(b.g);
    for (uint32_t i = 0; i < STEPS; i++) {
        cycle(&b, &rng, true);
        mh_gpu_check(b.g);
    }
    drain(&b);
    for (uint32_t t = 0; t < tenants; t++) {
        foreign[seed % 3] += b.g->tenant[t].count.walks_foreign;
        stolen[seed % 3] += b.g->tenant[t].count.walks_stolen;
    }
    mh_gpu_destroy(b.g);
}

static void change(struct book *b, uint64_t *rng)
{
    struct mh_gpu *g = b->g;
    for (uint32_t w = 0; w < g->steal->walkers; w++)
        set_owner(g, w, pick(rng, 0, g->tenants - 1));
    script_write(g, MH_REG_WALK_QUEUES, pick(rng, 0, 3) > 0);
    script_write(g, MH_REG_WALK_STEAL, pick(rng, 0, 2));
    script_write(g, MH_REG_QUEUE_THRES, pick(rng, 0, 3));
    script_write(g, MH_REG_WALK_EPOCH, pick(rng, 0, 20));
    for (uint32_t t = 0; t < g->tenants; t++)
        script_write(g, MH_REG_DIFF_THRES + t * MH_REG_DIFF_THRES_STRIDE, pick(rng, 0, 1000));
    script_commit(g);
}

/* Everything changes now and then, also to owners without walkers. */
static void one_changing(uint64_t seed)
{
    uint64_t rng = seed * 104729;
    uint32_t tenants = pick(&rng, 2, 4);
    struct book b = {.g = steal_gpu(tenants, tenants * pick(&rng, 1, 4), pick(&rng, 1, 4), MH_STEAL_DWS)};
    for (uint32_t i = 0; i < STEPS; i++) {
        if (pick(&rng, 0, 19) == 0)
            change(&b, &rng);
        cycle(&b, &rng, true);
        mh_gpu_check(b.g);
    }
    drain(&b);
    mh_gpu_destroy(b.g);
}

/* Seeds by their remainder: static, DWS, DWS++. There are no steals in the first, and many in the others. */
TEST(test_steady)
{
    uint64_t foreign[3] = {0}, stolen[3] = {0};
    const struct seeds seeds = seeds_of(SEEDS);
    for (uint64_t seed = seeds.first; seed <= seeds.last; seed++)
        one_steady(seed, foreign, stolen);
    if (seeds.chosen)
        return;
    print_message("stolen %llu, %llu, %llu; foreign %llu, %llu, %llu\n", (unsigned long long)stolen[0],
                  (unsigned long long)stolen[1], (unsigned long long)stolen[2], (unsigned long long)foreign[0],
                  (unsigned long long)foreign[1], (unsigned long long)foreign[2]);
    assert_int_equal(stolen[0] + foreign[0], 0);
    assert_true(stolen[1] > 10 && stolen[2] > 50 && foreign[1] > 10 && foreign[2] > 10);
}

TEST(test_changing)
{
    const struct seeds seeds = seeds_of(SEEDS);
    for (uint64_t seed = seeds.first; seed <= seeds.last; seed++)
        one_changing(seed);
}

static void own_all(struct mh_gpu *g, uint32_t tenant)
{
    for (uint32_t w = 0; w < g->steal->walkers; w++)
        set_owner(g, w, tenant);
    script_commit(g);
    mh_gpu_advance(g, mh_gpu_now(g) + 5000);
}

/* One tenant after the other fills the whole queue while the others' requests still stand there; then all share a lane.
 */
TEST(test_everybody_stalls)
{
    struct mh_config cfg;
    struct mh_error err;
    assert_int_equal(mh_config_preset(&cfg, "dws", &err), 0);
    assert_int_equal(mh_config_workload(&cfg, "GUPS+GUPS", &err), 0);
    cfg.l1tlb.mshrs = 16;
    cfg.l2tlb.mshr_table = MH_MSHR_TABLE_SPLIT;
    cfg.walk.buffer = 16;
    cfg.l2tlb.mshrs = 32;
    cfg.l2tlb.queue = 120;
    cfg.run.cycles = 40000;
    assert_good(!mh_config_resolve(&cfg, &err), err);
    LOCAL_GPU(g) = mh_gpu_create(&cfg, &err);
    script_write(g, MH_REG_WALK_QUEUES, 1);
    own_all(g, 0);
    own_all(g, 1);
    assert_true(g->l2tlb->stalled > 128);
    script_write(g, MH_REG_WALK_QUEUES, 0);
    own_all(g, 0);
    mh_gpu_check(g);
    mh_gpu_advance(g, UINT64_MAX);
    assert_null(mh_gpu_deadlock(g));
}
