/* SMs divided among kernels, as evenly as can be. */
#ifndef FIRMWARE_CORUN_SPLIT_H
#define FIRMWARE_CORUN_SPLIT_H

#include <stdbool.h>
#include <stdint.h>

/** Each kernel has an SM, whichever tenants are present. */
static inline bool corun_splits(uint32_t sms, uint32_t tenants)
{
    return tenants <= sms;
}

/** SM `sm` is kernel `k`'s, sm * count / sms: the first kernels have the first SMs. `count`: of kernels. */
static inline bool corun_owns(uint32_t k, uint32_t sm, uint32_t sms, uint32_t count)
{
    return sm * count - k * sms < sms; /* modulo 2^32 */
}

#endif
