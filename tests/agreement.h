/*
 * Two workloads side by side, per static memory instruction: a recording and the kernel that generates the same
 * program.
 *
 * A function is the launches of one name. Launch k of a name in the recording is compared with launch skip + k of that
 * name in the kernel, and of each the CTAs that were recorded are executed, in rising order of launch, CTA, warp.
 * Static instructions have other numbers on either side: they are paired in the order in which the function first
 * executes them. A pair is of one kind and width, and none may be left over.
 */
#ifndef TESTS_AGREEMENT_H
#define TESTS_AGREEMENT_H

#include "memhelm/error.h"
#include "workload/op_stats.h"

enum { AGREEMENT_FUNCTIONS = 8, AGREEMENT_PCS = 64 };

struct agreement_pc {
    uint32_t pc;
    uint8_t kind, bytes; /**< of its first op */
    struct mh_op_sums sums;
    uint64_t footprint; /**< distinct 128 B lines of all its ops */
    uint64_t digest;    /**< of all lanes' addresses in order of execution, from the workload's first address on */
};

/** Static instructions of a function, in order of first execution. */
struct agreement_side {
    struct agreement_pc pc[AGREEMENT_PCS];
    uint32_t count;
};

struct agreement_function {
    const char *name; /**< the recording's; lives as long as that */
    uint32_t launches;
    uint64_t ctas; /**< of all its launches */
    struct agreement_side recorded, generated;
};

struct agreement {
    struct agreement_function function[AGREEMENT_FUNCTIONS];
    uint32_t count;
};

/** How far the generated numbers are from the recorded ones, in % of these; infinite where only these are 0. */
struct agreement_deviation {
    double lanes, lines, pages; /**< per warp instruction */
    double footprint;           /**< distinct lines of the instruction */
    double mix;                 /**< executions of the instruction; of a function also its loads per store or atomic */
    double gap;                 /**< instructions before it, since the last access or barrier */
};

/**
 * Executes both. `grid`: CTAs of each recorded launch's whole grid, which the kernel's must equal. -1 and `err` when
 * launches differ in name, number, grid or block, there are more functions or instructions than fit, or memory is
 * short.
 */
int agreement_collect(struct agreement *a, const struct mh_workload *recorded, const uint64_t *grid,
                      const struct mh_workload *generated, uint32_t skip, uint32_t lanes, struct mh_error *err);

/** -1 and `err` when a static instruction has no partner, or one of another kind or width. */
int agreement_paired(const struct agreement_function *f, struct mh_error *err);

struct agreement_deviation agreement_of_pair(const struct agreement_pc *recorded, const struct agreement_pc *generated);

/** Instructions whose lanes do not have the same addresses in the same order. Demands agreement_paired(). */
uint32_t agreement_elsewhere(const struct agreement_function *f);

/** The largest of all pairs, number by number. Demands agreement_paired(). */
struct agreement_deviation agreement_of_function(const struct agreement_function *f);

/** Number by number. */
struct agreement_deviation agreement_larger(struct agreement_deviation a, struct agreement_deviation b);

/** The largest of its numbers but the instructions between accesses. */
double agreement_worst_access(struct agreement_deviation d);

/** The largest of its numbers. */
double agreement_worst(struct agreement_deviation d);

#endif
