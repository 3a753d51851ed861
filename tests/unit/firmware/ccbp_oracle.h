/*
 * Algorithm 1 of CCBP (Lin et al., sec. 5.2) written again, in rational numbers of any size: what ccbp_allocate.h's is
 * compared with. `in` is what it is given, algorithm_1() leaves in `out` what it comes to. cmocka.h comes first.
 */
#ifndef TESTS_CCBP_ORACLE_H
#define TESTS_CCBP_ORACLE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "policy/ccbp/ccbp.h"

#define LS  CCBP_LATENCY_SENSITIVE
#define NBI CCBP_NOC_INTENSIVE
#define DBI CCBP_DRAM_INTENSIVE

typedef unsigned __int128 u128;

enum { KERNELS = 8, CTAS = 32, WORDS = 6 };

/* What algorithm 1 is given. bandwidth[k][b][c]: of c CTAs; a latency-sensitive kernel's of `measured` ones is in [1].
 */
static struct instance {
    uint32_t kernels, units, prior, slots, sustainable[2], sm[3];
    enum ccbp_type type[KERNELS];
    uint32_t most[KERNELS], measured[KERNELS], cta[KERNELS][3], bandwidth[KERNELS][2][CTAS + 1];
} in;

struct rational {
    u128 part; /* below 2^73 */
    uint64_t of;
};

/* What it comes to, and how often a sum was what the capacity is, or other by less than a double tells. */
static struct {
    uint32_t ctas[KERNELS], iterations, order[1024];
    struct rational quota[KERNELS][2];
} out;
static uint32_t exact, close;

/* 384 bits, times up to 2^40. */
static void times(uint64_t *x, uint64_t factor)
{
    u128 carry = 0;

    for (unsigned i = 0; i < WORDS; i++) {
        carry += (u128)x[i] * factor;
        x[i] = (uint64_t)carry;
        carry >>= 64;
    }
    assert_true(carry == 0);
}

static void plus(uint64_t *x, const uint64_t *y)
{
    u128 carry = 0;

    for (unsigned i = 0; i < WORDS; i++) {
        carry += (u128)x[i] + y[i];
        x[i] = (uint64_t)carry;
        carry >>= 64;
    }
    assert_true(carry == 0);
}

/* The sum of the quotas against `total`: -1, 0 or 1. Each term times the denominators of the others. */
static int compare_sum(const struct rational *quotas, uint32_t count, uint32_t total)
{
    uint64_t sum[WORDS] = {0}, most[WORDS] = {total};

    for (uint32_t i = 0; i < count; i++) {
        uint64_t term[WORDS] = {(uint64_t)quotas[i].part, (uint64_t)(quotas[i].part >> 64)};

        for (uint32_t j = 0; j < count; j++)
            if (j != i)
                times(term, quotas[j].of);
        plus(sum, term);
        times(most, quotas[i].of);
    }
    for (unsigned i = WORDS; i-- > 0;)
        if (sum[i] != most[i])
            return sum[i] < most[i] ? -1 : 1;
    return 0;
}

/* Doubles where they are sure: 8 terms are off by less than 1e-14 of the sum. */
static bool sum_fits(const struct rational *quotas, uint32_t count, uint32_t total)
{
    double sum = 0;
    int sign;

    for (uint32_t i = 0; i < count; i++)
        sum += (double)quotas[i].part / (double)quotas[i].of;
    if (sum < 0.999999999999 * total || sum > 1.000000000001 * total)
        return sum < total;
    sign = compare_sum(quotas, count, total);
    exact += sign == 0;
    close += sign != 0;
    return sign <= 0;
}

static bool can_allocate(const uint32_t *ctas, struct rational quota[][2])
{
    uint32_t all = 0;

    for (uint32_t k = 0; k < in.kernels; k++)
        all += ctas[k];
    if (all > in.slots)
        return false;
    for (uint32_t r = 0; r < 3; r++) {
        uint64_t taken = 0;

        for (uint32_t k = 0; k < in.kernels; k++)
            taken += (uint64_t)ctas[k] * in.cta[k][r];
        if (taken > in.sm[r])
            return false;
    }
    for (uint32_t b = 0; b < 2; b++) {
        struct rational quotas[KERNELS];

        for (uint32_t k = 0; k < in.kernels; k++)
            quotas[k] = quota[k][b];
        if (!sum_fits(quotas, in.kernels, in.sustainable[b]))
            return false;
    }
    return true;
}

static bool less(u128 a_part, u128 a_of, u128 b_part, u128 b_of)
{
    return a_part * b_of < b_part * a_of;
}

/* DomShareCal. */
static struct rational dominant_share(uint32_t k)
{
    struct rational share = {0, 1};

    if (in.type[k] != LS) {
        const struct rational *own = &out.quota[k][in.type[k] == DBI];

        return (struct rational){own->part, own->of * in.sustainable[in.type[k] == DBI]};
    }
    for (uint32_t r = 0; r < 3; r++)
        if (in.sm[r] > 0 && less(share.part, share.of, (u128)out.ctas[k] * in.cta[k][r], in.sm[r]))
            share = (struct rational){(u128)out.ctas[k] * in.cta[k][r], in.sm[r]};
    return (struct rational){share.part * in.prior, share.of * 10};
}

static bool lower_share(uint32_t i, uint32_t k)
{
    struct rational one = dominant_share(i), other = dominant_share(k);

    return less(one.part, one.of, other.part, other.of);
}

/* The paper does not say how to divide by a bandwidth of 0: as by 1. */
static uint64_t divisor(uint32_t bandwidth)
{
    return bandwidth > 0 ? bandwidth : 1;
}

/* Lines 4 to 21; false: beyond what was measured. */
static bool ask(uint32_t k, uint32_t *ctas, struct rational quota[2])
{
    uint32_t own = in.type[k] == DBI;

    if (in.type[k] == LS) {
        if (++*ctas > in.most[k])
            return false;
        for (uint32_t b = 0; b < 2; b++)
            quota[b] = (struct rational){(u128)in.bandwidth[k][b][1] * *ctas, in.measured[k]};
        return true;
    }
    quota[own] = (struct rational){quota[own].part + in.sustainable[own], in.units};
    if (less(in.bandwidth[k][own][*ctas], 1, quota[own].part, quota[own].of) && ++*ctas > in.most[k])
        return false;
    quota[!own] = (struct rational){quota[own].part * in.bandwidth[k][!own][*ctas],
                                    quota[own].of * divisor(in.bandwidth[k][own][*ctas])};
    return true;
}

static void algorithm_1(void)
{
    bool unfinished[KERNELS];

    memset(&out, 0, sizeof out);
    for (uint32_t k = 0; k < in.kernels; k++) {
        unfinished[k] = true;
        out.quota[k][0].of = out.quota[k][1].of = 1;
    }
    for (;;) {
        uint32_t k = KERNELS, ctas[KERNELS];
        struct rational quota[KERNELS][2];

        for (uint32_t i = 0; i < in.kernels; i++)
            if (unfinished[i] && (k == KERNELS || lower_share(i, k)))
                k = i;
        if (k == KERNELS)
            return;
        out.order[out.iterations++] = k;
        memcpy(ctas, out.ctas, sizeof ctas);
        memcpy(quota, out.quota, sizeof quota);
        if (ask(k, &ctas[k], quota[k]) && can_allocate(ctas, quota)) {
            memcpy(out.ctas, ctas, sizeof ctas);
            memcpy(out.quota, quota, sizeof quota);
        } else {
            unfinished[k] = false;
        }
    }
}

#endif
