#include "plan_run.h"

#include <stdio.h>
#include <stdlib.h>

#include "../file.h"
#include "../jobs.h"

struct keeper {
    struct store *store;
    bool failed;
};

/* A result is kept before its directory goes. */
static void finished(void *ctx, struct sim *sim)
{
    struct keeper *k = ctx;
    struct mh_error err;
    if (store_add(k->store, (struct plan_sim *)sim, &err) && !k->failed) {
        k->failed = true;
        fprintf(stderr, "\nmemhelm: warning: results are not kept, a next call runs them again: %s\n", err.text);
    }
    remove_tree(sim->dir);
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
