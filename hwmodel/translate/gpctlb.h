/*
 * TLBs between those of the SMs and the L2 TLB: one for each GPC, a cluster of SMs (sm.gpcs). NVIDIA's GPUs have them
 * (Zhang et al., CCS 2023: L2 uTLB). gpctlb.entries 0: none, and no request comes here.
 *
 * A miss of an L1 TLB is looked up here gpctlb.wire later, `ports` a cycle. A hit goes back. The first miss of a page
 * takes an MSHR and goes on to the L2 TLB; its request is the SM's, as without a GPC TLB: it waits for a credit in the
 * SM's queue, and its L1 TLB MSHR stands in the walk's list. Misses of other SMs on that page wait here. The answer of
 * the L2 TLB fills the entry and is passed on to all of them, a copy each at once (ours).
 *
 * Without a free MSHR look-ups stall in order, hits too. Nothing pushes back: there is room for all L1 TLB MSHRs of the
 * GPC's SMs (ours). A request that joins adds its token and its warps to those of the first one as they are then
 * (ours).
 */
#ifndef MEMHELM_TRANSLATE_GPCTLB_H
#define MEMHELM_TRANSLATE_GPCTLB_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "engine/gpu.h"
#include "engine/index.h"
#include "engine/ring.h"
#include "memhelm/config.h"
#include "translate/tlb.h"

enum { MH_GPCTLB_MAX_PORTS = 4 };

/** A page that misses. */
struct mh_gpctlb_mshr {
    uint32_t first;      /**< L1 TLB MSHR (sm * mshrs + index) whose request has gone on */
    uint32_t head, tail; /**< those that joined, linked by their next_waiter */
    uint32_t next_free;
};

/** The TLB of one GPC. */
struct mh_gpctlb_one {
    struct mh_wide tlb;
    struct mh_index index; /**< page key -> MSHR */
    struct mh_gpctlb_mshr *mshr;
    uint32_t free_mshr;
    struct mh_ring stalled; /**< L1 TLB MSHRs whose look-ups found no MSHR */
    uint64_t port_free[MH_GPCTLB_MAX_PORTS];
    bool retry_event;
};

struct mh_gpctlb {
    struct mh_gpctlb_one *gpc; /**< [sm.gpcs]; NULL without GPC TLBs */
    uint32_t gpcs;             /**< 0 without them */
    uint8_t of_sm[MH_MAX_SMS]; /**< GPC of the SM: as many SMs in each as can be, neighbours together */
};

/** The request of an L1 TLB MSHR (sm * mshrs + index) leaves its SM. */
void mh_gpctlb_ask(struct mh_gpu *g, uint32_t sm, uint32_t mshr);

/** The tenant of this L1 TLB MSHR has left, and its page never comes: nobody waits for it here any more. Returns the
 * first of those that did, linked by next_waiter, or MH_NONE. */
uint32_t mh_gpctlb_cancel(struct mh_gpu *g, uint32_t mshr);

/** The tenant's entries in all of them, or in that of the SM's GPC. */
void mh_gpctlb_flush(struct mh_gpu *g, uint32_t tenant);
void mh_gpctlb_flush_sm(struct mh_gpu *g, uint32_t sm, uint32_t tenant);

/** The page's entries. */
void mh_gpctlb_drop(struct mh_gpu *g, uint32_t key);

/** For a report: the L1 TLB MSHR whose request to the L2 TLB this one waits for, or the MSHR itself; MH_NONE: it is
 * stalled here, which is told. */
uint32_t mh_gpctlb_tell(const struct mh_gpu *g, uint32_t mshr, FILE *out);

#endif
