/*
 * Which bytes of its lines a store writes, on its way from the coalescer to the request: for an L2 with sectors
 * (l2.sector_bytes), which need not read what is overwritten. Without it there is none of this.
 */
#ifndef MEMHELM_SM_WRITTEN_H
#define MEMHELM_SM_WRITTEN_H

#include "engine/bytes.h"
#include "sm/coalesce.h"
#include "workload/workload.h"

/** Of one SM. */
struct mh_written {
    struct mh_bytes *op;      /**< [sm.lsu_queue][MH_MAX_LINES]: of each line of an instruction in the LSU */
    struct mh_bytes *pending; /**< [sm.pending]: of a line that waits for its translation */
    struct mh_bytes now;      /**< of the line that is being looked up */
};

/** NULL when memory ran out. */
struct mh_written *mh_written_create(const struct mh_config *cfg);
void mh_written_destroy(struct mh_written *w);

/** What the store `op` writes of each of the lines that the coalescer has made of it. `addr` as for mh_coalesce(). */
void mh_written_lines(const struct mh_op *op, const uint64_t *addr, uint32_t line_shift, const struct mh_lines *lines,
                      struct mh_bytes *of);

#endif
