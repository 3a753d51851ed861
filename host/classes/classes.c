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

const char *class_mask(double l1tlb_miss, double l2tlb_miss)
{
    static const char *const names[2][2] = {{"low/low", "low/high"}, {"high/low", "high/high"}};
    const double low = 0.20;

    return names[l1tlb_miss >= low][l2tlb_miss >= low];
}

const char *class_dws(double mpmi)
{
    return mpmi < 25 ? "light" : mpmi > 80 ? "heavy" : "medium";
}

/* Parts of what the paper says that crossbar and DRAM sustain, whatever this model reaches. */
static double of_noc(double noc)
{
    return noc / CLASS_SUSTAINED_NOC;
}

static double of_dram(double dram)
{
    return dram / CLASS_SUSTAINED_DRAM;
}

double class_ccbp_demand(double noc, double dram)
{
    const double kernels = 2;

    return kernels * (of_noc(noc) > of_dram(dram) ? of_noc(noc) : of_dram(dram));
}

const char *class_ccbp(double noc, double dram)
{
    if (class_ccbp_demand(noc, dram) < 1)
        return "LS";
    return of_noc(noc) > of_dram(dram) ? "NBI" : "DBI";
}

const char *class_etc(double lines)
{
    return lines > 10 ? "irregular" : "regular";
}

const char *class_simt(double walks)
{
    return walks > 0.25 ? "irregular" : "regular";
}

const char *class_of(enum class_paper paper, const struct class_values *whole, const struct class_values *half)
{
    switch (paper) {
    case PAPER_MASK:
        return isnan(whole->l1tlb_miss + whole->l2tlb_miss) ? NULL : class_mask(whole->l1tlb_miss, whole->l2tlb_miss);
    case PAPER_DWS:
        return isnan(whole->mpmi) ? NULL : class_dws(whole->mpmi);
    case PAPER_CCBP:
        return isnan(half->noc + half->dram) ? NULL : class_ccbp(half->noc, half->dram);
    case PAPER_ETC:
        return isnan(whole->lines) ? NULL : class_etc(whole->lines);
    case PAPER_SIMT:
        return isnan(whole->walks) ? NULL : class_simt(whole->walks);
    default:
        return NULL;
    }
}
