/*
 * Shared L2: banks with ports, MSHRs and LRU tags; write-back, write-allocate. A bank that cannot go on (no MSHR, no
 * way, no place in its DRAM channel) stops, and its credits stop the crossbar.
 *
 * Page walks at a depth of the knob L2_BYPASS go past the cache (MASK sec. 5.3): from the bank straight to its DRAM
 * channel and back, past whatever is stalled there. With l2.bypass_wires they have wires of their own and take no
 * place, port or l2.latency; without, on an idle GPU, they take what a miss takes. They share the bank's MSHRs, and one
 * of them with each other, but none with requests that do not bypass: the same line may be on its way twice while the
 * knob changes. (Ours: the paper says "skip probing and filling".) The walker decides when it sends. A line that is in
 * the L2 when its depth is masked stays and ages: page tables are never dirty.
 */
#ifndef MEMHELM_CACHE_L2_H
#define MEMHELM_CACHE_L2_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/clock.h"
#include "engine/gpu.h"
#include "engine/index.h"
#include "engine/interleave.h"
#include "engine/request.h"
#include "engine/ring.h"
#include "engine/tags.h"
#include "engine/upstream.h"
#include "memhelm/config.h"
#include "engine/block.h"

/** A line that is on its way from DRAM. */
struct mh_l2_mshr {
    uint32_t line;
    uint32_t head, tail; /**< requests that wait for it */
    uint32_t next_free;
    uint64_t since; /**< cycle at which DRAM was asked */
    uint8_t tenant;
    bool walk;   /**< asked for by a page walk */
    bool dirty;  /**< a write or atomic waits for it */
    bool bypass; /**< it has no way: page walks alone wait for it, and go past the L2 */
};

struct mh_l2_bank {
    struct mh_ring stalled; /**< requests that could not go on, in order */
    struct mh_ring passing; /**< the same, of those that go past the cache with wires of their own */
    uint32_t places; /**< in the channel's queue without which the first of them cannot go on; UINT32_MAX: before a line
                        has come it cannot; 0: not known */
    bool retry_event;
    uint32_t free_mshr;
    struct mh_l2_mshr *mshr;
    struct mh_index index; /**< line -> MSHR */
} __attribute__((aligned(MH_HOST_LINE)));

/** Of an MSHR, with sectors. */
struct mh_l2_asked {
    uint8_t sectors;                /**< that have been asked for and have not come */
    uint64_t since[MH_MAX_SECTORS]; /**< cycle at which DRAM was asked for each of them */
};

/** What an L2 with l2.sector_bytes has besides (l2_bank.h). Masks have a bit for each 32 bytes of a line. */
struct mh_l2_sectors {
    struct mh_tags state;      /**< of the line in the same set and way of the tags: MH_L2_VALID and so on */
    struct mh_bytes *written;  /**< lazy, by set and frame: the bytes stored of sectors that are dirty and not valid */
    struct mh_l2_asked *asked; /**< [banks * mshrs] */
    uint8_t units[1 << MH_MAX_SECTORS]; /**< all of the sectors of l2.sector_bytes that a mask touches */
    uint32_t line;                      /**< mask of a whole line */
    bool lazy;                          /**< l2.partial_stores */
    uint64_t asked_for, filled;         /**< so far; less those on their way */
    uint64_t soiled, cleaned;           /**< became dirty; were written back, or dropped */
};

struct mh_l2 {
    struct mh_l2_bank *bank;
    struct mh_l2_sectors *sectors; /**< NULL without l2.sector_bytes */
    struct mh_tags tags;           /**< of all banks: bank * sets + set */
    uint32_t banks, ports, latency, mshrs;
    uint32_t sets;              /**< of a bank */
    bool apart;                 /**< sectors, or `wide`: look-ups and fills are not the usual ones */
    struct mh_sets index;       /**< of a bank: MH_SETS_FOLD */
    struct mh_divisor by_mshrs; /**< MSHRs of a bank: parts the ids of all banks' */
    struct mh_interleave interleave[MH_MAX_TENANTS];
    struct mh_clock clock;       /**< of the crossbar's: of banks and their ports */
    bool answers;                /**< stores are acknowledged (the SMs have store buffers), or atomics return results */
    bool bypass_wires;           /**< with queues at the outputs: page walks past the L2 have wires of their own */
    bool through;                /**< l2.stores through */
    bool partition;              /**< ways are split equally between the tenants */
    struct mh_index *bypass;     /**< [banks] line -> MSHR, of those that bypass */
    bool wide;                   /**< lines have more bits than a tag (MH_SETS_WIDE) */
    uint32_t sample;             /**< 1 in so many sets is never bypassed */
    struct mh_l2_copies *copies; /**< l2.far copy (l2_copies.c); NULL: home */
    struct mh_l2_atomics *atomics; /**< l2.atomics bank (l2_atomics.c); NULL: off */
    bool stops[MH_MAX_L2_BANKS];   /**< the bank has stalled requests: what most look-ups need to know of it */
};

/** As mh_l2_line(), where lines have more bits than a tag. */
uint32_t mh_l2_wide_line(const struct mh_l2 *l2, const uint32_t *set, uint32_t entry);

/** The line of an entry in that set. */
static inline uint32_t mh_l2_line(const struct mh_l2 *l2, const uint32_t *set, uint32_t entry)
{
    return __builtin_expect(l2->wide, 0) ? mh_l2_wide_line(l2, set, entry) : entry >> MH_TAG_BITS;
}

/** What a request has to wait for. */
enum mh_l2_need {
    MH_L2_NEEDS_NOTHING,
    MH_L2_NEEDS_WAY,  /**< a victim: all ways of its set are reserved */
    MH_L2_NEEDS_MSHR, /**< of the bank */
    MH_L2_NEEDS_DRAM, /**< room in the channel's queue */
};
enum mh_l2_need mh_l2_need(const struct mh_gpu *g, uint32_t bank, uint32_t req);

/** l2->copies, if l2.far says so. -1: no memory. */
int mh_l2_copies_init(struct mh_l2 *l2, const struct mh_config *cfg);
void mh_l2_copies_free(struct mh_l2 *l2);

/** The reply to a read comes by the bank of its SM's half, from its line's bank: a copy of its sectors stays there. */
void mh_l2_keep(struct mh_gpu *g, uint32_t req);

/** l2->atomics, if l2.atomics says so. -1: no memory. */
int mh_l2_atomics_init(struct mh_l2 *l2, const struct mh_config *cfg);
void mh_l2_atomics_free(struct mh_l2 *l2);

/** Atomics at the bank that are neither performed nor answered and hold no place of it. */
uint32_t mh_l2_atomics_waiting(const struct mh_l2 *l2, uint32_t bank);

/** True if the request of a page walk goes past the L2: its depth is masked, and its set is none of the sample. */
bool mh_l2_bypasses(const struct mh_gpu *g, const struct mh_req *r);

/** MSHR of the bank at which requests for the line wait that do or do not bypass; or -1. */
static inline int mh_l2_mshr_of(const struct mh_l2 *l2, uint32_t bank, uint32_t line, bool bypass)
{
    return mh_index_find(bypass ? &l2->bypass[bank] : &l2->bank[bank].index, line);
}

/** True if the MSHR waits for DRAM. */
static inline bool mh_l2_mshr_used(const struct mh_l2 *l2, uint32_t bank, uint32_t mshr)
{
    const struct mh_l2_mshr *e = &l2->bank[bank].mshr[mshr];

    return mh_l2_mshr_of(l2, bank, e->line, e->bypass) == (int)mshr;
}

/** Evicts a line of a unit that is leaving memory. Returns whether the line was dirty. No request for it is in flight.
 */
bool mh_l2_drop(struct mh_gpu *g, uint32_t tenant, uint32_t line);

/** A line for which the test is true is on its way from DRAM, or a request for it is stalled. Slow. */
bool mh_l2_waits(const struct mh_gpu *g, mh_line_test *test, const void *ctx);

/* Where a request is at a bank, for a report of a deadlock (struct mh_oldest), and the invariants of the L2. */

struct mh_wanted;

/** Of the request, if it is stalled at the bank or at an MSHR there; false: it is not. */
bool mh_path_at_bank(const struct mh_gpu *g, uint32_t bank, const struct mh_wanted *w, FILE *out);

/** Of whatever the bank has stalled. */
void mh_path_bank(const struct mh_gpu *g, uint32_t bank, FILE *out);

/** The lines that MSHRs have asked DRAM for. */
void mh_l2_oldest(const struct mh_gpu *g, struct mh_oldest *o);

#ifdef MH_DEBUG
void mh_l2_check(const struct mh_gpu *g);

/** Those of its sectors, if it has any. */
void mh_l2_check_sectors(const struct mh_gpu *g);

/** Requests that wait at MSHRs of the bank. */
uint32_t mh_l2_waiting(const struct mh_gpu *g, uint32_t bank);
#else
#define mh_l2_check NULL
#endif

#endif
