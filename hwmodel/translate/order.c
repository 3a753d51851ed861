
#include "control/control.h"
#include "engine/gpu.h"
#include "engine/random.h"
#include "pages/page_table.h"
#include "translate/pwc.h"
#include "translate/walk.h"

/* Orders 2 and 3: simt, scored. */
static bool by_score(const struct mh_gpu *g)
{
    return g->knobs.walk_order >= MH_WALK_SIMT;
}

/* The fifth read and the sixth, which no paper has, cost 1 each (ours). */
static uint32_t cost(const struct mh_knobs *k, uint32_t reads)
{
    const uint32_t of[] = {k->walk_cost_1, k->walk_cost_2, k->walk_cost_3, k->walk_cost_4};

    return reads > 4 ? k->walk_cost_4 + reads - 4 : of[reads - 1];
}

/* Reads that the walk would need now. With WALK_PIN the entries that it finds stay until the walk's own look-up. */
static uint32_t estimate(struct mh_gpu *g, struct mh_walk *w)
{
    bool pin = g->knobs.walk_pin;
    struct mh_pwc_found f = mh_pwc_look_up(g, w->tenant, w->node, w->vpn, pin ? MH_PWC_UP : MH_PWC_LEAVE, MH_PWC_ALL);

    w->pinned = pin ? f.levels : 0;
    return mh_pt_leaf(g->pages, w->key) - f.depth + 1u;
}

static void tell_firmware(struct mh_gpu *g, const struct mh_walk *w, uint32_t reads)
{
    mh_control_arrival(g->control, g->wheel.now,
                       MH_WALK_ARRIVAL_VALID | reads << MH_WALK_ARRIVAL_READS |
                           (uint32_t)w->tenant << MH_WALK_ARRIVAL_TENANT | w->instruction);
}

/* Takes no time: the walk has to wait anyway (Shin et al., sec. IV, "not in the critical path"). */
void mh_order_arrived(struct mh_gpu *g, uint32_t walk)
{
    struct mh_walk *w = &g->l2tlb->walk[walk];

    /* First: when none of its walks waited, the instruction starts with no score. */
    mh_instruction_waits(g->instructions, w->record);
    if (!by_score(g))
        return;
    uint32_t reads = estimate(g, w);

    mh_instruction_add_score(g->instructions, w->record, cost(&g->knobs, reads) + g->knobs.walk_bias[w->tenant]);
    if (g->knobs.walk_order == MH_WALK_SCORED)
        tell_firmware(g, w, reads);
}

bool mh_order_score(struct mh_gpu *g, uint32_t instruction, uint32_t score)
{
    return mh_instruction_tell_score(g->instructions, instruction, score);
}

/*
 * No walk has been passed more often than the oldest: a walk that passed another has passed the oldest, too. Its number
 * is how many came before it. These have all left; the others that have left passed it.
 */
static bool aged(const struct mh_gpu *g, const struct mh_walk_queue *q)
{
    uint32_t gone = q->arrived - q->count, older_gone = g->l2tlb->walk[q->oldest].number;

    return gone - older_gone >= g->knobs.walk_age;
}

/* The numbers drawn are counted for all sets of walkers together: the n-th of a run depends on the seed alone. */
static uint32_t any(struct mh_gpu *g, const struct mh_walk_queue *q)
{
    uint32_t walk = q->oldest;

    for (uint64_t i = mh_random(g->cfg.run.seed, g->walkers[0].drawn++) % q->count; i; i--)
        walk = g->l2tlb->walk[walk].younger;
    return walk;
}

/*
 * The oldest walk of the instruction that was served last. Its walks came lately and together: a search from the
 * youngest has soon seen all of them, and stops there.
 */
static uint32_t batched(struct mh_gpu *g, const struct mh_walk_queue *q)
{
    const struct mh_instruction *i = mh_instruction_find(g->instructions, q->last);
    uint32_t oldest = MH_NO_WALK, left = i ? i->waiting : 0;

    for (uint32_t walk = q->youngest; left && walk != MH_NO_WALK; walk = g->l2tlb->walk[walk].older)
        if (g->l2tlb->walk[walk].instruction == q->last) {
            oldest = walk;
            left--;
        }
    return oldest;
}

/*
 * The oldest of those with the lowest score. It searches up to 256 walks per service: 1 M cycles of MVT in preset
 * `simt` take the host 0.15 s, and 0.13 s with fcfs.
 */
static uint32_t lowest(const struct mh_gpu *g, const struct mh_walk_queue *q)
{
    const bool scored = g->knobs.walk_order == MH_WALK_SCORED;
    uint32_t best = MH_NO_WALK, least = UINT32_MAX;

    for (uint32_t walk = q->oldest; walk != MH_NO_WALK; walk = g->l2tlb->walk[walk].younger) {
        uint32_t score = mh_instruction_score(g->instructions, g->l2tlb->walk[walk].record, scored);

        best = score < least ? walk : best;
        least = score < least ? score : least;
    }
    return best;
}

static uint32_t by_rules(struct mh_gpu *g, const struct mh_walk_queue *q)
{
    uint32_t walk = g->knobs.walk_batch ? batched(g, q) : MH_NO_WALK;

    return walk != MH_NO_WALK ? walk : lowest(g, q);
}

uint32_t mh_order_pick(struct mh_gpu *g, const struct mh_walk_queue *q)
{
    if (!q->count || g->knobs.walk_order == MH_WALK_FCFS || aged(g, q))
        return q->oldest;
    return by_score(g) ? by_rules(g, q) : any(g, q);
}

void mh_order_leave(struct mh_gpu *g, struct mh_walk_queue *q, uint32_t walk)
{
    struct mh_walk *w = &g->l2tlb->walk[walk];

    mh_walk_queue_remove(q, g->l2tlb->walk, walk);
    q->last = w->instruction;
    mh_instruction_served(g->instructions, w->record);
}

/* fcfs and random need no search. By score there is one even when a batch goes on: its walks stand anywhere. */
uint32_t mh_order_latency(const struct mh_gpu *g)
{
    return by_score(g) ? g->cfg.walk.scan_latency : 0;
}
