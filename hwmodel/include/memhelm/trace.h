/*
 * Recorded traces by themselves, without a GPU: opening one, what is known about it, its statistics, and writing it in
 * the compact format. A tenant names a trace in its configuration.
 */
#ifndef MEMHELM_TRACE_H
#define MEMHELM_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "memhelm/error.h"
#include "memhelm/kernels.h"

/** How to read a trace. */
struct mh_trace_how {
    uint32_t lanes; /**< warps have to have so many; 0: any */
    bool lenient;   /**< GMT: an address outside the launch's buffers moves to the nearest in one, and is counted
                         (mh_trace_about.moved). A recording of a real program may have such: x[-1]. traceg: what a
                         header says wrongly, or not at all, is assumed, and counted (assumed) */
};

/**
 * Opens a recorded trace: GMT1 or GMT2 (.gmt, .gmt.zst), or Accel-Sim's (kernelslist.g, .traceg, .traceg.xz); the
 * content decides. The whole file is checked before anything is returned: a truncated or corrupt one gives file, offset
 * or line and what was expected; a warp width other than `how.lanes` says what to use. Then it is read again as it
 * runs: the file has to stay as it is, and one workload serves one thread. NULL and `err` on failure. See
 * hwmodel/workload/trace/README.md.
 */
struct mh_workload *mh_trace_open(const char *path, struct mh_trace_how how, struct mh_error *err);
void mh_trace_close(struct mh_workload *trace);

struct mh_trace_shape {
    uint32_t grid[3], block[3];
    bool empty; /**< no warp of the launch has an instruction */
};

/** A static instruction. Kernel and opcode are empty where the format does not tell (GMT1). */
struct mh_trace_pc {
    const char *kernel;
    uint64_t offset; /**< in the kernel's code */
    char opcode[48];
};

/** Instructions that are part of a gap, by what they would do; only traceg tells. */
struct mh_trace_mix {
    uint64_t shared;   /**< shared memory: LDS, STS, ATOMS, LDSM.. and generic ones in its window */
    uint64_t local;    /**< local memory: LDL, STL and generic ones in its window */
    uint64_t constant; /**< LDC, ULDC */
    uint64_t texture;  /**< textures and surfaces */
    uint64_t idle;     /**< global accesses and barriers with no active lane */
};

struct mh_trace_about {
    const char *format;             /**< "GMT1", "GMT2" or "Accel-Sim traceg" */
    uint32_t lanes;                 /**< per warp, 32 or 64 */
    uint32_t version;               /**< of the tracer, traceg only: the highest one in the files */
    bool dependences;               /**< uses of loads are known; else every op after a load waits */
    const char *companion;          /**< GMT1: file next to the trace with the uses of loads; NULL = none */
    uint64_t memcpys, memcpy_bytes; /**< host to device, traceg only */
    uint64_t moved;                 /**< addresses of lanes that were outside the buffers; only read leniently */
    uint64_t assumed;               /**< values of headers that are assumed, read leniently, and lines skipped */
    const char *assumption;         /**< the first of them: file, line, what is there, what is assumed; NULL: none */
    struct mh_trace_mix mix;
    const struct mh_trace_pc *pcs; /**< pcs[n] describes op.pc n + 1; NULL where the format does not tell */
    uint32_t pc_count;
    char *const *files; /**< of a list, in order; NULL for a single file */
    uint32_t file_count;
    const struct mh_launch *launches;
    uint32_t launch_count, buffer_count;
    const struct mh_trace_shape *shapes; /**< per launch */
    const uint64_t *recorded_in;         /**< per launch, CTAs of the whole grid */
};

/** About a trace that is open; lives as long as it is. NULL of another workload. */
const struct mh_trace_about *mh_trace_about(const struct mh_workload *w);

struct mh_gpu;

/** What was assumed of the recording that the tenant runs (mh_trace_about.assumption); NULL: nothing. */
const char *mh_gpu_assumption(const struct mh_gpu *gpu, uint32_t tenant);

/**
 * Calls `visit` for the file, its companion and, where it is a list, for each file in it; stops when it returns other
 * than 0. Nothing else is checked. 0, or -1 and `err` (which `visit` writes when it stops).
 */
int mh_trace_files(const char *path, int (*visit)(void *ctx, const char *file, struct mh_error *err), void *ctx,
                   struct mh_error *err);

enum mh_gmt_version {
    MH_GMT1 = 1, /**< dependences, registers, shared memory and the instructions after a warp's last access get lost */
    MH_GMT2 = 2, /**< keeps them */
};

/** Writes any trace as GMT, compressed with zstd when `path` ends in .zst. 0, or -1 and `err`; nothing is left then. */
int mh_gmt_write(const struct mh_workload *w, const char *path, enum mh_gmt_version version, struct mh_error *err);

/** Sums over ops. */
struct mh_op_sums {
    uint64_t ops, lanes, sectors, lines, pages, gap;
    uint32_t max_pages;
    uint64_t ops_8_pages; /**< ops that touch 8 pages or more */
};

/** Of one static memory instruction. */
struct mh_pc_stats {
    uint32_t pc;
    uint8_t kind, bytes; /**< of its first op */
    struct mh_op_sums sums;
};

struct mh_workload_stats {
    uint64_t ctas, warps;
    uint64_t kinds[MH_OP_EXIT]; /**< ops by enum mh_op_kind: loads, stores, atomics, barriers */
    struct mh_op_sums sums;     /**< all memory ops; `gap` includes that before barriers and ends */
    uint64_t last_gap;          /**< the part of sums.gap between a warp's last op and its end */
    uint64_t waits;             /**< ops, ends included, that wait for loads */
    uint64_t lines, pages;      /**< distinct ones touched: MH_LINE_BYTES, 4 KiB */
    struct mh_pc_stats *pcs;    /**< memory instructions, by pc */
    uint32_t pc_count;
};

/** Zeroed by the callee. -1 and `err` when memory is short. Release with mh_workload_stats_free(), also then. */
int mh_workload_stats(const struct mh_workload *w, uint32_t lanes, struct mh_workload_stats *s, struct mh_error *err);
void mh_workload_stats_free(struct mh_workload_stats *s);

#endif
