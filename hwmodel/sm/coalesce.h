/*
 * Coalescer: the lanes of one warp instruction become the distinct lines they touch, and the 32-byte sectors of each,
 * grouped by page, in the order of the first lane that touches each line.
 */
#ifndef MEMHELM_SM_COALESCE_H
#define MEMHELM_SM_COALESCE_H

#include <stdbool.h>
#include <stdint.h>

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

#endif
