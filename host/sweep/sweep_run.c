#define _GNU_SOURCE
#include <search.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/signals.h"
#include "base/wall.h"
#include "run/diagnose.h"
#include "run/jobs.h"
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

static int lot_open(struct sweep *s, struct lot *l, struct mh_error *err)
{
    l->plan = plan_new(s->base);
    l->points = calloc(l->count, sizeof *l->points);
    if (!l->plan || !l->points)
        return mh_fail(err, "out of memory");
    for (unsigned i = 0; i < l->count; i++)
        if (place_plan(s, l->plan, l->first + i, &l->points[i], err))
            return -1;
    return 0;
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

/* 1: it was not there before. */
static int see(struct sweep *s, const char *key, struct mh_error *err)
{
    char *copy = strdup(key), **found = copy ? tsearch(copy, &s->seen, compare) : NULL;
    if (!found) {
        free(copy);
        return mh_fail(err, "out of memory");
    }
    if (*found == copy)
        return 1;
    free(copy);
    return 0;
}

/* Every shard counts alike, whatever its store has: run n belongs to shard n modulo their number. */
static bool is_mine(const struct sweep_request *r, uint64_t n)
{
    return !r->shards || n % r->shards == r->shard - 1;
}

static int find_mine(struct sweep *s, struct lot *l, struct mh_error *err)
{
    l->mine = calloc(plan_count(l->plan) + 1, sizeof *l->mine);
    if (!l->mine)
        return mh_fail(err, "out of memory");
    for (unsigned i = 0; i < plan_count(l->plan); i++) {
        struct kept_sim *run = plan_sims(l->plan)[i];
        int fresh = see(s, run->key.text, err);
        if (fresh < 0)
            return -1;
        bool mine = fresh ? is_mine(s->request, s->tally.runs++) : !s->request->shards;
        if (mine)
            l->mine[l->mine_count++] = run;
        s->tally.kept += fresh && run->kept;
        s->tally.cycles += fresh && mine && !run->kept ? (double)run->sim.cfg.run.cycles : 0;
    }
    return 0;
}

static bool in_state(const struct point *p, enum sim_state state)
{
    for (unsigned t = 0; t < MH_MAX_TENANTS; t++)
        if (p->alone[t] && p->alone[t]->sim.state == state)
            return true;
    return p->run && p->run->sim.state == state;
}

/* --- Its points are written. */

/* The first run of a point that did not pass; NULL: all did. */
static const struct sim *failure(const struct point *p)
{
    const struct sim *of = &p->run->sim;
    if (of->state != SIM_DONE || of->result.end != MH_END_PASS)
        return of;
    for (unsigned t = 0; t < MH_MAX_TENANTS; t++) {
        of = p->alone[t] ? &p->alone[t]->sim : NULL;
        if (of && (of->state != SIM_DONE || of->result.end != MH_END_PASS))
            return of;
    }
    return NULL;
}

/* Why it has no values at all; empty: it has. */
static void find_reason(const struct point *p, char text[SWEEP_REASON])
{
    const struct sim *failed = p->run ? failure(p) : NULL;
    *text = 0;
    if (!p->run)
        snprintf(text, SWEEP_REASON, "%.500s", p->reason);
    else if (failed)
        diagnose(failed, text, SWEEP_REASON);
}

static void count_point(struct sweep *s, const struct point *p, bool ran, const char *reason)
{
    struct sweep_tally *t = &s->tally;
    t->done++;
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

static void count_refused(struct sweep *s, const struct lot *l)
{
    for (unsigned i = 0; i < l->count; i++) {
        const struct point *p = &l->points[i];
        s->tally.refused += !p->run;
        if (!p->run && !*s->tally.reason)
            snprintf(s->tally.reason, sizeof s->tally.reason, "%.500s", p->reason);
    }
}

static int take(struct sweep *s, struct lot *l, struct pace *pace, bool dry, struct mh_error *err)
{
    if (lot_open(s, l, err))
        return -1;
    kept_load(plan_sims(l->plan), plan_count(l->plan), s->store);
    if (find_mine(s, l, err))
        return -1;
    for (unsigned i = 0; i < l->count; i++)
        l->waiting += in_state(&l->points[i], SIM_WAITING);
    if (!s->points)
        count_refused(s, l);
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
