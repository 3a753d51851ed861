/*
 * Requests that pass from block to block. The block that holds a request links it into its own lists.
 *
 * A `struct mh_req` goes from a port through the crossbar to the L2 and back; g->req has them all, and the crossbar
 * hands them out. An L1 TLB MSHR is the request of an SM to the L2 TLB, a walk, and demand paging.
 */
#ifndef MEMHELM_ENGINE_REQUEST_H
#define MEMHELM_ENGINE_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/ring.h"

enum mh_req_kind {
    MH_REQ_READ,
    MH_REQ_WRITE,
    MH_REQ_ATOMIC,
    MH_REQ_ATOMIC_READ, /**< its result goes back */
    MH_REQ_PTE,
    MH_REQ_KINDS,
};

/**
 * One request to the L2, from its port's queue until it is answered or, if no unit waits, performed. Aligned, so that
 * none lies across two lines of the host's caches.
 */
struct mh_req {
    uint32_t line;  /**< physical line */
    uint32_t owner; /**< READ: L1D MSHR; ATOMIC_READ: SM, warp, load slot; PTE: walk */
    union {
        uint32_t next;    /**< in a list */
        uint32_t departs; /**< on its way back: NoC cycle at which it leaves the bank, lowest bits */
    };
    uint16_t port;  /**< SM, or after those the walkers' ports */
    uint16_t bank;  /**< set when it is sent */
    uint32_t ready; /**< in a sub-queue (missq/): NoC cycle from which it may be sent, lowest bits */
    uint8_t kind;   /**< enum mh_req_kind; MH_REQ_KINDS: it is free */
    uint8_t tenant;
    uint8_t depth;   /**< 0 = data, 1 = root .. : MASK sec. 5.3 */
    uint8_t sectors; /**< 32-byte sectors of the line, bit per sector; of a PTE the one that it lies in */
    bool full;       /**< WRITE covers the whole line */
    bool bypass;     /**< PTE goes past the L2 (L2_BYPASS) */
    uint8_t caused;  /**< DRAM accesses, 0..3, once it has been looked up (DRAM_CAUSED) */
    bool copy;       /**< READ: `bank` is not the line's, but the one of the SM's half that may have a copy (l2.far) */
    uint32_t since;  /**< READ: GPU cycle modulo 2^32 at which the present part of its way began (LATENCY_*) */
} __attribute__((aligned(16)));

/** GPU cycles that this part of the request's way has taken; at `now` the next one begins. */
static inline uint32_t mh_req_lap(struct mh_req *r, uint64_t now)
{
    uint32_t took = (uint32_t)now - r->since;

    r->since = (uint32_t)now;
    return took;
}

/** A crossbar request as the block that waits for it knows it: for deadlock reports. */
struct mh_wanted {
    uint32_t line;  /**< physical */
    uint32_t port;  /**< by which it goes */
    uint32_t owner; /**< L1D MSHR of the port's SM, or walk */
    enum mh_req_kind kind;
};

static inline bool mh_is_wanted(const struct mh_req *r, const struct mh_wanted *w)
{
    return r->line == w->line && r->port == w->port && r->owner == w->owner && r->kind == w->kind;
}

/** A ring of requests of the pool `req` has it. */
static inline bool mh_wanted_in(const struct mh_req *req, const struct mh_ring *ring, const struct mh_wanted *w)
{
    for (uint32_t i = 0; i < ring->count; i++)
        if (mh_is_wanted(&req[ring->item[(ring->head + i) & ring->mask]], w))
            return true;
    return false;
}

/** A miss of an L1 TLB, from the first line that waits for the page until its answer. */
struct mh_tlb_mshr {
    uint32_t key, vpn, ppn;
    uint32_t head, tail; /**< pending lines */
    union {
        uint32_t next_free;
        uint32_t next_waiter; /**< in the list of the walk */
    };
    uint32_t instruction; /**< ID of the one that took the MSHR; MH_NO_INSTRUCTION: it is free */
    uint8_t tenant;
    uint8_t warp;        /**< of that instruction */
    uint16_t token : 1;  /**< some warp that waits holds a TLB-fill token */
    uint16_t stale : 1;  /**< page table entries have changed since it was answered, if it was: asks again then */
    uint16_t pins : 1;   /**< demand paging: the page has come for it, and stays until its lines are looked up */
    uint16_t warps : 13; /**< that wait, each once per memory instruction */
};

#endif
