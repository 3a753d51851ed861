/*
 * Byte address inside a channel to rank, bank group, bank and row, as configuration.
 *
 * A mapping is a list of fields from the most significant bits to the least: `row rank bank group column`. The bytes of
 * one request lie below all of them, and `column` counts the requests of a row. `NAME:BITS` takes that many bits, so
 * that a field may come in parts (`row bank column:4 group column:2`); each field has one part without a number, which
 * takes the rest, or parts that add up. The row comes first, and its first part has no end. Fields of no bits (one
 * rank, one group) may be left out.
 */
#ifndef MEMHELM_DRAM_MAP_H
#define MEMHELM_DRAM_MAP_H

#include "memhelm/config.h"
#include "memhelm/error.h"

enum { MH_MAP_PARTS = 16, MH_ROW_BITS = 31 };

/** `bits` address bits from `from` on become the bits of the result from `to` on. */
struct mh_map_part {
    uint8_t from, to;
    uint32_t mask; /**< of the bits, before they are shifted to `to` */
};

struct mh_dram_map {
    uint32_t permute;                      /**< bank bits of a rank XORed with the low bits of the row; 0 = none */
    uint16_t rows, parts;                  /**< of the row; those and the ones of the bank */
    struct mh_map_part part[MH_MAP_PARTS]; /**< of the row, then of the bank */
};

/** -1 and the reason when the mapping does not fit the geometry. `cfg` has passed the checks of single values. */
int mh_dram_map_init(struct mh_dram_map *m, const struct mh_dram_cfg *cfg, struct mh_error *err);

static inline uint32_t mh_map_gather(const struct mh_map_part *part, const struct mh_map_part *end, uint64_t addr)
{
    uint32_t v = 0;

    for (; part < end; part++)
        v |= ((uint32_t)(addr >> part->from) & part->mask) << part->to;
    return v;
}

/** Bits of the address above MH_ROW_BITS bits of row are ignored. */
static inline uint32_t mh_dram_map_row(const struct mh_dram_map *m, uint64_t addr)
{
    return mh_map_gather(m->part, m->part + m->rows, addr);
}

/**
 * Bank of the channel: rank, bank group and bank, from the most significant bits down. Permuted banks (Zhang, Zhu,
 * Zhang, MICRO 2000) spread rows of one bank that follow each other in memory.
 */
static inline uint32_t mh_dram_map_bank(const struct mh_dram_map *m, uint64_t addr, uint32_t row)
{
    return mh_map_gather(m->part + m->rows, m->part + m->parts, addr) ^ (row & m->permute);
}

#endif
