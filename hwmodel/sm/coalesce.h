/*
 * Coalescer: the lanes of one warp instruction become the distinct lines they touch, and the 32-byte sectors of each,
 * grouped by page, in the order of the first lane that touches each line.
 */
#ifndef MEMHELM_SM_COALESCE_H
#define MEMHELM_SM_COALESCE_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/bytes.h"
#include "workload/workload.h"

enum {
    MH_MAX_LINES = 2 * MH_MAX_LANES, /**< every lane may straddle two lines */
};

struct mh_line {
    uint32_t line;   /**< virtual address / line size */
    uint8_t sectors; /**< bit s: sector s is touched; never 0 */
    bool full;       /**< every byte is accessed: by neighbouring lanes at unit stride, or by a list or tile in whole
                          words; other shapes count as partial (ours) */
};

struct mh_lines {
    uint32_t count;
    struct mh_line at[MH_MAX_LINES + 1]; /**< one more: the coalescer writes beyond the last */
};

/**
 * `addr` holds the active lanes' addresses when op->list is set. `line_shift` = log2(line size), 6 or 7; `page_shift` =
 * log2(lines per page).
 */
void mh_coalesce(const struct mh_op *op, const uint64_t *addr, uint32_t line_shift, uint32_t page_shift,
                 struct mh_lines *out);

/*
 * Which bytes of its lines a store writes, on its way from the coalescer to the request: for an L2 with sectors
 * (l2.sector_bytes), which need not read what is overwritten. Without it there is none of this.
 */
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
