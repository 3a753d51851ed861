#include "classes.h"

#include <math.h>

#include "plan/metrics.h"

const struct class_table class_tables[PAPERS] = {
    [PAPER_MASK] = {"mask", "MASK (ASPLOS 2018) table 2",
                    "L1/L2 TLB miss rate: look-ups that do not hit, of all; low below 20 %"},
    [PAPER_DWS] = {"dws", "Page walk stealing (HPCA 2021) table II",
                   "L2 TLB misses (page walks) per million thread instructions: light < 25, heavy > 80"},
    [PAPER_CCBP] = {"ccbp", "CCBP (TACO 2019) table 2",
                    "LS when half of the CTAs demand less than half of what NoC (60 %) and DRAM (70 %) sustain; "
                    "else NBI or DBI, whichever is fuller"},
    [PAPER_ETC] = {"etc", "ETC (ASPLOS 2019) section 5", "irregular above 10 lines per memory instruction of a warp"},
    [PAPER_SIMT] = {"simt", "SIMT-aware page walk scheduling (ISCA 2018) table II",
                    "irregular above 0.25 page walks per memory instruction of a wavefront (ours)"},
};

const struct class_row class_rows[] = {
#define MH_CLASS(paper, kernel, size, class, printed, note) MH_CLASS_RUNS(paper, kernel, size, 1, class, printed, note)
#define MH_CLASS_RUNS(paper, kernel, size, runs, class, printed, note)                                                 \
    {PAPER_##paper, kernel, size, runs, class, printed, note},
#include "classes.def"
#undef MH_CLASS_RUNS
#undef MH_CLASS
};
const size_t class_row_count = sizeof class_rows / sizeof *class_rows;

static double share(uint64_t part, double whole)
{
    return metrics_ratio((double)part, whole);
}

void class_measure(struct class_values *v, const struct mh_config *cfg, const struct mh_stats *s)
{
    const struct mh_counters *c = &s->tenant[0];
    const struct mh_stats *none[MH_MAX_TENANTS] = {NULL};
    struct metrics m;
    uint64_t walks = c->walks + c->walks_live;
    double cycles = (double)s->cycles, sms = cfg->sm.count;
    double instructions = cycles * sms * cfg->sm.schedulers / cfg->sm.issue_cycles;

    metrics_compute(&m, cfg, s, none);
    v->l1tlb_miss = share(c->l1tlb_access - c->l1tlb_hit, (double)c->l1tlb_access);
    v->l2tlb_miss = share(c->l2tlb_access - c->l2tlb_hit - c->bypass_hit, (double)c->l2tlb_access);
    v->mpmi = share(walks, (double)c->lane_instr / 1e6);
    v->throughput = share(c->lane_instr, instructions * cfg->sm.lanes);
    v->noc = m.all.noc_share;
    v->dram = m.all.dram_share;
    v->l2_miss = 1 - share(c->l2_hit, (double)c->l2_access);
    v->lines = share(c->mem_lines, (double)c->mem_instr);
    v->pages = share(c->l1tlb_access, (double)c->mem_instr);
    v->walks = share(walks, (double)c->mem_instr);
}

double class_ccbp_demand(double noc, double dram)
{
    const double kernels = 2;

    return kernels * fmax(noc / CLASS_SUSTAINED_NOC, dram / CLASS_SUSTAINED_DRAM);
}

static const char *ccbp(double noc, double dram)
{
    if (class_ccbp_demand(noc, dram) < 1)
        return "LS";
    return noc / CLASS_SUSTAINED_NOC > dram / CLASS_SUSTAINED_DRAM ? "NBI" : "DBI";
}

const char *class_of(enum class_paper paper, const struct class_values *whole, const struct class_values *half)
{
    static const char *const mask[2][2] = {{"low/low", "low/high"}, {"high/low", "high/high"}};
    const double low = 0.20, l1 = whole->l1tlb_miss, l2 = whole->l2tlb_miss;

    switch (paper) {
    case PAPER_MASK:
        return isnan(l1 + l2) ? NULL : mask[l1 >= low][l2 >= low];
    case PAPER_DWS:
        return isnan(whole->mpmi) ? NULL : whole->mpmi < 25 ? "light" : whole->mpmi > 80 ? "heavy" : "medium";
    case PAPER_CCBP:
        return isnan(half->noc + half->dram) ? NULL : ccbp(half->noc, half->dram);
    case PAPER_ETC:
        return isnan(whole->lines) ? NULL : whole->lines > 10 ? "irregular" : "regular";
    case PAPER_SIMT:
        return isnan(whole->walks) ? NULL : whole->walks > 0.25 ? "irregular" : "regular";
    default:
        return NULL;
    }
}
