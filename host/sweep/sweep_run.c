#define _GNU_SOURCE
#include <search.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/memory.h"
#include "base/process.h"
#include "run/sim.h"
#include "run/jobs.h"
#include "run/store.h"
#include "sweep_private.h"

enum { LOT_LEAST = 256, LOT_MOST = 2048, LOT_OF_JOBS = 32 };

/* Points that are taken up together. */
struct lot {
    struct plan *plan;
    struct point *points;
    struct kept_sim **mine; /* runs for this call */
    uint64_t first;
    unsigned count, mine_count;
    unsigned waiting; /* points that wait for a run */
};

/* For the time that is left: points that had to be run, and since when. */
struct pace {
    const struct sweep *sweep;
    const struct lot *lot;
    double began, ran;
};

/* --- Progress. */

static void say_progress(void *ctx, FILE *out, const struct jobs_state *at)
{
    const struct pace *p = ctx;
    const struct sweep_tally *t = &p->sweep->tally;
    double seconds = wall_seconds() - p->began, now = at->part * p->lot->waiting, ran = p->ran + now;
    double done = (double)(t->done + p->lot->count - p->lot->waiting) + now;
    fprintf(out, "memhelm: %.0f of %.0f points done, %u running, %.0f %%, %.0f s", done, (double)t->points, at->running,
            100 * done / (double)t->points, seconds);
    if (ran > 1)
        fprintf(out, ", %.0f s left", seconds / ran * ((double)t->points - done));
}

/* --- A lot is planned. */

static void lot_open(struct sweep *s, struct lot *l)
{
    l->plan = plan_new(s->base);
    l->points = must_have(l->count, sizeof *l->points);
    for (unsigned i = 0; i < l->count; i++)
        place_plan(s, l->plan, l->first + i, &l->points[i]);
}

static void lot_close(struct lot *l)
{
    free(l->mine);
    free(l->points);
    if (l->plan)
        plan_free(l->plan);
    *l = (struct lot){0};
}

static int compare(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* Was it not there before? */
static bool is_fresh(struct sweep *s, const char *key)
{
    char *copy = must(strdup(key)), **found = must(tsearch(copy, &s->seen, compare));

    if (*found == copy)
        return true;
    free(copy);
    return false;
}

/* Every shard counts alike, whatever its store has: run n belongs to shard n modulo their number. */
static bool is_mine(const struct sweep_request *r, uint64_t n)
{
    return !r->shards || n % r->shards == r->shard - 1;
}

static void find_mine(struct sweep *s, struct lot *l)
{
    l->mine = must_have(plan_count(l->plan), sizeof *l->mine);
    for (unsigned i = 0; i < plan_count(l->plan); i++) {
        struct kept_sim *run = plan_sims(l->plan)[i];
        const bool fresh = is_fresh(s, run->key.text);
        const bool mine = fresh ? is_mine(s->request, s->tally.runs++) : !s->request->shards;
        if (mine)
            l->mine[l->mine_count++] = run;
        s->tally.kept += fresh && run->kept;
        s->tally.cycles += fresh && mine && !run->kept ? (double)run->sim.cfg.run.cycles : 0;
    }
}

static bool in_state(const struct point *p, enum sim_state state)
{
    for (unsigned t = 0; t < MH_MAX_TENANTS; t++)
        if (p->alone[t] && p->alone[t]->sim.state == state)
            return true;
    return p->run && p->run->sim.state == state;
}

/* --- Its points are written. */

/* Why it has no values at all; empty: it has. */
static void find_reason(const struct point *p, char text[SWEEP_REASON])
{
    const struct kept_sim *of = p->run;

    *text = 0;
    if (!of)
        snprintf(text, SWEEP_REASON, "%.500s", p->reason);
    for (unsigned t = 0; t < MH_MAX_TENANTS && p->run && sim_passed(&of->sim); t++)
        of = p->alone[t] ? p->alone[t] : of;
    if (of && !sim_passed(&of->sim))
        diagnose(&of->sim, text, SWEEP_REASON);
}

static void count_point(struct sweep *s, const struct point *p, bool ran, const char *reason)
{
    struct sweep_tally *t = &s->tally;
    if (!*reason)
        return;
    t->refused += !p->run;
    t->failed += p->run && !ran;
    t->valueless += ran;
    if (!*t->reason)
        snprintf(t->reason, sizeof t->reason, "%s", reason);
}

static int write_point(struct sweep *s, uint64_t n, const struct point *p, const struct point *first,
                       struct mh_error *err)
{
    struct points_value values[POINTS_COLUMNS];
    char reason[SWEEP_REASON];
    find_reason(p, reason);
    const bool ran = !*reason;
    char *why = s->request->spec.why ? why_text(s, n, p, first) : NULL;
    columns_values(s, n, p, why, reason, values);
    s->tally.done++;
    count_point(s, p, ran, reason);
    int status = points_put(s->points, n + 1, values, err);
    free(why);
    return status;
}

/* What was interrupted has no point yet. */
static int write_lot(struct sweep *s, const struct lot *l, struct mh_error *err)
{
    const unsigned images = s->request->spec.images.count;
    for (unsigned i = 0; i < l->count; i++)
        if (!in_state(&l->points[i], SIM_STOPPED) &&
            write_point(s, l->first + i, &l->points[i], &l->points[i - i % images], err))
            return -1;
    return points_flush(s->points, err);
}

/* --- All lots. */

static int take(struct sweep *s, struct lot *l, struct pace *pace, bool dry, struct mh_error *err)
{
    lot_open(s, l);
    kept_load(plan_sims(l->plan), plan_count(l->plan), s->store);
    find_mine(s, l);
    for (unsigned i = 0; i < l->count; i++)
        l->waiting += in_state(&l->points[i], SIM_WAITING);
    for (unsigned i = 0; i < l->count && !s->points; i++)
        if (!l->points[i].run)
            count_point(s, &l->points[i], false, l->points[i].reason);
    int signal = dry ? 0 : kept_run(l->mine, l->mine_count, s->store, s->request->jobs, false);
    if (s->points && write_lot(s, l, err))
        return -1;
    s->tally.done += s->points ? 0 : l->count;
    pace->ran += l->waiting;
    return signal;
}

/* Images of a place stay together. */
static unsigned lot_size(const struct sweep *s)
{
    const unsigned images = s->request->spec.images.count, jobs = LOT_OF_JOBS * s->request->jobs;
    const unsigned size = jobs < LOT_LEAST ? LOT_LEAST : jobs > LOT_MOST ? LOT_MOST : jobs;
    return (size + images - 1) / images * images;
}

static int take_all(struct sweep *s, bool dry, struct mh_error *err)
{
    struct lot lot = {0};
    struct pace pace = {.sweep = s, .lot = &lot, .began = wall_seconds()};
    const struct jobs_progress progress = {say_progress, &pace};
    int status = 0;
    jobs_progress(&progress);
    for (uint64_t first = 0; !status && first < s->tally.points; first += lot_size(s)) {
        uint64_t left = s->tally.points - first;
        lot.first = first;
        lot.count = left < lot_size(s) ? (unsigned)left : lot_size(s);
        status = take(s, &lot, &pace, dry, err);
        lot_close(&lot);
    }
    jobs_progress(NULL);
    return status;
}

int sweep_run(struct sweep *s, bool dry, struct mh_error *err)
{
    if (!dry && !s->request->shards && sweep_open_points(s, err))
        return -1;
    return take_all(s, dry, err);
}

/* --- Runs of another store are taken over: points are planned once to see which runs they need, once to run. */

/* 0, or what ends the walk. */
typedef int visit_runs(struct sweep *s, struct merge *m, const struct plan *p, struct mh_error *err);

static int offer(struct sweep *s, struct merge *m, const struct plan *p, struct mh_error *err)
{
    (void)s;
    for (unsigned i = 0; i < plan_count(p); i++)
        if (merge_offer(m, plan_sims(p)[i]->key.text, err))
            return -1;
    return 0;
}

static int run_chosen(struct sweep *s, struct merge *m, const struct plan *p, struct mh_error *err)
{
    unsigned count = 0;
    struct kept_sim **chosen = must_have(plan_count(p), sizeof *chosen);
    (void)err;
    for (unsigned i = 0; i < plan_count(p); i++)
        if (merge_chosen(m, plan_sims(p)[i]->key.text))
            chosen[count++] = plan_sims(p)[i];
    kept_load(chosen, count, s->store); /* of an earlier lot */
    int signal = kept_run(chosen, count, s->store, s->request->jobs, false);
    free(chosen);
    return signal;
}

static int visit_lot(struct sweep *s, struct merge *m, uint64_t first, visit_runs *visit, struct mh_error *err)
{
    struct plan *p = plan_new(s->base);
    struct point point;
    for (uint64_t n = first; n < s->tally.points && n < first + LOT_LEAST; n++)
        place_plan(s, p, n, &point);
    const int status = visit(s, m, p, err);
    plan_free(p);
    return status;
}

static int visit_all(struct sweep *s, struct merge *m, visit_runs *visit, struct mh_error *err)
{
    int status = 0;
    for (uint64_t first = 0; !status && first < s->tally.points; first += LOT_LEAST)
        status = visit_lot(s, m, first, visit, err);
    return status;
}

static void say_merged(const char *path, const char *what, unsigned count, unsigned again, unsigned left)
{
    fputs("memhelm: ", stderr);
    escape_print(stderr, path);
    fprintf(stderr, ": %u run%s %s", count, count == 1 ? "" : "s", what);
    if (again)
        fprintf(stderr, ", %u of them run again, with the same result", again);
    if (left)
        fprintf(stderr, "; %u left there, which no point needs or which %s damaged", left, left == 1 ? "is" : "are");
    fputc('\n', stderr);
}

static int take_over(struct sweep *s, struct merge *m, const char *path, bool dry, struct mh_error *err)
{
    unsigned added, left;
    int status = visit_all(s, m, offer, err);
    const unsigned again = status ? 0 : merge_choose(m);
    if (!status && dry) {
        say_merged(path, "could be taken over", merge_count(m), 0, 0);
        return 0;
    }
    if (!status && again)
        status = visit_all(s, m, run_chosen, err);
    if (status)
        return status;
    if (merge_compare(m, err) || merge_take(m, &added, &left, err))
        return -1;
    say_merged(path, "taken over", added, again, left);
    return 0;
}

int sweep_merge(struct sweep *s, const char *path, bool dry, struct mh_error *err)
{
    struct merge *m = merge_open(store_file(s->store), path, err);
    int status = m ? take_over(s, m, path, dry, err) : -1;
    if (m)
        merge_close(m);
    return status;
}
