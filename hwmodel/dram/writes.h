/*
 * Writes among the reads of a channel: a queue of their own, and when they are served. Private to dram/.
 *
 * dram.write_queue: writes wait in a queue of their own size, reads keep dram.queue.
 *
 * Order and drains are those of the shared queue (channel.h), with the watermarks counted in this one. A read of a line
 * that a write waits for is answered from it a cycle later, without a command; a write of such a line is merged into
 * it. So do DRAMsim3 (src/controller.cc, AddTransaction) and Ramulator 2 (controller_base.cpp, send). Either has its
 * place until it is answered, and counts as a request that was served without a row hit.
 *
 * Of sectors (ours, as neither has them): a read is answered if the write has every byte of what it wants, and else
 * goes to the bank, whole. A write that is merged adds the bursts of the sectors that the earlier one does not write,
 * unless that one has begun: then it is a write of its own.
 *
 * With queues apart (tiers.h) the normal one has reads alone.
 */
#ifndef MEMHELM_DRAM_WRITES_H
#define MEMHELM_DRAM_WRITES_H

#include "dram/channel.h"

/* A request that needs no command. */
struct mh_answer {
    uint64_t cycle;
    uint32_t tag;
    enum mh_tier tier;
    bool write;
};

/* What was asked for. */
struct mh_wanted {
    uint64_t addr;
    uint8_t parts, filled; /* as in the request, but spelt out */
};

struct mh_writes {
    struct mh_wanted *wanted; /**< by entry of the channel's queue */
    uint64_t line;            /**< mask of an address that leaves which request it is */
    uint8_t all;              /**< the sectors of a whole request */
    uint32_t taken[2];        /**< places of reads and of writes, of those in the inbox and of answers, too */
    uint32_t places[2];
    struct mh_answer *answer; /**< ring, the first one first; all are due one cycle after their arrival */
    uint32_t head, count, size;
};

/** NULL when memory ran out. Pre: cfg->write_queue. */
struct mh_writes *mh_writes_create(const struct mh_dram_cfg *cfg);
void mh_writes_destroy(struct mh_writes *w);

static inline struct mh_wanted mh_writes_wanted(const struct mh_writes *w, const struct mh_dram_request *req)
{
    return req->parts ? (struct mh_wanted){req->addr, req->parts, req->filled}
                      : (struct mh_wanted){req->addr, w->all, w->all};
}

/** Places for reads (0) or writes (1). There may be more reads than places after a switch. */
static inline uint32_t mh_writes_room(const struct mh_writes *w, uint32_t write)
{
    return w->places[write] > w->taken[write] ? w->places[write] - w->taken[write] : 0;
}

/** Places that any request may take, in one queue of reads. */
static inline uint16_t mh_writes_free(const struct mh_writes *w)
{
    return (uint16_t)mh_min32(mh_writes_room(w, 0), mh_writes_room(w, 1));
}

/** Takes a place for a request, with one queue of reads. */
void mh_writes_admit(struct mh_dram *d, const struct mh_dram_request *req);

/** Notes the line of a request that the queue of FR-FCFS takes next; without a queue for writes, nothing. */
static inline void mh_writes_note(struct mh_dram *d, const struct mh_dram_request *req)
{
    if (mh_dram_writes(d))
        d->writes->wanted[d->queue.free_entry] = mh_writes_wanted(d->writes, req);
}

/** True if a write that waits has what it wants: the request of that cycle and tier, for row `row` of bank `b`, is
 * answered. */
bool mh_writes_take(struct mh_dram *d, uint64_t cycle, uint32_t b, uint32_t row, const struct mh_dram_request *req,
                    enum mh_tier tier);

/** Cycle of the next answer, MH_DRAM_NEVER without one. */
static inline uint64_t mh_writes_due(const struct mh_writes *w)
{
    return w->count ? w->answer[w->head].cycle : MH_DRAM_NEVER;
}

/** Gives the next answer. Pre: there is one, and no command is due before it. */
void mh_writes_answer(struct mh_dram *d);

/** True if a read of this tag waits for its answer. */
bool mh_writes_holds(const struct mh_writes *w, uint32_t tag);

/** Answers that wait, of a tier and a direction. */
uint32_t mh_writes_count(const struct mh_writes *w, enum mh_tier tier, bool write);

/*
 * Reads or writes: which of them a channel serves.
 *
 * Writes go while no read waits, or in a drain from write_high waiting ones down to write_low. A drain lets golden
 * requests go first; silver waits for it, else a stream of silver would keep the writes until the queue is full.
 *
 * dram.opened_first: before the bus turns, each row that was opened for the old direction serves the request that
 * opened it. Else the next request closes it, and it is opened twice. Meanwhile row commands are the new direction's.
 * Ramulator has such requests in a queue of their own that goes first (src/Controller.h, actq), as Ramulator 2 has
 * (m_active_buffer). Where queues are apart or tenants ranked (tiers.h) the bus turns at once.
 */

/** Serves reads (0) or writes (1) from now on or, if rows are owed a request, as soon as these are served. */
void mh_direction_set(struct mh_dram *d, uint32_t writing);

/** Chooses after the numbers of waiting requests, or rows that are owed one, have changed. */
static inline void mh_direction_choose(struct mh_dram *d)
{
    uint32_t writes = d->waiting[1];

    d->draining = (d->draining || writes >= d->write_high) && writes > d->write_low;
    uint32_t writing = writes && (d->draining ? !d->golden : !d->waiting[0]);

    if (__builtin_expect((writing != d->writing) | d->turning, 0))
        mh_direction_set(d, writing);
}

/** The bank's candidate while the direction is turning. */
void mh_direction_candidate(struct mh_dram *d, uint32_t bank);

/** True if an open row owes the present direction a request: for checks. */
bool mh_direction_owes(const struct mh_dram *d);

#endif
