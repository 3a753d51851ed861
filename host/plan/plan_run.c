#include "plan_run.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "run/jobs.h"

struct keeper {
    struct store *store;
    bool failed;
};

/* A result is kept before its directory goes. */
static void finished(void *ctx, struct sim *sim)
{
    struct keeper *k = ctx;
    struct mh_error err;
    const struct plan_sim *s = (struct plan_sim *)sim;
    if (store_keep(k->store, s->key.text, s->what, sim, &err) && !k->failed) {
        k->failed = true;
        fprintf(stderr, "\nmemhelm: warning: results are not kept, a next call runs them again: %s\n", err.text);
    }
    remove_tree(sim->dir);
}

unsigned plan_load(const struct plan *p, struct store *st)
{
    unsigned found = 0;
    for (unsigned i = 0; i < plan_count(p); i++) {
        struct plan_sim *s = plan_sim(p, i);
        if (s->sim.state != SIM_WAITING || !store_find(st, s->key.text, &s->sim))
            continue;
        s->kept = true;
        found++;
    }
    store_report_damage(st);
    return found;
}

int plan_run(const struct plan *p, struct store *st, unsigned jobs)
{
    struct keeper k = {.store = st};
    unsigned count = 0;
    struct sim **list = calloc(plan_count(p) + 1, sizeof *list);
    if (!list)
        return 0;
    for (unsigned i = 0; i < plan_count(p); i++)
        if (plan_sim(p, i)->sim.state == SIM_WAITING)
            list[count++] = &plan_sim(p, i)->sim;
    int signal = jobs_run_each(list, count, jobs, finished, &k);
    free(list);
    return signal;
}
