/*
 * The place of an address inside a DRAM channel, and back: written down again from the description of `dram.mapping`
 * in hwmodel/dram/map.h, in terms of division instead of bit masks. Shares no code with the model.
 */
#ifndef TESTS_DRAM_PLACE_H
#define TESTS_DRAM_PLACE_H

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

#endif
