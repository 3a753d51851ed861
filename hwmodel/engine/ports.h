/*
 * Ports that are alike, each taken up to some cycle. They stand in the order in which they are free, the earliest
 * first: which of them is which does not matter.
 */
#ifndef MEMHELM_ENGINE_PORTS_H
#define MEMHELM_ENGINE_PORTS_H

#include <stdint.h>

/** The first of `ports` is free at free[0], the next at free[stride] ..: takes the first until `end`. */
static inline void mh_ports_take(uint64_t *free, uint32_t ports, uint32_t stride, uint64_t end)
{
    for (; --ports; free += stride) {
        uint64_t other = free[stride];

        free[0] = other < end ? other : end;
        end = other < end ? end : other;
    }
    *free = end;
}

#endif
