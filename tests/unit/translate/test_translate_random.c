/*
 * Random loads of many pages through translation with hardly any room in it: walkers, walk buffer, MSHRs and queues of
 * one to three, with and without IOMMU and page walk cache, all page sizes, all orders of walks, queues of walkers,
 * copies for each tenant. Every run ends, and every translation that any TLB holds at any time is the page table's.
 * MH_SEED=n in the environment runs seed n alone.
 */
#include "unit/test.h"
#include "memhelm/config_file.h"
#include "mix.h"
#include "script.h"

/* 3 page sizes x 3 walkers x with and without IOMMU x with and without page walk cache, each in all orders of walks,
 * half of them with queues of walkers where that can be. */
enum { COMBINATIONS = 3 * 3 * 2 * 2, SEEDS = 8 * COMBINATIONS, TENANTS = 2, PATIENCE = 40 * 1000 * 1000 };

/* Few entries everywhere: most look-ups miss everything. */
static void tight(struct mh_config *c, uint64_t *rng)
{
    c->l1tlb.entries = pick(rng, 1, 3);
    c->l1tlb.mshrs = pick(rng, 1, 8);
    c->l2tlb.entries = c->l2tlb.ways = pick(rng, 1, 4);
    c->l2tlb.ports = pick(rng, 1, 2);
    c->l2tlb.mshrs = pick(rng, 1, 8);
    c->l2tlb.queue = pick(rng, 1, 6);
    c->l2tlb.bypass_entries = pick(rng, 0, 2);
    c->walk.buffer = pick(rng, 0, c->l2tlb.mshrs < 3 ? c->l2tlb.mshrs : 3);
    c->noc.walker_ports = pick(rng, 1, 2);
    c->noc.bank_queue = pick(rng, 1, 2);
    c->l2.mshrs = pick(rng, 1, 3);
    c->iommu.latency = pick(rng, 0, 3) * 11;
    c->iommu.l1_entries = pick(rng, 1, 6);
    c->iommu.l2_ways = pick(rng, 1, 3);
    c->iommu.l2_entries = c->iommu.l2_ways * pick(rng, 0, 1) << pick(rng, 0, 2);
    c->walk.pwc_ways = pick(rng, 1, 4);
    c->walk.pwc_bytes = 8 * c->walk.pwc_ways << pick(rng, 0, 2);
}

static void configure(struct mh_config *c, uint64_t seed, uint64_t *rng)
{
    static const uint32_t page[] = {4 << 10, 64 << 10, 2 << 20};
    struct mh_error err;

    *c = script_config(4, TENANTS);
    tight(c, rng);
    c->run.seed = seed;
    c->memory.page_bytes = page[seed % 3];
    c->walk.levels = seed % 3 == 2 ? 3 : 4;
    c->walk.walkers = 1 + seed / 3 % 3;
    if (seed / 9 % 2)
        c->iommu.l1_entries = c->iommu.l2_entries = 0;
    if (seed / 18 % 2)
        c->walk.pwc_bytes = 0;
    c->l2tlb.private = seed % 5 == 0;
    c->walk.private = seed % 7 == 0;
    random_tlbs(c, seed);
    if (mh_config_resolve(c, &err))
        fail_msg("seed %llu: %s", (unsigned long long)seed, err.text);
}

static bool right(const struct mh_gpu *g, uint32_t key, uint32_t ppn)
{
    uint32_t tenant = key >> 27;
    uint64_t address = (uint64_t)mh_page_of_key(key) * g->cfg.memory.page_bytes;
    return script_line(g, tenant, address) == ppn * g->lines_per_page;
}

static void check_assoc(const struct mh_gpu *g, const struct mh_assoc *a)
{
    for (uint32_t i = 0; i < mh_assoc_used(a); i++)
        assert_true(right(g, a->entry[i].key, a->entry[i].ppn));
}

static void check_tlb(const struct mh_gpu *g, const struct mh_tlb *t)
{
    for (uint32_t i = 0; i < t->sets * t->ways; i++)
        assert_true(t->key[i] == MH_TLB_EMPTY || right(g, t->key[i], t->ppn[i]));
}

/* Frames of a group's row are of its pages, or not valid. */
static void check_wide(const struct mh_gpu *g, const struct mh_wide *w)
{
    const uint32_t covers = 1u << w->shift;

    for (uint32_t i = 0; i < w->tag.sets * w->tag.stride * covers; i++) {
        uint32_t group = w->tag.key[i / covers], frame = w->frame[w->tag.ppn[i / covers] * covers + i % covers];
        uint32_t page = mh_page_of_key(group) * covers + i % covers;

        assert_true(group == MH_TLB_EMPTY || frame == MH_TLB_EMPTY ||
                    right(g, mh_page_key(mh_tenant_of_key(group), page), frame));
    }
}

static void check_translations(const struct mh_gpu *g)
{
    for (uint32_t i = 0; i < g->gpctlb->gpcs; i++)
        check_wide(g, &g->gpctlb->gpc[i].tlb);
    for (uint32_t i = 0; i < g->cfg.sm.count; i++)
        if (g->sm[i].wide_tlb)
            check_wide(g, g->sm[i].wide_tlb);
    for (uint32_t i = 0; i < g->l2tlb->copies; i++)
        if (g->l2tlb->copy[i].wide)
            check_wide(g, g->l2tlb->copy[i].wide);
    for (uint32_t i = 0; i < g->cfg.sm.count; i++)
        check_assoc(g, &g->sm[i].tlb);
    for (uint32_t i = 0; i < g->l2tlb->copies; i++) {
        check_tlb(g, &g->l2tlb->copy[i].tlb);
        check_assoc(g, &g->l2tlb->copy[i].bypass);
    }
    check_assoc(g, &g->iommu->l1);
    check_tlb(g, &g->iommu->l2);
}

/* What was seen, so that the runs are known to have been where they should. */
struct seen {
    uint64_t buffer_full, iommu_stalled, tlb_stalled, iommu_hits, stolen, walks[5], pinned;
};

static void look(const struct mh_gpu *g, struct seen *s)
{
    s->buffer_full += !mh_walk_room(g, 0);
    s->iommu_stalled += g->iommu->stalled != 0;
    s->tlb_stalled += g->l2tlb->stalled > 0;
    s->pinned += mh_pwc_pins(&g->walkers[0].pwc) > 0;
}

static void count(const struct mh_gpu *g, struct seen *s)
{
    for (uint32_t t = 0; t < TENANTS; t++) {
        const struct mh_counters *c = &g->tenant[t].count;
        uint64_t reads = pte_accesses(c).sum;
        s->stolen += c->walks_stolen;
        s->iommu_hits += c->iommu_l1_hit + c->iommu_l2_hit;
        assert_true(reads >= c->walks && reads <= c->walks * g->cfg.walk.levels);
        s->walks[g->cfg.walk.levels] += c->walks;
    }
}

/* With little patience, so that age decides, too. */
static void choose_order(struct mh_gpu *g, uint64_t seed, uint64_t *rng)
{
    g->knobs.walk_order = (uint32_t)(seed / COMBINATIONS % 4);
    g->knobs.walk_batch = pick(rng, 0, 1);
    g->knobs.walk_age = pick(rng, 1, 8);
}

/* Where the GPU can, with any way of stealing. */
static void divide_walkers(struct mh_gpu *g, uint64_t *rng)
{
    if (!g->steal->walkers)
        return;
    script_write(g, MH_REG_WALK_QUEUES, 1);
    script_write(g, MH_REG_WALK_STEAL, pick(rng, 0, 2));
    script_write(g, MH_REG_DIFF_THRES, 400);
    script_commit(g);
}

static void one(uint64_t seed, struct seen *seen)
{
    struct mh_config cfg;
    struct mix mix[TENANTS];
    struct script *s[TENANTS];
    uint64_t rng = seed * 7919;
    configure(&cfg, seed, &rng);
    for (uint32_t t = 0; t < TENANTS; t++) {
        mix[t] = (struct mix){.seed = random_next(&rng),
                              .bytes = 81920 + (uint64_t)pick(&rng, 5, 24) * cfg.memory.page_bytes,
                              .ops = 6,
                              .lanes = 64,
                              .threads = 256};
        s[t] = mix_script(&mix[t], 1, 3);
    }
    LOCAL_GPU(g) = script_gpu(&cfg, s);
    if (seed / (4 * COMBINATIONS))
        divide_walkers(g, &rng);
    choose_order(g, seed, &rng);
    if (cfg.l2tlb.entries && seed % 3)
        script_knob(g, MH_REG_TLB_PREFETCH, 1);
    while (g->tenant[0].count.completions + g->tenant[1].count.completions < TENANTS) {
        mh_gpu_advance(g, mh_gpu_now(g) + pick(&rng, 1, 300));
        mh_gpu_check(g);
        check_translations(g);
        look(g, seen);
        if (mh_gpu_now(g) > PATIENCE)
            fail_msg("seed %llu hangs", (unsigned long long)seed);
    }
    mh_gpu_advance(g, mh_gpu_now(g) + 100000); /* stores */
    script_assert_idle(g);
    assert_int_equal(mh_pwc_pins(&g->walkers[0].pwc), 0);
    for (uint32_t t = 0; t < TENANTS; t++)
        assert_int_equal(g->tenant[t].count.l1d_access, mix_total(&mix[t], 1, 3).load_lines);
    count(g, seen);
}

TEST(test_all)
{
    struct seen seen = {0};
    const struct seeds seeds = seeds_of(SEEDS);
    print_message("seeds %llu..%llu\n", (unsigned long long)seeds.first, (unsigned long long)seeds.last);
    for (uint64_t seed = seeds.first; seed <= seeds.last; seed++)
        one(seed, &seen);
    if (seeds.chosen)
        return;
    print_message("walks: %llu of 4 levels, %llu of 3; seen stalled: L2 TLB %llu times, IOMMU %llu; hits in it: %llu\n",
                  (unsigned long long)seen.walks[4], (unsigned long long)seen.walks[3],
                  (unsigned long long)seen.tlb_stalled, (unsigned long long)seen.iommu_stalled,
                  (unsigned long long)seen.iommu_hits);
    assert_true(seen.buffer_full > 1000 && seen.iommu_stalled > 1000 && seen.tlb_stalled > 1000);
    assert_true(seen.stolen > 100 && seen.iommu_hits > 200 && seen.walks[3] > 1000 && seen.walks[4] > 1000);
    assert_true(seen.pinned > 100);
}

TEST_GROUP(.slow = true);
