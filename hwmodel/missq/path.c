/* Sub-queues: where a request is in them, and what their heads wait for. */
#include "missq/report.h"

#include <inttypes.h>

#include "cache/l2_report.h"
#include "engine/gpu.h"
#include "noc/noc.h"
#include "missq/missq.h"
#include "noc/path.h"

/* The first number of the interval, and not how far that is: of two texts that are equal nothing has moved. */
static void say_credits(const struct mh_gpu *g, uint32_t tenant, const struct mh_issue_credits *c, FILE *out)
{
    uint64_t next = mh_credits_next(c, g->missq->rate[tenant]);

    fprintf(out, " has no issue credit before interval %" PRIu64 " of %u cycles (ISSUE_RATE %u)", next,
            g->cfg.l1d.rate_interval, g->missq->rate[tenant]);
}

/* Another tenant, whose requests always go first; MH_NONE: there is none. */
static uint32_t passing(const struct mh_gpu *g, uint32_t sm, uint32_t tenant)
{
    bool may_wait = !g->knobs.issue_patience && !g->knobs.issue_first[tenant];

    for (uint32_t t = 0; may_wait && t < g->tenants; t++)
        if (g->knobs.issue_first[t] && g->missq->sm[sm].of[t].count)
            return t;
    return MH_NONE;
}

/* What the head of the tenant's queue, which is not empty, waits for. */
static void say_head(const struct mh_gpu *g, uint32_t sm, uint32_t tenant, FILE *out)
{
    const struct mh_virtual_queue *v = &g->missq->sm[sm].of[tenant];
    const struct mh_req *head = &g->req[v->head];

    fprintf(out, "; the head of tenant %u (%.40s) in the sub-queues of SM %u, request %u of physical line 0x%" PRIx64,
            tenant, g->cfg.tenants[tenant].kernel, sm, v->head, mh_line_address(&g->cfg, head->line));
    if (v->waiting && g->noc->inputs) {
        fputs(" finds its input taken", out);
        mh_path_port(g, sm, out);
    } else if (v->waiting) {
        fprintf(out, " has no credit of bank %u", head->bank);
        mh_path_bank(g, head->bank, out);
    } else if (!v->paid && g->knobs.miss_queues && !mh_credits_enough(&v->credits)) {
        say_credits(g, tenant, &v->credits, out);
    } else if (passing(g, sm, tenant) != MH_NONE) {
        fprintf(out, " could go, but requests of tenant %u, which has ISSUE_FIRST, pass it (ISSUE_PATIENCE 0)",
                passing(g, sm, tenant));
    } else {
        fputs(" could go, but the arbiter's turn (EV_MISSQ) never came", out);
    }
}

/* Requests before it, in its own sub-queues; -1: it is not there. */
static int place_of(const struct mh_gpu *g, const struct mh_virtual_queue *v, const struct mh_wanted *w)
{
    uint32_t req = v->head;

    for (uint32_t i = 0; i < v->count; i++, req = g->req[req].next)
        if (mh_is_wanted(&g->req[req], w))
            return (int)i;
    return -1;
}

bool mh_path_subqueue(const struct mh_gpu *g, const struct mh_wanted *w, FILE *out)
{
    for (uint32_t t = 0; g->subqueues && w->port < g->cfg.sm.count && t < g->tenants; t++) {
        int place = place_of(g, &g->missq->sm[w->port].of[t], w);

        if (place < 0)
            continue;
        fprintf(out, ", in a sub-queue behind %d", place);
        say_head(g, w->port, t, out);
        return true;
    }
    return false;
}

void mh_path_miss_queue(const struct mh_gpu *g, uint32_t sm, uint32_t tenant, FILE *out)
{
    const struct mh_miss_queue *q = g->subqueues ? &g->missq->sm[sm] : NULL;

    if (!q || !q->held) {
        fputs(": the miss queue is full", out);
        mh_path_port(g, sm, out);
        return;
    }
    bool own = q->of[tenant].count;

    fputs(q->divided != g->knobs.miss_queues ? ": the miss queue empties, as MISS_QUEUES has changed"
          : own                              ? ": the sub-queues of its tenant are full"
                                             : ": the sub-queues are full of requests of others",
          out);
    if (own)
        say_head(g, sm, tenant, out);
    else
        mh_path_subqueues(g, sm, out);
}

void mh_path_subqueues(const struct mh_gpu *g, uint32_t sm, FILE *out)
{
    uint32_t t = 0;

    while (!g->missq->sm[sm].of[t].count)
        t++;
    say_head(g, sm, t, out);
}

bool mh_missq_left(const struct mh_gpu *g, FILE *out)
{
    for (uint32_t sm = 0; sm < g->cfg.sm.count; sm++)
        if (!mh_missq_idle(g, sm)) {
            mh_path_subqueues(g, sm, out);
            return true;
        }
    return false;
}
