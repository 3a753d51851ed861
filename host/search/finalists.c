#include "finalists.h"

#include <stdlib.h>

#include "best.h"

static int keep(bool *kept, const struct search_request *r, const struct search_workload *w,
                const struct oracle_choice *c, struct mh_error *err)
{
    uint8_t ctas[MH_MAX_TENANTS];
    for (unsigned k = 0; k < w->tenants; k++)
        ctas[k] = (uint8_t)c->ctas[k];
    int at = c->kernels == w->tenants ? combinations_find(&w->all, ctas) : -1;
    if (at < 0)
        return mh_fail(err, "%s, workload %.200s: a combination that does not fit this GPU: it was searched on another",
                       r->from, w->spec);
    kept[at] = true;
    return 0;
}

static int keep_best(bool *kept, struct oracles *first, const struct search_request *r, const struct search_workload *w,
                     unsigned metric, struct mh_error *err)
{
    const struct oracle_query q = {.file = r->from,
                                   .metric = search_metrics[metric].name,
                                   .preset = r->preset,
                                   .workload = w->spec,
                                   .sets = r->sets,
                                   .set_count = r->set_count};
    struct oracle_choice best[SEARCH_FINALISTS];
    int count = oracles_rank(first, &q, r->finalists, best, err);
    for (int i = 0; i < count; i++)
        if (keep(kept, r, w, &best[i], err))
            return -1;
    return count < 0 ? -1 : 0;
}

int finalists_keep(struct oracles *first, const struct search_request *r, struct search_workload *w, int even,
                   struct mh_error *err)
{
    bool *kept = calloc(w->all.count, sizeof *kept);
    int status = kept ? 0 : mh_fail(err, "out of memory");
    for (unsigned m = 0; m < SEARCH_METRICS && !status; m++)
        if (search_metrics[m].finals)
            status = keep_best(kept, first, r, w, m, err);
    if (!status && even >= 0)
        kept[even] = true;
    if (!status)
        combinations_keep(&w->all, kept);
    free(kept);
    return status;
}
