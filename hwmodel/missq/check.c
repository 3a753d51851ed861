#include "missq/report.h"

/* Shares, issue credits and places in line add up. */
#ifdef MH_DEBUG
#include "engine/gpu.h"
#include "missq/missq.h"
#include "noc/noc.h"

static void check_credits(const struct mh_issue_credits *c)
{
    bool limited = c->quota != MH_RATE_FREE;

    MH_CHECK(c->carried < MH_RATE_ONE);
    MH_CHECK(c->left + MH_RATE_ONE * c->taken == (limited ? c->quota + c->carried : 0));
}

static void check_queue(const struct mh_gpu *g, uint32_t sm, uint32_t tenant)
{
    const struct mh_virtual_queue *v = &g->missq->sm[sm].of[tenant];
    uint32_t req = v->head;

    MH_CHECK(v->count <= v->limit && v->limit <= g->cfg.l1d.miss_queue && v->share <= v->limit);
    MH_CHECK(v->count || !(v->waiting || v->paid));
    MH_CHECK(!(v->waiting && v->paid));
    for (uint32_t i = 0; i < v->count; i++, req = g->req[req].next) {
        const struct mh_req *r = &g->req[req];

        MH_CHECK(r->kind < MH_REQ_PTE && r->port == sm && r->tenant == tenant);
        MH_CHECK(req == v->tail || i + 1 < v->count);
    }
    check_credits(&v->credits);
}

/* Every head stands in line at its bank, as often as it says so, or there is an event that looks at it. */
static void check_heads(const struct mh_gpu *g, uint32_t sm)
{
    const struct mh_miss_queue *q = &g->missq->sm[sm];
    uint32_t heads = 0, waiting = 0, in_line = 0;

    for (uint32_t t = 0; t < g->tenants; t++) {
        heads += q->of[t].count != 0;
        waiting += q->of[t].waiting;
    }
    MH_CHECK(heads == waiting || q->wakes_at != UINT64_MAX);
    for (uint32_t b = 0; b < g->noc->banks; b++) {
        const struct mh_ring *line = &g->noc->bank[b].waiters;

        for (uint32_t i = 0; i < line->count; i++)
            in_line += line->item[(line->head + i) & line->mask] == sm;
        MH_CHECK(!line->count || !g->noc->bank[b].credits);
    }
    MH_CHECK(in_line == (g->noc->inputs ? 0 : waiting + g->noc->port[sm].waiting));
    MH_CHECK(!q->held || mh_noc_waiting(g->noc, sm) <= (g->noc->inputs ? g->cfg.noc.vcs : 0));
}

void mh_missq_check(const struct mh_gpu *g)
{
    for (uint32_t sm = 0; g->subqueues && sm < g->cfg.sm.count; sm++) {
        uint32_t held = 0;

        for (uint32_t t = 0; t < g->tenants; t++) {
            check_queue(g, sm, t);
            held += g->missq->sm[sm].of[t].count;
        }
        MH_CHECK(held == g->missq->sm[sm].held && held <= g->cfg.l1d.miss_queue);
        check_heads(g, sm);
    }
}

#endif
