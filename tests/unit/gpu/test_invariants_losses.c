/* invariants: of the debug build alone */
/* A debug build stops when something is lost or comes from nowhere: a request, a walk, a credit, a place in a queue. */
#include "script.h"
#include "unit/test.h"
#include "broken_gpu.h"
#include "sm/lsu.h"

/* Traffic of two tenants, with all that a GPU can have. */
static struct mh_gpu *busy_gpu(void)
{
    struct mh_config cfg = shared_config(2);
    static struct mix mix[2];
    cfg.l2tlb.entries = 128;
    cfg.iommu.l1_entries = 16;
    cfg.iommu.l2_entries = 512;
    cfg.iommu.l2_ways = 16;
    return mixed_gpu(&cfg, mix);
}

/* A GPU with requests and replies that wait for each other at the inputs of the crossbars. */
static struct mh_gpu *queued_gpu(void)
{
    struct mh_config cfg = shared_config(2);
    static struct mix mix[2];
    set_word(&cfg, "noc.queues", "input");
    cfg.noc.vcs = 2;
    cfg.noc.flit_bytes = 8;
    return mixed_gpu(&cfg, mix);
}

static void lost_pending_line(struct mh_gpu *g)
{
    g->sm[0].free_pending = g->sm[0].pending[g->sm[0].free_pending].next;
}

static void lost_walk(struct mh_gpu *g)
{
    g->l2tlb->free_walk = g->l2tlb->walk[g->l2tlb->free_walk].next_free;
}

static void lost_walker(struct mh_gpu *g)
{
    g->walkers[0].idle--;
}

static void lost_on_its_way(struct mh_gpu *g)
{
    g->iommu->on_their_way--;
}

static void lost_warp(struct mh_gpu *g)
{
    g->sm[1].free_warps &= g->sm[1].free_warps - 1;
}

static void lost_request(struct mh_gpu *g)
{
    g->noc->live--;
}

static void reply_from_nowhere(struct mh_gpu *g)
{
    g->noc->replies++;
}

static void credit_from_nowhere(struct mh_gpu *g)
{
    for (uint32_t b = 0; b < g->noc->banks; b++)
        g->noc->bank[b].credits++;
}

/* A crossbar in which some head waits for a wire, and none for a credit. */
static struct mh_crossbar *waited_for(struct mh_gpu *g)
{
    for (;; mh_gpu_advance(g, mh_gpu_now(g) + 1))
        for (uint32_t way = 0; way < MH_WAYS; way++) {
            struct mh_crossbar *x = &g->noc->inputs->crossbar[way];
            if (x->wanted[0] & ~x->closed[0])
                return x;
        }
}

static void lost_turn(struct mh_gpu *g)
{
    waited_for(g)->pending = 0;
}

static void lost_head(struct mh_gpu *g)
{
    struct mh_crossbar *x = waited_for(g);
    x->wants[__builtin_ctzll(x->wanted[0]) * x->words] = 0;
}

static void lost_count(struct mh_gpu *g)
{
    g->noc->inputs->waiting[0]++;
}

static void lost_queue(struct mh_gpu *g)
{
    struct mh_inputs *in = g->noc->inputs;
    uint32_t way = waited_for(g) == &in->crossbar[MH_WAY_THERE] ? MH_WAY_THERE : MH_WAY_BACK;
    for (uint32_t q = 0; q < in->crossbar[way].shape.inputs * 2; q++)
        in->fifo[way][q].head = MH_NONE;
}

static void closed_for_good(struct mh_gpu *g)
{
    g->noc->inputs->crossbar[MH_WAY_THERE].closed[0] ^= 1;
}

static struct mh_gpu *divided_gpu(void)
{
    struct mh_config cfg = shared_config(2);
    static struct mix mix[2];
    cfg.l1d.subqueues = 2;
    cfg.l1d.rate_interval = 50;
    cfg.sm.lsu_order = MH_LSU_PER_KERNEL;
    struct mh_gpu *g = mixed_gpu(&cfg, mix);
    script_knob(g, MH_REG_MISS_QUEUES, 1);
    script_knob(g, MH_REG_ISSUE_RATE, 300);
    return g;
}

/* One whose first head of tenant 0 waits for an issue credit. */
static struct mh_virtual_queue *filled_queue(struct mh_gpu *g)
{
    struct mh_virtual_queue *v = &g->missq->sm[0].of[0];
    while (v->count < 2)
        mh_gpu_advance(g, mh_gpu_now(g) + 1);
    return v;
}

static void lost_in_subqueue(struct mh_gpu *g)
{
    struct mh_virtual_queue *v = filled_queue(g);
    v->head = g->req[v->head].next;
}

static void above_its_share(struct mh_gpu *g)
{
    struct mh_virtual_queue *v = filled_queue(g);
    v->limit = v->share = 1;
}

static void issue_credit_from_nowhere(struct mh_gpu *g)
{
    filled_queue(g)->credits.left += 256;
}

static void not_in_line(struct mh_gpu *g)
{
    filled_queue(g)->waiting ^= true;
}

static void arbiter_asleep(struct mh_gpu *g)
{
    struct mh_virtual_queue *v = filled_queue(g);
    while (v->waiting || !v->count)
        mh_gpu_advance(g, mh_gpu_now(g) + 1);
    g->missq->sm[0].wakes_at = UINT64_MAX;
}

static void paid_by_nobody(struct mh_gpu *g)
{
    filled_queue(g)->paid ^= true;
}

static void lost_place_of_the_lsu(struct mh_gpu *g)
{
    g->sm[0].lsu_order->place[0] = g->sm[0].lsu_order->place[1];
}

static void all_are_found(running *start, fault *const *losses)
{
    assert_false(child_aborts(start, no_fault));
    for (uint32_t i = 0; losses[i]; i++)
        if (!child_aborts(start, losses[i]))
            fail_msg("loss %u is not found", i);
}

TEST(test_losses_of_subqueues_are_found)
{
    all_are_found(divided_gpu,
                  (fault *const[]){lost_in_subqueue, above_its_share, issue_credit_from_nowhere, not_in_line,
                                   arbiter_asleep, paid_by_nobody, lost_place_of_the_lsu, NULL});
}

TEST(test_losses_are_found)
{
    all_are_found(busy_gpu, (fault *const[]){lost_pending_line, lost_walk, lost_walker, lost_on_its_way, lost_warp,
                                             lost_request, reply_from_nowhere, credit_from_nowhere, NULL});
}

TEST(test_losses_at_the_inputs_are_found)
{
    all_are_found(queued_gpu, (fault *const[]){lost_turn, lost_head, lost_count, lost_queue, closed_for_good,
                                               lost_request, reply_from_nowhere, credit_from_nowhere, NULL});
}
