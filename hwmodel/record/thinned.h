/*
 * A list with room for so many items that keeps a part of all, spread over the run: when it is full every second one
 * goes, and from then on one of twice as many is kept. Items of a group stay or go together. A function of the items
 * alone, so the same in every run.
 */
#ifndef MEMHELM_RECORD_THINNED_H
#define MEMHELM_RECORD_THINNED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mh_thinned {
    unsigned char *item;
    uint64_t *group; /**< [room] */
    size_t bytes;    /**< of an item */
    uint32_t room, count;
    uint64_t every; /**< one group of so many is kept */
    uint64_t all;   /**< items so far */
};

/** 0, or -1: out of memory. All is freed by mh_thinned_free(), also after -1. */
int mh_thinned_init(struct mh_thinned *t, size_t bytes, uint32_t room);
void mh_thinned_free(struct mh_thinned *t);

/** Adds a copy; `group` never falls. */
void mh_thinned_add(struct mh_thinned *t, uint64_t group, const void *item);

static inline const void *mh_thinned_at(const struct mh_thinned *t, uint32_t i)
{
    return t->item + i * t->bytes;
}

#endif
