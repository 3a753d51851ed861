/* What is measured: which runs, of them which metric, and what is compared with what. */
#ifndef HOST_PLAN_MEASURE_H
#define HOST_PLAN_MEASURE_H

#include <stdbool.h>
#include <stdint.h>

#include "expr.h"

enum { VARIANT_SETS = 12, MEASURE_LISTS = 8, VARIANT_PARTITIONS = 63 /**< all of 64 SMs */ };

/** Whether policies run in QEMU or in the native twin. */
enum machine { MACHINE_ANY /**< as the command says */, MACHINE_TWIN, MACHINE_QEMU };

/** One configuration that is compared. Members that are NULL or 0 say nothing. Strings belong to the study. */
struct variant {
    const char *name; /**< of a column of a grid */
    const char *image, *preset, *design;
    const char *sets[VARIANT_SETS]; /**< key=value, after the design */
    unsigned set_count;
    enum machine machine;
    unsigned partitions[VARIANT_PARTITIONS]; /**< SMs of the first of two tenants, ascending; the best one counts */
    unsigned partition_count;
    const char *oracle;        /**< file of a search: the best CTA limits in it (oracle.h) */
    const char *oracle_metric; /**< the best by this */
};

/** How two values of a metric become one. */
enum relation {
    RELATION_LEVEL,     /**< the run's alone */
    RELATION_GAIN,      /**< run / reference - 1 */
    RELATION_RATIO,     /**< run / reference */
    RELATION_DIFFERENCE /**< run - reference */
};

struct axis;

/** What is measured, in rows and grids alike. */
struct measure {
    const char *metric;
    struct expr *expr; /**< `metric`, parsed */
    enum relation relation;
    struct variant common; /**< of run, reference and alone runs; its image is of no use */
    struct variant against;
    struct variant under; /**< partitions are the best for this run; without an image: each run's own best */
    const char *lists[MEASURE_LISTS]; /**< names of lists, or workloads */
    unsigned list_count;
    const struct axis *axis; /**< of a column of a grid: kernels have the sizes there (study.h); NULL: their own */
    unsigned at;             /**< the column's value on it */
    uint64_t cycles;         /**< window, GPU cycles */
    bool alone_whole;        /**< alone = on all SMs; else on its own */
    bool alone_both;         /**< what it would be with the other of the two is asked for, too */
};

#endif
