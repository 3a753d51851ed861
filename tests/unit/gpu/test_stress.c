/*
 * Random mixes of operations on random small GPUs, with every queue, MSHR file and cache down to one entry: nothing is
 * lost, nothing hangs, and the sums are right. MH_SEED=n in the environment runs seed n alone, MH_SEED=n-m as many.
 */
#include <signal.h>
#include "unit/test.h"
#include "unit/config_text.h"
#include "mix.h"
#include "pte_counts.h"
#include "random_tlbs.h"
#include "set_word.h"

enum { SEEDS = 120, LAUNCHES = 2, STUCK = 400000 };

static uint64_t current; /* seed of the running GPU, to repeat a failure */

static uint32_t power(uint64_t *rng, uint32_t low, uint32_t high)
{
    return 1u << pick(rng, (uint32_t)__builtin_ctz(low), (uint32_t)__builtin_ctz(high));
}

static void random_sm(struct mh_config *c, uint64_t *rng)
{
    static const char *const schedulers[] = {"gto", "lrr", "two-level", "lrr-gto"};

    set_word(c, "sm.scheduler", schedulers[pick(rng, 0, 3)]);
    c->sm.group = pick(rng, 1, 8);
    c->sm.schedulers = pick(rng, 1, 4);
    c->sm.issue_cycles = pick(rng, 0, 1) ? 1 : pick(rng, 1, 16);
    c->sm.count = pick(rng, 1, 4);
    c->sm.lanes = power(rng, 32, 64);
    c->sm.warps = pick(rng, 4, 16);
    c->sm.cta_slots = pick(rng, 1, 4);
    c->sm.loads_per_warp = pick(rng, 1, 8);
    c->sm.lsu_queue = pick(rng, 1, 3);
    c->sm.pending = pick(rng, 1, 80);
    c->l1d.ways = pick(rng, 1, 4);
    c->l1d.bytes = c->l1d.ways * pick(rng, 1, 8) * c->memory.line_bytes;
    c->l1d.sector_bytes = pick(rng, 0, 1) * power(rng, 32, c->memory.line_bytes);
    c->l1d.store_buffer = pick(rng, 0, 1) * pick(rng, 1, 8);
    c->l1d.store_hit = pick(rng, 0, 1) ? MH_STORE_HIT_KEEP : MH_STORE_HIT_DROP;
    c->l2.stores = pick(rng, 0, 1) ? MH_STORES_BACK : MH_STORES_THROUGH;
    c->l1d.latency = pick(rng, 1, 30);
    c->l1d.mshrs = pick(rng, 1, 4);
    c->l1d.miss_queue = pick(rng, 1, 3);
    c->l1tlb.entries = pick(rng, 1, 8);
    c->l1tlb.latency = pick(rng, 1, 5);
    c->l1tlb.mshrs = pick(rng, 1, 4);
    c->l1tlb.ways = c->l1tlb.entries % 2 ? 0 : c->l1tlb.entries / 2;
    c->l1d.index = pick(rng, 0, 1) ? MH_SETS_MODULO : MH_SETS_FOLD;
    c->l1tlb.index = pick(rng, 0, 1) ? MH_SETS_MODULO : MH_SETS_FOLD;
    c->l1tlb.on_miss = pick(rng, 0, 2) ? MH_ON_MISS_PASS : MH_ON_MISS_HOLD;
}

/* One and up; one GPU in ten has no limit, and says so. */
static uint32_t random_walkers(uint64_t *rng)
{
    enum { UNLIMITED = 0 };
    uint32_t walkers = pick(rng, 1, 5);
    return pick(rng, 0, 9) ? walkers : UNLIMITED;
}

static void random_translation(struct mh_config *c, uint64_t *rng)
{
    c->l2tlb.ways = pick(rng, 1, 4);
    c->l2tlb.entries = c->l2tlb.ways * power(rng, 1, 8);
    c->l2tlb.entries *= pick(rng, 0, 9) != 0;
    c->l2tlb.index = pick(rng, 0, 1) ? MH_SETS_MODULO : MH_SETS_FOLD;
    c->l2tlb.ports = pick(rng, 1, 4);
    c->l2tlb.latency = pick(rng, 1, 20);
    c->l2tlb.mshrs = pick(rng, 1, 6);
    c->l2tlb.queue = pick(rng, 1, 4);
    c->l2tlb.bypass_entries = pick(rng, 0, 4);
    c->walk.walkers = random_walkers(rng);
    c->walk.pwc_ways = pick(rng, 1, 4);
    c->walk.pwc_bytes = pick(rng, 0, 1) * 8 * c->walk.pwc_ways * power(rng, 1, 4);
    c->walk.pwc_latency = pick(rng, 1, 12);
    c->walk.pte_bytes = power(rng, 8, 128);
    c->walk.node_bits = pick(rng, 5, 9);
    c->walk.pwc_index = pick(rng, 0, 1) ? MH_PWC_INDEX_ENTRY : MH_PWC_INDEX_NODE;
    c->l2tlb.mshr_table = pick(rng, 0, 1) ? MH_MSHR_TABLE_SPLIT : MH_MSHR_TABLE_ONE;
    c->l1tlb.merges = pick(rng, 0, 3);
    c->walk.buffer = pick(rng, 0, c->l2tlb.mshrs);
    c->l1tlb.ideal = pick(rng, 0, 9) == 0;
}

static void random_iommu(struct mh_config *c, uint64_t *rng)
{
    if (pick(rng, 0, 1))
        return;
    c->iommu.latency = pick(rng, 0, 60);
    c->iommu.l1_entries = pick(rng, 1, 6);
    c->iommu.l1_latency = pick(rng, 1, 5);
    c->iommu.l2_ways = pick(rng, 1, 4);
    c->iommu.l2_entries = pick(rng, 0, 1) * c->iommu.l2_ways * power(rng, 1, 4);
    c->iommu.l2_latency = pick(rng, 1, 12);
}

/* The commands and times of pseudo channels of HBM; sizes of queues stay. Numbers of their own. */
static void random_hbm(struct mh_config *c)
{
    uint64_t rng = c->run.seed ^ 0x4b3;
    const struct mh_dram_cfg old = c->dram;
    struct mh_config hbm;
    struct mh_error err;

    c->l2.slice_hash = pick(&rng, MH_SLICES_FOLD, MH_SLICES_IPOLY);
    if (pick(&rng, 0, 1))
        return;
    preset(&hbm);
    if (load_text(&hbm, pick(&rng, 0, 1) ? "base: hbm2e\n" : "base: hbm3\n", &err))
        fail_msg("%s", err.text);
    c->dram = hbm.dram;
    c->dram.channels = old.channels;
    c->dram.queue = old.queue;
    c->dram.write_queue = old.write_queue;
    c->dram.queue_latency = old.queue_latency;
    c->dram.hit_cap = old.hit_cap;
    c->dram.rank_hits = old.rank_hits;
    c->dram.write_high = old.write_high;
    c->dram.write_low = old.write_low;
    c->dram.partition = old.partition;
    c->dram.refi = pick(&rng, 0, 1) * hbm.dram.refi;
}

static void random_memory(struct mh_config *c, uint64_t *rng)
{
    c->noc.flit_bytes = pick(rng, 8, 256);
    c->noc.latency = pick(rng, 1, 20);
    c->noc.bank_queue = pick(rng, 1, 3);
    c->noc.walker_ports = pick(rng, 1, 4);
    c->noc.tlb_latency = pick(rng, 1, 12);
    c->dram.channels = pick(rng, 1, 4);
    c->l2.banks = c->dram.channels * pick(rng, 1, 4);
    c->l2.ways = pick(rng, 1, 4);
    c->l2.bytes = c->l2.banks * c->l2.ways * pick(rng, 1, 4) * c->memory.line_bytes;
    c->l2.ports = pick(rng, 1, 4);
    c->l2.latency = pick(rng, 1, 20);
    c->l2.queue_latency = pick(rng, 0, 1) * pick(rng, 1, 90);
    c->l2.mshrs = pick(rng, 1, 4);
    c->l2.sample = pick(rng, 1, 4);
    c->dram.banks = power(rng, 1, 8);
    c->dram.queue = pick(rng, 2, 8); /* 1 is refused: a dirty victim and its successor need two */
    c->dram.write_queue = pick(rng, 0, 1) * pick(rng, 1, 8);
    c->dram.queue_latency = pick(rng, 0, 1) * pick(rng, 1, 9);
    c->dram.hit_cap = pick(rng, 1, 8);
    c->dram.rank_hits = pick(rng, 1, 8);
    c->dram.write_high = pick(rng, 1, c->dram.write_queue ? c->dram.write_queue : c->dram.queue);
    c->dram.write_low = pick(rng, 0, c->dram.write_high - 1);
    c->dram.refi = pick(rng, 0, 1) * pick(rng, 700, 7000);
    c->clock.dram_hz = 1000000ull * pick(rng, 100, 4000);
    c->clock.noc_hz = 1000000ull * pick(rng, 0, 1) * pick(rng, 200, 4000);
    c->memory.latency = pick(rng, 0, 1) * pick(rng, 1, 300);
    random_hbm(c);
}

static void random_queues(struct mh_config *c, uint64_t *rng)
{
    if (pick(rng, 0, 1))
        return;
    c->noc.queues = MH_QUEUES_INPUT;
    c->noc.vcs = pick(rng, 0, 1) ? 1 : pick(rng, 2, 8);
    c->noc.input_speedup = pick(rng, 1, 2);
}

/* Demand paging, of memory for one unit and more. Handler and link are fast: it is their order that matters. */
static void random_paging(struct mh_config *c, uint64_t *rng)
{
    uint32_t unit = c->memory.page_bytes > 65536 ? c->memory.page_bytes : 65536;

    if (pick(rng, 0, 1))
        return;
    c->uvm.mode = MH_UVM_ON;
    c->uvm.prefetch = pick(rng, 0, 1) ? MH_PREFETCH_TREE : MH_PREFETCH_NONE;
    c->uvm.evict = pick(rng, 0, 1) ? MH_EVICT_AGE : MH_EVICT_RANDOM;
    if (pick(rng, 0, 3))
        snprintf(c->uvm.capacity, sizeof c->uvm.capacity, "%u", unit * (pick(rng, 0, 1) ? 1 : pick(rng, 1, 8)));
    c->uvm.evict_amount = pick(rng, 0, 1) ? MH_EVICT_PAGE : MH_EVICT_MOST;
    c->uvm.evict_bytes = pick(rng, 0, 1) ? 65536 : pick(rng, 65536, 2 << 20);
    c->uvm.fault_ns = pick(rng, 1, 3000);
    c->uvm.link_ns = pick(rng, 0, 600);
    c->uvm.buffer = pick(rng, 1, 4);
    c->uvm.batch = pick(rng, 1, 4);
    c->uvm.in_rate = 1000000000ull * pick(rng, 20, 1000);
    c->uvm.out_rate = 1000000000ull * pick(rng, 20, 1000);
    c->l1tlb.ideal = 0;
    for (uint32_t t = 0; t < c->tenants_count; t++) {
        c->tenants[t].arrive = pick(rng, 0, 1) * pick(rng, 1, 20000);
        c->tenants[t].leave = pick(rng, 0, 3) ? 0 : c->tenants[t].arrive + pick(rng, 1, 20000);
    }
}

/* As a driver handles faults. Numbers of their own: GPUs without are those of before. */
static void random_driver(struct mh_config *c, uint64_t seed)
{
    uint64_t rng = seed ^ 0xd21fe2;

    if (c->uvm.mode != MH_UVM_ON || pick(&rng, 0, 1))
        return;
    c->uvm.prefetch = pick(&rng, 0, 1) ? MH_PREFETCH_DRIVER : MH_PREFETCH_ZHENG;
    c->uvm.evict = pick(&rng, 0, 1) ? MH_EVICT_BLOCK : MH_EVICT_LRU;
    c->uvm.evict_block = pick(&rng, 0, 1);
    c->uvm.evict_clean = pick(&rng, 0, 1);
    c->uvm.fault_each_ns = pick(&rng, 0, 1) * pick(&rng, 1, 500);
    c->uvm.block_ns = pick(&rng, 0, 1) * pick(&rng, 1, 900);
    c->uvm.batch = pick(&rng, 0, 1) ? 256 : c->uvm.batch;
    c->uvm.buffer = pick(&rng, 0, 1) ? 256 : c->uvm.buffer;
}

/* Tenants on SMs of their own or on each other's. */
static void random_tenants(struct mh_config *c, uint64_t *rng)
{
    c->tenants_count = pick(rng, 1, 4);
    for (uint32_t t = 0; t < c->tenants_count; t++) {
        struct mh_tenant_cfg *x = &c->tenants[t];
        x->asid = (t + (uint32_t)c->run.seed) % MH_MAX_TENANTS + 1;
        x->sm_first = pick(rng, 0, c->sm.count - 1);
        x->sm_count = pick(rng, 1, c->sm.count - x->sm_first);
        strcpy(x->kernel, "mix");
    }
}

/* Sub-queues of one entry and more, of which some have no tenant. What is there then has a place in the LSU. */
static void random_subqueues(struct mh_config *c, uint64_t *rng)
{
    if (pick(rng, 0, 1)) {
        c->sm.lsu_order = MH_LSU_PER_KERNEL;
        c->sm.lsu_queue = pick(rng, c->tenants_count, 6);
    }
    if (pick(rng, 0, 1))
        return;
    c->l1d.subqueues = pick(rng, c->tenants_count > 2 ? c->tenants_count : 2, 8);
    c->l1d.miss_queue = c->l1d.subqueues * pick(rng, 1, 3);
    c->l1d.arbiter = pick(rng, 1, 4);
    c->l1d.arbiter_patience = pick(rng, 0, 2);
    c->l1d.rate_interval = pick(rng, 1, 60);
    c->l1d.rate_clock = pick(rng, 0, 1) ? MH_RATE_NOC : MH_RATE_GPU;
}

/* Numbers of their own: GPUs without sectors are those of before. */
static void random_sectors(struct mh_config *c, uint64_t seed)
{
    uint64_t rng = seed ^ 0x5ec70a5;
    uint32_t burst;

    if (pick(&rng, 0, 1))
        return;
    c->dram.bus_bytes = power(&rng, 4, 8);
    burst = c->dram.bus_bytes * c->dram.burst;
    c->l2.sector_bytes = power(&rng, burst > 32 ? burst : 32, 64);
    c->l2.stores = MH_STORES_BACK;
    c->l2.partial_stores = pick(&rng, 0, 1) ? MH_PARTIAL_LAZY : MH_PARTIAL_FETCH;
}

/* Numbers of their own: GPUs with the plain table of before are those of before. */
static void random_tables(struct mh_config *c, uint64_t seed)
{
    uint64_t rng = seed ^ 0x7ab1e5;
    const bool huge = c->memory.page_bytes == 2 << 20;

    c->walk.levels = huge ? 3 : 4;
    if (pick(&rng, 0, 1))
        return;
    c->walk.format = pick(&rng, MH_WALK_FORMAT_PLAIN, MH_WALK_FORMAT_HOPPER);
    c->walk.levels = (c->walk.format == MH_WALK_FORMAT_HOPPER ? 6 : 5) - huge;
    if (c->walk.format != MH_WALK_FORMAT_PLAIN) {
        c->walk.pte_bytes = 8;
        c->walk.node_bits = 9;
    }
    if (c->memory.page_bytes == 64 << 10 && c->uvm.mode == MH_UVM_OFF)
        c->memory.large_bytes = pick(&rng, 0, 1) * (2 << 20);
}

/* Latencies of results, and lines an event. Numbers of their own: the GPUs are those of before. */
static void random_results(struct mh_config *c, uint64_t seed)
{
    uint64_t rng = seed ^ 0x2e5017;

    c->sm.alu_latency = pick(&rng, 0, 1) * pick(&rng, 1, 20);
    c->sm.shared_latency = pick(&rng, 0, 1) * pick(&rng, 1, 40);
    c->sm.conflict_cycles = c->sm.shared_latency ? pick(&rng, 0, 3) : 0;
    if (c->sm.stall_reasons || c->sm.wait_reasons || c->sm.lsu_order == MH_LSU_PER_KERNEL || c->l1d.subqueues ||
        c->l1tlb.on_miss == MH_ON_MISS_HOLD || c->noc.queues == MH_QUEUES_INPUT)
        return;
    c->sm.lsu_lines = pick(&rng, 1, 8);
}

/* Two halves, with a link that may take a byte per cycle. Numbers of their own. */
static void random_halves(struct mh_config *c, uint64_t seed)
{
    uint64_t rng = seed ^ 0x4a17e5;

    if (pick(&rng, 0, 1) || c->sm.count < 2 || c->dram.channels % 2 || c->noc.queues == MH_QUEUES_INPUT)
        return;
    c->l2.halves = 2;
    c->l2.far_latency = pick(&rng, 0, 1) * pick(&rng, 1, 300);
    c->l2.link_bytes = pick(&rng, 0, 1) * pick(&rng, 1, 256);
    if (c->l2.sector_bytes && !c->dram.partition && pick(&rng, 0, 2))
        c->l2.far = MH_FAR_COPY;
}

/* Memory that is no power of two, or larger than tags tell apart, whose frames anybody may have. Numbers of their own.
 */
static void random_frames(struct mh_config *c, uint64_t seed)
{
    const uint64_t line = c->memory.line_bytes, page = 2 << 20;
    const uint64_t l1d = c->l1d.bytes / line / c->l1d.ways, l2 = c->l2.bytes / c->l2.banks / line / c->l2.ways;
    uint64_t rng = seed ^ 0xf4a3e5;

    c->memory.owned = pick(&rng, 0, 1) ? MH_OWNED_WHOLE : MH_OWNED_EIGHTH;
    if (pick(&rng, 0, 1))
        c->memory.bytes += pick(&rng, 1, 100) * page;
    else if (pick(&rng, 0, 1))
        c->memory.bytes = pick(&rng, 1, (uint32_t)mh_min64(mh_min64(l1d, l2), 8)) * (line << MH_TAG_LINE_BITS) -
                          pick(&rng, 0, 100) * page;
}

static void random_atomics(struct mh_config *c, uint64_t seed)
{
    uint64_t rng = seed ^ 0xa70a1c;

    if (c->l1d.store_hit == MH_STORE_HIT_KEEP && pick(&rng, 0, 1))
        c->l1d.store_miss = MH_STORE_MISS_ALLOCATE;

    if (pick(&rng, 0, 1))
        return;
    c->l2.atomics = MH_ATOMICS_BANK;
    c->l2.atomic_cycles = pick(&rng, 1, 64);
    c->l2.atomic_latency = pick(&rng, 0, 1) * pick(&rng, 1, 200);
}

static void random_config(struct mh_config *c, uint64_t *rng, uint64_t seed)
{
    static const uint32_t pages[] = {4 << 10, 64 << 10, 2 << 20};

    *c = script_config(1, 1);
    c->run.seed = seed;
    c->memory.line_bytes = power(rng, 64, 128);
    c->memory.bytes = 1ull << 32; /* room for pages of 2 MiB */
    c->memory.page_bytes = pages[pick(rng, 0, 2)];
    random_sm(c, rng);
    random_translation(c, rng);
    random_iommu(c, rng);
    random_memory(c, rng);
    random_tenants(c, rng);
    c->l2.partition = c->tenants_count <= c->l2.ways && pick(rng, 0, 1);
    c->dram.partition = c->tenants_count <= c->dram.channels && pick(rng, 0, 1);
    random_paging(c, rng);
    random_queues(c, rng);
    c->sm.stall_reasons = pick(rng, 0, 1);
    c->sm.wait_reasons = pick(rng, 0, 1);
    random_subqueues(c, rng);
    random_sectors(c, seed);
    random_driver(c, seed);
    random_tables(c, seed);
    random_results(c, seed);
    random_halves(c, seed);
    random_tlbs(c, seed);
    random_atomics(c, seed);
    c->l2.bypass_wires = seed >> 1 & 1;
    c->dram.opened_first = seed >> 2 & 1;
    random_frames(c, seed);
}

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
    const char *chosen = getenv("MH_SEED"), *dash = chosen ? strchr(chosen, '-') : NULL;
    uint64_t first = chosen ? strtoull(chosen, NULL, 10) : 1, last = chosen ? first : SEEDS;

    signal(SIGABRT, say_seed);
    if (dash)
        last = strtoull(dash + 1, NULL, 10);
    print_message("seeds %llu..%llu\n", (unsigned long long)first, (unsigned long long)last);
    for (uint64_t seed = first; seed <= last; seed++)
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
