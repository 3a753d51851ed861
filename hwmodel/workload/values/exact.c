#include "workload/values/exact.h"

#include <stdint.h>
#include <string.h>

#define LN2_HIGH 6.93147180369123816490e-01 /* 32 bits of ln 2: its products with exponents are exact */
#define LN2_LOW  1.90821492927058770002e-10
#define SQRT2    1.41421356237309504880

static double from_bits(uint64_t bits)
{
    double d;

    memcpy(&d, &bits, sizeof d);
    return d;
}

/* x = k ln 2 + r, |r| <= ln 2 / 2; e^r by its series, whose 18th term is below 2^-60. */
double mh_exact_exp(double x)
{
    const double scaled = x * 1.44269504088896338700;
    const int64_t k = (int64_t)(scaled < 0 ? scaled - 0.5 : scaled + 0.5);
    const double r = (x - (double)k * LN2_HIGH) - (double)k * LN2_LOW;
    double sum = 1;

    for (int n = 18; n; n--)
        sum = 1 + r / n * sum;
    return sum * from_bits((uint64_t)(1023 + k) << 52);
}

/* x = 2^k m, m near 1; ln m = 2 artanh(s), s = (m - 1) / (m + 1), |s| < 0.172. */
double mh_exact_log(double x)
{
    uint64_t bits;

    memcpy(&bits, &x, sizeof bits);
    int64_t k = (int64_t)(bits >> 52) - 1023;
    double m = from_bits((bits & 0xfffffffffffffu) | (uint64_t)1023 << 52);

    if (m > SQRT2) {
        m /= 2;
        k++;
    }
    const double s = (m - 1) / (m + 1), s2 = s * s;
    double sum = 0;

    for (int n = 25; n > 0; n -= 2)
        sum = sum * s2 + 1.0 / n;
    return (double)k * LN2_HIGH + (2 * s * sum + (double)k * LN2_LOW);
}

/* 24 bits of the root of the significand, one by one, and one to round by: no root lies half way. */
float mh_exact_sqrtf(float x)
{
    uint32_t bits;
    uint64_t root = 0;

    memcpy(&bits, &x, sizeof bits);
    if (!bits)
        return x;
    int32_t exponent = (int32_t)(bits >> 23) - 127;
    uint64_t value = (uint64_t)((bits & 0x7fffffu) | 0x800000u) << (25 + (exponent & 1));

    for (uint64_t bit = (uint64_t)1 << 24; bit; bit >>= 1)
        if ((root | bit) * (root | bit) <= value)
            root |= bit;
    bits = (uint32_t)((exponent - (exponent & 1)) / 2 + 127) << 23;
    bits += (uint32_t)((root + 1) >> 1) - 0x800000u;
    memcpy(&x, &bits, sizeof x);
    return x;
}
