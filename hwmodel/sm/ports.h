/* Which issue ports of an SM can issue, a bit each. In a header for the compiler: it is asked in every cycle. */
#ifndef MEMHELM_SM_PORTS_H
#define MEMHELM_SM_PORTS_H

#include <stdint.h>

#include "engine/gpu.h"
#include "sm/sm.h"

/* Ports, a bit each, that are not busy in this cycle. `busy`: up to which the last of them is. */
static inline uint32_t free_ports(const struct mh_gpu *g, const struct mh_sm *sm, uint64_t busy)
{
    uint32_t ports = 0;

    if (busy <= g->wheel.now)
        return (1u << sm->ports) - 1;
    for (uint32_t p = 0; p < sm->ports; p++)
        ports |= (uint32_t)(sm->port[p].busy_until <= g->wheel.now) << p;
    return ports;
}

/*
 * Ports, a bit each, that one of `warps` belongs to. Those that the SM has not have none. Where positions are slots,
 * four ports have them in turn: then no port need be looked at.
 */
static inline uint32_t ports_of(const struct mh_sm *sm, uint64_t warps)
{
    uint32_t ports = 0;

    if (sm->fours) {
        warps |= warps >> 32;
        warps |= warps >> 16;
        warps |= warps >> 8;
        return (uint32_t)(warps | warps >> 4) & 15;
    }
#pragma GCC unroll 4
    for (uint32_t p = 0; p < MH_MAX_SCHEDULERS; p++)
        ports |= (uint32_t)((sm->port[p].warps & warps) != 0) << p;
    return ports;
}

/*
 * Those of the ports `free` that can issue one of `warps`: bit i is port first + i, around the end. All are looked at
 * together: which of them can is not to be foreseen, and a wrong guess costs the host more than the look.
 */
static inline uint32_t in_turn(const struct mh_sm *sm, uint64_t warps, uint32_t free, uint32_t first)
{
    if (sm->ports == 1)
        return free & (uint32_t)((sm->port[0].warps & warps) != 0);
    uint32_t ports = ports_of(sm, warps) & free;

    return (ports | ports << sm->ports) >> first & ((1u << sm->ports) - 1);
}

#endif
