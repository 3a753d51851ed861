/*
 * Workloads: where warp instructions come from. A workload is a sequence of kernel launches over buffers in one
 * address space; each warp of each CTA is a stream of operations, made by a kernel's index arithmetic or by a trace.
 *
 * A kernel is one file with one `const struct mh_kernel` and one line in kernels.def. It generates the addresses that
 * its published algorithm generates; the only dials are the problem size and the seed of its input data.
 */
#ifndef MEMHELM_WORKLOAD_H
#define MEMHELM_WORKLOAD_H

#include <stdbool.h>
#include <stdint.h>

#include "memhelm/config.h"
#include "memhelm/error.h"

enum { MH_WAIT_MAX = 8 };

enum mh_op_kind {
    MH_OP_LOAD,
    MH_OP_STORE,
    MH_OP_ATOMIC,  /**< read-modify-write in the L2, result unused: the warp does not wait */
    MH_OP_BARRIER, /**< waits for all warps of the CTA */
    MH_OP_EXIT,    /**< the warp is done (a gap before it counts) */
};

/** One warp instruction that matters to the memory system, with the computation before it. */
struct mh_op {
    uint8_t kind;  /**< enum mh_op_kind */
    uint8_t bytes; /**< per lane, 1..32 */
    /**
     * 0: needs no load. n: needs the loads of its warp before it, but for the newest n - 1: 1 = all of them. At most
     * MH_WAIT_MAX.
     */
    uint8_t wait;
    bool list;      /**< addresses are in addr[]; else base + stride * (lane % row) + pitch * (lane / row) */
    uint8_t row;    /**< !list: lanes per row of a tile, for blocks narrower than a warp; 0 = one row of all lanes */
    uint16_t ahead; /**< wait: instructions of the gap that issue before the data are needed, 0..gap */
    uint32_t gap;   /**< instructions without global memory access issued since the last op */
    uint32_t pc;    /**< static memory instruction, unique in the workload, > 0 */
    uint64_t mask;  /**< active lanes; bit l = lane l; never 0 for a memory op */
    uint64_t base;  /**< !list: virtual address of lane 0 (even if lane 0 is inactive) */
    int64_t stride; /**< !list: bytes from lane to lane; may be 0 or negative */
    int64_t pitch;  /**< row: bytes from row to row */
};

/** `wait` and `ahead` as one number: false = needs no load, true = needs all of them, at once. */
#define MH_NEEDS(wait, ahead) ((uint32_t)(ahead) << 4 | (uint32_t)(wait))

static inline uint32_t mh_op_needs(const struct mh_op *op)
{
    return MH_NEEDS(op->wait, op->ahead);
}

static inline void mh_op_set_needs(struct mh_op *op, uint32_t needs)
{
    op->wait = needs & 15;
    op->ahead = (uint16_t)(needs >> 4);
}

/** Position of one warp in its stream; plain data, 64 bytes. launch, cta and warp are set by the caller of start(). */
struct mh_cursor {
    uint32_t launch, cta, warp;
    uint32_t state;
    uint64_t v[6]; /**< the kernel's own */
};

struct mh_buffer {
    uint64_t base; /**< virtual, below 2^39 */
    uint64_t bytes;
};

/** One kernel launch. All CTAs of a launch finish before the next launch starts. */
struct mh_launch {
    const char *name;
    uint32_t ctas;         /**< CTAs, linear (x fastest) */
    uint32_t threads;      /**< threads per CTA; the last warp may be partial */
    uint32_t registers;    /**< per thread */
    uint32_t shared_bytes; /**< per CTA */
};

struct mh_workload {
    const struct mh_launch *launches;
    uint32_t launch_count;
    const struct mh_buffer *buffers; /**< everything any op may touch; sorted by base, not overlapping */
    uint32_t buffer_count;
    /** Sets c->state and c->v[] for the warp that c->launch, c->cta and c->warp name. */
    void (*start)(const struct mh_workload *w, struct mh_cursor *c);
    /** Next op of the warp. addr[MH_MAX_LANES] receives the addresses of active lanes when op->list is set. */
    void (*next)(const struct mh_workload *w, struct mh_cursor *c, struct mh_op *op, uint64_t *addr);
    void (*destroy)(struct mh_workload *w);
};

/** What a kernel is built from. */
struct mh_kernel_args {
    uint64_t size;    /**< problem size; the kernel's default is filled in, never 0 */
    uint64_t seed;    /**< of the input data */
    uint32_t lanes;   /**< threads per warp, 32 or 64 */
    uint32_t variant; /**< index into the kernel's variants */
};

struct mh_kernel {
    const char *name;         /**< as the papers write it, for example MVT */
    const char *suite;        /**< where it comes from */
    const char *summary;      /**< one line: algorithm and access pattern */
    const char *size_meaning; /**< for example "matrix order" */
    uint64_t size_default, size_min, size_max;
    /** Kinds of input data, or forms of the program, to choose from; NULL-terminated, the default first. NULL: one. */
    const char *const *variants;
    /** NULL and `err` on failure. The caller destroys the result. */
    struct mh_workload *(*create)(const struct mh_kernel_args *args, struct mh_error *err);
};

/** All kernels, NULL-terminated. */
extern const struct mh_kernel *const mh_kernels[];

/** The kernel of NAME[@VARIANT], case-insensitive; NULL if there is none. The variant is not looked at. */
const struct mh_kernel *mh_kernel_find(const char *spec);

/** Index of the variant that NAME[@VARIANT] means, `k` being the kernel; -1 and `err` if it has no such variant. */
int mh_kernel_variant(const struct mh_kernel *k, const char *spec, struct mh_error *err);

/**
 * NAME[@VARIANT] of a kernel, or `trace:FILE`. Unknown names, sizes out of range and bad traces are errors with a
 * remedy.
 */
struct mh_workload *mh_workload_create(const char *spec, uint64_t size, uint64_t seed, uint32_t lanes,
                                       struct mh_error *err);

/**
 * A recorded trace: GMT1 or GMT2 (.gmt, .gmt.zst), or Accel-Sim's (kernelslist.g, .traceg, .traceg.xz); the content
 * decides. The whole file is checked before anything is returned: a truncated or corrupt one gives file, offset or line
 * and what was expected; a warp width other than `lanes` (0: any) says what to use. Then it is read again as it runs:
 * the file has to stay as it is, and one workload serves one thread. See trace.h, TRACES.md.
 */
struct mh_workload *mh_trace_open(const char *path, uint32_t lanes, struct mh_error *err);

#endif
