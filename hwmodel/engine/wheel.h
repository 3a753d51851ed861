/*
 * The event wheel: everything that happens in the model happens in an event of it.
 *
 * An event is a 32-bit word: kind in the top 5 bits, payload below. Events of one cycle run in the order in which they
 * were scheduled, whatever the length of the wheel: those beyond its horizon wait in a heap ordered by (cycle, age)
 * and enter their bucket before anything else can. Idle cycles cost nothing: a bitmap finds the next busy one.
 */
#ifndef MEMHELM_ENGINE_WHEEL_H
#define MEMHELM_ENGINE_WHEEL_H

#include <stdbool.h>
#include <stdint.h>

enum {
    MH_WHEEL_SLOTS = 512,  /**< power of two, at most 4096; longer than any common delay */
    MH_BUCKET_EVENTS = 63, /**< events a bucket holds before it spills */
    MH_EVENT_KIND_SHIFT = 27,
};

#define MH_EVENT(kind, payload) ((uint32_t)(kind) << MH_EVENT_KIND_SHIFT | (uint32_t)(payload))
#define MH_EVENT_KIND(event)    ((event) >> MH_EVENT_KIND_SHIFT)
#define MH_EVENT_PAYLOAD(event) ((event) & ((1u << MH_EVENT_KIND_SHIFT) - 1))

struct mh_bucket {
    uint32_t count; /**< events in this bucket, its spill included; beside the first ones, for the caches' sake */
    uint32_t event[MH_BUCKET_EVENTS];
};

struct mh_spill {
    uint32_t *event;
    uint32_t capacity;
};

struct mh_far {
    uint64_t cycle, age;
    uint32_t event;
};

struct mh_wheel {
    uint64_t now;
    struct mh_bucket *bucket; /**< MH_WHEEL_SLOTS */
    struct mh_spill *spill;   /**< MH_WHEEL_SLOTS; grows to the run's largest bucket, then stays */
    uint64_t busy[MH_WHEEL_SLOTS / 64];
    uint64_t busy_words; /**< bit w: busy[w] != 0 */
    struct mh_far *far;  /**< binary min-heap */
    uint32_t far_count, far_capacity;
    uint64_t far_age;
    uint64_t executed; /**< events handed out since the start */
};

/** 0, or -1 when memory ran out. */
int mh_wheel_init(struct mh_wheel *w);
void mh_wheel_free(struct mh_wheel *w);

/** For events that do not fit their bucket or lie beyond the horizon. */
void mh_wheel_add_slow(struct mh_wheel *w, uint64_t cycle, uint32_t event);

/** Schedules an event at `cycle` >= now. */
static inline void mh_wheel_add(struct mh_wheel *w, uint64_t cycle, uint32_t event)
{
    uint32_t slot = (uint32_t)cycle & (MH_WHEEL_SLOTS - 1);
    struct mh_bucket *b = &w->bucket[slot];

    if (__builtin_expect(cycle - w->now >= MH_WHEEL_SLOTS || b->count >= MH_BUCKET_EVENTS, 0)) {
        mh_wheel_add_slow(w, cycle, event);
        return;
    }
    if (!b->count) {
        w->busy[slot / 64] |= 1ull << (slot % 64);
        w->busy_words |= 1ull << (slot / 64);
    }
    b->event[b->count++] = event;
}

/**
 * Moves to the next cycle <= limit that has events and returns true; false: there is none, and now = limit.
 * After true the caller runs the events of mh_wheel_bucket() and then calls mh_wheel_done().
 */
bool mh_wheel_next(struct mh_wheel *w, uint64_t limit);

/** The events of the current cycle. More may come while they run: read `count` anew. */
static inline const struct mh_bucket *mh_wheel_bucket(const struct mh_wheel *w)
{
    return &w->bucket[(uint32_t)w->now & (MH_WHEEL_SLOTS - 1)];
}

/** The i-th event of the bucket. */
static inline uint32_t mh_wheel_event(const struct mh_wheel *w, const struct mh_bucket *b, uint32_t i)
{
    return __builtin_expect(i < MH_BUCKET_EVENTS, 1) ? b->event[i]
                                                     : w->spill[b - w->bucket].event[i - MH_BUCKET_EVENTS];
}

/** True when nothing is scheduled any more. */
static inline bool mh_wheel_empty(const struct mh_wheel *w)
{
    return !w->busy_words && !w->far_count;
}

/** Empties the bucket of the current cycle. */
static inline void mh_wheel_done(struct mh_wheel *w)
{
    uint32_t slot = (uint32_t)w->now & (MH_WHEEL_SLOTS - 1);

    w->executed += w->bucket[slot].count;
    w->bucket[slot].count = 0;
    w->busy[slot / 64] &= ~(1ull << (slot % 64));
    if (!w->busy[slot / 64])
        w->busy_words &= ~(1ull << (slot / 64));
}

#endif
