/* The GMT reader's state and primitives, shared by its parts: gmt_header.c, gmt.c (launches, CTAs, warps),
 * gmt_record.c. */
#ifndef MEMHELM_WORKLOAD_GMT_H
#define MEMHELM_WORKLOAD_GMT_H

#include "workload/trace/gmt_table.h"
#include "workload/trace/gmt_uses.h"
#include "workload/trace/trace_reader.h"

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
