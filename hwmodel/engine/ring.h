/*
 * The queues of the model: a bounded FIFO of 32-bit handles, or ports of which nothing is known but when each is free.
 */
#ifndef MEMHELM_ENGINE_RING_H
#define MEMHELM_ENGINE_RING_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "engine/check.h"

struct mh_ring {
    uint32_t *item;
    uint32_t head, count, capacity, mask;
};

/** 0, or -1 when memory ran out. */
static inline int mh_ring_init(struct mh_ring *r, uint32_t capacity)
{
    uint32_t size = 1;

    while (size < capacity)
        size *= 2;
    r->item = malloc(size * sizeof *r->item);
    r->head = r->count = 0;
    r->capacity = capacity;
    r->mask = size - 1;
    return r->item ? 0 : -1;
}

static inline void mh_ring_free(struct mh_ring *r)
{
    free(r->item);
}

static inline bool mh_ring_full(const struct mh_ring *r)
{
    return r->count >= r->capacity;
}

/** For reports: looks at every item. */
static inline bool mh_ring_has(const struct mh_ring *r, uint32_t item)
{
    for (uint32_t i = 0; i < r->count; i++)
        if (r->item[(r->head + i) & r->mask] == item)
            return true;
    return false;
}

/** The caller has checked that it is not full. */
static inline void mh_ring_push(struct mh_ring *r, uint32_t item)
{
    MH_CHECK(r->count <= r->mask);
    r->item[(r->head + r->count++) & r->mask] = item;
}

/** The caller has checked that it is not empty. */
static inline uint32_t mh_ring_peek(const struct mh_ring *r)
{
    return r->item[r->head];
}

static inline uint32_t mh_ring_pop(struct mh_ring *r)
{
    uint32_t item = r->item[r->head];

    r->head = (r->head + 1) & r->mask;
    r->count--;
    return item;
}

/**
 * Ports that are alike, each taken up to some cycle, stand in the order in which they are free, the earliest first:
 * which of them is which does not matter. The first of `ports` is free at free[0], the next at free[stride] ..: takes
 * the first until `end`.
 */
static inline void mh_ports_take(uint64_t *free, uint32_t ports, uint32_t stride, uint64_t end)
{
    for (; --ports; free += stride) {
        uint64_t other = free[stride];

        free[0] = other < end ? other : end;
        end = other < end ? end : other;
    }
    *free = end;
}

#endif
