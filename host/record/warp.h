/*
 * A warp from its work items: they issue together what they do at the same place of the program (access.h). A warp
 * issues the smallest key of those that its lanes have next, for all lanes that have it. So paths of a branch follow
 * each other, and lanes meet again at the end of each if and of each iteration of a loop.
 */
#ifndef HOST_RECORD_WARP_H
#define HOST_RECORD_WARP_H

#include "access.h"

enum { RECORD_LANES = 64 };

struct record_op {
    uint8_t kind; /**< enum record_kind */
    uint32_t pc, bytes;
    uint64_t gap;  /**< the least of its lanes: what the warp needs at least */
    uint64_t mask; /**< active lanes */
    uint64_t address[RECORD_LANES];
};

struct record_warp {
    struct bytes_in lane[RECORD_LANES];
    struct record_access next[RECORD_LANES];
    uint64_t more; /**< lanes that have a next access */
    bool bad;      /**< a lane's bytes are not what record_access_put() wrote */
};

/** `lane[0 .. lanes - 1]` have the accesses of a work item each; they are read while the warp is. */
void record_warp_start(struct record_warp *w, const struct bytes *lane, unsigned lanes);

/** The next instruction of the warp; false when there is none, or `bad`. */
bool record_warp_next(struct record_warp *w, struct record_op *op);

#endif
