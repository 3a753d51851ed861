/*
 * Demand paging: pages are in host memory until they are touched, and GPU memory may hold fewer than the workload has
 * (ETC, ASPLOS 2019, sec. 2 and 5).
 *
 * Pages migrate in units of 64 KB or one page, whichever is larger. A walk that ends at a page that is not there raises
 * a fault: its waiters are parked with the unit, and walker and L2 TLB MSHR are free again. Faults wait in a buffer, a
 * handler on the host fetches them in batches, then the units cross the link. When GPU memory is full, others leave
 * first: no translation leads to them any more, requests in flight to them drain, their lines leave the caches, their
 * bytes cross the link, then their frames are free.
 */
#ifndef MEMHELM_UVM_UVM_H
#define MEMHELM_UVM_UVM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "engine/clock.h"
#include "engine/index.h"
#include "engine/upstream.h"
#include "memhelm/config.h"
#include "memhelm/error.h"
#include "memhelm/hwmodel.h"
#include "uvm/compress/compress.h"

struct mh_gpu;
struct mh_tags;
struct mh_values;
struct mh_workload;

enum {
    MH_UVM_UNIT_BYTES = 65536, /**< least that migrates: NVIDIA's driver */
    MH_UVM_BLOCK_BYTES = 2097152,
    MH_UVM_BATCH_NS = 1000000000, /**< ns, longest batch: cycles of it fit 64 bits at any clock */
    MH_UVM_POLL = 64,             /**< GPU cycles between looks at what is under way to a unit that leaves (ours) */
};

/** Of an array (hints.c). */
enum mh_hint { MH_HINT_NONE, MH_HINT_PREFETCH, MH_HINT_HOST };

enum mh_unit_state {
    MH_UNIT_HOST,    /**< in host memory, without a fault */
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
    uint32_t newer, older; /**< in the order of arrival of those that are here, or of evict: lru or block */
    uint32_t bytes;        /**< of GPU memory that it takes, or will take; 0: not known */
    uint64_t since;        /**< cycle of the fault */
    uint64_t start;        /**< on the link: position of its first byte, had no line come since .. */
    uint64_t pushed;       /**< .. the link had pushed so much */
    uint8_t tenant, state;
    uint8_t hint;     /**< enum mh_hint */
    uint8_t span;     /**< prefetch: driver: units of the subtree that its fault brings */
    bool prefetched;  /**< not yet accessed */
    bool follows;     /**< prefetched with the fault before it in the queue */
    bool needed;      /**< it leaves because memory was full */
    bool compressed;  /**< its pages are packed, as far as that makes them smaller */
    bool dirty;       /**< a store has touched it since it came; kept where clean units cross no link */
    uint16_t evicted; /**< units that left for its fault */
    uint16_t brought; /**< units that the prefetcher wanted because of it */
};

/** Units of a tenant in 2 MB of its virtual memory; they follow each other in unit[]. `prefetch: zheng`, block_ns. */
struct mh_uvm_region {
    uint32_t first, end; /**< units */
    uint32_t next;       /**< zheng: unit that is looked at next */
    uint64_t faulted;    /**< zheng: number of the fault that asked for it last; 0 = it has come whole */
    uint64_t batch;      /**< block_ns: number of the last batch with a fault in it */
};

/** Units, first come first served. */
struct mh_unit_queue {
    uint32_t head, tail, count;
};

/** One direction of the link. Its position counts bytes: those that it could have moved by a cycle, at most. */
struct mh_link {
    struct mh_ratio to_bytes, to_cycles;
    uint64_t position;            /**< up to which it is taken */
    uint64_t lines_end;           /**< the same, by single lines of arrays on the host */
    uint64_t pushed;              /**< bytes of such lines that went before what is left of waiting units, ever */
    uint32_t latency;             /**< GPU cycles */
    struct mh_unit_queue waiting; /**< the head is being moved */
    uint32_t line;                /**< of the head, that is next */
    uint32_t done;                /**< lines of it whose data have come out of DRAM; out only */
    uint32_t dirty_count;         /**< lines that have to be written to DRAM first; out only */
    uint32_t *dirty;              /**< [lines of a unit] */
};

/** Compressed pages: pack.c. */
struct mh_packing {
    uint32_t pages;                           /**< of 4 KB, of a unit */
    uint32_t lines;                           /**< of such a page */
    struct mh_lcp_page *page;                 /**< [units][pages]: of units that are compressed */
    uint8_t *stored;                          /**< [units][lines of a unit]: stored by the launch that runs */
    struct mh_values *values[MH_MAX_TENANTS]; /**< NULL: not known, nothing compresses */
    uint32_t launch[MH_MAX_TENANTS];          /**< of which `stored` and `values` know */
    uint32_t channels;
    struct mh_tags *metadata; /**< [channels] */
};

struct mh_uvm {
    bool on;
    bool wait_all;         /**< uvm.evict_wait all */
    bool by_block;         /**< uvm.evict block */
    uint32_t pages, lines; /**< of a unit */
    uint32_t shift;        /**< log2(pages) */
    uint32_t bytes;        /**< of a unit */
    struct mh_unit *unit;  /**< [units]: all tenants' */
    uint32_t units, room;  /**< room: for how many there is memory */
    struct mh_index index; /**< tenant and number -> unit */
    uint32_t capacity;     /**< units that GPU memory holds */
    uint32_t sets;         /**< of frames: as many as capacity, or more where units are compressed */
    uint32_t *frame;       /**< [sets][pages] */
    uint32_t *free_sets;   /**< stack of sets of frames */
    uint32_t free_count;
    uint32_t leaving;                      /**< units that drain or leave */
    uint32_t needed;                       /**< of them, those that leave because memory was full */
    uint64_t memory, taken, leaving_bytes; /**< bytes: all; of units with frames; of those, of units that leave */
    struct mh_packing packing;
    uint32_t overfull; /**< unit whose page has overflowed last while nothing was left; MH_NONE: there is none */
    struct mh_unit_queue overflow, buffer, batch, placed, draining;
    uint32_t newest, oldest, here;
    bool busy; /**< the handler has a batch */
    bool drain_event;
    uint32_t fault_cycles; /**< that the handler takes for a single fault */
    struct mh_link in, out;
    uint64_t drawn;    /**< random numbers used */
    uint32_t *unit_of; /**< [frames of physical memory]: by mh_unit_of_frame(); zeros, for which the host has no memory
                            until a frame is used, are MH_NONE inverted */
    uint32_t *used;    /**< [units]: the look at which something was under way to it (drain.c) */
    uint32_t looks;
    struct mh_uvm_region *region; /**< [regions]: by address */
    uint32_t regions;
    uint64_t region_faults, batches; /**< numbers of the last fault and the last batch */
    uint64_t *on_host; /**< [frames of physical memory / 64], bits: frames of arrays that stay; NULL: none do */
    struct mh_observer obs;
    /** Of each tenant: units of its buffers; those with frames that do not leave; faults before or with the handler. */
    uint32_t allocated[MH_MAX_TENANTS], resident[MH_MAX_TENANTS], queued[MH_MAX_TENANTS];
    bool shared[MH_MAX_TENANTS];   /**< its kernels share data: memhelm/kernels.h */
    uint64_t held[MH_MAX_TENANTS]; /**< bytes of those resident */
};

/** The unit whose frame it is; MH_NONE: none. */
static inline uint32_t mh_unit_of_frame(const struct mh_uvm *m, uint32_t frame)
{
    return ~m->unit_of[frame];
}

/** The tenant has left and its warps end: drops the requests that wait for its units. */
void mh_uvm_cancel(struct mh_gpu *g, uint32_t tenant);

/** Nothing of the tenant, which has left, is in the SMs: its units are dropped, their memory is others'. */
void mh_uvm_drop(struct mh_gpu *g, uint32_t tenant);

/** Lets the observer see page faults. */
void mh_uvm_observe(struct mh_gpu *g, const struct mh_observer *obs);

/** The tenant comes: what it has hinted at comes, too. */
void mh_uvm_arrive(struct mh_gpu *g, uint32_t tenant);

/** All pages have been mapped: they go to the host, and GPU memory becomes what uvm.capacity says. -1 and `err`. */
int mh_uvm_start(struct mh_gpu *g, struct mh_error *err);

/** Register UVM_FREE. */
uint32_t mh_uvm_free(const struct mh_gpu *g);

/** GPU cycles in which no place of such a GPU may move: handler and link. 0 without demand paging. */
uint64_t mh_uvm_longest_wait(const struct mh_config *cfg);

/** What of the section `uvm` can be judged without a workload: -1 and `err`. */
int mh_uvm_resolve(const struct mh_config *cfg, struct mh_error *err);

/** Bytes of GPU memory that a text of uvm.capacity means with this footprint; -1 and `err`. */
int mh_uvm_capacity(const char *text, uint64_t footprint, uint64_t *bytes, struct mh_error *err);

/** The tenant gauge UVM_SHARED, as uvm.sharing says; a program that the paper does not have is derived. `w` is the
 * tenant's. -1: out of memory. */
int mh_uvm_shares(const struct mh_config *c, uint32_t tenant, const struct mh_workload *w);

#endif
