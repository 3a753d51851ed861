/*
 * An oracle: each workload with the CTA limits that were the best of all in a search (`memhelm search --json`), and
 * with the SMs shared or split as they were there. It was chosen by one window and one metric (CCBP section 7.1); what
 * is measured of it is a run like any other.
 */
#ifndef HOST_PLAN_ORACLE_H
#define HOST_PLAN_ORACLE_H

#include <stdbool.h>
#include <stdint.h>

#include "memhelm/config.h"
#include "memhelm/error.h"

/** Files of searches, each read once. */
struct oracles;

/** What a run asks for. */
struct oracle_query {
    const char *file;        /**< of the search */
    const char *metric;      /**< whose best: harmonic_speedup, weighted_speedup, max_slowdown or fairness */
    const char *preset;      /**< of the run: the search's is the same */
    const char *workload;    /**< in the words of `memhelm search` */
    const char *const *sets; /**< key=value of the run: those of the search are among them */
    unsigned set_count;
};

struct oracle_choice {
    bool split;                    /**< each kernel has SMs of its own; else all share all */
    unsigned kernels;              /**< of the workload */
    uint32_t ctas[MH_MAX_TENANTS]; /**< of each, per SM */
};

/** What a search was. */
struct oracle_search {
    bool split;
    uint64_t cycles; /**< its window */
};

struct oracles *oracles_new(void);
void oracles_free(struct oracles *o);

/**
 * -1 and `err`, with the remedy: there is no such file; it is damaged or something else; it is of another preset, or
 * of assignments that the run has not; the workload is not in it, or is not finished.
 */
int oracles_choose(struct oracles *o, const struct oracle_query *q, struct oracle_choice *out, struct mh_error *err);

/**
 * The best `most` of all combinations of the workload that the search ran, the best first, by the mean over its seeds;
 * of equals the first that it lists. Returns how many there are, `out` has room for `most`; -1 and `err` as above.
 */
int oracles_rank(struct oracles *o, const struct oracle_query *q, unsigned most, struct oracle_choice *out,
                 struct mh_error *err);

/** -1 and `err`: there is no such file, or it is damaged. */
int oracles_about(struct oracles *o, const char *file, struct oracle_search *out, struct mh_error *err);

#endif
