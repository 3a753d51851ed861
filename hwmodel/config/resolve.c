/* Completes a configuration and refuses what cannot work, with the reason. */
#include <inttypes.h>

#include "config/internal.h"
#include "memhelm/config_file.h"
#include "uvm/uvm.h"

static int check_ranges(const struct mh_config *cfg, struct mh_error *err)
{
    char key[2 * MH_KEY_MAX];

    for (size_t i = 0; i < mh_config_fields.count; i++)
        if (mh_field_check(&mh_config_fields.field[i], cfg, mh_config_fields.field[i].name, "", err))
            return -1;
    if (cfg->tenants_count < 1 || cfg->tenants_count > MH_MAX_TENANTS)
        return mh_fail(err, "tenants: %u; a run needs 1..%d: choose a workload such as MVT+GUPS", cfg->tenants_count,
                       MH_MAX_TENANTS);
    for (uint32_t t = 0; t < cfg->tenants_count; t++)
        for (size_t i = 0; i < mh_tenant_fields.count; i++) {
            snprintf(key, sizeof key, "tenants[%u].%s", t, mh_tenant_fields.field[i].name);
            if (mh_field_check(&mh_tenant_fields.field[i], &cfg->tenants[t], key, "", err))
                return -1;
        }
    return 0;
}

/* A tenant without a count runs on all SMs; the others keep their range, where a start of 0 is SM 0. */
static void share_all_sms(struct mh_config *cfg)
{
    for (uint32_t t = 0; t < cfg->tenants_count; t++)
        if (!cfg->tenants[t].sm_count)
            cfg->tenants[t].sm_count = cfg->sm.count;
}

/* All counts 0: equal shares. All starts 0: the ranges follow each other. */
static int divide_sms(struct mh_config *cfg, struct mh_error *err)
{
    uint32_t n = cfg->tenants_count, with_count = 0, with_first = 0, next = 0;

    for (uint32_t t = 0; t < n; t++) {
        with_count += cfg->tenants[t].sm_count != 0;
        with_first += cfg->tenants[t].sm_first != 0;
    }
    if ((with_count && with_count != n) || (!with_count && with_first))
        return mh_fail(err, "tenants: give sm_count for every tenant, or neither sm_count nor sm_first for any");
    if (cfg->sm.share) {
        share_all_sms(cfg);
        return 0;
    }
    if (n > cfg->sm.count)
        return mh_fail(err, "tenants: %u tenants on %u SMs; each needs one (sm.count)", n, cfg->sm.count);
    for (uint32_t t = 0; t < n && !with_first; t++) {
        struct mh_tenant_cfg *tenant = &cfg->tenants[t];

        if (!with_count)
            tenant->sm_count = mh_config_part(cfg->sm.count, n, t);
        tenant->sm_first = n == 1 && with_count ? tenant->sm_first : next;
        next += tenant->sm_count;
    }
    return 0;
}

/* Also of ranges that divide_sms() made: counts that were given may add up to more than there are. */
static int check_sms(const struct mh_config *cfg, struct mh_error *err)
{
    int owner[MH_MAX_SMS];

    memset(owner, -1, sizeof owner);
    for (uint32_t t = 0; t < cfg->tenants_count; t++) {
        const struct mh_tenant_cfg *tenant = &cfg->tenants[t];

        if (tenant->sm_first + tenant->sm_count > cfg->sm.count)
            return mh_fail(err, "tenants[%u]: SMs %u..%u, but sm.count is %u", t, tenant->sm_first,
                           tenant->sm_first + tenant->sm_count - 1, cfg->sm.count);
        for (uint32_t s = tenant->sm_first; s < tenant->sm_first + tenant->sm_count; s++) {
            if (owner[s] >= 0 && !cfg->sm.share)
                return mh_fail(
                    err, "tenants[%d] and tenants[%u] both claim SM %u; an SM has one tenant unless sm.share is 1",
                    owner[s], t, s);
            owner[s] = (int)t;
        }
    }
    return 0;
}

/* Those that were given first: a free number must not be one that a later tenant has. */
static int number_asids(struct mh_config *cfg, struct mh_error *err)
{
    int owner[MH_MAX_TENANTS + 1];
    uint32_t next = 1;

    memset(owner, -1, sizeof owner);
    for (uint32_t t = 0; t < cfg->tenants_count; t++) {
        uint32_t asid = cfg->tenants[t].asid;

        if (asid && owner[asid] >= 0)
            return mh_fail(err, "tenants[%d] and tenants[%u] share asid %u; each needs its own", owner[asid], t, asid);
        if (asid)
            owner[asid] = (int)t;
    }
    for (uint32_t t = 0; t < cfg->tenants_count; t++) {
        if (cfg->tenants[t].asid)
            continue;
        while (owner[next] >= 0)
            next++;
        cfg->tenants[t].asid = next;
        owner[next] = (int)t;
    }
    return 0;
}

/* A workload's end is a cycle of the whole run, and may lie in the warm-up. */
static int check_warmup(const struct mh_config *cfg, struct mh_error *err)
{
    if (cfg->run.warmup >= cfg->run.cycles)
        return mh_fail(err, "run.warmup: %" PRIu64 " cycles, but the run ends at %" PRIu64 " (run.cycles)",
                       cfg->run.warmup, cfg->run.cycles);
    if (cfg->run.warmup && cfg->run.completions)
        return mh_fail(err, "run.warmup: not with run.completions, whose results are of whole workloads");
    if (cfg->run.warmup && cfg->sm.wait_reasons)
        return mh_fail(err, "run.warmup: not with sm.wait_reasons, which knows a wait's cause when it ends");
    return 0;
}

/* A tenant that never comes has no result, and an alone run of it would be empty. */
static int check_presence(const struct mh_config *cfg, struct mh_error *err)
{
    for (uint32_t t = 0; t < cfg->tenants_count; t++) {
        uint64_t arrive = cfg->tenants[t].arrive, leave = cfg->tenants[t].leave;

        if (leave && leave <= arrive)
            return mh_fail(err,
                           "tenants[%u].leave: cycle %" PRIu64 ", but it arrives at %" PRIu64 ": later, or 0 to stay",
                           t, leave, arrive);
        if (arrive >= cfg->run.cycles)
            return mh_fail(err,
                           "tenants[%u].arrive: cycle %" PRIu64 ", but the run ends at %" PRIu64
                           " (run.cycles): it would never be there",
                           t, arrive, cfg->run.cycles);
    }
    return 0;
}

static int check_limits(const struct mh_config *cfg, struct mh_error *err)
{
    for (uint32_t t = 0; t < cfg->tenants_count; t++)
        if (cfg->tenants[t].cta_limit > cfg->sm.cta_slots)
            return mh_fail(err, "tenants[%u].cta_limit: %u CTAs, but an SM has %u slots (sm.cta_slots); 1..%u, or 0", t,
                           cfg->tenants[t].cta_limit, cfg->sm.cta_slots, cfg->sm.cta_slots);
    return 0;
}

static int check_uvm(const struct mh_config *c, struct mh_error *err)
{
    if (c->uvm.compression_ratio && c->uvm.compression_ratio < 100)
        return mh_fail(err,
                       "uvm.compression_ratio: %u hundredths would make memory smaller; 0 (by the data), or 100..800",
                       c->uvm.compression_ratio);
    return 0;
}

static int check_names(const struct mh_config *cfg, struct mh_error *err)
{
    for (uint32_t t = 0; t < cfg->tenants_count; t++)
        if (!*cfg->tenants[t].kernel)
            return mh_fail(err, "tenants[%u] has no kernel: a name, or trace:FILE", t);
    return check_uvm(cfg, err);
}

/* A cache of whole sets: any number of them, the set of a line is a remainder. */
static int check_lines_of(const char *what, uint64_t bytes, uint32_t ways, uint32_t line, struct mh_error *err)
{
    uint64_t set = (uint64_t)ways * line;

    if (!bytes || bytes % set)
        return mh_fail(err, "%s: %" PRIu64 " bytes do not make whole sets of %" PRIu64 " bytes (ways x line)", what,
                       bytes, set);
    return 0;
}

static int check_caches(const struct mh_config *c, struct mh_error *err)
{
    uint32_t line = c->memory.line_bytes;

    if (check_lines_of("l1d.bytes", c->l1d.bytes, c->l1d.ways, line, err))
        return -1;
    if (c->l2.bytes % c->l2.banks)
        return mh_fail(err, "l2.bytes: %u do not divide into %u banks", c->l2.bytes, c->l2.banks);
    return check_lines_of("l2.bytes per bank", c->l2.bytes / c->l2.banks, c->l2.ways, line, err);
}

static int check_widths(const struct mh_config *c, struct mh_error *err)
{
    enum { MOST_QUEUED = 10000 };
    uint64_t queued = c->clock.noc_hz ? c->l2.queue_latency * c->clock.noc_hz / c->clock.gpu_hz : c->l2.queue_latency;

    if (c->clock.noc_hz && c->clock.noc_hz < 1000000)
        return mh_fail(err, "clock.noc_hz: %" PRIu64 " Hz; at least 1000000, or 0: the GPU's clock", c->clock.noc_hz);
    if (queued > MOST_QUEUED)
        return mh_fail(err,
                       "l2.queue_latency: %u GPU cycles are %" PRIu64
                       " of the crossbar's clock; at most %d: what is in "
                       "them has places",
                       c->l2.queue_latency, queued, MOST_QUEUED);
    return c->sm.lanes == 32 || c->sm.lanes == 64 ? 0 : mh_fail(err, "sm.lanes: %u; allowed: 32 or 64", c->sm.lanes);
}

static int check_lines(const struct mh_config *c, struct mh_error *err)
{
    uint32_t line = c->memory.line_bytes, sector = c->l1d.sector_bytes;

    if (line != 64 && line != 128)
        return mh_fail(err, "memory.line_bytes: %u; lines are 64 or 128 bytes", line);
    if (sector && (sector < 32 || sector > line || !mh_power_of_two(sector)))
        return mh_fail(err, "l1d.sector_bytes: %u; allowed with lines of %u bytes: 32 .. %u, a power of two, or 0",
                       sector, line, line);
    return 0;
}

/* The tenants that may be on the SM at a time; those that come and go may be there together. */
static uint32_t tenants_of(const struct mh_config *c, uint32_t sm)
{
    uint32_t n = 0;

    for (uint32_t t = 0; t < c->tenants_count; t++)
        n += sm - c->tenants[t].sm_first < c->tenants[t].sm_count;
    return n;
}

/* A tenant without a sub-queue, or without a place in the LSU, could never be served. */
static int check_shares(const struct mh_config *c, struct mh_error *err)
{
    bool apart = c->sm.lsu_order == MH_LSU_PER_KERNEL;

    for (uint32_t s = 0; s < c->sm.count; s++) {
        uint32_t n = tenants_of(c, s);

        if (c->l1d.subqueues && n > c->l1d.subqueues)
            return mh_fail(err, "l1d.subqueues: %u tenants on SM %u, but there are %u sub-queues, and each needs one",
                           n, s, c->l1d.subqueues);
        if (apart && n > c->sm.lsu_queue)
            return mh_fail(err,
                           "sm.lsu_queue: %u tenants on SM %u, but %u instructions, and with sm.lsu_order per-kernel "
                           "each needs a place",
                           n, s, c->sm.lsu_queue);
    }
    return 0;
}

static int check_miss_queue(const struct mh_config *c, struct mh_error *err)
{
    uint32_t n = c->l1d.subqueues;

    if (n == 1)
        return mh_fail(err, "l1d.subqueues: 1 is no division; allowed: 0 (one FIFO), or 2..8");
    if (n && c->l1d.miss_queue % n)
        return mh_fail(err, "l1d.subqueues: %u sub-queues, but l1d.miss_queue is %u: not a multiple", n,
                       c->l1d.miss_queue);
    return check_shares(c, err);
}

/* A transfer of sectors is whole bursts. Compressed lines have no sectors: where one lies is known once it is whole. */
static int check_sectors(const struct mh_config *c, struct mh_error *err)
{
    uint32_t sector = c->l2.sector_bytes, burst = c->dram.bus_bytes * c->dram.burst, line = c->memory.line_bytes;

    if (!sector)
        return c->l2.partial_stores != MH_PARTIAL_LAZY
                   ? 0
                   : mh_fail(err,
                             "l2.partial_stores: lazy is of sectors, but l2.sector_bytes is 0: 32 or 64, or fetch");
    if (sector != 32 && sector != 64)
        return mh_fail(err, "l2.sector_bytes: %u; allowed: 32, 64, or 0 (the line)", sector);
    if (sector && c->l2.stores == MH_STORES_THROUGH)
        return mh_fail(err,
                       "l2.sector_bytes: %u beside l2.stores through, which writes lines; set one of them to 0 or back",
                       sector);
    if (sector % burst)
        return mh_fail(err,
                       "l2.sector_bytes: %u, but a burst of DRAM has %u bytes (dram.bus_bytes x dram.burst); allowed: "
                       "whole bursts, 32 or 64, or 0 (the line)",
                       sector, burst);
    if (c->uvm.mode == MH_UVM_ON && c->uvm.compression == MH_COMPRESSION_LCP)
        return mh_fail(err,
                       "l2.sector_bytes: %u beside uvm.compression lcp: a compressed line of %u bytes is read whole; "
                       "set l2.sector_bytes to 0, or uvm.compression to none",
                       sector, line);
    return 0;
}

/* One channel, with requests of the L2's size: left at 0 they would count as MH_LINE_BYTES. */
static int check_dram(const struct mh_config *c, struct mh_error *err)
{
    struct mh_dram_cfg d = c->dram;

    if (!d.request_bytes)
        d.request_bytes = c->memory.line_bytes;
    return mh_config_check_dram(&d, err);
}

/* A tenant without a way, or without a channel, could never be served. */
static int check_partitions(const struct mh_config *c, struct mh_error *err)
{
    if (c->l2.partition && c->tenants_count > c->l2.ways)
        return mh_fail(err, "l2.partition: %u tenants, but l2.ways is %u, and each needs a way: set l2.partition to 0",
                       c->tenants_count, c->l2.ways);
    if (c->dram.partition && c->tenants_count > c->dram.channels)
        return mh_fail(err,
                       "dram.partition: %u tenants, but dram.channels is %u, and each needs a channel: set "
                       "dram.partition to 0",
                       c->tenants_count, c->dram.channels);
    return 0;
}

/*
 * Ranges come first: what follows counts with the values and uses them as indices. SMs are divided before they are
 * checked.
 */
int mh_config_resolve(struct mh_config *cfg, struct mh_error *err)
{
    if (check_ranges(cfg, err) || check_names(cfg, err) || divide_sms(cfg, err) || check_sms(cfg, err) ||
        number_asids(cfg, err) || check_presence(cfg, err) || check_warmup(cfg, err) || check_limits(cfg, err) ||
        mh_resolve_sm(cfg, err))
        return -1;
    if (check_widths(cfg, err) || check_lines(cfg, err) || mh_resolve_translation(cfg, err) || check_caches(cfg, err) ||
        check_dram(cfg, err) || check_sectors(cfg, err) || mh_resolve_pages(cfg, err) || mh_resolve_memory(cfg, err) ||
        check_partitions(cfg, err) || mh_resolve_halves(cfg, err) || mh_resolve_atomics(cfg, err) ||
        mh_resolve_stores(cfg, err) || check_miss_queue(cfg, err) || mh_uvm_resolve(cfg, err))
        return -1;
    return 0;
}
