/* Runs of another store are taken over. Points are planned in lots: once to see which runs they need, once to run. */
#include <stdio.h>
#include <stdlib.h>

#include "base/escape.h"
#include "base/memory.h"
#include "run/store_merge.h"
#include "sweep_private.h"

enum { LOT = 256 };

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
    struct kept_sim **chosen = must(calloc(plan_count(p) + 1, sizeof *chosen));
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
    struct plan *p = must(plan_new(s->base));
    struct point point;
    int status = 0;
    for (uint64_t n = first; !status && n < s->tally.points && n < first + LOT; n++)
        status = place_plan(s, p, n, &point, err);
    if (!status)
        status = visit(s, m, p, err);
    plan_free(p);
    return status;
}

static int visit_all(struct sweep *s, struct merge *m, visit_runs *visit, struct mh_error *err)
{
    int status = 0;
    for (uint64_t first = 0; !status && first < s->tally.points; first += LOT)
        status = visit_lot(s, m, first, visit, err);
    return status;
}

static void say(const char *path, const char *what, unsigned count, unsigned again, unsigned left)
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
        say(path, "could be taken over", merge_count(m), 0, 0);
        return 0;
    }
    if (!status && again)
        status = visit_all(s, m, run_chosen, err);
    if (status)
        return status;
    if (merge_compare(m, err) || merge_take(m, &added, &left, err))
        return -1;
    say(path, "taken over", added, again, left);
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
