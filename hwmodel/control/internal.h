/* State of the register window, shared by the files of control/. */
#ifndef MEMHELM_CONTROL_INTERNAL_H
#define MEMHELM_CONTROL_INTERNAL_H

#include "control/regs.h"
#include "engine/ring.h"

#define MH_NO_CYCLE UINT64_MAX

/** Instruction ID in WALK_ARRIVAL and WALK_SCORE. */
#define MH_INSTR_MASK ((1u << MH_WALK_INSTR_BITS) - 1)

struct mh_timer {
    uint64_t expiry; /**< MH_NO_CYCLE: not running */
    uint32_t period; /**< 0: one-shot */
};

/* One entry more than the FIFO has, kept for HOST_STOP: a run must be able to end after an overflow. */
#define MH_FIFO_SLOTS (MH_EVENT_FIFO + 1)

struct mh_fifo {
    uint32_t entry[MH_FIFO_SLOTS];
    uint64_t cycle[MH_FIFO_SLOTS]; /**< in which the entry was queued */
    uint32_t head, count;
};

/** What a source asked last, of a source whose next question makes this one missed: epoch, walk epoch. */
struct mh_question {
    bool open;      /**< neither answered nor missed */
    bool seen;      /**< firmware has looked (SNAPSHOT, WALK_ENQ): the next COMMIT is the answer */
    uint64_t cycle; /**< in which it was asked */
};

/** What firmware has taken from a FIFO and not answered. */
struct mh_taken {
    uint64_t event[MH_FIFO_SLOTS]; /**< cycles in which tenants came or went */
    uint32_t events;
    bool arrival;                       /**< a walk arrival has been taken, the last one; it has no score */
    uint32_t instruction;               /**< of it */
    uint32_t arrived;                   /**< cycle of it, low word */
    uint32_t fault[MH_PAGE_FAULT_FIFO]; /**< cycles in which page faults were queued, low words */
    uint32_t faults;
};

/** The rows of epochs. */
struct mh_epoch {
    uint64_t number;                         /**< of the expiry, from 0 */
    struct mh_counters base[MH_MAX_TENANTS]; /**< what the next row's delta is taken from */
};

struct mh_control {
    struct mh_control_ops ops;
    struct mh_observer obs;
    uint32_t tenants;
    struct mh_caps caps;
    bool monitors;          /**< the L1Ds have them */
    uint32_t pending;       /**< IRQ_PENDING */
    uint32_t commit_status; /**< COMMIT_STATUS */
    uint32_t refused;       /**< value of the register at stats.last_reject */
    uint64_t next;          /**< earliest expiry of a timer */
    uint64_t snap_cycle;
    struct mh_timer timer[MH_TIMERS];
    struct mh_fifo fifo;
    struct mh_ring arrivals, arrived; /**< words of WALK_ARRIVAL, and the low word of each one's cycle */
    struct mh_ring faults, faulted;   /**< words of PAGE_FAULT, and the low word of each one's cycle */
    uint32_t evicted;                 /**< bit t: an eviction from tenant t was requested since its EVICT_ARM */
    uint32_t fault_cycles;            /**< latency of a page fault: the limit of an answer */
    struct mh_knobs knobs;            /**< in force */
    struct mh_control_stats stats;
    struct mh_counters snap[MH_MAX_TENANTS];
    struct mh_counters origin[MH_MAX_TENANTS]; /**< what had been counted at the last swap */
    struct mh_epoch epoch;
    uint32_t walk_enq[MH_MAX_TENANTS]; /**< of the walk epoch that ended last */
    struct mh_question question[MH_SOURCES];
    struct mh_taken taken;
    uint32_t value[MH_REG_COPIES + 1]; /**< of desc[i]: constants, RW registers, shadows of knobs */
    struct mh_regmap map;
};

/** The stored value of the register at an offset that exists. */
static inline uint32_t *mh_control_value(struct mh_control *c, uint32_t offset)
{
    return &c->value[c->map.index[offset / 4]];
}

/** The source that a timer's expiry raises; timer 0's is the epoch. */
extern const uint8_t mh_timer_source[MH_TIMERS];

/** A write to TIMER_CTRL: 0 off, 1 one-shot, 2 periodic, with the interval of TIMER_INTERVAL from `now`. */
void mh_control_timer_set(struct mh_control *c, uint64_t now, uint32_t timer, uint32_t mode);

/** The live counters, as firmware sees them: since the last swap. */
void mh_control_counters(const struct mh_control *c, struct mh_counters *out);

/** Every shadow is at its knob's reset value; what is in force changes at a COMMIT. */
void mh_control_reset_shadows(struct mh_control *c);

/** Every knob is at its reset value, and in force. */
void mh_control_reset_knobs(struct mh_control *c);

/** The oldest event, 0 when there is none. */
uint32_t mh_control_fifo_head(const struct mh_control *c);
void mh_control_fifo_pop(struct mh_control *c);

/** Takes the oldest walk arrival, if there is one. */
void mh_control_arrival_pop(struct mh_control *c);

/** Takes the oldest page fault, if there is one. */
void mh_control_page_fault_pop(struct mh_control *c);

/** Timer 0 expired at `cycle`: asks for a decision; one that is still open is missed. */
void mh_control_epoch_open(struct mh_control *c, uint64_t cycle);

/**
 * A COMMIT, applied or rejected, at `now`. It answers timer 0's open decision if there was a SNAPSHOT 1 since its
 * expiry, the open walk epoch if WALK_ENQ was read since its end, the open expiry of another timer if its TIMER_CTRL
 * was read or written since, and every event of a tenant and page fault that has been taken.
 */
void mh_control_answer(struct mh_control *c, uint64_t now);

/** Counts every open or taken question as missed: firmware is gone. */
void mh_control_drop(struct mh_control *c);

/* Sources (sources.c). Each thing raised is answered or missed once, or still open. */
void mh_source_raised(struct mh_control *c, enum mh_source source);
void mh_source_missed(struct mh_control *c, enum mh_source source);
void mh_source_answered(struct mh_control *c, enum mh_source source, uint64_t latency);

/** Raises, and waits for the answer. The caller has dropped the question before. */
void mh_question_ask(struct mh_control *c, enum mh_source source, uint64_t cycle);
/** True: one was open; it is missed now. */
bool mh_question_drop(struct mh_control *c, enum mh_source source);
/** A COMMIT. True: it answers the question. */
bool mh_question_answer(struct mh_control *c, enum mh_source source, uint64_t now);

/** An event is queued, or lost; is taken from the FIFO, into which it came at cycle `raised`. Counts tenants that come
 * or go. */
void mh_tenant_event_raised(struct mh_control *c, uint32_t kind, bool lost);
void mh_tenant_event_taken(struct mh_control *c, uint32_t kind, uint64_t raised);
/** A COMMIT. What was raised more than CAP_EPOCH cycles ago is missed. */
void mh_tenant_events_answer(struct mh_control *c, uint64_t now);
void mh_tenant_events_drop(struct mh_control *c);

/** A page fault is taken, which was queued at cycle `raised` (low word). */
void mh_page_fault_taken(struct mh_control *c, uint32_t raised);
/** A COMMIT. What was queued more than the latency of a fault ago is missed. */
void mh_page_faults_answer(struct mh_control *c, uint64_t now);
void mh_page_faults_drop(struct mh_control *c);

/** A walk arrival is taken, which came at cycle `raised` (low word). Its answer is its score before the next is taken.
 */
void mh_arrival_taken(struct mh_control *c, uint32_t instruction, uint32_t raised);
/** `in_time`: a walk of the instruction was still waiting. */
void mh_arrival_scored(struct mh_control *c, uint64_t now, uint32_t instruction, bool in_time);

#endif
