/* The points of QTC and how their clusters grow. */
#ifndef MEMHELM_WORKLOAD_QTC_H
#define MEMHELM_WORKLOAD_QTC_H

#include <stdint.h>

enum {
    MH_QTC_BLOCKS = 128,
    MH_QTC_WIDTH = 64, /**< neighbours of a point at most, itself among them */
};

/** One step of one cluster; a bit is a neighbour of its first point. */
struct mh_qtc_step {
    uint64_t looked; /**< whose distance to the cluster is read */
    uint64_t near;   /**< of these, within the threshold */
    uint64_t open;   /**< of these, not members yet */
    uint64_t grown;  /**< of these, farther from the latest member than from all before */
    uint32_t latest; /**< member that was added last */
};

/** One block of memory: free() the struct. */
struct mh_qtc {
    uint32_t width;                   /**< largest number of neighbours: the rows' pitch */
    uint32_t winner;                  /**< first point of the largest cluster */
    int32_t (*row)[MH_QTC_WIDTH];     /**< neighbours of each point, ascending, then -1 */
    uint32_t *first;                  /**< [points + 1] steps of each point's cluster; none if it cannot win */
    uint32_t cardinal[MH_QTC_BLOCKS]; /**< members of the largest cluster of each block */
    struct mh_qtc_step *steps;
    uint32_t room; /**< for steps, while they are found */
};

/** `points` of them, at least MH_QTC_BLOCKS; NULL when memory is short. */
struct mh_qtc *mh_qtc_make(uint64_t points, uint64_t seed);

#endif
