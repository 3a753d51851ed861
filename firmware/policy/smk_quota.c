#include "smk_quota.h"

void smk_quotas(uint32_t kernels, const uint32_t *alone, uint32_t round, uint32_t *quota)
{
    uint64_t sum = 0;

    for (uint32_t k = 0; k < kernels; k++)
        sum += alone[k];
    for (uint32_t k = 0; k < kernels; k++) {
        /* Below 2^48; the sum is not 0 if alone[k] is not. */
        uint64_t part = alone[k] ? (uint64_t)round * alone[k] / sum : 0;

        quota[k] = alone[k] && !part ? 1 : (uint32_t)part;
    }
}
