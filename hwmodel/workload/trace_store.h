/*
 * A recorded trace in memory, and its replay. What repeats is stored once: a record is an address and the number of a
 * shape (everything else about the instruction), a shape may refer to a list of lane offsets.
 */
#ifndef MEMHELM_WORKLOAD_TRACE_STORE_H
#define MEMHELM_WORKLOAD_TRACE_STORE_H

#include <stddef.h>

#include "workload/intern.h"
#include "workload/workload.h"

enum {
    MH_TRACE_MAX_RECORDS = 1 << 25, /**< 384 MiB of records */
    MH_TRACE_MAX_LIST_WORDS = 1 << 26,
    MH_TRACE_MAX_SHAPE_WORDS = 1 << 26,
    MH_TRACE_MAX_LAUNCHES = 4096,
    MH_TRACE_REGISTERS = 32, /**< per thread: not recorded, ours */
};

/** Everything about a record but its address; as 64-bit words in a pool, so without padding. */
struct mh_trace_shape {
    uint64_t mask;
    int64_t stride;
    uint32_t gap, pc;
    uint32_t list; /**< index of the first offset, for the active lanes in order */
    uint8_t kind, bytes, is_list, zero;
};

_Static_assert(sizeof(struct mh_trace_shape) == 32, "shapes are compared as four words");

struct mh_trace {
    struct mh_workload w; /**< first */
    struct mh_launch *launches;
    uint64_t *launch_warp; /**< per launch, index of its first warp */
    uint32_t *cta_warps;   /**< per launch, warps per CTA */
    struct mh_buffer *buffers;
    size_t buffer_capacity;
    uint64_t *base;  /**< per record: address of lane 0, or of the first active lane where there is a list */
    uint32_t *shape; /**< per record: index of the first word */
    size_t records, record_capacity;
    uint64_t *warp_record; /**< per warp, and one past the last: index of its first record */
    size_t warps, warp_capacity;
    struct mh_pool shapes, lists;
};

/** NULL when memory is short. Release with w.destroy(&t->w). */
struct mh_trace *mh_trace_new(void);

/* Each adds to the end; false when memory is short or a limit is reached. */
bool mh_trace_add_launch(struct mh_trace *t, const char *name, uint32_t threads, uint32_t lanes);
bool mh_trace_add_buffer(struct mh_trace *t, struct mh_buffer b);
void mh_trace_add_cta(struct mh_trace *t);
bool mh_trace_add_warp(struct mh_trace *t);
/** `offsets`: of the active lanes from the first one, NULL for base + stride; s->list and s->is_list are set here. */
bool mh_trace_add_record(struct mh_trace *t, struct mh_trace_shape s, uint64_t base, const uint64_t *offsets);

/** Sorts and merges the buffers. False when nothing was recorded. Launches without CTAs are dropped. */
bool mh_trace_finish(struct mh_trace *t);

/** Parses `size` bytes, plain or compressed; `name` is for messages. As mh_trace_open(). */
struct mh_workload *mh_trace_parse(const void *data, size_t size, const char *name, uint32_t lanes,
                                   struct mh_error *err);

#endif
