/*
 * Closed forms of one DRAM channel, from its parameters and nothing else. Times in DRAM command cycles.
 */
#ifndef TESTS_DRAM_SUMS_H
#define TESTS_DRAM_SUMS_H

#include "memhelm/config.h"

struct dram_sums {
    /** Idle reads, arrival to the cycle after the last beat. With `rows: closed` the row is closed by the next one. */
    uint32_t closed, open, conflict;
    uint32_t row_cycle;       /**< requests for different rows of one bank */
    double bus;               /**< requests that follow each other on the data bus */
    double random;            /**< random requests: the largest of the bounds below */
    const char *random_bound; /**< its name: data bus, tRRD, tFAW / 4, tRC / banks */
    double
        refresh_share; /**< of the time that refresh at least takes from the data bus; 0: banks are refreshed singly */
};

struct dram_sums dram_sums(const struct mh_dram_cfg *cfg);

#endif
