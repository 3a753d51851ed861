#include "measured.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "plan/metrics.h"

/* The alone runs are those of no policy: one yardstick for all points. */
static bool metrics_of(const struct latency *l, const struct latency_image *image, unsigned point, unsigned workload,
                       unsigned seed, struct metrics *m)
{
    const struct kept_sim *run = latency_cell(l, image, point, workload, seed)->run;
    const struct point *none = latency_cell(l, image, POINTS_LAST, workload, seed);
    const struct mh_stats *alone[MH_MAX_TENANTS] = {NULL};
    if (!latency_passed(run))
        return false;
    for (uint32_t t = 0; t < MH_MAX_TENANTS && none->alone[t]; t++) {
        if (!latency_passed(none->alone[t]))
            return false;
        alone[t] = &none->alone[t]->sim.result.stats;
    }
    metrics_compute(m, &run->sim.cfg, &run->sim.result.stats, alone);
    return true;
}

double latency_speedup(const struct latency *l, const struct latency_image *image, unsigned point, unsigned workload,
                       unsigned seed)
{
    struct metrics m;
    return metrics_of(l, image, point, workload, seed, &m) ? m.weighted_speedup : (double)NAN;
}

/* Geometric mean over the workloads. */
static double fairness_of_seed(const struct latency *l, const struct latency_image *image, unsigned point,
                               unsigned seed)
{
    struct metrics m;
    double sum = 0;
    for (unsigned w = 0; w < image->workload_count; w++)
        sum += metrics_of(l, image, point, w, seed, &m) ? log(m.fairness) : (double)NAN;
    return exp(sum / image->workload_count);
}

static double fairness(const struct latency *l, const struct latency_image *image, unsigned point)
{
    double sum = 0;
    for (unsigned s = 0; s < l->request->seeds; s++)
        sum += fairness_of_seed(l, image, point, s);
    return sum / l->request->seeds;
}

/* --- What the mcu did. */

struct core_sums {
    uint64_t answered, latency;
    double awake;
    unsigned runs;
};

static void add_run(struct latency_row *row, struct core_sums *sums, const struct mh_result *r)
{
    for (unsigned i = 0; i < MH_SOURCES; i++) {
        const struct mh_source_stats *s = &r->stats.control.source[i];
        row->raised += s->raised;
        row->missed += s->missed;
        sums->answered += s->answered;
        sums->latency += s->latency_sum;
        if (s->latency_max > row->answer_max)
            row->answer_max = s->latency_max;
    }
    sums->awake += metrics_awake(r);
    sums->runs++;
}

static void add_core(const struct latency *l, const struct latency_image *image, unsigned point,
                     struct latency_row *row)
{
    struct core_sums sums = {.runs = 0};
    for (unsigned w = 0; w < image->workload_count; w++) {
        const struct kept_sim *guarded = image->guarded[point * image->workload_count + w].run;
        for (unsigned s = 0; s < l->request->seeds; s++) {
            const struct kept_sim *run = latency_cell(l, image, point, w, s)->run;
            if (latency_passed(run))
                add_run(row, &sums, &run->sim.result);
        }
        row->bites |= latency_passed(guarded) && guarded->sim.result.mcu.recovery.bites;
    }
    row->answer_mean = metrics_ratio((double)sums.latency, (double)sums.answered);
    row->awake = metrics_ratio(sums.awake, sums.runs);
}

void latency_row(const struct latency *l, const struct latency_image *image, unsigned point, struct latency_row *row)
{
    memset(row, 0, sizeof *row);
    row->fairness = fairness(l, image, point);
    add_core(l, image, point, row);
}

/* --- What did not pass. */
