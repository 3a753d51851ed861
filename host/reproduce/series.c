#include "series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/number.h"
#include "base/words.h"
#include "run/sim.h"
#include "plan/quantity.h"
#include "memhelm/kernels.h"
#include "run/setup.h"

/* `given` in the place of the measure's own, in our words too. */
static struct workload *choose_workloads(const struct scope *scope, const struct measure *m, unsigned *count,
                                         struct mh_error *err)
{
    struct measure own = {.list_count = 0};
    if (!scope->workload_count)
        return study_workloads(scope->study, m, count, err);
    for (; own.list_count < scope->workload_count; own.list_count++)
        own.lists[own.list_count] = scope->workloads[own.list_count];
    return study_workloads(scope->study, &own, count, err);
}

/* One seed of one run, under each partition that `tried` has. */
static void add_points(const struct series *s, const struct scope *scope, const struct variant *v,
                       const struct variant *tried, unsigned seed, struct point *out)
{
    struct plan_options o = scope->options;
    o.seed += seed;
    o.alone = tried->partition_count > 1; /* the choice looks at them */
    for (unsigned w = 0; w < s->workload_count; w++)
        for (unsigned p = 0; p < tried->partition_count || !p; p++) {
            o.first_sms = tried->partition_count ? tried->partitions[p] : 0;
            plan_point(scope->plan, s->measure, v, s->workloads[w].spec, &o, out++);
        }
}

static void open_side(const struct series *s, const struct scope *scope, const struct variant *v, struct side *side)
{
    const struct measure *m = s->measure;
    const struct variant *tried = v->partition_count ? v : &m->common;
    side->partitions = tried->partition_count ? tried->partition_count : 1;
    const size_t row = (size_t)s->workload_count * side->partitions;
    const bool under = side->partitions > 1 && m->under.image;
    side->points = must_have(s->seeds * row, sizeof *side->points);
    side->under = under ? must_have(s->seeds * row, sizeof *side->under) : NULL;
    for (unsigned seed = 0; seed < s->seeds; seed++) {
        add_points(s, scope, v, tried, seed, side->points + seed * row);
        if (under)
            add_points(s, scope, &m->under, tried, seed, side->under + seed * row);
    }
}

int series_open(struct series *s, const struct scope *scope, const struct measure *m, const struct variant *v,
                struct mh_error *err)
{
    memset(s, 0, sizeof *s);
    s->measure = m;
    s->seeds = scope->seeds;
    s->workloads = choose_workloads(scope, m, &s->workload_count, err);
    if (!s->workload_count)
        return -1;
    open_side(s, scope, v, &s->run);
    if (m->relation != RELATION_LEVEL)
        open_side(s, scope, &m->against, &s->against);
    return 0;
}

static void close_side(struct side *side)
{
    free(side->points);
    free(side->under);
}

void series_close(struct series *s)
{
    study_free_workloads(s->workloads, s->workload_count);
    close_side(&s->run);
    close_side(&s->against);
    free(s->recorded);
    memset(s, 0, sizeof *s);
}

static double relate(enum relation relation, double run, double against)
{
    switch (relation) {
    case RELATION_GAIN:
        return against != 0 ? run / against - 1 : (double)NAN;
    case RELATION_RATIO:
        return against != 0 ? run / against : (double)NAN;
    case RELATION_DIFFERENCE:
        return run - against;
    default:
        return run;
    }
}

const struct point *series_point(const struct series *s, const struct side *side, unsigned workload, unsigned seed)
{
    const size_t first = ((size_t)seed * s->workload_count + workload) * side->partitions;
    const struct point *judged = (side->under ? side->under : side->points) + first;
    unsigned best = 0;
    double most = -INFINITY;
    for (unsigned p = 0; p < side->partitions && side->partitions > 1; p++) {
        double v = values_weighted_speedup(&judged[p]);
        if (isnan(v))
            return NULL;
        best = v > most ? p : best;
        most = fmax(most, v);
    }
    return &side->points[first + best];
}

static double value_of(const struct series *s, const struct side *side, unsigned workload, unsigned seed)
{
    const struct point *p = series_point(s, side, workload, seed);
    return p ? values_of(s->measure->expr, p) : (double)NAN;
}

double series_cell(const struct series *s, unsigned workload, unsigned seed)
{
    if (s->recorded)
        return s->recorded[seed * s->workload_count + workload];
    double run = value_of(s, &s->run, workload, seed);
    double against = s->against.partitions ? value_of(s, &s->against, workload, seed) : 0;
    return relate(s->measure->relation, run, against);
}

double series_cell_mean(const struct series *s, unsigned workload)
{
    double sum = 0;
    for (unsigned seed = 0; seed < s->seeds; seed++)
        sum += series_cell(s, workload, seed);
    return sum / s->seeds;
}

static bool sim_missing(const struct kept_sim *s, char *reason, size_t size)
{
    char text[2048];
    if (s->sim.state == SIM_DONE && s->sim.result.end == MH_END_PASS)
        return false;
    diagnose(&s->sim, text, sizeof text);
    bool stopped = s->sim.state == SIM_WAITING || s->sim.state == SIM_STOPPED;
    snprintf(reason, size, "%s: %.400s", s->what, stopped ? "interrupted" : text);
    return true;
}

static bool point_missing(const struct point *p, char *reason, size_t size)
{
    if (!p->run) {
        snprintf(reason, size, "%s", p->reason);
        return true;
    }
    if (sim_missing(p->run, reason, size))
        return true;
    for (uint32_t t = 0; t < MH_MAX_TENANTS && p->alone[t]; t++)
        if (sim_missing(p->alone[t], reason, size))
            return true;
    return false;
}

/* A partition that was not run might have been the best. */
static bool side_missing(const struct side *side, unsigned at, char *reason, size_t size)
{
    for (size_t p = (size_t)at * side->partitions; p < (size_t)(at + 1) * side->partitions; p++)
        if (point_missing(&side->points[p], reason, size) ||
            (side->under && point_missing(&side->under[p], reason, size)))
            return true;
    return false;
}

void summary_add_missing(struct summary *out, const struct series *s)
{
    char text[sizeof out->reason];
    for (unsigned at = 0; at < s->seeds * s->workload_count && !s->recorded; at++) {
        bool missing = side_missing(&s->run, at, text, sizeof text) || side_missing(&s->against, at, text, sizeof text);
        if (missing && !out->missing++)
            memcpy(out->reason, text, sizeof text);
    }
}

double series_aggregate(const double *cells, unsigned count, enum relation relation, enum aggregate over, double above)
{
    unsigned more = 0;
    if (!count)
        return (double)NAN;
    switch (over) {
    case OVER_MEAN:
        return mean_arithmetic(cells, count);
    case OVER_MIN:
        return mean_least(cells, count);
    case OVER_MAX:
        return mean_most(cells, count);
    case OVER_SHARE:
        for (unsigned i = 0; i < count; i++)
            more += cells[i] > above;
        return (double)more / count;
    default:
        return mean_geometric(cells, count, relation == RELATION_GAIN);
    }
}

static double *new_numbers(size_t count)
{
    return must_have(count, sizeof(double));
}

double *series_cells(const struct series *s)
{
    double *cells = new_numbers((size_t)s->seeds * s->workload_count);
    for (unsigned seed = 0; seed < s->seeds; seed++)
        for (unsigned w = 0; w < s->workload_count; w++)
            cells[seed * s->workload_count + w] = series_cell(s, w, seed);
    return cells;
}

double series_average(const struct series *s, const double *cells, int without, enum aggregate over, double above)
{
    unsigned count = 0;
    double *kept = new_numbers(s->workload_count);
    for (unsigned w = 0; w < s->workload_count; w++)
        if (!isnan(cells[w]) && (int)w != without)
            kept[count++] = cells[w];
    double v = series_aggregate(kept, count, s->measure->relation, over, above);
    free(kept);
    return v;
}

void summary_over_seeds(struct summary *out, const double *values, unsigned seeds)
{
    const struct interval i = interval_of(values, seeds);
    out->value = i.mean;
    out->half = i.half;
    out->low = mean_least(values, seeds);
    out->high = mean_most(values, seeds);
}

void series_summarise(const struct series *s, enum aggregate over, double above, struct summary *out)
{
    double *cells = series_cells(s), *values = new_numbers(s->seeds);
    memset(out, 0, sizeof *out);
    summary_add_missing(out, s);
    for (unsigned seed = 0; seed < s->seeds; seed++)
        values[seed] = series_average(s, cells + (size_t)seed * s->workload_count, SERIES_ALL, over, above);
    summary_over_seeds(out, values, s->seeds);
    free(cells);
    free(values);
}

static unsigned find_workload(const struct series *s, const char *name)
{
    unsigned w = 0;
    while (w < s->workload_count && strcmp(s->workloads[w].name, name))
        w++;
    return w;
}

/* How many of `part` have a value in `cells`; -1 when one is none of the series'. */
static int pick(const struct series *s, const struct workload *part, unsigned count, unsigned seed, double *cells)
{
    int picked = 0;
    for (unsigned i = 0; i < count; i++) {
        unsigned w = find_workload(s, part[i].name);
        double v = w < s->workload_count ? series_cell(s, w, seed) : 0;
        if (w == s->workload_count)
            return -1;
        if (!isnan(v))
            cells[picked++] = v;
    }
    return picked;
}

double series_part(const struct series *s, const struct workload *part, unsigned count, enum aggregate over)
{
    double sum = 0, *cells = new_numbers(count);
    for (unsigned seed = 0; seed < s->seeds; seed++) {
        int picked = pick(s, part, count, seed, cells);
        sum += picked < 0 ? (double)NAN : series_aggregate(cells, (unsigned)picked, s->measure->relation, over, 0);
    }
    free(cells);
    return sum / s->seeds;
}

double series_mean(const struct series *s, enum aggregate over)
{
    struct summary mean;
    series_summarise(s, over, 0, &mean);
    return mean.value;
}

#define TRACE "trace:"

/* Adds the files of "A+trace:FILE" that cannot be read to `missing`, each once; returns how many. */
static unsigned add_missing(const char *spec, char *missing, size_t size)
{
    unsigned count = 0;
    for (const char *part = spec; *part; part += strcspn(part, "+"), part += *part == '+') {
        char file[HOST_PATH];
        if (strncmp(part, TRACE, strlen(TRACE)))
            continue;
        part += strlen(TRACE);
        snprintf(file, sizeof file, "%.*s", (int)strcspn(part, "+"), part);
        file[mh_launches_part(file) - file] = 0;
        if (!access(file, R_OK) || strstr(missing, file))
            continue;
        text_add(missing, size, "", " %s", file);
        count++;
    }
    return count;
}

static int find_missing(const struct workload *workloads, unsigned count, struct mh_error *err)
{
    char missing[640] = "", here[HOST_PATH] = "";
    unsigned files = 0;
    for (unsigned i = 0; i < count; i++)
        files += add_missing(workloads[i].spec, missing, sizeof missing);
    if (!files)
        return 0;
    if (!getcwd(here, sizeof here))
        snprintf(here, sizeof here, "the current folder");
    return mh_fail(err,
                   "recordings that cannot be read, looked for from %.200s:%s; call memhelm from the top of its source "
                   "tree, or give others with --workload trace:FILE",
                   here, missing);
}

/* Builds the GPU, which reads recordings to their end. */
static int check_one(const struct study *s, const struct workload *w, const struct plan_options *po,
                     struct mh_error *err)
{
    struct options o;
    struct mh_config *cfg = must_have(1, sizeof *cfg);
    options_init(&o);
    o.preset = s->common.preset;
    o.workload = w->spec;
    for (unsigned i = 0; i < po->set_count; i++)
        o.sets[o.set_count++] = po->sets[i];
    int status = setup_config(&o, cfg, err);
    free(cfg);
    return status;
}

static int check_all(const struct study *s, const struct workload *workloads, unsigned count, bool recorded,
                     const struct plan_options *o, struct mh_error *err)
{
    int status = find_missing(workloads, count, err);
    for (unsigned i = 0; i < count && !status; i++)
        if (!recorded || strstr(workloads[i].spec, TRACE))
            status = check_one(s, &workloads[i], o, err);
    return status;
}

int workload_check_recordings(const struct study *s, const struct workload *workloads, unsigned count,
                              const struct plan_options *o, struct mh_error *err)
{
    return check_all(s, workloads, count, true, o, err);
}

int workload_check(const struct study *s, const char *const *workloads, unsigned count, const struct plan_options *o,
                   struct mh_error *err)
{
    struct measure m = {.list_count = count};
    memcpy(m.lists, workloads, count * sizeof *workloads);
    unsigned found;
    struct workload *all = count ? study_workloads(s, &m, &found, err) : NULL;
    if (!all)
        return count ? -1 : 0;
    int status = check_all(s, all, found, false, o, err);
    study_free_workloads(all, found);
    return status;
}
