/*
 * TLB whose entries cover several aligned pages, 1 to 16 (`covers`): a tag for all of them, and a frame for each that
 * is valid by itself. Pages need not lie together in physical memory. So are the second and third level of NVIDIA's
 * TLBs, as STAR (Li et al., MICRO 2024) reads them: 16 sub-entries. An entry that makes room loses all its pages.
 */
#ifndef MEMHELM_TRANSLATE_WIDE_H
#define MEMHELM_TRANSLATE_WIDE_H

#include <stdbool.h>
#include <stdint.h>

#include "translate/tlb.h"

struct mh_wide {
    struct mh_tlb tag; /**< key of a group of pages -> its row of frames; a row without a group is an empty way's */
    uint32_t *frame;   /**< [row << shift | page of the group]; MH_TLB_EMPTY: not valid */
    uint32_t shift;    /**< log2 of `covers` */
};

/** `entries` in a power of two of sets of `ways`, 64 at most; `covers` is a power of two. 0, or -1: out of memory. */
int mh_wide_init(struct mh_wide *w, uint32_t entries, uint32_t ways, enum mh_set_rule rule, uint32_t covers);
void mh_wide_free(struct mh_wide *w);

/** Physical page of `key` (mh_page_key()), its entry made the most recently used of its set; or -1, and nothing has
 * changed. */
int64_t mh_wide_lookup(struct mh_wide *w, uint32_t key);

/** Whether the page is there; nothing has changed. */
bool mh_wide_has(const struct mh_wide *w, uint32_t key);

/** Adds the page to the entry of its group, or to a new one: the most recently used of its set. */
void mh_wide_fill(struct mh_wide *w, uint32_t key, uint32_t ppn);

/** Removes the page, if it is there; its entry stays in use while it has others. */
void mh_wide_drop(struct mh_wide *w, uint32_t key);

/** Removes all entries of the tenant; those of others keep their order. */
void mh_wide_flush(struct mh_wide *w, uint32_t tenant);

#endif
