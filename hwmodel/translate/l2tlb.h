/*
 * Shared L2 TLB and the bypass cache (MASK sec. 5.2): every look-up probes both, a hit in either is a hit.
 * Misses wait in MSHRs, one per page; each goes to the page walkers or to the IOMMU in front of them.
 *
 * Look-ups that can go no further stand in lanes, in order of arrival in each. There is one lane for all tenants; while
 * walkers have queues of their own (steal.h), or tenants copies (l2tlb.private, walk.private), each tenant has one, and
 * its part of credits and MSHRs: a tenant whose queues are full stops no other. So it is in the public simulator of
 * walk stealing (csl-iisc/DWS-HPCA2021, tlb.cc, stall_app) where walkers steal; otherwise, also with copies, one
 * look-up stops all there, and l2tlb.lanes one does that here. The paper says nothing of MSHRs behind the L1 TLBs;
 * parts are as those of the walkers, at least 1 (ours). An SM that tenants share still sends in order.
 *
 * A walk fills the L2 TLB if any instruction that waits for it holds a token, else the bypass cache; without one always
 * the L2 TLB. A hit in the L2 TLB leaves the bypass cache's order of use as it is.
 *
 * l2tlb.entries 0 is the design `PWCache`: no look-up time and nothing to fill, so that tokens restrict nothing. Ports,
 * queue and MSHRs stay, as the walkers' (ours): misses of one page still merge.
 */
#ifndef MEMHELM_TRANSLATE_L2TLB_H
#define MEMHELM_TRANSLATE_L2TLB_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/align.h"
#include "engine/assoc.h"
#include "engine/gpu.h"
#include "engine/index.h"
#include "engine/request.h"
#include "memhelm/config.h"
#include "translate/tlb.h"

enum {
    MH_L2TLB_MAX_PORTS = 4,
    MH_L2TLB_WINDOW = 1024, /**< look-ups over which warps are counted (Shin et al., ISCA 2018, sec. V-B) */
};

/** Warps among the look-ups of the current window. */
struct mh_l2tlb_window {
    uint64_t seen[MH_MAX_SMS]; /**< bit w: warp slot w of the SM */
    uint32_t warps[MH_MAX_TENANTS];
    uint32_t look_ups;
};

/** An MSHR: a missing page, the requests that wait for it, and its walk. */
struct mh_walk {
    uint64_t missed; /**< cycle of the look-up in the L2 TLB that missed */
    uint32_t key, vpn;
    uint32_t head, tail; /**< L1 TLB MSHRs (sm * mshrs + index) that wait, linked by their next_waiter */
    union {
        uint32_t next_free;
        uint32_t number; /**< of its arrival in the queue where it waits; 0 when it does not */
        uint32_t ppn;    /**< the translation, on its way back from an IOMMU */
    };
    uint32_t older, younger; /**< neighbours in the queue of those that wait for a walker (walk.h) */
    uint32_t node;           /**< page table node that the next read looks into */
    uint32_t instruction;    /**< ID of the memory instruction whose walk it is */
    uint32_t begun;          /**< cycles from `missed` until the look-up that asked for the walk */
    uint32_t record;         /**< of the instruction (instruction.h), from the beginning of the walk on */
    uint16_t ready;          /**< cycles from its beginning until the look-up that asked for it is done */
    uint8_t tenant;
    uint8_t depth;      /**< of the next read, 1 = root */
    bool looked_up : 1; /**< in the page walk cache */
    bool waits : 1;     /**< for a walker */
    bool runs : 1;      /**< has a walker */
    bool restart : 1;   /**< page table entries have changed since it read or was answered: it starts again */
    uint8_t walker;     /**< which one, while walkers have queues of their own */
    uint8_t pinned;     /**< bit d - 1: counts in the page walk cache's entry of depth d */
} __attribute__((aligned(MH_HOST_LINE)));

/** Cycle of the look-up that asked for the walk; before there is one, of the miss. */
static inline uint64_t mh_walk_since(const struct mh_walk *w)
{
    return w->missed + w->begun;
}

struct mh_l2tlb_lane {
    int32_t credits;        /**< below 0: its part has become smaller */
    struct mh_ring waiters; /**< SMs whose next request has no credit */
    struct mh_ring stalled; /**< look-ups that found no MSHR, or no room for their walk */
};

/** What one tenant has of all that is shared. */
struct mh_l2tlb_part {
    uint8_t lane, copy;
    uint32_t sent;     /**< requests with a credit */
    uint32_t held;     /**< MSHRs */
    uint32_t may_hold; /**< of them, at most */
};

struct mh_l2tlb_copy {
    struct mh_tlb tlb;
    struct mh_assoc bypass;
    uint64_t port_free[MH_L2TLB_MAX_PORTS];
    struct mh_wide *wide; /**< with l2tlb.covers, in place of tlb; else NULL */
};

struct mh_l2tlb {
    struct mh_l2tlb_part part[MH_MAX_TENANTS];
    struct mh_l2tlb_copy copy[MH_MAX_TENANTS]; /**< one, or one for each tenant */
    struct mh_l2tlb_lane lane[MH_MAX_TENANTS]; /**< the same */
    uint32_t copies, lanes, tenants;
    struct mh_index index; /**< page key -> walk */
    struct mh_walk *walk;
    uint32_t mshrs; /**< of all copies */
    uint32_t free_walk;
    uint32_t way;     /**< from the look-up above, in the L1 TLB or the GPC's, to the one here */
    uint32_t latency; /**< of a look-up; 0 without an L2 TLB: there is nothing to look into */
    /** For one L1 TLB MSHR: by whether copies have entries that cover several pages. */
    bool (*look_up)(struct mh_gpu *g, uint32_t mshr, struct mh_tlb_mshr *e);
    uint32_t stalled; /**< look-ups in all lanes */
    uint32_t turn;    /**< lane that tries again first */
    bool retry_event;
    bool apart;           /**< a walk fills no plain TLB: an entry covers several pages, or there is none */
    bool one_lane;        /**< l2tlb.lanes one: never more than one */
    bool one_table;       /**< l2tlb.mshr_table one: no part of the MSHRs is a tenant's own */
    struct mh_ring found; /**< keys of pages whose walks have just ended (walk.h) */
    struct mh_l2tlb_window window;
};

/** L2 TLB of the tenant: one for all, or one for each. */
static inline struct mh_l2tlb_copy *mh_l2tlb_copy_of(struct mh_gpu *g, uint32_t tenant)
{
    return &g->l2tlb->copy[g->l2tlb->part[tenant].copy];
}

_Static_assert(MH_MAX_SMS * 4096 <= MH_EVENT_PAYLOADS, "sm.count and l1tlb.mshrs fit an event");
_Static_assert(sizeof(struct mh_walk) == MH_HOST_LINE, "a walk is one cache line of the host");

int mh_l2tlb_init(struct mh_l2tlb *t, const struct mh_config *cfg);
void mh_l2tlb_free(struct mh_l2tlb *t);

/** How look-ups and fills go, once the copies are made. */
void mh_l2tlb_choose(struct mh_l2tlb *t, const struct mh_config *cfg);

/**
 * The SM sends the request of an L1 TLB MSHR (sm * mshrs + index) of the tenant. False: there is no credit for it;
 * mh_lsu_credit() follows when there is.
 */
bool mh_l2tlb_ask(struct mh_gpu *g, uint32_t sm, uint32_t mshr, uint32_t tenant);

/** New parts for the tenants, after a change of walkers' queues or owners. */
void mh_l2tlb_apply(struct mh_gpu *g);

/** The page of this MSHR has its translation: fills, wakes all that wait, frees the MSHR. */
void mh_l2tlb_translated(struct mh_gpu *g, uint32_t walk, uint32_t ppn);

/** A walk of the page, for nobody yet. False: there is no MSHR, or no room for it. */
bool mh_l2tlb_prefetch(struct mh_gpu *g, uint32_t key, uint32_t vpn);

/** Frees the MSHR of a page that is not resident; uvm/ has taken over its waiters. */
void mh_l2tlb_faulted(struct mh_gpu *g, uint32_t walk);

/**
 * L2TLB_WARPS and L2TLB_WINDOWS count the warps among the look-ups, window by window. Windows are of all tenants
 * together, as in figure 12 of Shin et al., so each tenant has as many.
 */
static inline void mh_l2tlb_end_window(struct mh_gpu *g, struct mh_l2tlb_window *w)
{
    for (uint32_t t = 0; t < g->tenants; t++) {
        g->tenant[t].count.l2tlb_warps += w->warps[t];
        g->tenant[t].count.l2tlb_windows++;
    }
    *w = (struct mh_l2tlb_window){0};
}

/** A look-up for the L1 TLB MSHR `e`, of this ID. */
static inline void mh_l2tlb_count_warp(struct mh_gpu *g, uint32_t mshr, const struct mh_tlb_mshr *e)
{
    struct mh_l2tlb_window *w = &g->l2tlb->window;
    uint64_t *seen = &w->seen[mh_quotient(&g->l1tlb_mshrs, mshr)];

    w->warps[e->tenant] += !(*seen >> e->warp & 1);
    *seen |= 1ull << e->warp;
    if (++w->look_ups == MH_L2TLB_WINDOW)
        mh_l2tlb_end_window(g, w);
}

#endif
