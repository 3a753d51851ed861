/* State of the register window, shared by the files of control/. */
#ifndef MEMHELM_CONTROL_INTERNAL_H
#define MEMHELM_CONTROL_INTERNAL_H

#include "control/regs.h"
#include "engine/ring.h"

#define MH_NO_CYCLE UINT64_MAX

struct mh_timer {
    uint64_t expiry; /**< MH_NO_CYCLE: not running */
    uint32_t period; /**< 0: one-shot */
};

/* One entry more than the FIFO has, kept for HOST_STOP: a run must be able to end after an overflow. */
#define MH_FIFO_SLOTS (MH_EVENT_FIFO + 1)

struct mh_fifo {
    uint32_t entry[MH_FIFO_SLOTS];
    uint32_t head, count;
};

/** The decision that timer 0 asked for last. */
struct mh_epoch {
    bool open;                               /**< no COMMIT since the expiry */
    bool snapped;                            /**< a SNAPSHOT since the expiry */
    uint64_t number;                         /**< of the expiry, from 0 */
    uint64_t cycle;                          /**< of the expiry */
    struct mh_counters base[MH_MAX_TENANTS]; /**< what the next row's delta is taken from */
};

/** The walk epoch that ended last. */
struct mh_walk_epoch {
    bool open;      /**< nobody has answered */
    bool read;      /**< WALK_ENQ has been read */
    uint64_t cycle; /**< of its end */
    uint32_t enq[MH_MAX_TENANTS];
};

struct mh_control {
    struct mh_control_ops ops;
    struct mh_observer obs;
    uint32_t tenants;
    uint32_t pending;       /**< IRQ_PENDING */
    uint32_t commit_status; /**< COMMIT_STATUS */
    uint64_t next;          /**< earliest expiry of a timer */
    uint64_t snap_cycle;
    struct mh_timer timer[MH_TIMERS];
    struct mh_fifo fifo;
    struct mh_ring arrivals;
    struct mh_knobs knobs; /**< in force */
    struct mh_control_stats stats;
    struct mh_counters snap[MH_MAX_TENANTS];
    struct mh_epoch epoch;
    struct mh_walk_epoch walk;
    uint32_t value[MH_REG_COPIES + 1]; /**< of desc[i]: constants, RW registers, shadows of knobs */
    struct mh_regmap map;
};

/** The stored value of the register at an offset that exists. */
static inline uint32_t *mh_control_value(struct mh_control *c, uint32_t offset)
{
    return &c->value[c->map.index[offset / 4]];
}

/** A write to TIMER_CTRL: 0 off, 1 one-shot, 2 periodic, with the interval of TIMER_INTERVAL from `now`. */
void mh_control_timer_set(struct mh_control *c, uint64_t now, uint32_t timer, uint32_t mode);

/** The oldest event, 0 when there is none. */
uint32_t mh_control_fifo_head(const struct mh_control *c);
void mh_control_fifo_pop(struct mh_control *c);

/** Timer 0 expired at `cycle`: asks for a decision; one that is still open is missed. */
void mh_control_epoch_open(struct mh_control *c, uint64_t cycle);

/**
 * A COMMIT, applied or rejected, at `now`. It answers the timer's open decision if there was a SNAPSHOT since its
 * expiry, and the open walk epoch if WALK_ENQ was read since its end.
 */
void mh_control_answer(struct mh_control *c, uint64_t now);

#endif
