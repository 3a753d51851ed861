#include "ccbp.h"

uint32_t ccbp_wide_multiply(uint32_t *x, uint32_t words, uint32_t factor)
{
    uint32_t carry = 0;

    for (uint32_t i = 0; i < words; i++) {
        uint64_t product = (uint64_t)x[i] * factor + carry;

        x[i] = (uint32_t)product;
        carry = (uint32_t)(product >> 32);
    }
    return carry;
}

/* (2^32 - 1)^2 + 2 (2^32 - 1) = 2^64 - 1: the sum fits. */
uint32_t ccbp_wide_add(uint32_t *x, const uint32_t *y, uint32_t words, uint32_t factor)
{
    uint32_t carry = 0;

    for (uint32_t i = 0; i < words; i++) {
        uint64_t sum = (uint64_t)y[i] * factor + x[i] + carry;

        x[i] = (uint32_t)sum;
        carry = (uint32_t)(sum >> 32);
    }
    return carry;
}

int ccbp_wide_compare(const uint32_t *x, const uint32_t *y, uint32_t words)
{
    while (words-- > 0)
        if (x[words] != y[words])
            return x[words] < y[words] ? -1 : 1;
    return 0;
}
