/*
 * Memory instructions that have page walks: what orders of walks need to know of them, and what is counted of them.
 *
 * Each dynamic warp memory instruction gets an ID when the LSU accepts it, 20 bits that wrap (Shin et al., ISCA 2018,
 * sec. IV). It goes with the requests for translation of its pages: L1 TLB MSHR, L2 TLB MSHR, walk. Of requests that
 * merge it is that of the first: a walk belongs to one instruction.
 *
 * An instruction without walks costs nothing here but its number. The others have a record, from their first walk until
 * some time after they can have no more: then it is counted (WALK_INSTR and the counters that follow it), and its place
 * is free again. First and last walk are timed from the first miss in the L2 TLB, so waiting for room in the walk
 * buffer is in them (our reading of figures 6 and 10: the instruction stalls until all are there); walks of two
 * instructions are mixed in order of arrival (figure 5). A finished record is looked for when the table is full, when
 * the counters are read, and often enough that no record outlives its ID.
 */
#ifndef MEMHELM_TRANSLATE_INSTRUCTION_H
#define MEMHELM_TRANSLATE_INSTRUCTION_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/check.h"
#include "engine/index.h"
#include "memhelm/config.h"
#include "memhelm/registers.h"

struct mh_gpu;

/** No instruction: what a free MSHR holds. */
#define MH_NO_INSTRUCTION UINT32_MAX

/** An instruction that has walks. */
struct mh_instruction {
    uint32_t id; /**< MH_NO_INSTRUCTION: the record is free */
    uint32_t next_free;
    uint32_t walks;       /**< begun */
    uint32_t live;        /**< begun and not finished */
    uint32_t waiting;     /**< for a walker */
    uint32_t reads;       /**< of page table entries, by walks that have asked the page walk cache */
    uint32_t last_walk;   /**< number of its latest walk among those of all instructions */
    uint16_t score;       /**< of its waiting walks, 1 .. MH_WALK_SCORE_MAX; 0 = they came under another order */
    uint16_t told;        /**< score that firmware gave it (WALK_SCORE); 0 = none */
    uint64_t missed;      /**< cycle at which the first of its pages missed in the L2 TLB */
    uint64_t first, last; /**< cycles from there until the first of its walks ended, until the last so far */
    uint8_t tenant;
    bool mixed;     /**< a walk of another instruction came between two of its own */
    bool may_go_on; /**< while finished records are looked for: it can have walks yet */
};

struct mh_instructions {
    uint32_t accepted; /**< by the LSUs; wraps */
    uint32_t walks;    /**< begun, of all instructions; wraps */
    uint32_t swept;    /**< half turn of the IDs in which finished records were last looked for */
    uint32_t free;     /**< records that were in use; those from `used` on never were */
    uint32_t used, capacity;
    struct mh_instruction *record; /**< [capacity + 1]; the last: of walks without an instruction */
    struct mh_index index;         /**< ID -> record */
};

/** 0, or -1 when memory ran out. */
int mh_instructions_init(struct mh_instructions *t, const struct mh_config *cfg);
void mh_instructions_free(struct mh_instructions *t);

/** ID of the instruction that an LSU accepts. */
static inline uint32_t mh_instruction_next(struct mh_instructions *t)
{
    return t->accepted++ & ((1u << MH_WALK_INSTR_BITS) - 1);
}

/** A walk of the instruction, or of none (MH_NO_INSTRUCTION), begins, for a page that missed in the L2 TLB at cycle
 * `missed`; returns the record's index. */
uint32_t mh_instruction_walk(struct mh_gpu *g, uint32_t id, uint32_t tenant, uint64_t missed);

/** One of its walks has ended at this cycle. */
void mh_instruction_walked(struct mh_instructions *t, uint32_t record, uint64_t cycle);

/** One of its walks waits for a walker. With the first, scores that it had are forgotten. */
static inline void mh_instruction_waits(struct mh_instructions *t, uint32_t record)
{
    struct mh_instruction *i = &t->record[record];

    if (!i->waiting++)
        i->score = i->told = 0;
}

/** One of them has a walker now. */
static inline void mh_instruction_served(struct mh_instructions *t, uint32_t record)
{
    MH_CHECK(t->record[record].waiting);
    t->record[record].waiting--;
}

/** Its score is higher by this; it stays within 1 .. MH_WALK_SCORE_MAX. */
static inline void mh_instruction_add_score(struct mh_instructions *t, uint32_t record, uint32_t score)
{
    struct mh_instruction *i = &t->record[record];
    uint32_t sum = i->score + score;

    i->score = (uint16_t)(sum < 1 ? 1 : sum > MH_WALK_SCORE_MAX ? MH_WALK_SCORE_MAX : sum);
}

/** Its score; with `scored` (WALK_ORDER 3) the one that firmware gave it, if it gave one. */
static inline uint32_t mh_instruction_score(const struct mh_instructions *t, uint32_t record, bool scored)
{
    const struct mh_instruction *i = &t->record[record];

    return scored && i->told ? i->told : i->score;
}

/** WALK_SCORE for an ID. False: none of its walks waits. */
bool mh_instruction_tell_score(struct mh_instructions *t, uint32_t id, uint32_t score);
/** No instruction has a score that it was told. */
void mh_instructions_forget_scores(struct mh_instructions *t);

/** A walk of it has asked the page walk cache, and reads this many page table entries. */
static inline void mh_instruction_reads(struct mh_instructions *t, uint32_t record, uint32_t reads)
{
    t->record[record].reads += reads;
}

/** The record of an ID; NULL: it has none, or the ID is MH_NO_INSTRUCTION. */
const struct mh_instruction *mh_instruction_find(const struct mh_instructions *t, uint32_t id);

/** While finished records are looked for: the instruction, if it has a record, may have walks yet. */
void mh_instruction_mark(struct mh_instructions *t, uint32_t id);

/** Counts the instructions whose walks are over, and frees their records. */
void mh_instructions_sweep(struct mh_gpu *g);

#endif
