/* State of the traceg reader, shared by its parts: traceg.c (files, CTAs), traceg_header.c, traceg_warp.c. */
#ifndef MEMHELM_WORKLOAD_TRACEG_H
#define MEMHELM_WORKLOAD_TRACEG_H

#include "workload/trace/trace_pages.h"
#include "workload/trace/trace_reader.h"
#include "workload/trace/traceg_deps.h"
#include "workload/trace/traceg_line.h"

/**
 * Generic loads and stores reach shared and local memory through windows of the address space; the header gives their
 * bases. The size is ours: the bases in published traces lie 32 MiB apart, and no CTA or thread has more than 16 MiB.
 */
#define MH_TRACEG_WINDOW ((uint64_t)16 << 20)

/** Static instructions, numbered by first use from 1; open addressing by kernel and offset. */
struct mh_traceg_pcs {
    struct mh_trace_pc *pc;
    uint32_t count, capacity;
    uint32_t *table;
    uint32_t table_size;
};

struct mh_traceg {
    struct mh_trace_reader r; /**< first */
    struct mh_stream in;      /**< the kernel's file; all zeroes between files */
    char *name;               /**< what was opened, for messages */
    char **file;              /**< the kernels' files, in order */
    uint32_t file_count, next_file;
    struct mh_source memory; /**< where the only file is in memory */
    struct mh_error *err;
    struct mh_trace_sink *sink;
    struct mh_pages pages;
    bool lenient; /**< headers that are wrong in what a run can do without are taken */
    char assumption[512];
    bool checked; /**< all files were read once: addresses are mapped now */
    bool any_cta;
    char **kernel; /**< names, as in the files */
    uint32_t kernel_count;
    struct mh_traceg_pcs pcs;
    struct mh_trace_mix mix;
    /* of the current kernel */
    struct mh_traceg_columns columns;
    const char *kernel_name;
    uint64_t shared_base, local_base; /**< 0 = not in the header */
    uint32_t warps;                   /**< of a CTA */
    uint64_t ctas;                    /**< read so far */
    bool has_line;                    /**< in.line is to be looked at again */
    /* of the current warp */
    uint32_t warp;
    struct mh_traceg_deps deps;
    uint32_t gap;
};

/* All return false on failure, with the message written. */

/** "FILE:LINE: ..." */
bool __attribute__((format(printf, 2, 3))) mh_traceg_fail(struct mh_traceg *p, const char *format, ...);
/** Notes that `what` is done about what the format says was found; the first of a trace is told its user. */
void __attribute__((format(printf, 3, 4)))
mh_traceg_assume(struct mh_traceg *p, const char *what, const char *format, ...);
/** The next line that is not empty, from its first character that is not blank. `expected`: what if there is none. */
bool mh_traceg_next_line(struct mh_traceg *p, const char **line, const char *expected);
/** The header, into r.head and what is the current kernel's. Tracers before version 3 do not say theirs. */
bool mh_traceg_header(struct mh_traceg *p);
/** The instructions of a warp, `count` lines, and its end. */
bool mh_traceg_warp(struct mh_traceg *p, uint32_t count);
/** A warp without instructions. */
bool mh_traceg_empty_warp(struct mh_traceg *p);

#endif
