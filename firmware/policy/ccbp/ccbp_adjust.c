#include "ccbp.h"

enum { FRACTION_BITS = 16, PRIOR_FIRST = 10, PRIOR_LEAST = 1 };

static uint32_t saturate(uint64_t value)
{
    return value > UINT32_MAX ? UINT32_MAX : (uint32_t)value;
}

uint32_t ccbp_ipc(uint32_t instructions, uint32_t cycles)
{
    return cycles > 0 ? saturate(((uint64_t)instructions << FRACTION_BITS) / cycles) : 0;
}

/* Below 2^48 each: eight do not overflow. */
uint32_t ccbp_harmonic_speedup(uint32_t kernels, const uint32_t *shared, const uint32_t *alone)
{
    uint64_t slowdowns = 0, known = 0;

    for (uint32_t k = 0; k < kernels; k++) {
        if (alone[k] == 0)
            continue;
        if (shared[k] == 0)
            return 0;
        slowdowns += ((uint64_t)alone[k] << FRACTION_BITS) / shared[k];
        known++;
    }
    if (known == 0)
        return 0;
    return slowdowns > 0 ? saturate((known << 2 * FRACTION_BITS) / slowdowns) : UINT32_MAX;
}

uint32_t ccbp_weighted_speedup(uint32_t kernels, const uint32_t *shared, const uint32_t *alone)
{
    uint64_t speedups = 0;

    for (uint32_t k = 0; k < kernels; k++)
        if (alone[k] > 0)
            speedups += ((uint64_t)shared[k] << FRACTION_BITS) / alone[k];
    return saturate(speedups);
}

void ccbp_adjust_begin(struct ccbp_adjust *adjust)
{
    *adjust = (struct ccbp_adjust){.prior = PRIOR_FIRST, .best = PRIOR_FIRST};
}

/* One further, or back to the best: as soon as it is worse, and at the end. */
static uint32_t step(struct ccbp_adjust *adjust, bool worse)
{
    adjust->done = worse || adjust->prior == PRIOR_LEAST;
    adjust->prior = adjust->done ? adjust->best : adjust->prior - 1;
    return adjust->prior;
}

uint32_t ccbp_adjust_next(struct ccbp_adjust *adjust, uint32_t performance)
{
    bool worse = performance < adjust->performance;

    if (adjust->done)
        return adjust->prior;
    if (performance > adjust->performance) {
        adjust->best = adjust->prior;
        adjust->performance = performance;
    }
    return step(adjust, worse);
}

uint32_t ccbp_adjust_same(struct ccbp_adjust *adjust)
{
    return adjust->done ? adjust->prior : step(adjust, false);
}
