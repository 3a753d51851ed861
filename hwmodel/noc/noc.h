/*
 * Two crossbars: requests from the SMs and the walkers to the L2 banks, replies back.
 *
 * A port that sends holds its wire for the packet's flits; so does the port that receives. A request needs a credit of
 * its bank: without one it stays at the head of its port's queue and blocks those behind it. Replies need no credit:
 * the requester has reserved the place (an MSHR, a walker). A reply that waits for its port does not hold its bank's
 * wire, as if output queues were deep enough (ours).
 *
 * With noc.queues input packets wait elsewhere, and noc/inputs.h has the rules. The rest is that of queues at the
 * outputs.
 *
 * With l2.bypass_wires a bank has a wire more each way, for page walks past the L2. They take no credit: each walker
 * has one read at a time, and the bank a place for it.
 *
 * There is no arbiter: a wire is the cycle at which it is free next, claimed in the order of arrival. Packets on
 * different wires of a bank pass each other, so a read may be looked up before the tail of a write that came first:
 * nothing but the time depends on it, as no data move.
 */
#ifndef MEMHELM_NOC_NOC_H
#define MEMHELM_NOC_NOC_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/align.h"
#include "engine/bytes.h"
#include "engine/clock.h"
#include "engine/gpu.h"
#include "engine/interleave.h"
#include "engine/request.h"
#include "engine/ring.h"
#include "engine/upstream.h"
#include "memhelm/config.h"
#include "noc/inputs.h"
#include "engine/block.h"

struct mh_gpu;

struct mh_port {
    struct mh_ring queue;             /**< requests waiting to enter the crossbar; its capacity holds for inputs, too */
    uint64_t inject_free, eject_free; /**< NoC cycles */
    uint32_t replies;                 /**< for this port, that wait for their bank's wire or behind such a one */
    bool inject_event;                /**< an event will inject the head */
    bool waiting;                     /**< for a credit of the head's bank */
} __attribute__((aligned(MH_HOST_LINE)));

enum { MH_MAX_BANK_WIRES = 4 /**< = the most ports of an L2 bank */ };

/** Direction as the bank sees it. */
enum mh_wire { MH_WIRE_IN, MH_WIRE_OUT, MH_WIRE_DIRECTIONS };

/**
 * A bank has one wire in and one out per port (l2.ports), alike: only the order of their next free cycles is kept. With
 * one wire a bank of two ports could never start two look-ups. MASK's table 1 gives the ports; the wires are ours.
 */
struct mh_bank_port {
    struct mh_ring waiters; /**< ports */
    uint32_t credits;
    /** NoC cycles; those of one direction in order (engine/ring.h). */
    uint64_t free[MH_MAX_BANK_WIRES][MH_WIRE_DIRECTIONS];
    uint64_t bypass_free[MH_WIRE_DIRECTIONS]; /**< with l2.bypass_wires */
} __attribute__((aligned(MH_HOST_LINE)));

struct mh_noc {
    struct mh_inputs *inputs; /**< with queues at the inputs (noc/inputs.h); NULL: at the outputs */
    struct mh_req *req;       /**< = g->req */
    struct mh_bytes *bytes;   /**< = g->req_bytes */
    uint32_t free_req;
    uint32_t reqs;        /**< requests that there can be */
    uint32_t live;        /**< requests that exist */
    uint32_t replies;     /**< of those, in a bank with their data */
    struct mh_port *port; /**< [sms + walker ports] */
    struct mh_bank_port *bank;
    uint32_t ports, banks;
    uint32_t wires; /**< of a bank, each way */
    uint32_t flit_bytes;
    uint32_t latency;       /**< NoC cycles */
    uint32_t queue_latency; /**< GPU cycles from a request's tail to its look-up, unless it goes past the L2 */
    uint32_t places;        /**< of a bank: mh_config_bank_places() */
    bool bypass_wires;      /**< l2.bypass_wires, with queues at the outputs */
    bool special;           /**< not all ways cross at once and alike, `inputs` or `halves`, or a clock of its own */
    uint32_t passing;       /**< requests on those wires to their bank, or that wait there */
    bool acks;              /**< stores are acknowledged: the SMs have store buffers */
    struct mh_clock clock;  /**< clock.noc_hz */
    /** Of a request's packet and of its reply's, by its kind and its sectors. */
    uint8_t request_flits[MH_REQ_KINDS][1 << MH_MAX_SECTORS], reply_flits[MH_REQ_KINDS][1 << MH_MAX_SECTORS];
    struct mh_interleave interleave[MH_MAX_TENANTS];
    struct mh_halves *halves; /**< with l2.halves 2 (noc/halves.h); NULL: all banks are near */
};

static inline uint64_t mh_noc_enter(const struct mh_noc *n, uint64_t gpu_cycle)
{
    return mh_clock_enter(&n->clock, gpu_cycle);
}

static inline uint64_t mh_noc_leave(const struct mh_noc *n, uint64_t noc_cycle)
{
    return mh_clock_leave(&n->clock, noc_cycle);
}

/** Last NoC cycle that is seen in this GPU cycle. */
static inline uint64_t mh_noc_seen(const struct mh_noc *n, uint64_t gpu_cycle)
{
    return mh_clock_seen(&n->clock, gpu_cycle);
}

int mh_noc_init(struct mh_noc *n, const struct mh_config *cfg);
void mh_noc_free(struct mh_noc *n);

/** Bank of a physical line of the tenant. */
static inline uint32_t mh_noc_bank(const struct mh_noc *n, uint32_t tenant, uint32_t line)
{
    return mh_interleave_bank(&n->interleave[tenant], line);
}

/** Packets wait at the crossbars' inputs (noc.queues input), not for a credit of their bank. */
static inline bool mh_noc_at_inputs(const struct mh_noc *n)
{
    return n->inputs != NULL;
}

/** Requests that wait at the port. */
static inline uint32_t mh_noc_waiting(const struct mh_noc *n, uint32_t port)
{
    return n->inputs ? n->inputs->waiting[port] : n->port[port].queue.count;
}

/** True if the port's queue takes another request. */
static inline bool mh_noc_room(const struct mh_noc *n, uint32_t port)
{
    return mh_noc_waiting(n, port) < n->port[port].queue.capacity;
}

/** True if nothing waits at the port. */
static inline bool mh_noc_idle(const struct mh_noc *n, uint32_t port)
{
    return !mh_noc_waiting(n, port);
}

/** A request for the caller to write, in place, and to give to mh_noc_push(). */
static inline uint32_t mh_noc_new(struct mh_noc *n)
{
    uint32_t id = n->free_req;

    MH_CHECK(id != MH_NONE);
    n->free_req = n->req[id].next;
    n->live++;
    return id;
}

/** Queues such a request at its port; there must be room. No bank looks it up in this event. */
void mh_noc_push(struct mh_gpu *g, uint32_t req);

/*
 * For a block that queues a port's requests itself (missq/) and knows when each may go. The port's own queue is empty
 * then.
 */

/** Places in the port's own queue; 0: it takes nothing. Requests that are there stay. */
static inline void mh_noc_set_places(struct mh_noc *n, uint32_t port, uint32_t places)
{
    n->port[port].queue.capacity = places;
}

/** NoC cycle from which on the port's wire is free. */
static inline uint64_t mh_noc_wire(const struct mh_noc *n, uint32_t port)
{
    return n->port[port].inject_free;
}

/** Sets the bank of a request that is not pushed, but launched later. */
void mh_noc_route(const struct mh_noc *n, uint32_t req);

/**
 * Takes a credit of the bank. False: it has none, and the port stands in line there once more: one that comes back is
 * offered to it in its turn (mh_missq_credit()). With queues at the inputs: whether the input has a place, which
 * mh_noc_launch() takes. False: mh_missq_place() says when one is free.
 */
bool mh_noc_claim(struct mh_noc *n, uint32_t port, uint32_t bank);

/**
 * The request, which has claimed what it needs, enters in NoC cycle `start` of this GPU cycle: the wire is free then.
 * With queues at the inputs it takes its place there; from there no other passes it.
 */
void mh_noc_launch(struct mh_gpu *g, uint32_t req, uint64_t start);

/** GPU cycle in which a NoC cycle starts. */
static inline uint64_t mh_noc_starts(const struct mh_noc *n, uint64_t noc_cycle)
{
    return mh_clock_starts(&n->clock, noc_cycle);
}

/** The request has wires of its own at its bank, and no credit. */
static inline bool mh_noc_passes(const struct mh_noc *n, const struct mh_req *r)
{
    return n->bypass_wires && r->bypass;
}

/** A request for a line for which the test is true exists; page walks' do not count. Slow. */
bool mh_noc_carries(const struct mh_noc *n, mh_line_test *test, const void *ctx);

/* Where a request of the crossbar is, and what it waits for: for a report of a deadlock (struct mh_oldest). */

/** Says where it is: in its port's queue, stalled at its bank, at an MSHR there, or none of these. */
void mh_path_request(const struct mh_gpu *g, const struct mh_wanted *w, FILE *out);

/** Of the head of a port's queue. */
void mh_path_port(const struct mh_gpu *g, uint32_t port, FILE *out);

/** What ports, banks and crossbar hold: stores and atomics, which no warp waits for. As struct mh_block. */
bool mh_noc_left(const struct mh_gpu *g, FILE *out);

#endif
