/*
 * Traces beyond what every workload has: opening one without a configuration, what is known about it, and writing it
 * in the compact format. mh_trace_open() is in workload.h.
 */
#ifndef MEMHELM_WORKLOAD_TRACE_H
#define MEMHELM_WORKLOAD_TRACE_H

#include <stddef.h>

#include "workload/workload.h"

struct mh_trace_shape {
    uint32_t grid[3], block[3];
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
    const char *companion;          /**< GMT1: file beside the trace that tells the uses of loads; NULL = none */
    uint64_t memcpys, memcpy_bytes; /**< host to device, traceg only */
    struct mh_trace_mix mix;
    const struct mh_trace_pc *pcs; /**< pcs[n] describes op.pc n + 1; NULL where the format does not tell */
    uint32_t pc_count;
    char *const *files; /**< of a list, in order; NULL for a single file */
    uint32_t file_count;
    const struct mh_trace_shape *shapes; /**< per launch */
    const uint64_t *recorded_in;         /**< per launch, CTAs of the whole grid */
};

/** About a workload from mh_trace_open() or mh_trace_parse(); lives as long as it does. */
const struct mh_trace_about *mh_trace_about(const struct mh_workload *w);

/**
 * Calls `visit` for the file, its companion and, where it is a list, for each file in it; stops when it returns other
 * than 0. Nothing else is checked. 0, or -1 and `err` (which `visit` writes when it stops).
 */
int mh_trace_files(const char *path, int (*visit)(void *ctx, const char *file, struct mh_error *err), void *ctx,
                   struct mh_error *err);

/** Number of a CTA in its grid, x fastest, as recorded. */
uint64_t mh_trace_cta_number(const struct mh_workload *w, uint32_t launch, uint32_t cta);

/** As mh_trace_open(), of `size` bytes in memory (copied); `name` is for messages, and its folder for a list's files.
 */
struct mh_workload *mh_trace_parse(const void *data, size_t size, const char *name, uint32_t lanes,
                                   struct mh_error *err);

enum mh_gmt_version {
    MH_GMT1 = 1, /**< dependences, registers, shared memory and the instructions after a warp's last access get lost */
    MH_GMT2 = 2, /**< keeps them */
};

/**
 * What a GMT2 file holds, as the number in its first line; other files are refused. To be raised with every change of
 * what the bytes are or mean, such as that of struct mh_op's needs. 1, which no file says: needs were one bit.
 */
enum { MH_GMT2_CONTENT = 2 };

/** Writes any trace as GMT, compressed with zstd when `path` ends in .zst. 0, or -1 and `err`; nothing is left then. */
int mh_gmt_write(const struct mh_workload *w, const char *path, enum mh_gmt_version version, struct mh_error *err);

#endif
