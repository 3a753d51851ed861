#include "engine/gpu.h"
#include "missq/missq.h"
#include "noc/noc.h"
#include "engine/check.h"
#include "cache/l2.h"

#include <inttypes.h>
#include <string.h>

/* Sub-queues of the L1D miss queues as a block (engine/block.h). */

static int init(struct mh_gpu *g)
{
    struct mh_missq *m = g->missq;

    g->subqueues = g->cfg.l1d.subqueues != 0;
    if (!g->subqueues)
        return 0;
    m->gpu_rate = g->cfg.l1d.rate_clock == MH_RATE_GPU;
    m->sm = mh_aligned_zeros(g->cfg.sm.count * sizeof *m->sm);
    if (!m->sm)
        return -1;
    for (uint32_t t = 0; t < MH_MAX_TENANTS; t++)
        m->rate[t] = MH_RATE_FREE;
    for (uint32_t sm = 0; sm < g->cfg.sm.count; sm++) {
        struct mh_miss_queue *q = &m->sm[sm];

        q->wakes_at = UINT64_MAX;
        q->last[0] = q->last[1] = (uint8_t)(g->tenants - 1); /* tenant 0 first */
        for (uint32_t t = 0; t < MH_MAX_TENANTS; t++)
            q->of[t].credits = mh_credits_free();
    }
    return 0;
}

static void free_all(struct mh_gpu *g)
{
    free(g->missq->sm);
}

/* A head that waits for an issue credit may get one earlier, and one that waits for MISS_QUEUES 0 needs none. */
static void apply(struct mh_gpu *g, const struct mh_knobs *before)
{
    bool rates = memcmp(before->issue_rate, g->knobs.issue_rate, sizeof before->issue_rate) != 0;
    bool order = before->miss_queues != g->knobs.miss_queues;

    if (!g->subqueues || !(rates || order))
        return;
    for (uint32_t sm = 0; sm < g->cfg.sm.count; sm++)
        mh_missq_settle(g, sm);
    memcpy(g->missq->rate, g->knobs.issue_rate, sizeof g->missq->rate);
    for (uint32_t sm = 0; sm < g->cfg.sm.count; sm++) {
        mh_missq_open(g, sm);
        mh_missq_run(g, sm);
        mh_sm_kick(g, sm);
    }
}

const struct mh_block mh_block_missq = {MH_BLOCK_STATE(missq, 1), .init = init,
                                        .free = free_all,         .apply = apply,
                                        .check = mh_missq_check,  .left = mh_missq_left};

/* Shares, issue credits and places in line add up. */
#ifdef MH_DEBUG

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
    MH_CHECK(in_line == (mh_noc_at_inputs(g->noc) ? 0 : waiting + g->noc->port[sm].waiting));
    MH_CHECK(!q->held || mh_noc_waiting(g->noc, sm) <= (mh_noc_at_inputs(g->noc) ? g->cfg.noc.vcs : 0));
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

void mh_credits_at(struct mh_issue_credits *c, uint64_t interval, uint32_t rate)
{
    uint64_t starts = interval - c->interval;

    if (!starts)
        return;
    /* Of all intervals but the last, which took nothing, the fractions alone are left. */
    uint64_t carried = (c->left + (starts - 1) * rate) % MH_RATE_ONE;

    *c = (struct mh_issue_credits){.interval = interval, .quota = rate};
    if (rate == MH_RATE_FREE)
        return;
    c->carried = (uint32_t)carried;
    c->left = rate + c->carried;
}

void mh_credits_take(struct mh_issue_credits *c)
{
    MH_CHECK(mh_credits_enough(c));
    if (c->quota == MH_RATE_FREE)
        return;
    c->left -= MH_RATE_ONE;
    c->taken++;
}

/* Below one credit nothing lapses: each start adds the whole quota. */
uint64_t mh_credits_next(const struct mh_issue_credits *c, uint32_t rate)
{
    uint32_t missing = MH_RATE_ONE - c->left;

    return c->interval + (rate >= missing ? 1 : (missing + rate - 1) / rate);
}

/* Sub-queues: where a request is in them, and what their heads wait for. */

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
    if (v->waiting && mh_noc_at_inputs(g->noc)) {
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
