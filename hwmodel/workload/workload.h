/*
 * Workloads: where warp instructions come from. A workload is a sequence of kernel launches over buffers in one
 * address space; each warp of each CTA is a stream of operations, made by a kernel's index arithmetic or by a trace.
 *
 * A kernel is one file with one `const struct mh_kernel` and one line in kernels/kernels.def. It generates the
 * addresses that its published algorithm generates; the only dials are the problem size and the seed of its input data.
 */
#ifndef MEMHELM_WORKLOAD_H
#define MEMHELM_WORKLOAD_H

#include <stdbool.h>
#include <stdint.h>

#include "memhelm/config.h"
#include "memhelm/kernels.h"
#include "memhelm/trace.h"

enum { MH_WAIT_MAX = 8 };

/** One warp instruction that matters to the memory system, with the computation before it. */
struct mh_op {
    uint8_t kind;  /**< enum mh_op_kind */
    uint8_t bytes; /**< per lane, 1..32 */
    /**
     * 0: needs no load. n: needs the loads of its warp before it, but for the newest n - 1: 1 = all of them. At most
     * MH_WAIT_MAX.
     */
    uint8_t wait;
    bool list;   /**< addresses are in addr[]; else base + stride * (lane % row) + pitch * (lane / row) */
    uint8_t row; /**< !list: lanes per row of a tile, for blocks narrower than a warp; 0 = one row of all lanes */
    /** 0: the gap computes. n: each instruction of it reads shared memory in n passes over its banks. */
    uint8_t ways;
    uint16_t ahead; /**< wait: instructions of the gap that issue before the data are needed, 0..gap */
    uint32_t gap;   /**< instructions without global memory access issued since the last op */
    uint32_t pc;    /**< static memory instruction, unique in the workload, > 0; MH_PC_RESULT */
    uint64_t mask;  /**< active lanes; bit l = lane l; never 0 for a memory op */
    uint64_t base;  /**< !list: virtual address of lane 0 (even if lane 0 is inactive) */
    int64_t stride; /**< !list: bytes from lane to lane; may be 0 or negative */
    int64_t pitch;  /**< row: bytes from row to row */
};

/** In the pc of a load: an atomic performed in the L2 whose result are the load's data (PTX: atom). */
#define MH_PC_RESULT ((uint32_t)1 << 31)

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

/**
 * NAME[@VARIANT] of a kernel, or `trace:FILE`; behind it perhaps the launches that it is to have. Unknown
 * names, sizes out of range and bad traces are errors with a remedy.
 */
struct mh_workload *mh_workload_create(const char *spec, uint64_t size, uint64_t seed, uint32_t lanes,
                                       struct mh_error *err);

/** As mh_workload_create(), with all options for reading a trace. */
struct mh_workload *mh_workload_create_how(const char *spec, uint64_t size, uint64_t seed, struct mh_trace_how how,
                                           struct mh_error *err);

/** Addresses of lanes that were moved into the buffers of a trace: mh_trace_about.moved; 0 of a kernel. */
uint64_t mh_workload_moved(const struct mh_workload *w);

/** What was assumed of a trace: mh_trace_about.assumption; NULL of a kernel. */
const char *mh_workload_assumption(const struct mh_workload *w);

/**
 * The streams are those of the kernel's PTX from now on, if it knows them (workload.instructions ptx). Call it before
 * the first start(). Traces stay what was recorded.
 */
void mh_workload_ptx(struct mh_workload *w);

/**
 * Warps wait for the results of atomics where the kernel uses them (l2.atomics bank). Call it before the first start().
 * Traces do not say which results are used: their warps never wait.
 */
void mh_workload_results(struct mh_workload *w);

/*
 * Some launches of a workload: NAME@launch=2 of a kernel or a trace is the program without the others. Its buffers stay
 * where they are, and what its arrays hold at the start is what the launches before the first have left there.
 */
/**
 * The launches of `w` that `spec` selects; `w` itself where it selects none. Takes `w` over. NULL and `err`: `spec` is
 * wrong, has launches that `w` has not, or memory is short; `w` is destroyed then.
 */
struct mh_workload *mh_launches_select(struct mh_workload *w, const char *spec, struct mh_error *err);

/** The whole workload that `w` has launches of, and which; `w` itself and all of them where it is whole. */
const struct mh_workload *mh_launches_whole(const struct mh_workload *w, struct mh_launch_range *range);

#endif
