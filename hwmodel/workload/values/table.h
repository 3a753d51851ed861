/* What a kernel's values are made of, and what those of several kernels share. */
#ifndef MEMHELM_WORKLOAD_VALUES_TABLE_H
#define MEMHELM_WORKLOAD_VALUES_TABLE_H

#include "workload/gen.h"
#include "workload/values/values.h"

enum { MH_VALUES_TILE = 16 };

_Static_assert(__FLT_EVAL_METHOD__ == 0, "floats are computed as floats");

/** What a launch writes of one buffer: elements outside of [first, end) stay as they are. */
struct mh_extent {
    uint64_t first, end; /**< bytes; both 0: nothing */
};

/** One row: the values of a kernel. Buffers have the numbers of the kernel's mh_gen_buffer() calls. */
struct mh_values_of {
    const char *kernel;        /**< its name */
    const char *const *arrays; /**< names of the buffers, as the source has them */
    /** Fills the arrays, which are zero, with the program's input. */
    void (*init)(struct mh_values *v);
    /** What the launch writes of buffer `b`. */
    struct mh_extent (*writes)(const struct mh_values *v, uint32_t launch, uint32_t b);
    /** Computes what the launch writes: of buffers that it writes, v->next, which has the old values before. */
    void (*run)(struct mh_values *v, uint32_t launch);
    /** NULL, or computes what run() has left for later: bytes of buffer `b`, of v->next or of v->data. */
    void (*need)(struct mh_values *v, bool next, uint32_t b, uint64_t offset, uint64_t count);
};

struct mh_values {
    const struct mh_gen *g;
    const struct mh_values_of *of;
    struct mh_launch_range range; /**< launches that the workload has; those before are over when it starts */
    uint32_t buffers;
    uint64_t bytes[MH_GEN_BUFFERS];
    void *data[MH_GEN_BUFFERS]; /**< after `done` launches */
    /** After one more, within `ahead` of it; the other bytes are those of `data`. While run() computes: the buffers
     * that the launch writes; of all others, `data`. */
    void *next[MH_GEN_BUFFERS];
    void *spare[MH_GEN_BUFFERS]; /**< for next; NULL: no launch has written it yet */
    struct mh_extent ahead[MH_GEN_BUFFERS];
    uint32_t done, finished; /**< finished: as said, done follows when somebody reads */
    bool has_input, has_next;
    uint8_t *tiles; /**< of a kernel with need(): those of MH_VALUES_TILE^2 elements of an n x n array that are there */
};

/** All rows, NULL-terminated. */
extern const struct mh_values_of *const mh_values_table[];

/** Tiles in a row of an n x n array. */
static inline uint64_t mh_values_tiles(const struct mh_values *v)
{
    return mh_ceil_div(v->g->n, MH_VALUES_TILE);
}

/** The whole buffer. */
static inline struct mh_extent mh_extent_all(const struct mh_values *v, uint32_t b)
{
    return (struct mh_extent){0, v->bytes[b]};
}

/** The whole buffer if `writes`, else nothing. */
static inline struct mh_extent mh_extent_if(const struct mh_values *v, uint32_t b, bool writes)
{
    return writes ? mh_extent_all(v, b) : (struct mh_extent){0, 0};
}

#endif
