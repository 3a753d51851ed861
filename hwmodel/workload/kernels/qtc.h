/* The points of QTC, who is near whom, and how their clusters grow. */
#ifndef MEMHELM_WORKLOAD_QTC_H
#define MEMHELM_WORKLOAD_QTC_H

#include <stdint.h>

enum {
    MH_QTC_BLOCKS = 256,
    MH_QTC_NEVER = UINT16_MAX,
};

/**
 * One block of memory: free() the struct. Entries row[p] .. row[p + 1] - 1 are the neighbours of point p, ascending; a
 * cluster grows from p by one of them in each step, while one stays within the threshold of all its members.
 */
struct mh_qtc {
    uint32_t width;     /**< largest number of neighbours: the rows' pitch */
    uint32_t winner;    /**< first point of the largest cluster */
    uint32_t *row;      /**< [points + 1] */
    uint32_t *near;     /**< [entries] the neighbour */
    uint16_t *joins;    /**< [entries] step of p's cluster at whose end the neighbour joins, or MH_QTC_NEVER */
    uint32_t *latest;   /**< [entries] the point that joined at the end of step 0, 1, .. of p's cluster */
    uint16_t *steps;    /**< [points] steps, one more than joined: members; 0: it cannot win and is left out */
    uint8_t *grown;     /**< [steps][neighbours] of the winner: farther from the latest member than from all before */
    uint32_t *cardinal; /**< [MH_QTC_BLOCKS] members of the largest cluster of each block */
};

/** `points` of them, at least MH_QTC_BLOCKS; NULL when memory is short. */
struct mh_qtc *mh_qtc_make(uint64_t points, uint64_t seed);

#endif
