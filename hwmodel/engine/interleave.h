/*
 * Which L2 bank has a line, and which of the bank's lines it is. The two together name the line: no two lines share
 * them. With dram.partition each tenant's lines have banks of their own. Frames keep their numbers, so rows are
 * numbered as if those channels had all of memory.
 */
#ifndef MEMHELM_ENGINE_INTERLEAVE_H
#define MEMHELM_ENGINE_INTERLEAVE_H

#include <stdint.h>

#include "engine/arith.h"
#include "memhelm/config.h"

struct mh_interleave {
    struct mh_divisor banks;
    uint32_t bits;  /**< log2(banks); 0: it is divided */
    uint32_t first; /**< bank */
};

static inline struct mh_interleave mh_interleave(uint32_t banks)
{
    return (struct mh_interleave){mh_divisor(banks), banks & (banks - 1) ? 0 : (uint32_t)__builtin_ctz(banks), 0};
}

/** Of each tenant: over all banks or, with dram.partition, over those of its part of the channels. */
static inline void mh_interleave_tenants(struct mh_interleave x[MH_MAX_TENANTS], const struct mh_config *cfg)
{
    uint32_t first = 0, n = cfg->tenants_count;

    for (uint32_t t = 0; t < MH_MAX_TENANTS; t++) {
        x[t] = mh_interleave(cfg->l2.banks);
        if (!cfg->dram.partition || t >= n)
            continue;
        x[t] = mh_interleave(mh_config_part(cfg->dram.channels, n, t) * (cfg->l2.banks / cfg->dram.channels));
        x[t].first = first;
        first += x[t].banks.by;
    }
}

/** The bank's lines, counted up: line / banks. */
static inline uint32_t mh_interleave_local(const struct mh_interleave *x, uint32_t line)
{
    return x->bits ? line >> x->bits : mh_quotient(&x->banks, line);
}

/**
 * Bank of a physical line. A power of two of banks: the line's low bits, xor-folded with the three groups of as many
 * bits above them, so that no power-of-two stride within those bits (with 16 banks: 8 MiB) camps on one bank. Any other
 * number of banks: the line's four lowest digits to the base `banks`, added modulo `banks`.
 */
static inline uint32_t mh_interleave_bank(const struct mh_interleave *x, uint32_t line)
{
    if (x->bits) {
        uint32_t b = line ^ line >> x->bits;

        return x->first + ((b ^ line >> 2 * x->bits ^ line >> 3 * x->bits) & (x->banks.by - 1));
    }
    uint32_t second = mh_quotient(&x->banks, line), third = mh_quotient(&x->banks, second);

    return x->first + mh_remainder(&x->banks, mh_remainder(&x->banks, line) + mh_remainder(&x->banks, second) +
                                                  mh_remainder(&x->banks, third) +
                                                  mh_remainder(&x->banks, mh_quotient(&x->banks, third)));
}

#endif
