/*
 * Demand paging: pages are in host memory until they are touched, and GPU memory may hold fewer than the workload has
 * (ETC, ASPLOS 2019, sec. 2 and 5).
 *
 * Pages migrate in units of 64 KB or one page, whichever is larger. A walk that ends at a page that is not there raises
 * a fault: its waiters are parked with the unit, and walker and L2 TLB MSHR are free again. Faults wait in a buffer, a
 * handler on the host fetches them in batches, then the units cross the link. When GPU memory is full, others leave
 * first: nobody translates to them any more, what is under way to them drains, their lines leave the caches, their
 * bytes cross the link, then their frames are free.
 */
#ifndef MEMHELM_UVM_UVM_H
#define MEMHELM_UVM_UVM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "engine/clock.h"
#include "engine/index.h"
#include "memhelm/config.h"
#include "memhelm/error.h"

struct mh_gpu;

enum {
    MH_UVM_UNIT_BYTES = 65536, /**< least that migrates: NVIDIA's driver */
    MH_UVM_BLOCK_BYTES = 2097152,
    MH_UVM_POLL = 64, /**< GPU cycles between looks at what is under way to a unit that leaves (ours) */
};

enum mh_unit_state {
    MH_UNIT_HOST,    /**< in host memory, and nobody has asked for it */
    MH_UNIT_FAULTED, /**< waits for an entry of the fault buffer, or in one */
    MH_UNIT_HANDLED, /**< in the handler's batch */
    MH_UNIT_PLACED,  /**< waits for frames */
    MH_UNIT_COMING,  /**< on the link */
    MH_UNIT_HERE,
    MH_UNIT_DRAINING, /**< leaves; requests to it are under way */
    MH_UNIT_LEAVING,  /**< on the link, back */
};

/** What migrates at a time: neighbouring pages of a tenant. */
struct mh_unit {
    uint32_t vpn;          /**< of its first page */
    uint32_t frames;       /**< set of frames, index; MH_NONE: none */
    uint32_t head, tail;   /**< parked L1 TLB MSHRs, linked by their next_waiter */
    uint32_t next;         /**< in a queue */
    uint32_t newer, older; /**< in the order of arrival of those that are here */
    uint64_t since;        /**< cycle of the fault */
    uint64_t start;        /**< on the link: position of its first byte */
    uint8_t tenant, state;
    bool prefetched; /**< nobody has asked for it yet */
};

/** Units, first come first served. */
struct mh_unit_queue {
    uint32_t head, tail, count;
};

/** One direction of the link. Its position counts bytes: those that it could have moved by a cycle, at most. */
struct mh_link {
    struct mh_ratio to_bytes, to_cycles;
    uint64_t position;            /**< up to which it is taken */
    uint32_t latency;             /**< GPU cycles */
    struct mh_unit_queue waiting; /**< the head is being moved */
    uint32_t line;                /**< of the head, that is next */
    uint32_t done;                /**< lines of it whose data have come out of DRAM; out only */
    uint32_t dirty_count;         /**< lines that have to be written to DRAM first; out only */
    uint32_t *dirty;              /**< [lines of a unit] */
};

struct mh_uvm {
    bool on;
    uint32_t pages, lines; /**< of a unit */
    uint32_t shift;        /**< log2(pages) */
    uint32_t bytes;        /**< of a unit */
    struct mh_unit *unit;  /**< [units]: all tenants' */
    uint32_t units, room;  /**< room: for how many there is memory */
    struct mh_index index; /**< tenant and number -> unit */
    uint32_t capacity;     /**< units that GPU memory holds */
    uint32_t *frame;       /**< [capacity][pages] */
    uint32_t *free_sets;   /**< stack of sets of frames */
    uint32_t free_count;
    uint32_t leaving; /**< units that drain or leave */
    struct mh_unit_queue overflow, buffer, batch, placed, draining;
    uint32_t newest, oldest, here;
    bool busy; /**< the handler has a batch */
    bool drain_event, place_event;
    uint32_t fault_cycles;
    struct mh_link in, out;
    uint64_t drawn; /**< random numbers used */
};

/** Walks that faulted: see fault.c. @{ */
/** The walk has ended at a page that is not there: parks who waits for it. The caller frees the walk. */
void mh_uvm_fault(struct mh_gpu *g, uint32_t walk);
/** @} */

/** A walk has found the tenant's page: if its unit came by itself, that was of use. */
void mh_uvm_used(struct mh_gpu *g, uint32_t tenant, uint32_t vpn);

/** A walk has found that the tenant's page is not there, and it has not come yet. */
bool mh_uvm_faults(const struct mh_gpu *g, uint32_t tenant, uint32_t vpn);

/** All pages have been mapped: they go to the host, and GPU memory becomes what uvm.capacity says. -1 and `err`. */
int mh_uvm_start(struct mh_gpu *g, struct mh_error *err);

/** For a report: where the unit is that the L1 TLB MSHR is parked with; false: it is not parked. */
bool mh_uvm_tell(const struct mh_gpu *g, uint32_t mshr, FILE *out);

/** GPU cycles in which no place of such a GPU may move: handler and link. 0 without demand paging. */
uint64_t mh_uvm_longest_wait(const struct mh_config *cfg);

/** Bytes of GPU memory that a text of uvm.capacity means with this footprint; -1 and `err`. */
int mh_uvm_capacity(const char *text, uint64_t footprint, uint64_t *bytes, struct mh_error *err);

#endif
