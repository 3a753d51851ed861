/* Random small GPUs, with every queue, MSHR file and cache down to one entry, of any kind that a configuration allows.
 */
#ifndef TESTS_UNIT_GPU_RANDOM_CONFIG_H
#define TESTS_UNIT_GPU_RANDOM_CONFIG_H

#include "unit/config_text.h"
#include "mix.h"
#include "script.h"

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

#endif
