/* The GMT reader's state and primitives, shared by its parts: gmt_header.c, gmt.c (launches, CTAs, warps),
 * gmt_record.c. */
#ifndef MEMHELM_WORKLOAD_GMT_H
#define MEMHELM_WORKLOAD_GMT_H

#include <stdint.h>

#include "workload/trace/trace.h"

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

/*
 * When loads of a GMT1 trace are used: the column `use` of NAME.pcs.json, in the folder of NAME.w32.gmt.zst, and what
 * follows from it for each op of a warp. A load that is not in the file, or has no file, is used by the instruction
 * behind it. The file is a list of objects with `pc` and `use`; it is part of the trace's identity.
 *
 * `use` counts instructions between a load and its first use, accesses included; below -1 the first use is in another
 * block of the code, and the load counts as used at the end of its own, -2 - use instructions behind it: too early,
 * never too late. -1: it is never used. The columns addr_deps and val_deps name uses that come no earlier, and are not
 * read.
 */
#define MH_USE_NEVER UINT32_MAX

/** By static instruction; all zeroes is an empty one. */
struct mh_gmt_uses {
    struct mh_gmt_use {
        uint32_t pc, distance; /**< instructions between, or MH_USE_NEVER */
    } * use;                   /**< sorted by pc */
    size_t count;
};

/**
 * Reads the file that belongs to the trace at `path`; its name goes to *found, which the caller frees, NULL if there is
 * none. False and `err` when it is not what it should be.
 */
bool mh_gmt_uses_read(struct mh_gmt_uses *u, const char *path, char **found, struct mh_error *err);
void mh_gmt_uses_free(struct mh_gmt_uses *u);

enum { MH_GMT_PENDING = 32 /**< loads whose use is still to come; of more, the oldest counts as used */ };

/** Of one warp; all zeroes at its start. */
struct mh_gmt_warp {
    struct mh_trace_need need;
    uint64_t count; /**< instructions up to and including the last op */
    uint32_t pending;
    struct mh_gmt_pending {
        uint64_t load; /**< number */
        uint64_t use;  /**< instructions of the warp before its use */
    } load[MH_GMT_PENDING];
};

/** The next op, whose kind, pc and gap are known: sets its `wait` and `ahead`. */
void mh_gmt_uses_apply(const struct mh_gmt_uses *u, struct mh_gmt_warp *w, struct mh_op *op);

struct mh_gmt_buffers {
    struct mh_buffer *b;
    uint32_t count, capacity;
};

struct mh_gmt {
    struct mh_trace_reader r; /**< first */
    struct mh_stream in;
    const char *name; /**< for messages */
    struct mh_error *err;
    struct mh_trace_sink *sink;
    uint32_t lanes;
    bool second;  /**< GMT2 */
    bool checked; /**< the file was read once */
    bool lenient; /**< addresses outside the buffers move into them */
    bool summed;  /**< each block is followed by its checksum */
    bool any_cta;
    uint64_t item;             /**< offset of the item being read */
    uint64_t serial;           /**< of the warp, in this pass */
    struct mh_gmt_buffers all; /**< of every launch */
    /* of the current launch */
    struct mh_gmt_buffers buffers; /**< sorted, merged */
    uint32_t last_buffer;          /**< where the last address was found */
    uint32_t cta_warps;
    uint64_t planned;        /**< CTAs announced as recorded */
    uint64_t ctas;           /**< read so far */
    struct mh_gmt_uses uses; /**< GMT1 */
    char *uses_name;         /**< file that they come from, or NULL */
    /* of the current warp */
    struct mh_gmt_warp warp;   /**< GMT1 */
    struct mh_gmt_table table; /**< last address of each instruction in it */
};

/* All return false on failure, with the message written. `expected` names what should have been there. */

bool __attribute__((format(printf, 3, 4))) mh_gmt_fail(struct mh_gmt *p, uint64_t offset, const char *format, ...);
bool mh_gmt_byte(struct mh_gmt *p, unsigned *byte, const char *expected);
/** A varint in min..max. */
bool mh_gmt_number(struct mh_gmt *p, uint64_t *value, uint64_t min, uint64_t max, const char *expected);
/** A zigzag varint, as its two's complement. */
bool mh_gmt_signed(struct mh_gmt *p, uint64_t *value, const char *expected);
/** The first line, anew at each pass; a width other than `lanes` (0: any) is a failure. */
bool mh_gmt_header(struct mh_gmt *p, uint32_t lanes);
/** A number of instructions. */
bool mh_gmt_gap(struct mh_gmt *p, uint32_t *gap);
/** GMT2: which loads the op needs, as one number; 0, nothing, only where `optional`. */
bool mh_gmt_need(struct mh_gmt *p, struct mh_op *op, bool optional);
/** One record of a warp whose existing lanes are `all`, to the sink. */
bool mh_gmt_record(struct mh_gmt *p, uint64_t all);
/** The list of a launch's buffers, into p->buffers and p->all. */
bool mh_gmt_get_buffers(struct mh_gmt *p);
/** Sorts a list; where buffers overlap, the union counts. */
void mh_gmt_merge_buffers(struct mh_gmt_buffers *l);
/** `bytes` at the address lie in one of the launch's buffers. If not: lenient moves it to the nearest that do. */
bool mh_gmt_address(struct mh_gmt *p, uint64_t *address, uint32_t bytes);
/** `bytes` at `first` and at `last` lie in the same buffer, and so does what is between them. */
bool mh_gmt_in_one_buffer(struct mh_gmt *p, uint64_t first, uint64_t last, uint32_t bytes);
/** What was read since the last check is as it was written, if the file says so: 'K' and its CRC-32. */
bool mh_gmt_check(struct mh_gmt *p);
/** An op to the sink. */
bool mh_gmt_emit(struct mh_gmt *p, const struct mh_op *op, const uint64_t *addr);

#endif
