/*
 * How far runs are, in time: what a person is told while they run. It depends on wall time, and no result on it.
 *
 * A run that has ended took what it took. Another takes as long as those of its kind that have ended did, on average;
 * where there are none, its cost (sim.h), times what those that have ended took beyond their own. So an estimate that
 * was wrong for one workload, or for this machine, is right once a run of it has ended.
 */
#include "jobs.h"

#include <math.h>
#include <stdlib.h>

/* Of the runs that have ended. */
struct ended {
    unsigned count;
    double seconds;
};

struct pace {
    struct ended *kinds; /* by sim.kind */
    unsigned kind_count;
    double slower; /* seconds for a unit of cost */
};

/* Without costs a cycle of one run is as dear as one of another. */
static double cost_of(const struct sim *s)
{
    return s->cost > 0 ? s->cost : (double)s->cfg.run.cycles;
}

static bool has_ended(const struct sim *s)
{
    return s->state == SIM_DONE && s->seconds > 0;
}

static void learn(struct pace *p, struct sim *const *sims, unsigned count)
{
    double seconds = 0, costs = 0;
    for (unsigned i = 0; i < count; i++)
        if (has_ended(sims[i])) {
            p->kinds[sims[i]->kind].count++;
            p->kinds[sims[i]->kind].seconds += sims[i]->seconds;
            seconds += sims[i]->seconds;
            costs += cost_of(sims[i]);
        }
    p->slower = costs > 0 ? seconds / costs : 1;
}

/* In seconds, or in costs while none has ended. */
static double length_of(const struct pace *p, const struct sim *s)
{
    const struct ended *kind = &p->kinds[s->kind];
    if (has_ended(s))
        return s->seconds;
    return s->kind && kind->count ? kind->seconds / kind->count : cost_of(s) * p->slower;
}

/* The window may be far longer than the programs in it: its cycles say how far a run is at least. */
static double part_of(const struct pace *p, const struct sim *s, double now)
{
    if (s->state == SIM_WAITING)
        return 0;
    if (s->state != SIM_RUNNING)
        return 1;
    double part = s->cfg.run.cycles ? (double)mh_record_progress(s->dir) / (double)s->cfg.run.cycles : 0;
    if (s->kind && p->kinds[s->kind].count)
        part = fmax(part, (now - s->started) / length_of(p, s));
    return fmin(part, 1);
}

double pace_part(struct sim *const *sims, unsigned count, double now)
{
    struct pace p = {.kind_count = 1};
    double all = 0, over = 0;
    for (unsigned i = 0; i < count; i++)
        if (sims[i]->kind >= p.kind_count)
            p.kind_count = sims[i]->kind + 1;
    p.kinds = calloc(p.kind_count, sizeof *p.kinds);
    if (!p.kinds)
        return 0;
    learn(&p, sims, count);
    for (unsigned i = 0; i < count; i++) {
        double length = length_of(&p, sims[i]);
        all += length;
        over += length * part_of(&p, sims[i], now);
    }
    free(p.kinds);
    return all > 0 ? over / all : 0;
}
