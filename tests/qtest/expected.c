#include "qtest/expected.h"

#include <stddef.h>

#include "memhelm/config_file.h"

enum { MAX_REGISTERS = 2048 };

struct reg regs[MAX_REGISTERS];
unsigned reg_count;
struct caps caps;

/* Where tenants have SMs of their own. */
static uint32_t root_of(const struct mh_config *cfg, uint32_t sm)
{
    for (uint32_t t = 0; t < cfg->tenants_count; t++)
        if (sm >= cfg->tenants[t].sm_first && sm < cfg->tenants[t].sm_first + cfg->tenants[t].sm_count)
            return t;
    return MH_NO_ROOT;
}

/* In 1024 GPU cycles, of what comes `amount` times in each cycle of a clock; hz 0: the GPU's. */
static uint32_t in_1024(const struct mh_config *cfg, uint64_t amount, uint64_t hz)
{
    return (uint32_t)(hz ? 1024 * amount * hz / cfg->clock.gpu_hz : 1024 * amount);
}

static void compute_peaks(const struct mh_config *cfg)
{
    uint32_t flit = cfg->noc.flit_bytes;

    caps.rate_interval = 0; /* no sub-queues in these runs */
    caps.issue_patience = (uint32_t)cfg->l1d.arbiter_patience;
    caps.line_bytes = cfg->memory.line_bytes;
    caps.reply_bytes = flit + (caps.line_bytes + flit - 1) / flit * flit;
    caps.noc_peak = in_1024(cfg, cfg->sm.count * flit, cfg->clock.noc_hz);
    caps.dram_peak = in_1024(cfg, cfg->dram.channels * cfg->dram.bus_bytes * cfg->dram.data_rate, cfg->clock.dram_hz);
}

static void compute_caps(const struct mh_config *cfg)
{
    caps.sms = cfg->sm.count;
    caps.tenants = cfg->tenants_count;
    caps.warps = cfg->sm.warps;
    caps.lanes = cfg->sm.lanes;
    caps.cta_slots = cfg->sm.cta_slots;
    caps.sm_registers = cfg->sm.registers;
    caps.sm_shared = cfg->sm.shared_bytes;
    compute_peaks(cfg);
    caps.walkers = mh_config_walkers(cfg);
    caps.levels = cfg->walk.levels;
    caps.l2tlb_entries = cfg->l2tlb.entries;
    caps.bypass_entries = cfg->l2tlb.bypass_entries;
    caps.channels = cfg->dram.channels;
    caps.l1d_ways = cfg->l1d.ways;
    caps.dram_banks = cfg->dram.banks;
    caps.features = MH_FEATURE_CTA_LIMIT | MH_FEATURE_CTA_THROTTLE | MH_FEATURE_SM_THROTTLE | MH_FEATURE_L2_BYPASS;
    caps.features |= MH_FEATURE_WALK_ORDER | MH_FEATURE_WALK_SCORES;
    caps.features |= cfg->l2tlb.bypass_entries ? MH_FEATURE_TOKENS : 0;
    caps.features |= cfg->walk.pwc_bytes ? MH_FEATURE_PWC : 0;
    caps.features |= cfg->dram.golden ? MH_FEATURE_DRAM_QUEUES : 0;
    caps.features |= cfg->sm.share ? MH_FEATURE_L1D_WAYS : MH_FEATURE_SM_ROOT;
    caps.features |= MH_FEATURE_DRAM_RANK;
    for (uint32_t t = 0; t < cfg->tenants_count; t++)
        caps.present |= (uint32_t)!cfg->tenants[t].arrive << t;
    for (uint32_t s = 0; s < cfg->sm.count; s++)
        caps.sm_root[s] = root_of(cfg, s);
    caps.walk_queue = cfg->walk.buffer ? cfg->walk.buffer : cfg->l2tlb.mshrs;
    caps.walk_queues = 1;
    caps.features |= MH_FEATURE_WALK_QUEUES;
    caps.epoch = (uint32_t)cfg->run.epoch;
    caps.gpu_khz = (uint32_t)(cfg->clock.gpu_hz / 1000);
    caps.mcu_khz = (uint32_t)(cfg->mcu.hz / 1000);
}

static uint32_t copies(uint32_t count)
{
    if (count == MH_STEERED_SMS)
        return caps.sms;
    return count == MH_MAX_TENANTS ? caps.tenants : count;
}

static void build_table(void)
{
#define CAP(name)                caps.name
#define COPIES_TENANT            caps.tenants
#define COPIES_GPU               1
#define COPIES_SM_MASK           1
#define COPIES_WALKER            caps.walkers
#define COPIES_TENANT_SM(tenant) ((tenant) < caps.tenants ? caps.sms : 0)
#define ADD(n, name, offset, stride, width, reset, min, max, access)                                                   \
    for (uint32_t COPY = 0; COPY < (n); COPY++)                                                                        \
        regs[reg_count++] =                                                                                            \
            (struct reg){#name, offset + COPY * (stride), (uint32_t)((1ull << (width)) - 1), reset, min, max, access};
#define MH_REG(name, offset, count, stride, width, access, reset, min, max, unit, doc)                                 \
    ADD(copies(count), name, offset, stride, width, reset, min, max, access)
#define MH_KNOB_REG(name, member, shape, offset, count, stride, width, reset, min, max, unit, doc)                     \
    ADD(COPIES_##shape, name, offset, stride, width, reset, min, max, KNOB)
#include "memhelm/registers.def"
    for (uint32_t tenant = 0; tenant < caps.tenants; tenant++)
        for (uint32_t word = 0; word < 2 * MH_COUNTERS; word++)
            regs[reg_count++] = (struct reg){
                "counter", MH_COUNTER_BASE + tenant * MH_COUNTER_STRIDE + 4 * word, UINT32_MAX, 0, 0, 0, SNAP};
}

void expected_build(const struct mh_config *cfg)
{
    compute_caps(cfg);
    build_table();
}
