/*
 * Stocks (issue.c): a GPU that has them against one whose warps have none, where each instruction is counted when it
 * issues, and where ports are looked at one by one. All that can be read is the same at every cycle.
 */
#include "script.h"
#include "unit/test.h"
#include "sm_fixture.h"
#include "sm/sm.h"

enum { TENANTS = 3, SMS = 2, CYCLES = 3000, SEEDS = 40 };

/* Some gaps are longer than a stock. */
static bool next_op(void *ctx, const struct mh_cursor *c, uint64_t i, struct mh_op *op, uint64_t *addr)
{
    if (!mix_next(ctx, c, i, op, addr))
        return false;
    if ((i + c->warp) % 8 == 0)
        op->gap += 200 + 50 * (uint32_t)(i % 7);
    return true;
}

static void random_sm(struct mh_config *c, uint64_t *rng)
{
    c->sm.scheduler = pick(rng, 0, 1) ? MH_LRR : MH_TWO_LEVEL;
    c->sm.lsu_order = pick(rng, 0, 1) ? MH_LSU_PER_KERNEL : MH_LSU_SHARED;
    c->sm.schedulers = pick(rng, 0, 1) ? 4 : pick(rng, 1, 3);
    c->sm.group = pick(rng, 1, 4);
    c->sm.issue_cycles = pick(rng, 0, 1) ? 1 : pick(rng, 1, 4);
    c->sm.loads_per_warp = pick(rng, 1, 4);
    c->sm.lsu_queue = pick(rng, 4, 8);
    c->sm.stall_reasons = pick(rng, 0, 1);
    c->sm.warps = 16;
    c->l1d.miss_queue = pick(rng, 2, 8);
    c->l1tlb.ideal = 1;
    c->tenants[1].leave = CYCLES / 2 + pick(rng, 0, 99);
}

static struct mh_gpu *make(const struct mh_config *cfg, struct mix *mix)
{
    struct script *s[TENANTS];
    for (uint32_t t = 0; t < TENANTS; t++) {
        mix[t] = (struct mix){.seed = 30 + t, .bytes = 1 << 18, .ops = 20, .lanes = 64, .threads = 160};
        s[t] = script_new();
        script_buffer(s[t], SCRIPT_BASE, mix[t].bytes);
        script_launch(s[t], (struct mh_launch){.ctas = 6, .threads = mix[t].threads});
        script_generate(s[t], next_op, &mix[t]);
        script_repeat(s[t]);
    }
    return script_gpu(cfg, s);
}

static void without_stocks(struct mh_gpu *g)
{
    for (uint32_t i = 0; i < g->cfg.sm.count; i++) {
        g->sm[i].stocks = g->sm[i].fours = false;
        mh_sm_cut_bursts(g, &g->sm[i]);
    }
}

static void random_knobs(struct mh_gpu *g, uint64_t rng)
{
    script_write(g, MH_REG_CTA_THROTTLE, pick(&rng, 0, 2) ? 32 : pick(&rng, 0, 2));
    script_write(g, MH_REG_SM_THROTTLE_0, pick(&rng, 0, 3) ? 0 : pick(&rng, 0, 3));
    script_write(g, MH_REG_WARP_QUOTA, pick(&rng, 0, 3) ? 0 : pick(&rng, 1, 9));
    script_write(g, MH_REG_MEM_QUOTA, pick(&rng, 0, 1) * pick(&rng, 1, 3));
    script_write(g, MH_REG_MEM_LIMIT, pick(&rng, 0, 1) * pick(&rng, 1, 3));
    script_commit(g);
}

static uint32_t in_stock(const struct mh_gpu *g)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < g->cfg.sm.count; i++)
        for (uint32_t p = 0; p < MH_MAX_WARPS; p++)
            n += g->sm[i].stock[p];
    return n;
}

static void compare(struct mh_gpu *a, struct mh_gpu *b, uint64_t seed, uint64_t cycle)
{
    if (memcmp(mh_gpu_stats(a)->tenant, mh_gpu_stats(b)->tenant, TENANTS * sizeof(struct mh_counters)))
        fail_msg("seed %llu differs before cycle %llu", (unsigned long long)seed, (unsigned long long)cycle);
    for (uint32_t i = 0; i < SMS; i++) {
        assert_int_equal(a->sm[i].can_issue & a->sm[i].standing, b->sm[i].can_issue & b->sm[i].standing);
        assert_int_equal(a->sm[i].memory & a->sm[i].standing, b->sm[i].memory & b->sm[i].standing);
        assert_int_equal(a->sm[i].issue_at, b->sm[i].issue_at);
    }
}

static uint32_t one(uint64_t seed)
{
    uint64_t rng = seed * 7919;
    uint32_t most = 0;
    struct mix mix[2][TENANTS];
    struct mh_config cfg = shared_config(TENANTS);
    random_sm(&cfg, &rng);
    struct mh_gpu *a = make(&cfg, mix[0]), *b = make(&cfg, mix[1]);
    without_stocks(b);
    for (uint64_t t = 1; t < CYCLES; t++) {
        mh_gpu_advance(a, t);
        mh_gpu_advance(b, t);
        compare(a, b, seed, t);
        assert_int_equal(in_stock(b), 0);
        most = in_stock(a) > most ? in_stock(a) : most;
        if (pick(&rng, 0, 99))
            continue;
        uint64_t knobs = random_next(&rng);
        random_knobs(a, knobs);
        random_knobs(b, knobs);
        without_stocks(b);
    }
    mh_gpu_check(a);
    mh_gpu_destroy(a);
    mh_gpu_destroy(b);
    return most;
}

TEST(test_same_with_and_without)
{
    const struct seeds seeds = seeds_of(SEEDS);
    for (uint64_t seed = seeds.first; seed <= seeds.last; seed++)
        assert_true(one(seed) > 300);
}

/* Two warps of 300 instructions, more than a stock, in turn; a quota puts stocks back, and later they are laid again.
 */
TEST(test_put_back)
{
    struct mh_config cfg = script_config(1, 2);
    script_share_sms(&cfg);
    set_word(&cfg, "sm.scheduler", "lrr");
    LOCAL_GPU(g) = script_gpu(&cfg, (struct script *[]){script_computing(1, 300), script_computing(1, 300)});
    struct mh_sm *sm = &g->sm[0];
    mh_gpu_advance(g, 19); /* cycles 0, 2, .. 18, and 1, 3, .. 19 */
    assert_int_equal(mh_gpu_stats(g)->tenant[0].warp_instr, 10);
    assert_int_equal(mh_gpu_stats(g)->tenant[1].lane_instr, 10 * 64);
    assert_int_equal(sm->stock[0], 255 - 10);
    script_knob(g, MH_REG_WARP_QUOTA, 5);
    assert_int_equal(in_stock(g), 0);
    assert_int_equal(sm->warp[0].gap_left, 290);
    assert_int_equal(g->tenant[0].count.warp_instr, 10);
    mh_gpu_advance(g, 100);
    script_knob(g, MH_REG_WARP_QUOTA, 0);
    mh_gpu_advance(g, 110);
    assert_true(in_stock(g) > 255);
    script_until(g, &g->tenant[0].count.completions, 1);
    assert_int_equal(mh_gpu_stats(g)->tenant[0].warp_instr, 300);
}
