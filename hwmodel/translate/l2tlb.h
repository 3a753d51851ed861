/*
 * Shared L2 TLB with the bypass cache beside it (MASK sec. 5.2): every look-up probes both, a hit in either is a hit.
 * Misses wait in MSHRs, one per page; each MSHR is one page walk.
 */
#ifndef MEMHELM_TRANSLATE_L2TLB_H
#define MEMHELM_TRANSLATE_L2TLB_H

#include <stdbool.h>
#include <stdint.h>

#include "cache/tags.h"
#include "engine/index.h"
#include "engine/ring.h"
#include "memhelm/config.h"
#include "translate/assoc.h"

struct mh_gpu;
struct mh_sm;

enum { MH_L2TLB_MAX_PORTS = 4 };

/** One page walk and those who wait for it. */
struct mh_walk {
    uint32_t key, vpn;
    uint32_t head, tail; /**< L1 TLB MSHRs (sm * mshrs + index) that wait, linked by their next_waiter */
    uint32_t next_free;
    uint32_t node;  /**< page table node that the next read looks into */
    uint64_t since; /**< cycle of the L2 TLB look-up that missed */
    uint8_t tenant;
    uint8_t depth;   /**< of the next read, 1 = root */
    bool pwc_missed; /**< the page walk cache was asked for this depth and has no entry */
    bool pwc_hit;    /**< it has one, its latency is running */
};

struct mh_l2tlb {
    uint32_t *key, *ppn; /**< [sets][ways], most recently used first */
    uint32_t sets, ways;
    struct mh_assoc bypass;
    struct mh_index index; /**< page key -> walk */
    struct mh_walk *walk;
    uint32_t free_walk;
    uint64_t port_free[MH_L2TLB_MAX_PORTS];
    uint32_t credits;
    struct mh_ring waiters; /**< SMs without a credit */
    struct mh_ring stalled; /**< look-ups that found no MSHR */
    bool retry_event;
    /* Page walkers. */
    uint32_t idle_walkers;
    struct mh_ring waiting; /**< walks that wait for a walker */
    struct mh_tags pwc;     /**< page walk cache: tags are page table entries (node, index) */
    uint32_t pwc_sets;
};

int mh_l2tlb_init(struct mh_l2tlb *t, const struct mh_config *cfg);
void mh_l2tlb_free(struct mh_l2tlb *t);

/** Sends what the SM has queued, as far as credits go. */
void mh_l2tlb_send(struct mh_gpu *g, struct mh_sm *sm);

/** Event: look-up for an L1 TLB MSHR (sm * mshrs + index). */
void mh_l2tlb_access(struct mh_gpu *g, uint32_t mshr);

/** Event: stalled look-ups try again, as many as there are ports. */
void mh_l2tlb_retry(struct mh_gpu *g);

/** The walk of this index has its translation: fills, wakes everybody, frees the MSHR. */
void mh_l2tlb_walked(struct mh_gpu *g, uint32_t walk, uint32_t ppn);

/** A walk wants a walker; it may take its first step at `cycle`. */
void mh_walk_begin(struct mh_gpu *g, uint32_t walk, uint64_t cycle);

/** Event: next step of a walk. */
void mh_walk_step(struct mh_gpu *g, uint32_t walk);

/** Event: the page table entry has arrived. */
void mh_walk_entry(struct mh_gpu *g, uint32_t walk);

#endif
