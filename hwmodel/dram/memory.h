/*
 * The channels behind the L2: address to channel, GPU cycles to DRAM cycles, one event per channel.
 * Bank b of the L2 belongs to channel b / (banks / channels), as the memory partitions of a GPU do; lines of a
 * channel's banks follow each other in it. memory.latency is added on the way back, without a limit to what is on its
 * way.
 */
#ifndef MEMHELM_DRAM_MEMORY_H
#define MEMHELM_DRAM_MEMORY_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "engine/clock.h"
#include "engine/interleave.h"
#include "engine/wheel.h"
#include "memhelm/config.h"
#include "memhelm/dram.h"
#include "memhelm/hwmodel.h"
#include "engine/arith.h"

/* Lets the observer see what enters and leaves one channel (run.log_dram). */
struct mh_gpu;
struct mh_memory;

struct mh_tap {
    struct mh_observer obs;
    uint32_t channel;  /**< UINT32_MAX = none */
    uint64_t *entered; /**< DRAM cycle, by MSHR of the channel's banks and the first sector that is asked for */
    uint64_t migrated; /**< the same, of the last line of a unit that migrates */
};

/** Post: m->tap.channel is set. -1: no memory. Pre: m->banks_per_channel. */
int mh_tap_init(struct mh_memory *m, const struct mh_config *cfg);
void mh_tap_free(struct mh_memory *m);

/** A request enters the channel at this DRAM cycle. */
void mh_tap_enter(struct mh_gpu *g, uint64_t cycle, const struct mh_dram_request *r);

/** The request with this tag is served: its data come at DRAM cycle `finish`. */
void mh_tap_serve(struct mh_gpu *g, uint32_t tag, uint64_t finish, bool row_hit);

/*
 * Which tenant goes first at DRAM by its misses per thousand instructions (Jog et al., Anatomy of GPU Memory System for
 * Multi-Application Execution, MEMSYS 2015).
 *
 * A tenant's IPC is what it attains of the bandwidth, in reads, over the reads of an instruction: the next read is
 * worth the most instructions to the tenant with the fewest reads per instruction. That much is in the paper's
 * abstract: its model has performance follow from bandwidth and MPKI, and its schedulers decide by both. The rest is
 * ours: reads of data and page tables count as misses, per thread instruction, of the last MH_MPKI_CYCLES; before the
 * first such interval all tenants are equal. How a channel uses the order: priority.h.
 */
/** GPU cycles between two decisions (ours). */
enum { MH_MPKI_CYCLES = 10000 };

struct mh_mpki_counts {
    uint64_t reads[MH_MAX_TENANTS]; /**< lines read from DRAM, data and page tables: misses of the L2 */
    uint64_t instr[MH_MAX_TENANTS]; /**< thread instructions */
};

struct mh_mpki {
    struct mh_mpki_counts before; /**< at the decision before */
};

/**
 * priority[t] = how many tenants have fewer reads per instruction than t; equal ones are equal. A tenant that read
 * nothing is among the first; one that read and issued nothing, behind those that issued. Counts below 2^32 each.
 */
void mh_mpki_order(const struct mh_mpki_counts *counts, uint8_t priority[MH_MAX_TENANTS]);

/** As mh_mpki_order(), of what has been counted since the last call. */
void mh_mpki_interval(struct mh_mpki *m, const struct mh_mpki_counts *so_far, uint8_t priority[MH_MAX_TENANTS]);

struct mh_channel {
    struct mh_dram *dram;
    struct mh_gpu *gpu;
    uint64_t asked;    /**< DRAM cycle for which that event was asked; MH_DRAM_NEVER = there is none */
    uint64_t event_at; /**< GPU cycle of the event that counts; others are stale */
    bool served;       /**< a request has left the queue, and the L2 banks do not know yet */
};

/** An access besides those that were asked for: of compressed pages (uvm/). */
struct mh_extra {
    uint32_t line, tag;
    uint16_t bank;
    uint8_t tenant, write;
};

/** Those of a channel that have no place in its queue yet, oldest first. While there are any, it takes nothing else. */
struct mh_extras {
    struct mh_extra *item; /**< [room], round */
    uint32_t head, count, room;
};

/** A read of a compressed page: its line is there when all that it asked for has come. */
struct mh_packed_read {
    uint64_t data, last; /**< cycles: its line's, 0 = not known yet; of the extra accesses that are done, the last */
    uint8_t extra;       /**< accesses that are not done */
    bool packed;
};

struct mh_memory {
    struct mh_channel *channel;
    struct mh_tap tap;
    uint32_t channels, banks_per_channel;
    struct mh_divisor per_channel; /**< banks_per_channel */
    uint32_t line_bytes;
    uint8_t sectors[1 << MH_MAX_SECTORS]; /**< of 32 bytes, by the mask of those that move; 0 stands for the line */
    uint8_t bursts[1 << MH_MAX_SECTORS];  /**< that they take; at 0: 0, as many as a line */
    struct mh_ratio to_dram, to_gpu;
    uint64_t gpu_now, dram_now; /**< GPU cycle of the last conversion, and the DRAM cycle that it gave */
    struct mh_interleave interleave[MH_MAX_TENANTS];
    struct mh_mpki mpki;           /**< dram.scheduler mpki */
    struct mh_extras *extras;      /**< [channels]; with uvm.compression */
    struct mh_packed_read *packed; /**< [MSHRs of all banks]; likewise */
};

/** `obs` is copied. */
static inline void mh_mem_observe(struct mh_memory *m, const struct mh_observer *obs)
{
    m->tap.obs = *obs;
}

/** The channel of an L2 bank. */
uint32_t mh_mem_channel(const struct mh_gpu *g, uint32_t bank);

/** Free entries in the queue of the L2 bank's channel. */
uint32_t mh_mem_free(const struct mh_gpu *g, uint32_t bank);

/** True if that channel has room for a data or page walk read of the tenant, if `read`, and `writes` write-backs. */
bool mh_mem_takes(const struct mh_gpu *g, uint32_t bank, bool read, bool walk, uint32_t tenant, uint32_t writes);

/**
 * The asker of a read: the MSHR of the L2 (bank * MSHRs + MSHR), and above it the sectors of its line that were asked
 * for, a bit each; none: the whole line. It is the tag of a read, and the payload of the event when its data are there.
 */
enum { MH_ASKED_SECTORS = 20 };
#define MH_ASKED_MSHR ((1u << MH_ASKED_SECTORS) - 1)
/* In the place of the MSHR, a write has the tenant of its line. Flags above: a write; a line of a unit that migrates
 * (uvm/), of any tenant; an access that no request asked for (mh_packed_ask()), for a read: the MSHR to wake, or none.
 */
#define MH_TAG_TENANT  0xffu
#define MH_TAG_WRITE   0x80000000u
#define MH_TAG_MIGRATE 0x40000000u
#define MH_TAG_EXTRA   0x20000000u
#define MH_TAG_NOBODY  (MH_TAG_EXTRA - 1)
_Static_assert(MH_MAX_L2_BANKS * 4096 <= 1 << MH_ASKED_SECTORS, "l2.banks and l2.mshrs fit below the sectors");
_Static_assert(1u << (MH_ASKED_SECTORS + MH_MAX_SECTORS) <= MH_EVENT_PAYLOADS, "an asker fits an event");

/** Asks for the line, or sectors of it; mh_l2_decided() and mh_l2_coming() follow. */
void mh_mem_read(struct mh_gpu *g, uint32_t bank, uint32_t line, uint32_t asked, uint32_t tenant, bool walk);

/** For a report: "it in its .." and why, if the bank's channel has the L2 MSHR's read of the line; false: it has served
 * it. */
bool mh_mem_tell(const struct mh_gpu *g, uint32_t bank, uint32_t line, uint32_t mshr, FILE *out);

/** Writes a line back, or `sectors` of it if not 0; of these it has every byte of the `filled` ones. */
void mh_mem_write(struct mh_gpu *g, uint32_t bank, uint32_t line, uint32_t sectors, uint32_t filled);

/** A line of a unit that migrates (uvm/): written, or read, with EV_UVM_READ when its data are there. There must be
 * room. */
void mh_mem_migrate(struct mh_gpu *g, uint32_t bank, uint32_t tenant, uint32_t line, bool write);

/** Access of a line of a page that moves (uvm/): no request waits for it, and it needs no room. */
void mh_mem_extra(struct mh_gpu *g, uint32_t bank, uint32_t tenant, uint32_t line, bool write);

/* --- Between the files of this folder: DRAM_RANK, DRAM_MONITOR and what it counts (by_tenant.c), as struct mh_block
 * has them. */
void mh_mem_apply_tenants(struct mh_gpu *g, const struct mh_knobs *before);
void mh_mem_read_tenants(const struct mh_gpu *g, struct mh_counters *out);

/* Accesses of compressed pages besides those that were asked for (uvm/): for metadata, and for pages that move. */

/** -1: no memory. Without uvm.compression there is nothing. */
int mh_packed_init(struct mh_memory *m, const struct mh_config *cfg);
void mh_packed_free(struct mh_memory *m);

/** The bank's channel has accesses for which it has no place: nothing else may enter it before them. */
static inline bool mh_packed_pending(const struct mh_memory *m, uint32_t bank)
{
    return m->extras[mh_quotient(&m->per_channel, bank)].count;
}

/** A line is asked for, by the read `reader`, or MH_TAG_NOBODY, or written: what its page needs besides is asked for.
 */
void mh_packed_ask(struct mh_gpu *g, uint32_t bank, uint32_t tenant, uint32_t line, uint32_t reader);

/** The channel may have places. */
void mh_packed_push(struct mh_gpu *g, uint32_t channel);

/** The read's line comes at *at. True: it is of use then, *at being later if it has to be unpacked; else it waits. */
bool mh_packed_data(struct mh_gpu *g, uint32_t reader, uint64_t *at);

/** An access besides is done at *at. True: its reader, in `tag`, has all now, at *at. */
bool mh_packed_extra(struct mh_gpu *g, uint32_t tag, uint64_t *at);

/** --- memory.c */

/** Enters the channel's queue, which has room. */
void mh_mem_push(struct mh_gpu *g, uint32_t bank, struct mh_dram_request *r, uint32_t line);

/** The channel looks again after this event. */
void mh_mem_soon(struct mh_gpu *g, uint32_t channel);

#endif
