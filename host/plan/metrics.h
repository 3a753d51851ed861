/*
 * What the counters say. IPC is thread instructions (warp instructions x active lanes) per GPU cycle. A tenant's rates
 * (IPC shared and alone, GB/s) are per cycle in which it was there: from its arrival to its departure, which
 * its alone run has, too; with run.completions IPC is over the executions that it has completed (Pratheek et al., HPCA
 * 2021, sec. III), all else over the run. Those of all tenants together are per cycle of the run. A ratio whose divisor
 * is 0 is NaN: the table shows "-", the results null.
 */
#ifndef HOST_PLAN_METRICS_H
#define HOST_PLAN_METRICS_H

#include <stdbool.h>
#include <stdint.h>

#include "memhelm/error.h"
#include "memhelm/record.h"

struct tenant_metrics {
    uint64_t cycles;  /**< in which it was there; GPU cycles */
    double ipc;       /**< shared */
    double ipc_alone; /**< NaN without an alone run */
    double speedup;   /**< ipc / ipc_alone */
    double l1tlb_hit, l2tlb_hit;
    double bypass_hit;   /**< of the look-ups that missed the L2 TLB, those that hit in the bypass cache */
    double walk_latency; /**< GPU cycles, L2 TLB miss to end of walk */
    double dram_gbs;     /**< 1e9 bytes per second, walks included */
    double dram_share;   /**< of the peak of the data buses, 0..1 */
    double noc_share; /**< data replies: of the peak of the crossbar towards the SMs, a flit per SM in each cycle of its
                           clock, 0..1 */
};

struct metrics {
    uint32_t tenants;
    struct tenant_metrics tenant[MH_MAX_TENANTS];
    struct tenant_metrics all; /**< over the sums of all tenants; ipc = throughput; no alone, no speedup */
    double weighted_speedup;   /**< sum of speedups */
    double harmonic_speedup;   /**< tenants / sum of 1 / speedup */
    double maximum_slowdown;   /**< max of 1 / speedup */
    double fairness;           /**< min / max of speedups */
    uint64_t walks;
    double dram_peak_gbs;
    double decision_latency;   /**< mean, GPU cycles from timer to COMMIT */
    double walk_epoch_latency; /**< mean, GPU cycles from the end of a walk epoch to the COMMIT that answers it */
};

/** `alone[t]` are the statistics of tenant t's alone run; NULL = there is none. */
void metrics_compute(struct metrics *m, const struct mh_config *cfg, const struct mh_stats *shared,
                     const struct mh_stats *const *alone);

/** GPU cycles between cycles `from` and `to` in which the tenant is there. */
uint64_t metrics_present(const struct mh_tenant_cfg *tenant, uint64_t from, uint64_t to);

/** Thread instructions per cycle in which the tenant, the only one of the run, was there. */
double metrics_ipc_alone(const struct mh_tenant_cfg *tenant, const struct mh_stats *alone);

/** Warp instructions per cycle of an alone run, in 1/65536, rounded down: the value of `tenants[].alone_ipc`. */
uint32_t metrics_alone_ipc(const struct mh_tenant_cfg *tenant, const struct mh_stats *alone);

/** a / b, NaN when b is 0. */
double metrics_ratio(double a, double b);

/** Share of the time since GPU time began in which the mcu was awake; NaN without any. */
double metrics_awake(const struct mh_result *r);

/*
 * Metrics of rows files: sums, differences, products and quotients of named values, such as
 * `dram_walk / (dram_read + dram_walk)` or `max(walks[0], walks[1])`. The caller resolves names. A
 * division by 0 gives NaN, and so does whatever is made from it.
 */

enum { EXPR_NAME = 64, EXPR_ALL = -1 /**< no tenant given */ };

struct expr;

/** NULL and `err` (column and what was expected) when it cannot be read. */
struct expr *expr_parse(const char *text, struct mh_error *err);
void expr_free(struct expr *e);

/** The value of `name`, of one tenant (`name[1]`) or of all together (EXPR_ALL). */
typedef double expr_lookup(void *ctx, const char *name, int tenant);

double expr_value(const struct expr *e, expr_lookup *lookup, void *ctx);

/** Calls `name` for every name in it. */
void expr_names(const struct expr *e, void (*name)(void *ctx, const char *name, int tenant), void *ctx);

/* What is measured: which runs, of them which metric, and what is compared with what. */

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
