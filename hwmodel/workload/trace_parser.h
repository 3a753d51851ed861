/* The trace reader's state and primitives, shared by its parts: trace.c (file, launches, CTAs, warps), trace_record.c.
 */
#ifndef MEMHELM_WORKLOAD_TRACE_PARSER_H
#define MEMHELM_WORKLOAD_TRACE_PARSER_H

#include "workload/trace_store.h"
#include "workload/trace_stream.h"

enum { MH_TRACE_MAX_BUFFERS = 1024 };

/** Last address of a static instruction in the current warp. */
struct mh_trace_last {
    uint32_t pc; /**< 0 = free */
    uint64_t warp, address;
};

struct mh_trace_parser {
    struct mh_stream in;
    struct mh_trace *t;
    const char *name; /**< for messages */
    struct mh_error *err;
    uint32_t lanes;
    uint64_t item; /**< offset of the item being read */
    /* of the current launch */
    struct mh_buffer buffers[MH_TRACE_MAX_BUFFERS];
    uint32_t buffer_count;
    uint32_t last_buffer; /**< where the last address was found */
    uint32_t cta_warps, threads;
    uint64_t grid;    /**< CTAs launched */
    uint64_t planned; /**< CTAs announced as recorded */
    /* of the current CTA */
    uint32_t warp;                     /**< next one; cta_warps = none is open */
    uint32_t barriers, first_barriers; /**< of this warp, of the CTA's first */
    /* open addressing by pc */
    struct mh_trace_last *last;
    uint32_t last_size, last_count;
};

/* All return false on failure, with the message written. `expected` names what should have been there. */

bool __attribute__((format(printf, 3, 4)))
mh_tp_fail(struct mh_trace_parser *p, uint64_t offset, const char *format, ...);
bool mh_tp_byte(struct mh_trace_parser *p, unsigned *byte, const char *expected);
/** A varint in min..max. */
bool mh_tp_number(struct mh_trace_parser *p, uint64_t *value, uint64_t min, uint64_t max, const char *expected);
/** A zigzag varint, as its two's complement. */
bool mh_tp_signed(struct mh_trace_parser *p, uint64_t *value, const char *expected);
/** One record of a warp whose existing lanes are `all`; stores it. */
bool mh_tp_record(struct mh_trace_parser *p, uint64_t all);

#endif
