/*
 * What the reader and the writer of GMT share: limits, the flags of a record, and the addresses that differences refer
 * to.
 *
 * GMT1 is described in tests/data/README.md. GMT2 also keeps dependences, resources and the end of each warp, so that a
 * converted trace runs as the original does. Its first line is `GMT2.V warp=W` with V = MH_GMT2_CONTENT (trace.h). It
 * adds these numbers, unsigned LEB128 each:
 *   launch, behind the block dimensions   registers per thread, bytes of shared memory
 *   record with MH_GMT_DEPENDS, behind pc 16 * ahead + wait of struct mh_op
 *   warp, behind its last record          instructions to its end; 16 * ahead + wait of these, 0: they need no load
 */
#ifndef MEMHELM_WORKLOAD_GMT_TABLE_H
#define MEMHELM_WORKLOAD_GMT_TABLE_H

#include <stdint.h>

enum {
    MH_GMT_MAX_BUFFERS = 1 << 20, /**< of a launch */
    MH_GMT_MAX_RECORDS = 1 << 25, /**< of a warp */
};

/* Flags of a record. DEPENDS is GMT2's: the op needs loads, and the number behind its pc says which. */
enum {
    MH_GMT_KIND = 3,
    MH_GMT_HAS_MASK = 4,
    MH_GMT_IS_LIST = 8,
    MH_GMT_SIZE_SHIFT = 4,
    MH_GMT_SIZE_FOLLOWS = 7,
    MH_GMT_DEPENDS = 0x80,
};

/** Last address of a static instruction in a warp. */
struct mh_gmt_last {
    uint32_t pc; /**< 0 = free */
    uint64_t warp, address;
};

/** By pc, open addressing. All zeroes is an empty one. */
struct mh_gmt_table {
    struct mh_gmt_last *last;
    uint32_t size, count;
};

/** The entry of `pc`, with address 0 at its first use in warp `warp`. NULL: too many instructions, or no memory. */
struct mh_gmt_last *mh_gmt_table_get(struct mh_gmt_table *t, uint32_t pc, uint64_t warp);

/** For a new numbering of warps. */
void mh_gmt_table_reset(struct mh_gmt_table *t);

void mh_gmt_table_free(struct mh_gmt_table *t);

#endif
