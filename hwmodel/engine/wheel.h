/*
 * The event wheel: everything that happens in the model happens in an event of it.
 *
 * An event is a 32-bit word: kind in the top 6 bits, payload below. Events of one cycle run in the order in which they
 * were scheduled, whatever the length of the wheel: those beyond its horizon wait in a heap ordered by (cycle, age)
 * and enter their bucket before anything else can. Idle cycles cost next to nothing: the counts of eight at a time say
 * whether there is a busy one.
 */
#ifndef MEMHELM_ENGINE_WHEEL_H
#define MEMHELM_ENGINE_WHEEL_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/align.h"

/*
 * Both sizes are speed alone (ours): 512 x 63 was 7 % faster than 1024 x 31 on 2DCONV+FDTD and MVT+GUPS and 2 % on
 * MM+LUD; 1024 x 63 and 512 x 127 are no faster. A GPU of 30 SMs that streams runs 40 events a cycle, one that waits
 * for walks 13.
 */
enum {
    MH_WHEEL_SLOTS = 512,     /**< power of two, at least 8; longer than any common delay */
    MH_BUCKET_EVENTS = 64,    /**< events a bucket holds before it spills; below 256 */
    MH_EVENT_KIND_SHIFT = 26, /**< bits of payload */
    MH_WHEEL_AHEAD = 8,       /**< an event may add others as if `now` were up to so many cycles later */
    MH_WHEEL_HORIZON = MH_WHEEL_SLOTS - MH_WHEEL_AHEAD, /**< from it on events wait in the heap */
};

/** A payload is below this. */
#define MH_EVENT_PAYLOADS       (1u << MH_EVENT_KIND_SHIFT)

#define MH_EVENT(kind, payload) ((uint32_t)(kind) << MH_EVENT_KIND_SHIFT | (uint32_t)(payload))
#define MH_EVENT_KIND(event)    ((event) >> MH_EVENT_KIND_SHIFT)
#define MH_EVENT_PAYLOAD(event) ((event) & (MH_EVENT_PAYLOADS - 1))

/** What a bucket does not hold. */
struct mh_spill {
    uint32_t *event;
    uint32_t count, capacity;
};

struct mh_far {
    uint64_t cycle, age;
    uint32_t event;
};

struct mh_wheel {
    uint64_t now;
    uint32_t (*bucket)[MH_BUCKET_EVENTS]; /**< [MH_WHEEL_SLOTS] */
    struct mh_spill *spill;               /**< [MH_WHEEL_SLOTS]; grows to the run's largest bucket, then stays */
    struct mh_far *far;                   /**< binary min-heap */
    uint32_t far_count, far_capacity;
    uint64_t far_age;
    uint64_t executed; /**< events handed out since the start */
    uint32_t most;     /**< more events than any cycle can have; UINT32_MAX from mh_wheel_init() on */
    bool overrun;      /**< a cycle had more: it would not end. Events are missing from then on */
    uint32_t dropped;  /**< one of them */
    /** Events of a bucket, without its spill. Apart from them: the counts of 64 cycles are one line of the host. */
    uint8_t count[MH_WHEEL_SLOTS];
};

/** 0, or -1 when memory ran out. */
int mh_wheel_init(struct mh_wheel *w);
void mh_wheel_free(struct mh_wheel *w);

/** For events that do not fit their bucket or lie beyond the horizon. */
void mh_wheel_add_slow(struct mh_wheel *w, uint64_t cycle, uint32_t event);

/** Schedules an event at `cycle` >= now. */
static inline void mh_wheel_add(struct mh_wheel *w, uint64_t cycle, uint32_t event)
{
    uint32_t slot = (uint32_t)cycle & (MH_WHEEL_SLOTS - 1), count = w->count[slot];

    if (__builtin_expect(cycle - w->now >= MH_WHEEL_HORIZON || count == MH_BUCKET_EVENTS, 0)) {
        mh_wheel_add_slow(w, cycle, event);
        return;
    }
    w->bucket[slot][count] = event;
    w->count[slot] = (uint8_t)(count + 1);
}

/**
 * Moves to the next cycle <= limit that has events and returns true; false: there is none, and now = limit.
 * After true the caller runs the events of mh_wheel_slot() and then calls mh_wheel_done().
 */
bool mh_wheel_next(struct mh_wheel *w, uint64_t limit);

/** The bucket of the current cycle. */
static inline uint32_t mh_wheel_slot(const struct mh_wheel *w)
{
    return (uint32_t)w->now & (MH_WHEEL_SLOTS - 1);
}

/** Its events. More may come while they run. */
static inline uint32_t mh_wheel_count(const struct mh_wheel *w, uint32_t slot)
{
    uint32_t count = w->count[slot];

    return __builtin_expect(count < MH_BUCKET_EVENTS, 1) ? count : count + w->spill[slot].count;
}

/** The i-th of them. */
static inline uint32_t mh_wheel_event(const struct mh_wheel *w, uint32_t slot, uint32_t i)
{
    return __builtin_expect(i < MH_BUCKET_EVENTS, 1) ? w->bucket[slot][i] : w->spill[slot].event[i - MH_BUCKET_EVENTS];
}

/** Empties the bucket of the current cycle. */
void mh_wheel_done(struct mh_wheel *w);

/** True when nothing is scheduled any more. */
bool mh_wheel_empty(const struct mh_wheel *w);

/* The kinds of event and their handlers. These are called by gpu/ alone, or by their own block. */

struct mh_gpu;

enum mh_event_kind_internal {
#define MH_EVENT_ROW(name, handler, what) name,
#include "engine/events.def"
    MH_EVENT_KINDS
};
_Static_assert(MH_EVENT_KINDS <= 1 << (32 - MH_EVENT_KIND_SHIFT), "kinds fit the top bits of an event");

#define MH_EVENT_ROW(name, handler, what) void handler(struct mh_gpu *g, uint32_t payload);
#include "engine/events.def"

/** EV_.. of a kind of event; NULL: there is none. */
const char *mh_event_name(uint32_t kind);

#endif
