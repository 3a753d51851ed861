/*
 * Page walk cache (PWC): entries of the upper levels of the page tables, never leaves. One look-up asks for all levels
 * at once, and the walk goes on below the deepest entry found, whether or not those above it are there ("longest prefix
 * match": walk stealing paper, sec. II; 1 to 3 reads after a hit: SIMT paper, sec. II). Every entry read fills it.
 *
 * Each entry has a 2-bit counter of waiting walks that have found it (Shin et al., ISCA 2018, sec. IV): as long as it
 * is above 0 the entry is replaced only if all of its set are. Of those that may be replaced the least recently used
 * goes (ours: the paper has pseudo-LRU, "as usual", where all of a set are above 0).
 */
#ifndef MEMHELM_TRANSLATE_PWC_H
#define MEMHELM_TRANSLATE_PWC_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/tags.h"
#include "memhelm/config.h"

struct mh_gpu;
struct mh_walkers;

/** What a look-up changes in the counters of the entries that it finds. */
enum mh_pwc_count {
    MH_PWC_LEAVE = 0,
    MH_PWC_UP = 1,    /**< saturates at MH_PWC_COUNT_MAX */
    MH_PWC_DOWN = -1, /**< not below 0 */
};

enum {
    MH_PWC_COUNT_MAX = 3,
    MH_PWC_ALL = 0xff, /**< levels: all of them */
};

/** Where a walk goes on. */
struct mh_pwc_found {
    uint32_t node;  /**< page table node of the next read */
    uint8_t depth;  /**< of that read, 1 = root */
    uint8_t levels; /**< bit d - 1: the entry of depth d was found */
};

/** 0, or -1 when memory ran out. */
int mh_pwc_init(struct mh_walkers *w, const struct mh_config *cfg);

/**
 * Looks up a page of the page table with this root in the page walk cache that the tenant uses; what is found becomes
 * most recently used, and in the levels of `counted` (bit d - 1: depth d) has its counter changed. Without a page walk
 * cache nothing is found.
 */
struct mh_pwc_found mh_pwc_look_up(struct mh_gpu *g, uint32_t tenant, uint32_t root, uint32_t vpn,
                                   enum mh_pwc_count change, uint32_t counted);

/** The entry of `vpn` in `node`, at depth `depth`, has been read. */
void mh_pwc_fill(struct mh_gpu *g, uint32_t tenant, uint32_t node, uint32_t vpn, uint32_t depth);

/** Sum of all counters. */
uint32_t mh_pwc_pins(const struct mh_tags *pwc);

#endif
