#include "engine/interleave.h"

/*
 * Irreducible polynomials over GF(2) by degree, bit i the coefficient of x^i. From degree 3 on those of GPGPU-Sim's
 * IPOLY (hashing.cc, which gives 19, 37, 67, 131 and 283; its equations for 8 banks are those of 11).
 */
static const uint16_t polynomial[] = {1, 3, 7, 11, 19, 37, 67, 131, 283};

/* v x^degree modulo the polynomial. */
static uint8_t shifted_remainder(uint64_t v, uint32_t degree)
{
    v <<= degree;
    while (v >> degree)
        v ^= (uint64_t)polynomial[degree] << (63 - (uint32_t)__builtin_clzll(v) - degree);
    return (uint8_t)v;
}

struct mh_interleave mh_interleave(uint32_t banks, enum mh_slice_hash hash)
{
    uint32_t log2 = (uint32_t)__builtin_ctz(banks), odd = banks >> log2;
    struct mh_interleave x = {.banks = mh_divisor(banks),
                              .bits = hash == MH_SLICES_FOLD && odd == 1 ? log2 : 0,
                              .hash = (uint8_t)hash,
                              .degree = (uint8_t)log2,
                              .odd = mh_divisor(odd)};

    for (uint32_t n = 0; n < MH_NIBBLES; n++)
        for (uint32_t v = 0; v < MH_NIBBLE_VALUES; v++)
            x.remainder[n][v] = shifted_remainder((uint64_t)v << 4 * n, log2);
    return x;
}

void mh_interleave_tenants(struct mh_interleave x[MH_MAX_TENANTS], const struct mh_config *cfg)
{
    uint32_t first = 0, n = cfg->tenants_count;
    enum mh_slice_hash hash = cfg->l2.slice_hash;

    for (uint32_t t = 0; t < MH_MAX_TENANTS; t++) {
        x[t] = mh_interleave(cfg->l2.banks, hash);
        if (!cfg->dram.partition || t >= n)
            continue;
        x[t] = mh_interleave(mh_config_part(cfg->dram.channels, n, t) * (cfg->l2.banks / cfg->dram.channels), hash);
        x[t].first = first;
        first += x[t].banks.by;
    }
}

/*
 * Of 2^k banks: the line modulo the polynomial of degree k; the low k bits are their own remainder. Of m 2^k banks, m
 * odd: 2^k rows of m banks. The row is the low k bits and the remainder of line / banks, which is the same for `banks`
 * neighbours; the place in the row is the sum of digits modulo m. Neighbours differ in one of the two, as m and 2^k
 * have no common factor.
 */
static uint32_t ipoly(const struct mh_interleave *x, uint32_t line)
{
    uint32_t upper = mh_quotient(&x->banks, line), row = line & ((1u << x->degree) - 1);

    for (uint32_t n = 0; n < MH_NIBBLES; n++, upper >>= 4)
        row ^= x->remainder[n][upper & (MH_NIBBLE_VALUES - 1)];
    return x->odd.by == 1 ? row : row * x->odd.by + mh_remainder(&x->odd, mh_interleave_digits(x, line));
}

uint32_t mh_interleave_hashed(const struct mh_interleave *x, uint32_t line)
{
    return x->hash == MH_SLICES_MODULO ? mh_remainder(&x->banks, line) : ipoly(x, line);
}
