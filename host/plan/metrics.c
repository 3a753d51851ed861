#include "metrics.h"

#include <math.h>
#include <string.h>

#include "run/bursts.h"

double metrics_ratio(double a, double b)
{
    return b != 0 ? a / b : (double)NAN;
}

uint64_t metrics_present(const struct mh_tenant_cfg *tenant, uint64_t from, uint64_t to)
{
    uint64_t begin = tenant->arrive > from ? tenant->arrive : from;
    uint64_t end = tenant->leave && tenant->leave < to ? tenant->leave : to;
    return end > begin ? end - begin : 0;
}

static uint64_t counted(const struct mh_tenant_cfg *tenant, const struct mh_stats *s)
{
    return metrics_present(tenant, s->warmup, s->warmup + s->cycles);
}

/* IPC over completed executions, if run.completions is set and one completed: a shared run ends within the next one. */
static double ipc_of(const struct mh_tenant_cfg *tenant, const struct mh_stats *s, uint32_t t)
{
    const struct mh_completed *whole = &s->completed[t];

    if (whole->cycle)
        return metrics_ratio((double)whole->lane_instr, (double)metrics_present(tenant, 0, whole->cycle));
    return metrics_ratio((double)s->tenant[t].lane_instr, (double)counted(tenant, s));
}

double metrics_ipc_alone(const struct mh_tenant_cfg *tenant, const struct mh_stats *alone)
{
    return ipc_of(tenant, alone, 0);
}

uint32_t metrics_alone_ipc(const struct mh_tenant_cfg *tenant, const struct mh_stats *alone)
{
    uint64_t cycles = counted(tenant, alone);
    return cycles ? (uint32_t)((alone->tenant[0].warp_instr << 16) / cycles) : 0;
}

/* Lines' worth of what DRAM has moved. Only with sectors it is not as many lines as there were accesses. */
static double dram_lines(const struct mh_config *cfg, const struct mh_counters *c)
{
    if (!cfg->l2.sector_bytes)
        return (double)(c->dram_read + c->dram_write + c->dram_walk);
    return (double)((c->dram_read_sectors + c->dram_write_sectors) << MH_SECTOR_SHIFT) / cfg->memory.line_bytes;
}

static void compute_one(struct tenant_metrics *m, const struct mh_config *cfg, const struct mh_counters *c,
                        uint64_t cycles)
{
    m->cycles = cycles;
    m->ipc = metrics_ratio((double)c->lane_instr, (double)cycles);
    m->ipc_alone = m->speedup = (double)NAN;
    m->l1tlb_hit = metrics_ratio((double)c->l1tlb_hit, (double)c->l1tlb_access);
    m->l2tlb_hit = metrics_ratio((double)c->l2tlb_hit, (double)c->l2tlb_access);
    m->bypass_hit = metrics_ratio((double)c->bypass_hit, (double)(c->l2tlb_access - c->l2tlb_hit));
    m->walk_latency = metrics_ratio((double)c->walk_cycles, (double)c->walks);
    double lines = dram_lines(cfg, c);
    m->dram_gbs = peaks_gbs(cfg, metrics_ratio(lines, (double)cycles));
    m->dram_share = metrics_ratio(lines, peaks_dram_lines(cfg, cycles));
    m->noc_share = metrics_ratio((double)c->reply_flits, peaks_noc_flits(cfg, cycles));
}

static void add_counters(struct mh_counters *sum, const struct mh_counters *c)
{
#define MH_TENANT_COUNTER(name, field, unit, doc) sum->field += c->field;
#include "memhelm/registers.def"
}

/* One NaN among the speedups makes all four NaN: fmax and fmin would drop it. */
static void combine(struct metrics *m)
{
    double sum = 0, inverse = 0, least = INFINITY, most = 0;
    for (uint32_t t = 0; t < m->tenants; t++) {
        double s = m->tenant[t].speedup;
        sum += s;
        inverse += metrics_ratio(1, s);
        least = s < least ? s : least;
        most = s > most ? s : most;
    }
    m->weighted_speedup = sum;
    m->harmonic_speedup = metrics_ratio(m->tenants, inverse);
    m->maximum_slowdown = isnan(inverse) ? inverse : 1 / least;
    m->fairness = isnan(sum) ? sum : metrics_ratio(least, most);
}

void metrics_compute(struct metrics *m, const struct mh_config *cfg, const struct mh_stats *shared,
                     const struct mh_stats *const *alone)
{
    struct mh_counters sum = {0};
    memset(m, 0, sizeof *m);
    m->tenants = shared->tenants;
    for (uint32_t t = 0; t < m->tenants; t++) {
        struct tenant_metrics *own = &m->tenant[t];
        const struct mh_tenant_cfg *tenant = &cfg->tenants[t];
        compute_one(own, cfg, &shared->tenant[t], counted(tenant, shared));
        own->ipc = ipc_of(tenant, shared, t);
        add_counters(&sum, &shared->tenant[t]);
        if (alone[t])
            own->ipc_alone = metrics_ipc_alone(tenant, alone[t]);
        own->speedup = metrics_ratio(own->ipc, own->ipc_alone);
    }
    compute_one(&m->all, cfg, &sum, shared->cycles);
    combine(m);
    m->walks = sum.walks;
    m->dram_peak_gbs = peaks_gbs(cfg, peaks_dram_lines(cfg, 1));
    const struct mh_control_stats *c = &shared->control;
    m->decision_latency = metrics_ratio((double)c->latency_sum, (double)c->latency_count);
    m->walk_epoch_latency = metrics_ratio((double)c->walk_latency_sum, (double)c->walk_latency_count);
}

/* All of boot is awake. */
double metrics_awake(const struct mh_result *r)
{
    uint64_t awake = r->mcu.awake > r->mcu.boot ? r->mcu.awake - r->mcu.boot : 0;
    uint64_t all = awake + r->mcu.asleep;
    return all ? (double)awake / (double)all : (double)NAN;
}
