#include "latency.h"

#include <math.h>
#include <string.h>

#include "base/words.h"
#include "plan/metrics.h"

/* The alone runs are those of no policy: one yardstick for all points. */
static bool metrics_of(const struct latency *l, const struct latency_image *image, unsigned point, unsigned workload,
                       unsigned seed, struct metrics *m)
{
    return point_metrics(latency_cell(l, image, point, workload, seed),
                         latency_cell(l, image, POINTS_LAST, workload, seed), m);
}

double latency_speedup(const struct latency *l, const struct latency_image *image, unsigned point, unsigned workload,
                       unsigned seed)
{
    struct metrics m;
    return metrics_of(l, image, point, workload, seed, &m) ? m.weighted_speedup : (double)NAN;
}

/* Of each seed the geometric mean over the workloads; their mean. */
static double fairness(const struct latency *l, const struct latency_image *image, unsigned point)
{
    struct metrics m;
    double sum = 0;

    for (unsigned s = 0; s < l->request->seeds; s++) {
        double logs = 0;
        for (unsigned w = 0; w < image->workload_count; w++)
            logs += metrics_of(l, image, point, w, s, &m) ? log(m.fairness) : (double)NAN;
        sum += exp(logs / image->workload_count);
    }
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
            if (sim_passed(&run->sim))
                add_run(row, &sums, &run->sim.result);
        }
        row->bites |= guarded && sim_passed(&guarded->sim) && guarded->sim.result.mcu.recovery.bites;
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

/* --- A workload. */

static double gain_of_seed(const struct latency *l, const struct latency_image *image, unsigned point,
                           unsigned workload, unsigned seed)
{
    return latency_speedup(l, image, point, workload, seed) / latency_speedup(l, image, POINTS_LAST, workload, seed) -
           1;
}

static void take_point(const struct latency *l, const struct latency_image *image, unsigned workload, unsigned point,
                       struct latency_losses *losses)
{
    double gains[SEEDS_MOST], lost[SEEDS_MOST];
    unsigned seeds = l->request->seeds;
    for (unsigned s = 0; s < seeds; s++) {
        gains[s] = gain_of_seed(l, image, point, workload, s);
        lost[s] = gain_of_seed(l, image, 0, workload, s) - gains[s];
    }
    losses->gain[point] = interval_of(gains, seeds);
    losses->loss[point] = interval_of(lost, seeds);
}

void latency_losses(const struct latency *l, const struct latency_image *image, unsigned workload,
                    struct latency_losses *losses)
{
    memset(losses, 0, sizeof *losses);
    for (unsigned point = 0; point < POINTS; point++)
        take_point(l, image, workload, point, losses);
    losses->verdict = gain_judge(&losses->gain[0]);
    if (losses->verdict != GAIN_REAL)
        return;
    for (unsigned point = POINTS_FIRST_CLOCK; point < POINTS_LAST; point++)
        losses->keep[point] = keep_judge(&losses->gain[0], &losses->loss[point]);
    losses->clock = knee_find(losses->keep + POINTS_FIRST_CLOCK, POINTS_CLOCKS);
    losses->bus = knee_find(losses->keep + POINTS_FIRST_BUS, POINTS_BUSES);
}

double latency_kept(const struct latency_losses *losses, unsigned point)
{
    return 1 - losses->loss[point].mean / losses->gain[0].mean;
}

/* --- The image. */

/* What is not known of one workload is not known of the image; else one gain is enough for a knee. */
static enum gain_verdict judge_all(const struct latency_summary *s, unsigned count)
{
    static const enum gain_verdict order[] = {GAIN_UNKNOWN, GAIN_ONE_SEED, GAIN_REAL, GAIN_LOSS};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        for (unsigned w = 0; w < count; w++)
            if (s->workloads[w].verdict == order[i])
                return order[i];
    return GAIN_NONE;
}

/* -1, not known, is the worst. */
static void take_worst(struct knee *worst, const struct knee *k)
{
    if (k->knee < worst->knee)
        worst->knee = k->knee;
    if (k->kept < worst->kept)
        worst->kept = k->kept;
}

static bool is_worse(const struct latency_losses *a, const struct latency_losses *b)
{
    if (a->clock.knee != b->clock.knee)
        return a->clock.knee < b->clock.knee;
    return latency_kept(a, POINTS_DEFAULT) < latency_kept(b, POINTS_DEFAULT);
}

void latency_summarise(const struct latency *l, const struct latency_image *image, struct latency_summary *s)
{
    const struct latency_losses *worst = NULL;
    memset(s, 0, sizeof *s);
    s->clock = (struct knee){POINTS_CLOCKS, POINTS_CLOCKS};
    s->bus = (struct knee){POINTS_BUSES, POINTS_BUSES};
    for (unsigned w = 0; w < image->workload_count; w++) {
        const struct latency_losses *losses = &s->workloads[w];
        latency_losses(l, image, w, &s->workloads[w]);
        if (losses->verdict != GAIN_REAL)
            continue;
        take_worst(&s->clock, &losses->clock);
        take_worst(&s->bus, &losses->bus);
        s->lost |= losses->keep[POINTS_DEFAULT] == KEEP_LOST;
        if (!worst || is_worse(losses, worst))
            worst = losses;
    }
    s->worst = worst ? (unsigned)(worst - s->workloads) : 0;
    s->verdict = judge_all(s, image->workload_count);
}

/* Gains are ratios of sums of ratios: what is equal on paper differs in the last bits. */
#define ROUNDING 1e-9

enum gain_verdict gain_judge(const struct interval *gain)
{
    if (isnan(gain->mean))
        return GAIN_UNKNOWN;
    if (gain->count < 2)
        return GAIN_ONE_SEED;
    if (!interval_is_effect(gain))
        return GAIN_NONE;
    return gain->mean > 0 ? GAIN_REAL : GAIN_LOSS;
}

enum keep keep_judge(const struct interval *gain, const struct interval *loss)
{
    if (isnan(loss->mean))
        return KEEP_UNKNOWN;
    bool small = loss->mean <= KNEE_LOSS * gain->mean + ROUNDING;
    if (!small && interval_is_effect(loss))
        return KEEP_LOST;
    if (loss->half >= gain->mean)
        return KEEP_UNCLEAR;
    return small ? KEEP_KEPT : KEEP_UNSHOWN;
}

bool loss_is_cost(const struct interval *loss)
{
    return loss->mean > 0 && interval_is_effect(loss);
}

static int count_to(const enum keep *points, unsigned count, enum keep worst)
{
    unsigned n = 0;
    while (n < count && points[n] != KEEP_UNKNOWN && points[n] <= worst)
        n++;
    return n < count && points[n] == KEEP_UNKNOWN ? -1 : (int)n;
}

struct knee knee_find(const enum keep *points, unsigned count)
{
    return (struct knee){count_to(points, count, KEEP_UNSHOWN), count_to(points, count, KEEP_KEPT)};
}
