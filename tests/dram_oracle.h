/*
 * What is so of one DRAM channel, by its parameters alone; shares no code with the model. The place of an address, and
 * back: written down again from the description of `dram.mapping` in hwmodel/dram/map.h, in terms of division instead
 * of bit masks. Closed forms of its speed, in DRAM command cycles.
 */
#ifndef TESTS_DRAM_ORACLE_H
#define TESTS_DRAM_ORACLE_H

#include <stdint.h>

#include "memhelm/config.h"

struct dram_place {
    uint32_t rank, group, bank; /**< bank: of its group */
    uint32_t row, column;       /**< column: in requests */
};

/** Bytes of one request of the channel. */
static inline uint32_t dram_request_bytes(const struct mh_dram_cfg *cfg)
{
    return cfg->request_bytes ? cfg->request_bytes : MH_LINE_BYTES;
}

/** Byte address of the first byte of the request at `place`. */
uint64_t dram_place_address(const struct mh_dram_cfg *cfg, const struct dram_place *place);

/** The place of a byte address. */
struct dram_place dram_place_of(const struct mh_dram_cfg *cfg, uint64_t address);

/** Number of the bank within the channel: 0 .. ranks * banks - 1. */
uint32_t dram_place_bank(const struct mh_dram_cfg *cfg, const struct dram_place *place);

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
