/*
 * Random mixes of operations on random small GPUs, with every queue, MSHR file and cache down to one entry: nothing is
 * lost, nothing hangs, and the sums are right. MH_SEED=n in the environment runs seed n alone, MH_SEED=n-m as many.
 */
#include <signal.h>
#include "unit/test.h"
#include "unit/gpu/random_config.h"
#include "mix.h"
#include "script.h"

enum { SEEDS = 120, LAUNCHES = 2, STUCK = 400000 };

static uint64_t current; /* seed of the running GPU, to repeat a failure */

struct world {
    struct mh_config cfg;
    struct mix mix[MH_MAX_TENANTS];
    uint32_t ctas[MH_MAX_TENANTS];
    struct mh_gpu *g;
};

static void build(struct world *w, uint64_t *rng)
{
    struct script *s[MH_MAX_TENANTS];
    for (uint32_t t = 0; t < w->cfg.tenants_count; t++) {
        w->mix[t] = (struct mix){.seed = random_next(rng),
                                 .bytes = 16384ull * pick(rng, 5, 60),
                                 .ops = pick(rng, 1, 12),
                                 .lanes = w->cfg.sm.lanes,
                                 .line_bytes = w->cfg.memory.line_bytes,
                                 .results = w->cfg.l2.atomics == MH_ATOMICS_BANK,
                                 .threads = pick(rng, 1, 4 * w->cfg.sm.lanes)};
        w->mix[t].bytes += w->mix[t].seed % 4 * w->cfg.memory.large_bytes;
        w->ctas[t] = pick(rng, 1, 5);
        s[t] = mix_script(&w->mix[t], LAUNCHES, w->ctas[t]);
    }
    w->g = script_gpu(&w->cfg, s);
}

static void random_rates(struct mh_gpu *g, uint64_t *rng, uint32_t t)
{
    uint32_t rate = pick(rng, 0, 3) ? pick(rng, 16, 1024) : MH_RATE_FREE;
    if (pick(rng, 0, 3) == 0)
        script_write(g, MH_REG_MISS_QUEUES, pick(rng, 0, 1));
    script_write(g, MH_REG_ISSUE_RATE + t * MH_REG_ISSUE_RATE_STRIDE, rate);
    script_write(g, MH_REG_ISSUE_FIRST + t * MH_REG_ISSUE_FIRST_STRIDE, pick(rng, 0, 1));
}

/* Ways, ranks and what they are decided from. A generator of their own: the runs are those without. */
static void random_rivals(struct mh_gpu *g, uint64_t *rng, uint32_t t)
{
    if (g->shared_sms) {
        script_write(g, MH_REG_L1D_WAYS + t * MH_REG_L1D_WAYS_STRIDE, pick(rng, 0, g->cfg.l1d.ways));
        script_write(g, MH_REG_L1D_MONITOR, pick(rng, 0, 3) != 0);
    }
    script_write(g, MH_REG_DRAM_RANK + t * MH_REG_DRAM_RANK_STRIDE, pick(rng, 0, 1) * pick(rng, 0, 255));
    script_write(g, MH_REG_DRAM_MONITOR, pick(rng, 0, 3) != 0);
    if (g->cfg.l2tlb.entries)
        script_write(g, MH_REG_TLB_PREFETCH, g->cfg.run.seed % 3 == 0);
    if (pick(rng, 0, 3) == 0)
        script_write(g, MH_REG_SNAPSHOT, 1);
}

/* One instruction and more, or none of a quota. */
static void random_quotas(struct mh_gpu *g, uint64_t *rng, uint32_t t)
{
    static const uint32_t knobs[] = {MH_REG_WARP_QUOTA, MH_REG_MEM_QUOTA, MH_REG_MEM_LIMIT};
    for (uint32_t i = 0; i < 3; i++)
        if (pick(rng, 0, 1))
            script_write(g, knobs[i] + t * MH_REG_WARP_QUOTA_STRIDE, pick(rng, 0, 2) * pick(rng, 1, 20));
}

static void random_commit(struct mh_gpu *g, uint64_t *rng)
{
    uint32_t t = pick(rng, 0, g->tenants - 1);
    uint64_t rivals = *rng ^ 0x5bd1e995;
    random_rivals(g, &rivals, t);
    if (g->cfg.l1d.subqueues)
        random_rates(g, rng, t);
    if (g->shared_sms)
        random_quotas(g, rng, t);
    script_write(g, MH_REG_TOKENS + t * MH_REG_TOKENS_STRIDE, pick(rng, 0, g->cfg.sm.warps));
    script_write(g, MH_REG_CTA_LIMIT + t * MH_REG_CTA_LIMIT_STRIDE, pick(rng, 1, g->cfg.sm.cta_slots));
    script_write(g, MH_REG_CTA_THROTTLE + t * MH_REG_CTA_THROTTLE_STRIDE, pick(rng, 0, g->cfg.sm.cta_slots));
    script_write(g, MH_REG_SM_THROTTLE_0, pick(rng, 0, 1) * pick(rng, 0, MH_SM_MASK(g->cfg.sm.count, 0)));
    if (g->cfg.l2.sample > 1)
        script_write(g, MH_REG_L2_BYPASS, pick(rng, 0, (1u << g->cfg.walk.levels) - 1));
    script_commit(g);
}

static void run(struct mh_gpu *g, uint64_t *rng)
{
    uint64_t moved = 0, seen = 0;
    while (!mix_done(g, LAUNCHES)) {
        mh_gpu_advance(g, mh_gpu_now(g) + pick(rng, 1, 3000));
        mh_gpu_check(g);
        random_commit(g, rng);
        if (mh_gpu_deadlock(g)) /* the clock stands still */
            fail_msg("seed %llu: %s", (unsigned long long)current, mh_gpu_deadlock(g));
        if (mix_progress(g) != seen)
            moved = mh_gpu_now(g);
        seen = mix_progress(g);
        if (mh_gpu_now(g) - moved > STUCK + mh_uvm_longest_wait(&g->cfg))
            fail_msg("seed %llu hangs at cycle %llu", (unsigned long long)current, (unsigned long long)moved);
    }
    mix_settle(g);
}

static void check_walks(const struct mh_config *cfg, const struct mh_counters *c)
{
    const struct pte_counts counts = pte_accesses(c);
    const uint64_t *pte = counts.of;
    uint32_t leaf = cfg->walk.levels - 1;
    const bool large = cfg->memory.large_bytes; /* walks to large pages end a level earlier */
    uint64_t reads = counts.sum + c->pte_bypass;
    assert_true(reads >= c->walks * (cfg->walk.pwc_bytes ? 1 : cfg->walk.levels - large));
    /* Walks to pages that leave start again. Reads that bypass are not told apart by depth. */
    assert_true(reads <= c->walks * cfg->walk.levels || c->uvm_evictions);
    if (cfg->l2.sample > 1 || c->uvm_evictions)
        return;
    assert_int_equal(c->pte_bypass, 0);
    if (large)
        assert_true(pte[leaf] <= pte[leaf - 1] || cfg->walk.pwc_bytes);
    else
        assert_int_equal(pte[leaf], c->walks); /* leaves are never in the page walk cache */
    for (uint32_t i = 0; i < PTE_DEPTHS; i++)
        assert_true(pte[i] <= (i <= leaf ? c->walks : 0));
    for (uint32_t i = 0; i < leaf - large; i++)
        assert_true(pte[i] <= pte[i + 1]); /* once a walk reads, it reads down to the leaf */
    for (uint32_t i = 0; i < leaf && !cfg->walk.pwc_bytes; i++)
        assert_int_equal(pte[i], c->walks);
}

/* Every translation that fills comes from a walk that found a page, or from an IOMMU's TLB. */
static void check_translations(const struct mh_config *cfg, const struct mh_counters *c)
{
    uint64_t iommu_hits = c->iommu_l1_hit + c->iommu_l2_hit, misses = c->l2tlb_access - c->l2tlb_hit - c->bypass_hit;
    misses += c->tlb_prefetches; /* walks of the hardware's own */
    uint64_t found = c->walks - c->uvm_faults - c->uvm_merged + iommu_hits, fills = c->l2tlb_fill + c->bypass_fill;
    /* Answers on their way back from an IOMMU go there again; a page walked ahead may leave. */
    if (c->uvm_evictions && (cfg->iommu.l1_entries || c->tlb_prefetches) && cfg->l2tlb.entries)
        assert_true(fills <= found);
    else
        assert_int_equal(fills, cfg->l2tlb.entries ? found : 0);
    assert_true(misses >= c->walks + iommu_hits || (c->uvm_evictions && cfg->iommu.l1_entries));
    assert_true(c->l2tlb_access <= c->l1tlb_access - c->l1tlb_hit || c->uvm_evictions); /* which are asked again */
    if (cfg->gpctlb.entries && !c->uvm_evictions)
        assert_int_equal(c->l2tlb_access, c->gpctlb_access - c->gpctlb_hit - c->gpctlb_merge);
    else if (!cfg->gpctlb.entries)
        assert_int_equal(c->gpctlb_access + c->gpctlb_hit + c->gpctlb_merge, 0);
    assert_int_equal(c->iommu_l1_access, cfg->iommu.l1_entries ? c->walks + iommu_hits : 0);
    assert_int_equal(c->iommu_l2_access, cfg->iommu.l2_entries ? c->iommu_l1_access - c->iommu_l1_hit : 0);
    assert_true(c->iommu_l2_hit <= c->iommu_l2_access);
    if (cfg->l1tlb.ideal)
        assert_int_equal(c->l1tlb_access - c->l1tlb_hit + c->l2tlb_access + c->walks + c->dram_walk, 0);
}

/* What came and did not leave is here. */
static void check_paging(const struct mh_gpu *g)
{
    uint64_t in = 0, out = 0, evicted = 0, asked = 0, parked = 0;
    for (uint32_t t = 0; t < g->tenants; t++) {
        const struct mh_counters *c = &g->tenant[t].count;
        in += c->uvm_in_bytes;
        out += c->uvm_out_bytes;
        evicted += c->uvm_evictions;
        asked += c->uvm_faults + c->uvm_prefetches;
        parked += c->uvm_fault_cycles;
        assert_true(c->uvm_prefetches_used <= c->uvm_prefetches);
    }
    /* Units of tenants that left are dropped, also from the link. */
    bool left = false;
    for (uint32_t t = 0; t < g->tenants; t++)
        left |= g->tenant[t].presence == MH_LEFT;
    assert_true(left ? in - out >= (uint64_t)g->uvm->here * g->uvm->bytes
                     : in == (g->uvm->here + evicted) * g->uvm->bytes);
    assert_true(left || !g->cfg.uvm.evict_clean ? out <= evicted * g->uvm->bytes : out == evicted * g->uvm->bytes);
    assert_true(in <= asked * g->uvm->bytes);
    assert_true(left || !parked == !asked); /* faults of tenants that left were dropped */
}

static void check_tenant(struct mh_gpu *g, uint32_t t, const struct mix *m, uint32_t ctas)
{
    const struct mh_counters *c = &g->tenant[t].count;
    const struct mh_counters *all = &mh_gpu_stats(g)->tenant[t];
    mix_check(g, t, m, LAUNCHES, ctas);
    assert_int_equal(all->requests, c->l2_access);
    assert_int_equal(all->requests - all->request_reads, mix_total(m, LAUNCHES, ctas).write_lines);
    assert_true(all->issue_demand >= all->requests && all->issue_demand <= all->requests + c->l1d_hit + c->l1d_access);
    check_translations(&g->cfg, c);
    check_walks(&g->cfg, c);
    if (!g->cfg.l2tlb.bypass_entries)
        assert_int_equal(c->bypass_fill, 0);
}

static void one(uint64_t seed)
{
    struct world w;
    uint64_t rng = seed * 1000003;
    memset(&w, 0, sizeof w);
    current = seed;
    random_config(&w.cfg, &rng, seed);
    build(&w, &rng);
    run(w.g, &rng);
    for (uint32_t t = 0; t < w.g->tenants; t++)
        if (w.g->tenant[t].presence != MH_LEFT)
            check_tenant(w.g, t, &w.mix[t], w.ctas[t]);
    check_paging(w.g);
    mh_gpu_destroy(w.g);
}

static void say_seed(int sig)
{
    fprintf(stderr, "test_stress: seed %llu (MH_SEED repeats it)\n", (unsigned long long)current);
    signal(sig, SIG_DFL);
    raise(sig);
}

TEST(test_random)
{
    const struct seeds seeds = seeds_of(SEEDS);

    signal(SIGABRT, say_seed);
    print_message("seeds %llu..%llu\n", (unsigned long long)seeds.first, (unsigned long long)seeds.last);
    for (uint64_t seed = seeds.first; seed <= seeds.last; seed++)
        one(seed);
}

/* Real kernels in pairs on four SMs of the preset, each with room for the largest, run to a cycle in their middle. */
TEST(test_kernels)
{
    for (uint32_t i = 0; mh_kernels[i]; i++) {
        const struct mh_kernel *pair[] = {mh_kernels[i], mh_kernels[i + 1] ? mh_kernels[i + 1] : mh_kernels[0]};
        struct mh_config cfg = script_config(4, 2);
        struct mh_error err;
        cfg.run.cycles = 8000;
        cfg.memory.bytes = (uint64_t)64 << 30;
        cfg.memory.owned = MH_OWNED_WHOLE;
        cfg.sm.shared_bytes = 164 << 10;
        for (uint32_t t = 0; t < 2; t++)
            strcpy(cfg.tenants[t].kernel, pair[t]->name);
        LOCAL_GPU(g) = mh_gpu_create(&cfg, &err);
        assert_good(g, err);
        for (uint64_t c = 500; !mh_gpu_ended(g); c += 500) {
            mh_gpu_advance(g, c);
            mh_gpu_check(g);
        }
        for (uint32_t t = 0; t < 2; t++)
            assert_true(mh_gpu_stats(g)->tenant[t].mem_instr > 0);
    }
}

TEST_GROUP(.slow = true);
