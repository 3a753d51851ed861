/*
 * TCM (Kim et al., MICRO 2010) as CCBP compares with it (sec. 7.5): ranks of tenants at DRAM.
 *
 * The paper clusters every million cycles and shuffles every 800, in hardware. Of an mcu of 500 MHz with a GPU of 1.8
 * GHz 800 cycles are 222 of its own, an interrupt's: here it is 10 000 (ours), and a million cycles are ten epochs.
 */
#include "tcm.h"

#include <string.h>

#include "../policy.h"

/* A rate that is compared: over is not 0, or it is more than any other. */
struct rate {
    uint32_t of, over;
};

static int is_less(struct rate a, struct rate b)
{
    return (uint64_t)a.of * b.over < (uint64_t)b.of * a.over;
}

/* Nothing of nothing is 0. */
static struct rate rate(uint32_t of, uint32_t over)
{
    return (struct rate){of, over > 0 || of > 0 ? over : 1};
}

static struct rate intensity(const struct tcm_counts *c)
{
    return rate(c->misses, c->instructions);
}

static struct rate parallelism(const struct tcm_counts *c)
{
    return rate(c->area, c->cycles);
}

static struct rate locality(const struct tcm_counts *c)
{
    return rate(c->hits, c->reads);
}

void tcm_begin(struct tcm *tcm, uint32_t tenants, uint32_t seed)
{
    *tcm = (struct tcm){.tenants = (uint8_t)tenants, .random = seed > 0 ? seed : 1};
    for (uint32_t t = 0; t < tenants; t++)
        tcm->order[t] = (uint8_t)t;
}

/* Takes the tenant at `from` out and puts it in at `to`. */
static void move(struct tcm *tcm, uint32_t from, uint32_t to)
{
    uint8_t tenant = tcm->order[from];

    for (; from < to; from++)
        tcm->order[from] = tcm->order[from + 1];
    for (; from > to; from--)
        tcm->order[from] = tcm->order[from - 1];
    tcm->order[to] = tenant;
}

/* The lowest intensity last; of equal ones the first tenant. */
static void sort_by_intensity(struct tcm *tcm, const struct tcm_counts *counts)
{
    for (uint32_t t = 0; t < tcm->tenants; t++) {
        uint32_t at = t;

        tcm->order[t] = (uint8_t)t;
        while (at > 0 && !is_less(intensity(&counts[t]), intensity(&counts[tcm->order[at - 1]])))
            at--;
        move(tcm, t, at);
    }
}

/* How many of the highest places are latency-sensitive tenants'. */
static uint32_t sensitive(const struct tcm *tcm, const struct tcm_config *config, const struct tcm_counts *counts)
{
    uint64_t all = 0, sum = 0;
    uint32_t n = 0;

    for (uint32_t t = 0; t < tcm->tenants; t++)
        all += counts[t].lines;
    for (; n < tcm->tenants; n++) {
        sum += counts[tcm->order[tcm->tenants - 1 - n]].lines;
        if (sum * config->over > all * config->thresh)
            break;
    }
    return n;
}

/* Places below the tenant by parallelism, less those by locality, among the bandwidth-sensitive. */
static int32_t niceness(const struct tcm *tcm, const struct tcm_counts *counts, uint32_t tenant)
{
    int32_t nice = 0;

    for (uint32_t i = 0; i < tcm->bandwidth; i++) {
        const struct tcm_counts *other = &counts[tcm->order[i]];

        nice += is_less(parallelism(other), parallelism(&counts[tenant]));
        nice -= is_less(locality(other), locality(&counts[tenant]));
    }
    return nice;
}

/* The nicest last; of equal ones the first tenant. */
static void sort_by_niceness(struct tcm *tcm, const struct tcm_counts *counts)
{
    int8_t nice[TCM_MAX_TENANTS];

    for (uint32_t i = 0; i < tcm->bandwidth; i++)
        nice[tcm->order[i]] = (int8_t)niceness(tcm, counts, tcm->order[i]);
    for (uint32_t i = 1; i < tcm->bandwidth; i++) {
        uint32_t at = i, t = tcm->order[i];

        while (at > 0) {
            uint32_t below = tcm->order[at - 1];

            if (nice[below] < nice[t] || (below > t && nice[below] == nice[t]))
                break;
            at--;
        }
        move(tcm, i, at);
    }
}

/* The largest and the smallest rate are more than `tenths` tenths of `whole` apart. */
static bool apart(const struct tcm *tcm, const struct tcm_counts *counts, struct rate (*of)(const struct tcm_counts *),
                  uint32_t tenths, uint32_t whole)
{
    struct rate most = {0, 1}, least = {UINT32_MAX, 1};

    for (uint32_t i = 0; i < tcm->bandwidth; i++) {
        struct rate r = of(&counts[tcm->order[i]]);

        most = is_less(most, r) ? r : most;
        least = is_less(r, least) ? r : least;
    }
    return 10 * ((uint64_t)most.of * least.over) >
           10 * ((uint64_t)least.of * most.over) + (uint64_t)most.over * least.over * tenths * whole;
}

void tcm_cluster(struct tcm *tcm, const struct tcm_config *config, const struct tcm_counts *counts)
{
    sort_by_intensity(tcm, counts);
    tcm->bandwidth = (uint8_t)(tcm->tenants - sensitive(tcm, config, counts));
    sort_by_niceness(tcm, counts);
    tcm->ranked = true;
    tcm->phase = 0;
    tcm->insertion = tcm->bandwidth > 0 && apart(tcm, counts, parallelism, config->shuffle_tenths, config->banks) &&
                     apart(tcm, counts, locality, config->shuffle_tenths, 1);
}

/* Xorshift (Marsaglia, 2003). */
static uint32_t next_random(struct tcm *tcm)
{
    tcm->random ^= tcm->random << 13;
    tcm->random ^= tcm->random >> 17;
    tcm->random ^= tcm->random << 5;
    return tcm->random;
}

static void shuffle_random(struct tcm *tcm)
{
    for (uint32_t i = tcm->bandwidth - 1u; i > 0; i--) {
        uint32_t other = (uint32_t)((uint64_t)next_random(tcm) * (i + 1) >> 32);
        uint8_t tenant = tcm->order[i];

        tcm->order[i] = tcm->order[other];
        tcm->order[other] = tenant;
    }
}

static void shuffle_insertion(struct tcm *tcm)
{
    uint32_t n = tcm->bandwidth, top = n - 1, phase = tcm->phase;

    if (phase < n)
        move(tcm, top - phase, top);
    else if (phase > n)
        move(tcm, top, phase - n - 1);
    tcm->phase = (uint8_t)(phase + 1 < 2 * n ? phase + 1 : 0);
}

void tcm_shuffle(struct tcm *tcm)
{
    if (tcm->bandwidth < 2)
        return;
    if (tcm->insertion)
        shuffle_insertion(tcm);
    else
        shuffle_random(tcm);
}

uint32_t tcm_rank(const struct tcm *tcm, uint32_t tenant)
{
    uint32_t rank = 0;

    if (!tcm->ranked)
        return 0;
    while (tcm->order[rank] != tenant)
        rank++;
    return rank;
}

/* ---- on the GPU */

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
