/*
 * Warp schedulers: which of the ready warps issues.
 *
 *   gto        greedy then oldest (Rogers et al., MICRO 2012): the warp that issued last, else the oldest
 *   lrr        loose round robin: the next ready one after the warp that issued last
 *   lrr-gto    round robin among the tenants that have a ready warp, greedy then oldest among the warps of each
 *              (Maestro: Park et al., ASPLOS 2017, as CCBP sec. 7.6 describes it)
 *   two-level  round robin inside a fetch group of warps; the next group when none of it is ready (Narasiman et al.,
 *              MICRO 2011). Groups are neighbouring warp slots of the scheduler
 *
 * Each scheduler of an SM has an issue port and chooses among the warps of it. Whose tenant's a warp is makes a
 * difference to lrr-gto alone.
 */
#ifndef MEMHELM_SM_SCHEDULE_H
#define MEMHELM_SM_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

#include "memhelm/config.h"

struct mh_gpu;
struct mh_sm;
struct mh_issue_port;

/** Positions are in the order of dispatch; else they are warp slots. */
static inline bool mh_by_age(enum mh_scheduler scheduler)
{
    return scheduler == MH_GTO || scheduler == MH_LRR_GTO;
}

/** lrr-gto: whose turn was the last at a port, and the position that issued last there of each tenant's warps. */
struct mh_sm_turn {
    uint8_t tenant;
    uint8_t greedy[MH_MAX_TENANTS]; /**< MH_NOBODY: it has exited, or there was none */
};
#define MH_NOBODY UINT8_MAX

/**
 * GTO among `ready`, not 0: a bit per warp, older ones below younger ones. `last` issued last; above 63: none.
 */
static inline uint32_t mh_greedy_then_oldest(uint32_t last, uint64_t ready)
{
    uint64_t greedy = last < 64 ? ready & 1ull << last : 0;

    return (uint32_t)__builtin_ctzll(greedy ? greedy : ready);
}

/** The first of `ready`, not 0, after `last`, around the end; above 63: the first. */
static inline uint32_t mh_round_robin(uint32_t last, uint64_t ready)
{
    uint64_t above = last < 63 ? ready & ~0ull << (last + 1) : 0;

    return (uint32_t)__builtin_ctzll(above ? above : ready);
}

/** One of the positions in `ready` (not 0), all of them the port's. */
uint32_t mh_sm_choose(const struct mh_sm *sm, const struct mh_issue_port *port, uint64_t ready);

/** lrr-gto: the tenant's warp at the position issues an instruction at the port. Its end takes no turn. */
void mh_sm_turn(struct mh_sm *sm, uint32_t port, uint32_t tenant, uint32_t position);

/**
 * sm.fault_last: which warps of the SM wait for a page that is not there. They come last (ETC sec. 2.3 tried it, and
 * found that it does not help). To be called when a page turns out not to be there, when one has come, and when a line
 * begins to wait for one.
 */
void mh_sm_fault_last(const struct mh_gpu *g, struct mh_sm *sm);

/*
 * Instructions that wait for the results of others: sm.alu_latency, sm.shared_latency, sm.conflict_cycles.
 *
 * Each instruction of a gap depends on the one before (ours): the next one of its warp issues sm.alu_latency cycles
 * later, or, after a read of shared memory (mh_op.ways), when that has its data. In between the port is free for other
 * warps. A memory instruction behind the gap waits, too: its address is a result.
 *
 * A read of shared memory in n passes has its data sm.shared_latency + (n - 1) x sm.conflict_cycles after the first
 * pass. The banks of an SM take a read a cycle, and none in the further passes of one. They and the LSU do not wait for
 * each other (ours).
 *
 * Approximation: up to MH_CHAIN instructions of a warp take the port in cycles that follow each other, and the warp
 * then waits until the last one's result is there. Rate and time of a warp are those of instructions that issue one by
 * one; another warp may issue up to MH_CHAIN - 1 cycles earlier or later. With a WARP_QUOTA they issue one by one.
 */

struct mh_config;
struct mh_warp;

enum { MH_CHAIN = 8 /**< instructions, ours: two events for that many */ };

/** Sets `chains` of an SM whose scheduler is known. */
void mh_chain_init(struct mh_sm *sm, const struct mh_config *cfg);

/** The warp, whose gap is not over, issues at its port, which is free. */
void mh_chain_issue(struct mh_gpu *g, struct mh_sm *sm, struct mh_warp *w);

/** The last `left` instructions of the burst of the warp in the slot are taken back; the caller updates the warp. */
void mh_chain_cut(struct mh_gpu *g, const struct mh_sm *sm, uint32_t slot, uint64_t left);

#endif
