/*
 * TCM (Kim et al., MICRO 2010) as CCBP compares with it (sec. 7.5): ranks of tenants at DRAM.
 *
 * The paper clusters every million cycles and shuffles every 800, in hardware. Of an mcu of 500 MHz beside a GPU of 1.8
 * GHz 800 cycles are 222 of its own, an interrupt's: here it is 10 000 (ours), and a million cycles are ten epochs.
 */
#include <string.h>

#include "policy.h"
#include "tcm.h"

POLICY_OWNS(DRAM_RANK);
POLICY_OWNS(DRAM_MONITOR);
POLICY_OWNS(TIMER_CTRL);

enum {
    TCM_QUANTUM = 10,    /* epochs */
    TCM_SHUFFLE = 10000, /* GPU cycles */
    TCM_SEED = 1,
};

static struct {
    struct tcm tcm;
    struct tcm_config config;
    struct tcm_counts before[GPU_MAX_TENANTS];
    uint32_t epochs;
} tcm_ranks_state;

static void tcm_ranks_show(const struct gpu_caps *caps)
{
    for (uint32_t tenant = 0; tenant < caps->tenants; tenant++)
        gpu_set_knob(DRAM_RANK, tenant, tcm_rank(&tcm_ranks_state.tcm, tenant));
}

static enum policy_status tcm_ranks_init(const struct gpu_caps *caps)
{
    memset(&tcm_ranks_state, 0, sizeof tcm_ranks_state);
    if (!(caps->features & MH_FEATURE_DRAM_RANK))
        return POLICY_UNSUPPORTED;
    tcm_ranks_state.config =
        (struct tcm_config){.thresh = 4, .over = 24, .banks = gpu_dram_banks(), .shuffle_tenths = 1};
    tcm_begin(&tcm_ranks_state.tcm, caps->tenants, TCM_SEED);
    gpu_set_knob(DRAM_MONITOR, 0, 1);
    tcm_ranks_show(caps);
    gpu_set_timer(TCM_SHUFFLE);
    return POLICY_OK;
}

static struct tcm_counts tcm_ranks_read(uint32_t tenant)
{
    uint32_t reads = gpu_count(tenant, MH_COUNTER_DRAM_READ), written = gpu_count(tenant, MH_COUNTER_DRAM_WRITE);

    return (struct tcm_counts){.instructions = gpu_count(tenant, MH_COUNTER_WARP_INSTR),
                               .misses = reads,
                               .lines = reads + written,
                               .reads = gpu_count(tenant, MH_COUNTER_DRAM_ALONE_READS),
                               .hits = gpu_count(tenant, MH_COUNTER_DRAM_ALONE_HITS),
                               .area = gpu_count(tenant, MH_COUNTER_DRAM_BANKS_AREA),
                               .cycles = gpu_count(tenant, MH_COUNTER_DRAM_BANKS_CYCLES)};
}

static struct tcm_counts tcm_ranks_since(const struct tcm_counts *now, const struct tcm_counts *before)
{
    return (struct tcm_counts){.instructions = now->instructions - before->instructions,
                               .misses = now->misses - before->misses,
                               .lines = now->lines - before->lines,
                               .reads = now->reads - before->reads,
                               .hits = now->hits - before->hits,
                               .area = now->area - before->area,
                               .cycles = now->cycles - before->cycles};
}

static void tcm_ranks_on_epoch(const struct gpu_caps *caps)
{
    struct tcm_counts quantum[GPU_MAX_TENANTS];

    if (++tcm_ranks_state.epochs % TCM_QUANTUM)
        return;
    for (uint32_t tenant = 0; tenant < caps->tenants; tenant++) {
        struct tcm_counts now = tcm_ranks_read(tenant);

        quantum[tenant] = tcm_ranks_since(&now, &tcm_ranks_state.before[tenant]);
        tcm_ranks_state.before[tenant] = now;
    }
    tcm_cluster(&tcm_ranks_state.tcm, &tcm_ranks_state.config, quantum);
    tcm_ranks_show(caps);
}

static void tcm_ranks_on_timer(const struct gpu_caps *caps)
{
    tcm_shuffle(&tcm_ranks_state.tcm);
    tcm_ranks_show(caps);
    gpu_set_timer(TCM_SHUFFLE);
}

const struct policy policy_tcm_ranks = {
    .name = "tcm_ranks", .init = tcm_ranks_init, .on_epoch = tcm_ranks_on_epoch, .on_timer = tcm_ranks_on_timer};
