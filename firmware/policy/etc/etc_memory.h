/* The decision of etc_share: how GPU memory is divided. */
#ifndef FIRMWARE_ETC_MEMORY_H
#define FIRMWARE_ETC_MEMORY_H

#include <stdint.h>

/**
 * Shares of `capacity` units for `tenants` tenants, 1..GPU_MAX_TENANTS, that have allocated so many. If all of that
 * fits everybody gets what it has allocated. Else `spare` units, at most capacity, are kept back, and the rest is
 * divided max-min fair: who has allocated no more than an equal part of what the others leave gets just that, the
 * others equal parts of the rest; of units that are left over each of the first gets one. Who has allocated nothing
 * gets nothing.
 */
void etc_share_decide(uint32_t capacity, uint32_t spare, uint32_t tenants, const uint32_t allocated[],
                      uint32_t share[]);

#endif
