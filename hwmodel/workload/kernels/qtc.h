/* The points of QTC, their neighbours, and how clusters grow. */
#ifndef MEMHELM_WORKLOAD_QTC_H
#define MEMHELM_WORKLOAD_QTC_H

#include <stdint.h>

#include "workload/gen.h"

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

/* What QTC's launches share: buffers, gaps, and the body of those that grow clusters. Private to qtc.c, qtc_grow.c. */
enum { BLOCK = 64 /* threads */, WORD = 4 /* bytes */ };
enum { TRIM = 3 }; /* launch */

/** Buffers, in order; of words, but for the two masks. */
enum {
    DISTANCES,  /**< [points][points] */
    ROWS,       /**< [points][width] neighbours */
    DEGREES,    /**< [points] how many they are */
    UNGROUPED,  /**< [points] those in no cluster, in order */
    IN_CLUSTER, /**< [MH_QTC_BLOCKS][points] bytes: membership in the block's candidate */
    CACHE,      /**< [MH_QTC_BLOCKS][width] diameter of the candidate with that neighbour */
    CLUSTERED,  /**< [points] bytes: membership in a cluster */
    CARDINALS,  /**< [MH_QTC_BLOCKS][2] members and first point of the block's largest candidate */
    RESULT,     /**< [points] members of the winner */
};

/** Gaps of several launches; the others are with their bodies. */
enum {
    GAP_START = 12, /**< ids, block's parts of the arrays, loop test */
    GAP_LOOP = 4,   /**< add, compare, branch, address */
    GAP_CHECK = 4,  /**< compare, branch, extension, address */
};

static inline const struct mh_qtc *data_of(const struct mh_gen *g)
{
    return g->data;
}

/** Body of QTC_device and of the trim, by the cursor's launch. */
void mh_qtc_grow(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr);

#endif
