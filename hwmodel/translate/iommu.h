/*
 * IOMMU between the L2 TLB and the page walkers, on the processor's side of the chip (Shin et al., ISCA 2018, sec. II
 * and table I): a first TLB, a second TLB, then the walk buffer. Exists when iommu.l1_entries is not 0.
 *
 * A miss of the L2 TLB travels iommu.latency, waits for its turn (one look-up starts per cycle, in order of arrival),
 * and travels iommu.latency back when it has hit or its walk has ended. A look-up that misses while all walkers are
 * busy and the walk buffer is full stays at the head, and those behind it wait, hits too: gem5's coalescers stop in
 * order (tlb_coalescer.cc, tlb.cc), and few hit (of preset simt's six irregular kernels NW most, 1 in 1000). Each holds
 * an MSHR of the L2 TLB, so there are never more of them than l2tlb.mshrs. Where the L2 TLB has a lane for each tenant
 * there is a queue for each, and they take turns (ours). All tenants share both TLBs, even with l2tlb.private and
 * walk.private.
 */
#ifndef MEMHELM_TRANSLATE_IOMMU_H
#define MEMHELM_TRANSLATE_IOMMU_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/assoc.h"
#include "engine/ring.h"
#include "memhelm/config.h"
#include "translate/tlb.h"

struct mh_gpu;

struct mh_iommu {
    struct mh_assoc l1;
    struct mh_tlb l2; /**< no sets: none */
    /** One for each lane of the L2 TLB: its MSHRs that have arrived and not been looked up, or found no room. */
    struct mh_ring queue[MH_MAX_TENANTS];
    uint32_t waiting;      /**< in all queues */
    uint32_t stalled;      /**< bit q: the head of queue q found no room; the end of a walk goes on */
    uint32_t turn;         /**< queue that is looked at first */
    uint64_t port_free;    /**< cycle in which the next look-up may start */
    bool look_up_event;    /**< an event will look up a head */
    uint32_t on_their_way; /**< L2 TLB MSHRs under way to here or back */
};

/** 0, or -1 when memory ran out. Without an IOMMU nothing is allocated. */
int mh_iommu_init(struct mh_iommu *m, const struct mh_config *cfg);
void mh_iommu_free(struct mh_iommu *m);

/** The L2 TLB has a miss, known at `cycle`; its MSHR is the request. */
void mh_iommu_send(struct mh_gpu *g, uint32_t walk, uint64_t cycle);

/** The lanes of the L2 TLB have changed. */
void mh_iommu_apply(struct mh_gpu *g);

/** A walk has ended, and its place is about to be free. */
void mh_iommu_walked(struct mh_gpu *g, uint32_t walk, uint32_t ppn);

/** A walk has ended: heads that found no room look again. */
void mh_iommu_wake(struct mh_gpu *g);

#endif
