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
#ifndef MEMHELM_SM_CHAIN_H
#define MEMHELM_SM_CHAIN_H

#include <stdint.h>

struct mh_config;
struct mh_gpu;
struct mh_sm;
struct mh_warp;

enum { MH_CHAIN = 8 /**< instructions, ours: two events for that many */ };

/** Sets `chains` of an SM whose scheduler is known. */
void mh_chain_init(struct mh_sm *sm, const struct mh_config *cfg);

/** The warp, whose gap is not over, issues at its port, which is free. */
void mh_chain_issue(struct mh_gpu *g, struct mh_sm *sm, struct mh_warp *w);

/** The last `left` instructions of the burst of the warp in the slot are taken back; the caller updates the warp. */
void mh_chain_cut(struct mh_gpu *g, const struct mh_sm *sm, uint32_t slot, uint64_t left);

#endif
