/* What QTC's launches share: buffers, gaps, and the body of those that grow clusters. Private to qtc.c, qtc_grow.c. */
#ifndef MEMHELM_WORKLOAD_KERNELS_QTC_LAUNCHES_H
#define MEMHELM_WORKLOAD_KERNELS_QTC_LAUNCHES_H

#include "workload/gen.h"
#include "workload/kernels/qtc.h"

enum { BLOCK = 64 /* threads */, WORD = 4 /* bytes */ };
enum { TRIM = 3 }; /* launch */

/** Buffers, in order; of words, but for the two masks. */
enum {
    DISTANCES,  /**< [points][points] */
    ROWS,       /**< [points][width] neighbours */
    DEGREES,    /**< [points] how many they are */
    UNGROUPED,  /**< [points] those in no cluster, in order */
    IN_CLUSTER, /**< [MH_QTC_BLOCKS][points] bytes: who is in the block's candidate */
    CACHE,      /**< [MH_QTC_BLOCKS][width] diameter of the candidate with that neighbour */
    CLUSTERED,  /**< [points] bytes: who is in a cluster */
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
