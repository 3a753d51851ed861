/*
 * A block of hardware, as gpu/ sees it: gpu/blocks.def lists all blocks. A member that a block does not need
 * is NULL. Nothing here is called while events run.
 */
#ifndef MEMHELM_ENGINE_BLOCK_H
#define MEMHELM_ENGINE_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "memhelm/hwmodel.h"

/** The request that has been outstanding for longest, of those that were considered. */
struct mh_oldest {
    /**
     * Writes where it is, and what each place on its way waits for, down to what does not move. Nothing that changes
     * while others go on (fill levels, next cycles): of two equal texts nothing has moved. NULL: there is no request.
     */
    void (*tell)(const struct mh_gpu *g, const struct mh_oldest *o, FILE *out);
    uint64_t since;   /**< GPU cycle at which it began */
    uint32_t a, b, c; /**< which one it is, for `tell` */
};

/** Of equally old ones the first stays. */
static inline void mh_oldest_consider(struct mh_oldest *o, const struct mh_oldest *other)
{
    if (!o->tell || other->since < o->since)
        *o = *other;
}

struct mh_block {
    size_t bytes; /**< of its state, which is made before any init() and all zeros; 0: the block makes its own */
    size_t at;    /**< of the pointer to it, in struct mh_gpu */

    /** Builds the block for g->cfg. 0, or -1 when memory ran out. */
    int (*init)(struct mh_gpu *g);

    /** Also after a failed init(), of this block or of one before it. */
    void (*free)(struct mh_gpu *g);

    /** g->knobs have taken effect at this cycle; `before` were in force. */
    void (*apply)(struct mh_gpu *g, const struct mh_knobs *before);

    /** Debug builds: stops the program unless whatever the block has is accounted for. */
    void (*check)(const struct mh_gpu *g);

    /** Considers each request of the block that another block waits for. */
    void (*oldest)(const struct mh_gpu *g, struct mh_oldest *o);

    /** Nothing is left to happen: tells of one thing that the block holds all the same. False: it holds nothing. */
    bool (*left)(const struct mh_gpu *g, FILE *out);

    /** Brings what it counts late up to this cycle. */
    void (*settle)(struct mh_gpu *g);

    /** Completes out[], copies of the tenants' counts, as they read at this cycle. */
    void (*read)(const struct mh_gpu *g, struct mh_counters *out);

    /** A SNAPSHOT has latched the counters: gauges since the SNAPSHOT start anew. */
    void (*restart)(struct mh_gpu *g);
};

/** MASK's counters have 6 bits: gauges since the last SNAPSHOT (sec. 5.4, 7.4) end here. */
enum { MH_GAUGE_MOST = 63 };

static inline uint64_t mh_gauge_saturated(uint64_t value)
{
    return value < MH_GAUGE_MOST ? value : MH_GAUGE_MOST;
}

/** `bytes` and `at` of a block whose state is `count` structures behind struct mh_gpu's pointer `member`. */
#define MH_BLOCK_STATE(member, count)                                                                                  \
    .bytes = (count) * sizeof *((struct mh_gpu *)0)->member, .at = offsetof(struct mh_gpu, member)

/** Physical address of a line, in bytes. */
static inline uint64_t mh_line_address(const struct mh_config *cfg, uint32_t line)
{
    return (uint64_t)line * cfg->memory.line_bytes;
}

#endif
