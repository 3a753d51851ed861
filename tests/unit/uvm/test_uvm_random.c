/* Random mixes with demand paging and hardly any memory: every run ends, nothing is lost; MH_SEED=n runs one seed. */
#include "unit/test.h"
#include "memhelm/config_file.h"
#include "mix.h"
#include "uvm_fixture.h"
#include "script.h"

enum { SEEDS = 100, TENANTS = 3, LAUNCHES = 1, CTAS = 2, PATIENCE = 100 * 1000 * 1000 };

static void set_paging(struct mh_config *c, uint64_t seed, uint64_t *rng)
{
    struct mh_uvm_cfg *u = &c->uvm;

    u->prefetch = (enum mh_prefetcher)(seed % 4);
    u->evict = (enum mh_uvm_evict)(seed / 4 % 4);
    u->evict_wait = pick(rng, 0, 1) ? MH_EVICT_WAIT_ALL : MH_EVICT_WAIT_FIRST;
    u->evict_amount = (enum mh_evict_amount)pick(rng, 0, 3);
    u->evict_block = pick(rng, 0, 1);
    u->evict_clean = pick(rng, 0, 1);
    u->evict_bytes = MH_UVM_UNIT_BYTES << pick(rng, 0, 5);
    if (pick(rng, 0, 1)) {
        u->compression = MH_COMPRESSION_LCP;
        u->compression_ratio = pick(rng, 0, 1) ? pick(rng, 100, 800) : 0;
        u->metadata_entries = pick(rng, 1, 64);
        u->decompress_cycles = pick(rng, 0, 20);
    }
    u->buffer = pick(rng, 1, 3);
    u->batch = pick(rng, 1, 4);
    u->fault_ns = pick(rng, 1, 5000);
    u->fault_each_ns = pick(rng, 0, 1) * pick(rng, 1, 1000);
    u->block_ns = pick(rng, 0, 1) * pick(rng, 1, 2000);
    u->link_ns = pick(rng, 0, 900);
    u->in_rate = 64000000000u >> pick(rng, 0, 2);
    u->out_rate = 64000000000u >> pick(rng, 0, 2);
}

static uint32_t unit_bytes(const struct mh_config *c)
{
    return c->memory.page_bytes > MH_UVM_UNIT_BYTES ? c->memory.page_bytes : MH_UVM_UNIT_BYTES;
}

static void configure(struct mh_config *c, uint64_t seed, uint64_t *rng)
{
    static const uint32_t page[] = {4 << 10, 64 << 10, 2 << 20};
    uint32_t size = seed / 9 % 5 < 2 ? (uint32_t)(seed / 9 % 5) : seed / 9 % 5 < 4 ? 0 : 2;
    struct mh_error err;

    *c = paging_config(6, TENANTS, 1);
    set_paging(c, seed, rng);
    c->run.seed = seed;
    c->memory.page_bytes = page[size];
    snprintf(c->uvm.capacity, sizeof c->uvm.capacity, "%u", unit_bytes(c) * (seed % 4 ? pick(rng, 1, 8) : 1));
    c->walk.levels = size == 2 ? 3 : 4;
    c->l1tlb.mshrs = pick(rng, 0, 1) ? 32 : 1;
    c->l1tlb.entries = pick(rng, 1, 8);
    c->l2tlb.mshrs = pick(rng, 1, 8);
    c->walk.buffer = 0;
    random_tlbs(c, seed);
    c->l1d.store_buffer = pick(rng, 0, 4);
    if (seed % 5 == 0)
        script_share_sms(c);
    c->sm.share = seed % 5 == 0;
    c->tenants[1].leave = pick(rng, 1, 300000);
    c->tenants[2].arrive = pick(rng, 1, 100000);
    if (mh_config_resolve(c, &err))
        fail_msg("seed %llu: %s", (unsigned long long)seed, err.text);
}

/* What firmware may do, at any time. */
static void disturb(struct mh_gpu *g, uint64_t *rng)
{
    uint32_t t = pick(rng, 0, TENANTS - 1);

    switch (pick(rng, 0, 9)) {
    case 0:
        script_write(g, MH_REG_PTE_CHANGED, t);
        break;
    case 1:
        script_write(g, MH_REG_TLB_FLUSH, pick(rng, 0, 5));
        break;
    case 2:
        script_write(g, MH_REG_EVICT_FREE, pick(rng, 0, 40));
        script_knob(g, MH_REG_EVICT_AHEAD + t * MH_REG_EVICT_AHEAD_STRIDE, pick(rng, 0, 32));
        break;
    case 3:
        script_knob(g, MH_REG_UVM_QUOTA + t * MH_REG_UVM_QUOTA_STRIDE, pick(rng, 0, g->uvm->capacity));
        break;
    case 4:
        script_knob(g, MH_REG_COMPRESS + t * MH_REG_COMPRESS_STRIDE, pick(rng, 0, 1));
        break;
    case 5:
        script_knob(g, MH_REG_SM_THROTTLE_0, pick(rng, 0, 63));
        break;
    case 6:
        script_knob(g, MH_REG_TLB_PREFETCH, pick(rng, 0, 1));
        break;
    default:
        script_knob(g, MH_REG_SM_THROTTLE_0, 0);
    }
}

/* What was seen, so that the runs are known to have been where they should. */
struct seen {
    uint64_t evictions, ahead, prefetches, merged, clean, dropped, packed;
};

static bool done(const struct mh_gpu *g)
{
    return g->tenant[0].count.completions && g->tenant[2].count.completions && g->tenant[1].presence == MH_LEFT &&
           !g->tenant[1].draining;
}

static void run(struct mh_gpu *g, uint64_t seed, uint64_t *rng, struct seen *seen)
{
    while (!done(g)) {
        mh_gpu_advance(g, mh_gpu_now(g) + pick(rng, 1, 4000));
        if (pick(rng, 0, 3) == 0)
            disturb(g, rng);
        mh_gpu_check(g);
        seen->ahead += g->uvm->leaving && !g->uvm->placed.count;
        seen->dropped += g->tenant[1].draining;
        if (mh_gpu_deadlock(g) || mh_gpu_now(g) > PATIENCE)
            fail_msg("seed %llu: %s", (unsigned long long)seed, mh_gpu_deadlock(g) ? mh_gpu_deadlock(g) : "too long");
    }
    script_knob(g, MH_REG_SM_THROTTLE_0, 0);
    mh_gpu_advance(g, mh_gpu_now(g) + 30000000); /* prefetches, stores, what leaves: units of 2 MB take long */
}

static void assert_rest(const struct mh_gpu *g, const struct mix *mix)
{
    const struct mh_uvm *m = g->uvm;
    assert_int_equal(m->overflow.count + m->buffer.count + m->batch.count + m->placed.count, 0);
    assert_int_equal(m->leaving + m->in.waiting.count, 0);
    assert_int_equal(m->free_count + m->here, m->sets);
    assert_int_equal(m->resident[1], 0);
    for (uint32_t t = 0; t < TENANTS; t += 2)
        assert_int_equal(g->tenant[t].count.l1d_access, mix_total(&mix[t], LAUNCHES, CTAS).load_lines);
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
                              .bytes = 81920 + (uint64_t)pick(&rng, 1, 8) * unit_bytes(&cfg),
                              .ops = 4,
                              .lanes = 64,
                              .threads = 128};
        s[t] = mix_script(&mix[t], LAUNCHES, CTAS);
    }
    struct mh_gpu *g = script_gpu(&cfg, s);
    run(g, seed, &rng, seen);
    assert_rest(g, mix);
    for (uint32_t t = 0; t < TENANTS; t++) {
        const struct mh_counters *c = &g->tenant[t].count;

        seen->evictions += c->uvm_evictions;
        seen->prefetches += c->uvm_prefetches;
        seen->merged += c->uvm_merged;
        seen->clean += c->uvm_evictions - c->uvm_out_bytes / g->uvm->bytes;
        seen->packed += c->metadata_hits + c->metadata_misses;
    }
    script_end(g);
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
    print_message("%llu evictions, %llu of them clean, %llu prefetches, %llu merged\n",
                  (unsigned long long)seen.evictions, (unsigned long long)seen.clean,
                  (unsigned long long)seen.prefetches, (unsigned long long)seen.merged);
    assert_true(seen.evictions > 1000 && seen.clean > 100 && seen.prefetches > 100 && seen.merged > 100);
    assert_true(seen.ahead > 10 && seen.dropped > 0 && seen.packed > 1000);
}

struct shape {
    const char *name;
    uint32_t sms, tenants, page, line, sector;
    uint32_t l1tlb_mshrs, l2tlb_mshrs, walkers, buffer, batch;
    uint32_t units, ops;
    const char *evict, *prefetch;
};

static void shape_config(struct mh_config *cfg, const struct shape *s)
{
    *cfg = script_config(s->sms, s->tenants);
    cfg->memory.page_bytes = s->page;
    cfg->walk.levels = s->page == 2 << 20 ? 3 : 4;
    cfg->memory.line_bytes = s->line;
    cfg->l1d.sector_bytes = s->sector;
    cfg->l1tlb.mshrs = s->l1tlb_mshrs;
    cfg->l2tlb.mshrs = s->l2tlb_mshrs;
    cfg->walk.walkers = s->walkers;
    cfg->uvm.buffer = s->buffer;
    cfg->uvm.batch = s->batch;
    cfg->uvm.fault_ns = 2000;
    set_word(cfg, "uvm.evict", s->evict);
    set_word(cfg, "uvm.prefetch", s->prefetch);
    uvm_units(cfg, s->units);
}

/* Each unit that comes costs a handler and both ways at most, and DRAM's work on 2 x unit. */
static uint64_t bound(const struct mh_config *cfg, uint64_t lines)
{
    uint64_t unit = uvm_arrives(cfg, uvm_cycles(cfg, cfg->uvm.fault_ns), 1) + uvm_leaves(cfg, 0, 1);

    return (lines + 100) * 2 * (unit + 2000);
}

static void run_tight(const struct shape *s)
{
    struct mh_config cfg;
    struct mix mix[2];
    struct script *scripts[2];
    shape_config(&cfg, s);
    uint64_t lines = 0, unit = uvm_unit(&cfg), evicted = 0;
    for (uint32_t t = 0; t < s->tenants; t++) {
        mix[t] = (struct mix){.seed = 77 + t,
                              .bytes = 4 * unit,
                              .ops = s->ops,
                              .lanes = cfg.sm.lanes,
                              .line_bytes = s->line,
                              .threads = 128};
        scripts[t] = mix_script(&mix[t], 1, s->sms / s->tenants);
        struct mix_sums sum = mix_total(&mix[t], 1, s->sms / s->tenants);
        lines += sum.load_lines + sum.write_lines;
    }
    LOCAL_GPU(g) = script_gpu(&cfg, scripts);
    uint64_t limit = bound(&cfg, lines);
    while (!mix_done(g, 1) && mh_gpu_now(g) < limit && !mh_gpu_ended(g)) {
        mh_gpu_advance(g, mh_gpu_now(g) + 50000);
        mh_gpu_check(g);
    }
    if (!mix_done(g, 1))
        fail_msg("%s: not done at cycle %llu: %s", s->name, (unsigned long long)mh_gpu_now(g),
                 mh_gpu_deadlock(g) ? mh_gpu_deadlock(g) : "too slow");
    mix_settle(g);
    for (uint32_t t = 0; t < s->tenants; t++) {
        mix_check(g, t, &mix[t], 1, s->sms / s->tenants);
        evicted += g->tenant[t].count.uvm_evictions;
        assert_true(g->tenant[t].count.uvm_in_bytes <= 2 * lines * unit);
    }
    if (!evicted != (s->units >= 4 * s->tenants))
        fail_msg("%s: %llu evictions", s->name, (unsigned long long)evicted);
}

TEST(test_one_unit)
{
    static const struct shape shapes[] = {
        {"one miss an SM", 30, 1, 65536, 128, 0, 1, 128, 64, 1024, 256, 1, 3, "age", "none"},
        {"32 misses an SM", 30, 1, 65536, 128, 0, 32, 128, 64, 1024, 256, 1, 3, "age", "none"},
        {"buffer and batch of one", 30, 1, 65536, 128, 0, 32, 128, 64, 1, 1, 1, 3, "age", "none"},
        {"one MSHR, one walker", 30, 1, 65536, 128, 0, 32, 1, 1, 1, 1, 1, 3, "age", "none"},
        {"one of each", 30, 1, 65536, 128, 0, 1, 1, 1, 1, 1, 1, 3, "age", "none"},
        {"random victims", 30, 1, 65536, 128, 0, 32, 128, 64, 8, 4, 2, 3, "random", "none"},
        {"prefetches", 30, 1, 65536, 128, 0, 32, 128, 64, 8, 4, 2, 3, "age", "tree"},
        {"prefetches into one unit", 8, 1, 65536, 128, 0, 1, 2, 1, 2, 1, 1, 3, "age", "tree"},
        {"room for all", 30, 1, 65536, 128, 0, 32, 128, 64, 8, 4, 4, 3, "age", "none"},
        {"4 KB pages", 30, 1, 4096, 128, 0, 32, 128, 64, 1024, 256, 1, 3, "age", "none"},
        {"4 KB pages, one of each", 12, 1, 4096, 128, 32, 1, 1, 1, 1, 1, 1, 3, "age", "none"},
        {"2 MB pages", 4, 1, 2 << 20, 128, 0, 32, 128, 64, 1024, 256, 1, 4, "age", "none"},
        {"sectors, lines of 64", 12, 1, 65536, 64, 32, 32, 128, 64, 1024, 256, 1, 3, "age", "none"},
        {"two tenants", 12, 2, 65536, 128, 0, 32, 128, 64, 1024, 256, 1, 3, "age", "none"},
        {"two tenants, one of each", 12, 2, 65536, 128, 0, 1, 1, 1, 1, 1, 1, 3, "random", "tree"},
        {"two tenants, 4 KB pages", 12, 2, 4096, 64, 32, 2, 2, 1, 1, 1, 1, 3, "age", "tree"},
    };
    for (uint32_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        run_tight(&shapes[i]);
}

/* A warp whose lanes want as many units at once, with memory for one: each line is served when its unit comes. */
TEST(test_more_units_than_memory_at_once)
{
    for (uint32_t i = 0; i < 6; i++) {
        struct mh_config cfg = script_config(2, 1);
        uint64_t addr[MH_MAX_LANES];
        struct script *s = script_new();
        static const enum mh_op_kind kinds[] = {MH_OP_LOAD, MH_OP_STORE, MH_OP_ATOMIC};
        cfg.memory.page_bytes = 65536;
        cfg.l1tlb.mshrs = i / 3 ? 64 : 1;
        uvm_units(&cfg, 1);
        script_buffer(s, SCRIPT_BASE, 64 * 65536);
        script_launch(s, (struct mh_launch){.ctas = 2, .threads = 64});
        for (uint32_t l = 0; l < 64; l++)
            addr[l] = SCRIPT_BASE + l * 65536 + 256;
        for (uint32_t cta = 0; cta < 2; cta++)
            script_add_list(s, 0, cta, 0, op_lanes(kinds[i % 3], 4, UINT64_MAX, 0, 0), addr);
        struct mh_gpu *g = script_gpu(&cfg, &s);
        script_until(g, &g->tenant[0].count.completions, 1);
        mix_settle(g);
        assert_in_range(g->tenant[0].count.uvm_in_bytes / 65536, 64, 128);
        assert_int_equal(g->uvm->here, 1);
        script_end(g);
    }
}

TEST_GROUP(.slow = true);
