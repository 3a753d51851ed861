#include "engine/wheel.h"

#include <stdlib.h>
#include <string.h>

_Static_assert(MH_WHEEL_SLOTS % 8 == 0, "eight counts are looked at together");
_Static_assert(MH_BUCKET_EVENTS <= UINT8_MAX, "a bucket's count is a byte");

int mh_wheel_init(struct mh_wheel *w)
{
    memset(w, 0, sizeof *w);
    w->most = UINT32_MAX;
    w->far_capacity = 64;
    w->bucket = mh_aligned_zeros(MH_WHEEL_SLOTS * sizeof *w->bucket);
    w->spill = calloc(MH_WHEEL_SLOTS, sizeof *w->spill);
    w->far = calloc(w->far_capacity, sizeof *w->far);
    return w->bucket && w->spill && w->far ? 0 : -1;
}

void mh_wheel_free(struct mh_wheel *w)
{
    for (uint32_t i = 0; w->spill && i < MH_WHEEL_SLOTS; i++)
        free(w->spill[i].event);
    free(w->spill);
    free(w->bucket);
    free(w->far);
}

/* The wheel only ever grows to what one run needs; without memory the model cannot go on in any useful way. */
static void *grow(void *old, size_t bytes)
{
    void *p = realloc(old, bytes);

    if (!p)
        abort();
    return p;
}

/* A cycle with more events than a GPU can have does not end: they are dropped, and gpu/blocks.c reports it. */
static void spill_add(struct mh_wheel *w, struct mh_spill *s, uint32_t event)
{
    if (s->count == s->capacity) {
        if (s->capacity >= w->most) {
            w->overrun = true;
            w->dropped = event;
            return;
        }
        s->capacity = s->capacity ? 2 * s->capacity : 32;
        s->event = grow(s->event, s->capacity * sizeof *s->event);
    }
    s->event[s->count++] = event;
}

static void bucket_add(struct mh_wheel *w, uint64_t cycle, uint32_t event)
{
    uint32_t slot = (uint32_t)cycle & (MH_WHEEL_SLOTS - 1);

    if (w->count[slot] < MH_BUCKET_EVENTS)
        w->bucket[slot][w->count[slot]++] = event;
    else
        spill_add(w, &w->spill[slot], event);
}

/* Events of one cycle run in the order in which they were scheduled: `age` keeps that order in the heap. */
static bool earlier(const struct mh_far *a, const struct mh_far *b)
{
    return a->cycle != b->cycle ? a->cycle < b->cycle : a->age < b->age;
}

/* A binary heap in an array: the children of i are 2 i + 1 and 2 i + 2, none of them earlier. */
static void far_push(struct mh_wheel *w, uint64_t cycle, uint32_t event)
{
    struct mh_far f = {cycle, w->far_age++, event};
    uint32_t i;

    if (w->far_count == w->far_capacity) {
        w->far_capacity *= 2;
        w->far = grow(w->far, w->far_capacity * sizeof *w->far);
    }
    for (i = w->far_count++; i && earlier(&f, &w->far[(i - 1) / 2]); i = (i - 1) / 2)
        w->far[i] = w->far[(i - 1) / 2];
    w->far[i] = f;
}

static struct mh_far far_pop(struct mh_wheel *w)
{
    struct mh_far top = w->far[0], last = w->far[--w->far_count];
    uint32_t i = 0;

    for (;;) {
        uint32_t child = 2 * i + 1;

        if (child >= w->far_count)
            break;
        if (child + 1 < w->far_count && earlier(&w->far[child + 1], &w->far[child]))
            child++;
        if (!earlier(&w->far[child], &last))
            break;
        w->far[i] = w->far[child];
        i = child;
    }
    w->far[i] = last;
    return top;
}

void mh_wheel_add_slow(struct mh_wheel *w, uint64_t cycle, uint32_t event)
{
    if (cycle - w->now >= MH_WHEEL_HORIZON)
        far_push(w, cycle, event);
    else
        bucket_add(w, cycle, event);
}

/* None of the eight slots from `slot` on, a multiple of eight, has events: their counts are read as one word. */
static bool idle(const struct mh_wheel *w, uint32_t slot)
{
    uint64_t counts;

    memcpy(&counts, w->count + slot, sizeof counts);
    return !counts;
}

/* Next busy slot at or after `from` in wheel order, as a distance from it; MH_WHEEL_SLOTS if the wheel is empty. */
static uint32_t distance(const struct mh_wheel *w, uint32_t from)
{
    for (uint32_t d = 0; d < MH_WHEEL_SLOTS;) {
        uint32_t slot = (from + d) & (MH_WHEEL_SLOTS - 1);

        if (w->count[slot])
            return d;
        d += slot % 8 == 0 && idle(w, slot) ? 8 : 1;
    }
    return MH_WHEEL_SLOTS;
}

/*
 * Whenever time moves, before any event runs or is added: what was far is older than what comes, and has to be first in
 * its bucket.
 */
static void enter_horizon(struct mh_wheel *w, uint64_t now)
{
    w->now = now;
    while (w->far_count && w->far[0].cycle - now < MH_WHEEL_HORIZON) {
        struct mh_far f = far_pop(w);

        bucket_add(w, f.cycle, f.event);
    }
}

bool mh_wheel_next(struct mh_wheel *w, uint64_t limit)
{
    uint32_t d = distance(w, mh_wheel_slot(w));
    uint64_t next = d < MH_WHEEL_SLOTS ? w->now + d : UINT64_MAX;

    if (w->far_count && w->far[0].cycle < next)
        next = w->far[0].cycle;
    if (next > limit) {
        /* Also without an event: the caller may add some at `limit`. */
        enter_horizon(w, limit);
        return false;
    }
    /* While it is the same cycle the horizon stands still. */
    if (next != w->now)
        enter_horizon(w, next);
    return true;
}

void mh_wheel_done(struct mh_wheel *w)
{
    uint32_t slot = mh_wheel_slot(w);

    w->executed += mh_wheel_count(w, slot);
    /* Only a full bucket has spilled: mostly the spill need not be touched. */
    if (w->count[slot] == MH_BUCKET_EVENTS)
        w->spill[slot].count = 0;
    w->count[slot] = 0;
}

bool mh_wheel_empty(const struct mh_wheel *w)
{
    return !w->far_count && distance(w, 0) == MH_WHEEL_SLOTS;
}

const char *mh_event_name(uint32_t kind)
{
    static const char *const names[] = {
#define MH_EVENT_ROW(name, handler, what) #name,
#include "engine/events.def"
    };

    return kind < MH_EVENT_KINDS ? names[kind] : NULL;
}
