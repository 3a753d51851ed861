/* Accesses of compressed pages besides those that were asked for (uvm/): for metadata, and for pages that move. */
#ifndef MEMHELM_DRAM_PACKED_H
#define MEMHELM_DRAM_PACKED_H

#include "dram/memory.h"
#include "engine/arith.h"

struct mh_gpu;

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
