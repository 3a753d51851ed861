#include "ws_slice.h"

static bool take(struct ccbp_sm *left, const struct ccbp_sm *cta, uint32_t ctas)
{
    if (left->slots < ctas)
        return false;
    for (uint32_t r = 0; r < CCBP_STATICS; r++)
        if ((uint64_t)cta->amount[r] * ctas > left->amount[r])
            return false;
    left->slots -= ctas;
    for (uint32_t r = 0; r < CCBP_STATICS; r++)
        left->amount[r] -= cta->amount[r] * ctas;
    return true;
}

static uint32_t performance(const struct ws_kernel *kernel, uint32_t ctas)
{
    return ctas ? kernel->performance[ctas - 1] : 0;
}

static uint32_t best(const struct ws_kernel *kernel)
{
    uint32_t most = 0;

    for (uint32_t c = 1; c <= kernel->most; c++)
        most = performance(kernel, c) > most ? performance(kernel, c) : most;
    return most;
}

/* More CTAs, the fewest with which it performs better; 0: it does not, with any number. */
static uint32_t step(const struct ws_kernel *kernel, uint32_t ctas)
{
    for (uint32_t c = ctas + 1; c <= kernel->most; c++)
        if (performance(kernel, c) > performance(kernel, ctas))
            return c - ctas;
    return 0;
}

/* Of the unfinished the one with the lowest part of its best performance; of equals the first. `count`: none. */
static uint32_t lowest(const struct ws_slicing *s)
{
    uint32_t found = s->count, its = 0;

    for (uint32_t k = 0; k < s->count; k++) {
        uint32_t has;

        if (!(s->unfinished >> k & 1))
            continue;
        has = performance(&s->kernels[k], s->ctas[k]);
        if (found == s->count || (uint64_t)has * s->best[found] < (uint64_t)its * s->best[k]) {
            found = k;
            its = has;
        }
    }
    return found;
}

void ws_slice_begin(struct ws_slicing *s, const struct ccbp_sm *sm, const struct ws_kernel *kernels, uint32_t count)
{
    s->kernels = kernels;
    s->count = count;
    s->left = *sm;
    s->unfinished = (1u << count) - 1;
    for (uint32_t k = 0; k < count; k++) {
        s->best[k] = best(&kernels[k]);
        s->ctas[k] = take(&s->left, &kernels[k].cta, 1);
    }
}

bool ws_slice_some(struct ws_slicing *s, uint32_t iterations)
{
    for (; iterations > 0 && s->unfinished; iterations--) {
        uint32_t k = lowest(s), more = step(&s->kernels[k], s->ctas[k]);

        if (more && take(&s->left, &s->kernels[k].cta, more))
            s->ctas[k] = (uint8_t)(s->ctas[k] + more);
        else
            s->unfinished &= ~(1u << k);
    }
    return s->unfinished != 0;
}
