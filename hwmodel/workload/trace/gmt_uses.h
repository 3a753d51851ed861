/*
 * When loads of a GMT1 trace are used: the column `use` of NAME.pcs.json, which lies beside NAME.w32.gmt.zst, and what
 * follows from it for each op of a warp. A load that is not in the file, or has no file, is used by the instruction
 * behind it. The file is a list of objects with `pc` and `use`; it is part of the trace's identity.
 *
 * `use` counts instructions between a load and its first use, accesses included; below -1 the first use is in another
 * block of the code, and the load counts as used at the end of its own, -2 - use instructions behind it: too early,
 * never too late. -1: it is never used. The columns addr_deps and val_deps name uses that come no earlier, and are not
 * read.
 */
#ifndef MEMHELM_WORKLOAD_GMT_USES_H
#define MEMHELM_WORKLOAD_GMT_USES_H

#include "workload/trace/trace_need.h"

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

#endif
