#include "stack.h"

#include <math.h>
#include <stdlib.h>

static const char *const names[STACK_PARTS] = {
    [STACK_ISSUE] = "instructions",
    [STACK_WAIT + MH_WAIT_LSU] = "turn in the LSU",
    [STACK_WAIT + MH_WAIT_L1] = "L1 TLB and L1D",
    [STACK_WAIT + MH_WAIT_TLB] = "L2 TLB",
    [STACK_WAIT + MH_WAIT_WALK_QUEUE] = "walk queue",
    [STACK_WAIT + MH_WAIT_WALK] = "walk",
    [STACK_WAIT + MH_WAIT_FAULT] = "page fault",
    [STACK_WAIT + MH_WAIT_NOC] = "crossbar",
    [STACK_WAIT + MH_WAIT_L2] = "L2",
    [STACK_WAIT + MH_WAIT_DRAM_QUEUE] = "DRAM queue",
    [STACK_WAIT + MH_WAIT_DRAM] = "DRAM",
    [STACK_WAIT + MH_WAIT_BARRIER] = "barrier",
    [STACK_WAIT + MH_WAIT_THROTTLE] = "throttle",
    [STACK_WAIT + MH_WAIT_OTHER] = "other",
    [STACK_WAIT + MH_WAIT_EMPTY] = "no warps",
};

const char *stack_name(unsigned part)
{
    return names[part];
}

static double stalls(const uint64_t waits[MH_WAITS])
{
    double sum = 0;
    for (unsigned w = 0; w < MH_WAIT_EMPTY; w++)
        sum += (double)waits[w];
    return sum;
}

/* SM cycles in which something was issued. An SM of its own has them by difference, shared ones by instructions. */
static double issuing(const struct mh_config *cfg, const struct mh_stats *s, uint32_t t)
{
    double whole = 0, instructions = 0;
    if (!cfg->sm.share)
        return (double)cfg->tenants[t].sm_count * (double)s->cycles - stalls(s->waits[t]) -
               (double)s->waits[t][MH_WAIT_EMPTY];
    whole = (double)cfg->sm.count * (double)s->cycles;
    for (uint32_t i = 0; i < s->tenants; i++) {
        whole -= stalls(s->waits[i]) + (double)s->waits[i][MH_WAIT_EMPTY];
        instructions += (double)s->tenant[i].warp_instr;
    }
    return whole * (double)s->tenant[t].warp_instr / instructions;
}

void stack_of(const struct mh_config *cfg, const struct mh_stats *s, uint32_t t, struct stack *out)
{
    const double instructions = s->tenant[t].warp_instr ? (double)s->tenant[t].warp_instr : (double)NAN;
    *out = (struct stack){.ipc = (double)s->tenant[t].lane_instr / (double)s->cycles};
    out->part[STACK_ISSUE] = issuing(cfg, s, t) / instructions;
    for (unsigned w = 0; w < MH_WAIT_CAUSES; w++)
        out->part[STACK_WAIT + w] = (double)s->waits[t][w] / instructions;
    for (unsigned p = 0; p < STACK_PARTS; p++)
        out->all += out->part[p];
    out->of_tlb_mshr = (double)s->waits[t][MH_WAIT_OF_TLB_MSHR] / instructions;
    out->of_mshr = (double)s->waits[t][MH_WAIT_OF_MSHR] / instructions;
}

void stack_changes(const struct stack *a, const struct stack *b, unsigned order[STACK_PARTS])
{
    for (unsigned p = 0; p < STACK_PARTS; p++) {
        unsigned at = p;
        double size = fabs(b->part[p] - a->part[p]);
        for (; at && fabs(b->part[order[at - 1]] - a->part[order[at - 1]]) < size; at--)
            order[at] = order[at - 1];
        order[at] = p;
    }
}
