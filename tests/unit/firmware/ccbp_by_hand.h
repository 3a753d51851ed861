/*
 * Kernels by hand for tests of CCBP's allocation: linear ones on a GPU of ten units of each bandwidth and of ten places
 * for CTAs. cmocka.h comes first.
 */
#ifndef TESTS_CCBP_BY_HAND_H
#define TESTS_CCBP_BY_HAND_H

#include "policy/ccbp/ccbp.h"

#define LS  CCBP_LATENCY_SENSITIVE
#define NBI CCBP_NOC_INTENSIVE
#define DBI CCBP_DRAM_INTENSIVE

enum { MOST = 32 };

/* Ten units of each bandwidth, places for ten CTAs. */
static const struct ccbp_config ten = {.sustainable = {10, 10}, .units = 10};
static const struct ccbp_sm ten_ctas = {.amount = {10, 10, 10}, .slots = 32};
static const struct ccbp_sm one_place = {.amount = {1, 1, 1}};

static struct ccbp_use uses[CCBP_MAX_KERNELS][CCBP_BANDWIDTHS];
static struct ccbp_point points[CCBP_MAX_KERNELS][MOST];
static struct ccbp_kernel kernels[CCBP_MAX_KERNELS];
static struct ccbp_allocation allocation;

/* Kernel `k`: `ctas` of its CTAs use `noc` and `dram`; linear. */
static inline void kernel(uint32_t k, enum ccbp_type type, uint32_t most, uint32_t ctas, uint32_t noc, uint32_t dram)
{
    const struct ccbp_config *config = allocation.config;
    const uint32_t measured[CCBP_BANDWIDTHS] = {noc, dram};
    enum ccbp_bandwidth own = type == NBI ? CCBP_NOC : CCBP_DRAM;

    kernels[k] = (struct ccbp_kernel){.type = type, .most = most, .cta = one_place};
    kernels[k].use = uses[k];
    kernels[k].points = points[k];
    if (type == LS)
        for (uint32_t b = 0; b < CCBP_BANDWIDTHS; b++)
            uses[k][b] = ccbp_linear(config->units, measured[b], ctas);
    else
        for (uint32_t c = 1; c <= most; c++)
            points[k][c - 1] =
                ccbp_point_of(config->units, config->sustainable[own], c * measured[own], c * measured[!own]);
}

static inline void gpu(const struct ccbp_config *config, const struct ccbp_sm *sm, uint32_t count)
{
    allocation = (struct ccbp_allocation){.config = config, .sm = sm, .kernels = kernels, .count = count};
}

enum { NOBODY = 99 };

/* One iteration, in as many calls as it takes: whose it was. */
static inline uint32_t next(void)
{
    bool more;

    do
        more = ccbp_allocate_some(&allocation, 1);
    while (more && allocation.put_off);
    return more ? allocation.last : NOBODY;
}

/* All iterations; returns their number. */
static inline uint32_t run(uint32_t prior)
{
    uint32_t iterations = 0;

    ccbp_allocate_begin(&allocation, prior);
    while (next() != NOBODY)
        iterations++;
    return iterations;
}

/* The quota is `part` / `of`. */
static inline void quota(uint32_t k, enum ccbp_bandwidth bandwidth, uint32_t part, uint32_t of)
{
    const struct ccbp_use *use = &allocation.grants[k].use[bandwidth];
    unsigned __int128 sum = (unsigned __int128)use->whole * use->over + use->rest;

    assert_true(use->rest < use->over);
    assert_true(sum * of == (unsigned __int128)part * allocation.config->units * use->over);
}

#endif
