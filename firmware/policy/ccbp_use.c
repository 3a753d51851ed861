/* What was measured, as CCBP's allocation counts it. */
#include "ccbp_allocate.h"

static struct ccbp_use use_of(uint64_t all, uint32_t over)
{
    uint64_t whole = all / over;

    if (whole >= UINT32_MAX)
        return (struct ccbp_use){UINT32_MAX, 0, over};
    return (struct ccbp_use){(uint32_t)whole, (uint32_t)(all - whole * over), over};
}

struct ccbp_use ccbp_linear(uint32_t units, uint32_t bandwidth, uint32_t ctas)
{
    return use_of((uint64_t)units * bandwidth, ctas);
}

struct ccbp_point ccbp_point_of(uint32_t units, uint32_t sustainable, uint32_t own, uint32_t other)
{
    uint64_t used = (uint64_t)units * own / sustainable;

    return (struct ccbp_point){
        .other = use_of((uint64_t)sustainable * other, own > 0 ? own : 1),
        .units = used < units ? (uint32_t)used : units,
    };
}

uint32_t ccbp_most_ctas(const struct ccbp_sm *sm, const struct ccbp_sm *cta)
{
    uint32_t most = sm->slots < CCBP_MAX_CTAS ? sm->slots : CCBP_MAX_CTAS;

    for (uint32_t r = 0; r < CCBP_STATICS; r++)
        if (cta->amount[r] > 0 && sm->amount[r] / cta->amount[r] < most)
            most = sm->amount[r] / cta->amount[r];
    return most;
}
