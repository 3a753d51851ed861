/* Values of each kernel against numbers worked out by hand, and our expf, logf, sqrtf and rand() against those of the
 * host. */
#include <math.h>
#include "unit/test.h"
#include "unit/workload/values_fixture.h"
#include "engine/random.h"
#include "workload/values/table.h"

#define assert_float(a, b) assert_true((a) == (b))

/* A[i][j] = i j / 32; sums of j (j + 3) / 1024 and k (k + 4) / 1024 are exact. */
TEST(test_mvt)
{
    struct fixture f = values_of("MVT", 32);

    assert_float(float_at(&f, 0, 3 * 32 + 5), 0.46875f);
    assert_float(float_at(&f, 1, 1), 0.03125f);
    assert_float(stored_at(&f, 1, 1), 11.65625f);
    mh_values_finish(f.v, 1);
    assert_float(float_at(&f, 1, 1), 11.65625f);
    assert_float(float_at(&f, 2, 1), 0.0625f);
    mh_values_finish(f.v, 2);
    assert_float(float_at(&f, 2, 1), 12.171875f);
    assert_float(float_at(&f, 2, 0), 0.03125f);
    values_end(&f);
}

/* tmp = A x, then y = A' tmp: i pi / 32 summed; within what float sums lose. */
TEST(test_atax)
{
    struct fixture f = values_of("ATAX", 32);

    assert_float(float_at(&f, 1, 1), 3.14159274f);
    mh_values_finish(f.v, 2);
    assert_true(fabs(float_at(&f, 3, 2) - 2 * M_PI * 10416 / 32) < 1e-3);
    assert_true(fabs(float_at(&f, 2, 1) - M_PI * 10416 / 32 * 10416 / 32) < 1);
    assert_float(float_at(&f, 2, 0), 0);
    values_end(&f);
}

/* q = A p first, then s = A' r: with A symmetric and r = p, the same numbers. */
TEST(test_bicg)
{
    struct fixture f = values_of("BICG", 32);

    mh_values_finish(f.v, 1);
    assert_true(fabs(float_at(&f, 4, 2) - 2 * M_PI * 10416 / 32) < 1e-3);
    assert_float(float_at(&f, 2, 2), 0);
    mh_values_finish(f.v, 2);
    assert_float(float_at(&f, 2, 2), float_at(&f, 4, 2));
    values_end(&f);
}

/* y[1] = 43532 t + 12313 t, t = 10416 / 1024: 442802.0625 + 125246.296875, rounded to 1/16. */
TEST(test_gesummv)
{
    struct fixture f = values_of("GESUMMV", 32);

    mh_values_finish(f.v, 1);
    assert_float(float_at(&f, 4, 1), 10.171875f);
    assert_float(float_at(&f, 3, 1), 568048.375f);
    values_end(&f);
}

TEST(test_conv2d)
{
    static const double mask[] = {0.2, 0.5, -0.8, -0.3, 0.6, -0.9, 0.4, 0.7, 0.1};
    struct fixture f = values_of("2DCONV", 3);
    double sum = 0;

    assert_float(float_at(&f, 0, 0), (float)1804289383 / 2147483648.0f);
    mh_values_finish(f.v, 1);
    for (uint64_t i = 0; i < 9; i++) {
        sum += mask[i] * float_at(&f, 0, i);
        assert_true(i == 4 || float_at(&f, 1, i) == 0);
    }
    assert_true(fabs(float_at(&f, 1, 4) - sum) < 1e-6);
    values_end(&f);
}

/* At (1, 1, 1): 8 + 14 + 20 - 12 + 36 - 72 + 12 + 32 + 40 + 70 - 80 + 120. */
TEST(test_conv3d)
{
    const uint64_t plane = 32 * 32, at = plane + 32 + 1;
    struct fixture f = values_of("3DCONV", 32);

    assert_float(float_at(&f, 0, at), 6);
    assert_float(float_at(&f, 0, (31 * 32 + 31) * 32 + 31), 31 % 12 + 2 * (31 % 7) + 3 * (31 % 13));
    assert_float(float_at(&f, 1, at), 0);
    assert_float(stored_at(&f, 1, at), 188);
    assert_float(stored_at(&f, 1, at + plane), 0); /* the next launch's */
    mh_values_finish(f.v, 1);
    assert_float(float_at(&f, 1, at), 188);
    assert_float(float_at(&f, 1, at + plane), 0);
    assert_true(stored_at(&f, 1, at + plane) != 0);
    values_end(&f);
}

/* n = 4: hz[0][0] = -33/4, hz[1][0] = -29/4, hz[0][1] = -42/4; ex[0][1] = 1/4; ey[1][0] = 2/4. */
TEST(test_fdtd)
{
    struct fixture f = values_of("FDTD", 4);

    assert_float(float_at(&f, 3, 0), -8.25f);
    assert_float(float_at(&f, 2, 4), 0.5f);
    mh_values_finish(f.v, 1);
    assert_float(float_at(&f, 2, 4), 0);
    assert_float(float_at(&f, 2, 3), 0); /* row 0: _fict_[0] */
    mh_values_finish(f.v, 2);
    assert_float(float_at(&f, 1, 1), 0.25f - 0.5f * (-10.5f + 8.25f));
    assert_float(float_at(&f, 1, 0), 0.25f);
    mh_values_finish(f.v, 3);
    assert_float(float_at(&f, 3, 0), -8.25f - 0.7f * (1.375f - 0.25f + 0 - 0));
    assert_float(float_at(&f, 3, 3), -15); /* the last column stays: (-9 * 7 + 3) / 4 */
    values_end(&f);
}

/* 1 on the rim, 0 inside: a corner of the inside has three neighbours of 1. Rows have 512 bytes. */
TEST(test_laplace3d)
{
    const uint64_t row = 128, plane = 8 * row;
    struct fixture f = values_of("LPS", 8);

    assert_float(float_at(&f, 0, plane + row + 1), 0);
    assert_float(float_at(&f, 0, 7), 1);
    assert_float(float_at(&f, 0, 8), 0); /* the pitch */
    assert_float(float_at(&f, 1, 0), 0);
    mh_values_finish(f.v, 1);
    assert_float(float_at(&f, 1, 0), 1);
    assert_float(float_at(&f, 1, plane + row + 1), 0.5f);
    assert_float(float_at(&f, 1, plane + row + 2), 2 * (1.0f / 6));
    assert_float(float_at(&f, 1, 3 * (plane + row + 1)), 0);
    mh_values_finish(f.v, 2);
    assert_float(float_at(&f, 0, plane + row + 1), (3 + 3 * (2 * (1.0f / 6))) * (1.0f / 6));
    values_end(&f);
}

/* All numbers are small integers: sums are exact in any order. */
TEST(test_convolution)
{
    enum { N = 128, TAPS = 17 };
    struct fixture f = values_of("CONS", N);
    struct c_rand r;
    uint32_t tap[TAPS];
    float row = 0, column = 0;

    c_srand(&r, 200);
    for (int i = 0; i < TAPS; i++)
        tap[i] = c_rand(&r) % 16;
    assert_float(float_at(&f, 0, 0), (float)(c_rand(&r) % 16));
    mh_values_finish(f.v, 2);
    for (int j = -8; j <= 8; j++) { /* at column 3 of row 70, and at row 125 of column 9 */
        row += j < -3 ? 0 : (float)tap[8 - j] * float_at(&f, 0, (uint64_t)(70 * N + 3 + j));
        column += j > 2 ? 0 : (float)tap[8 - j] * float_at(&f, 2, (uint64_t)((125 + j) * N + 9));
    }
    assert_float(float_at(&f, 2, 70 * N + 3), row);
    assert_float(float_at(&f, 1, 125 * N + 9), column);
    values_end(&f);
}

TEST(test_scan)
{
    struct fixture f = values_of("SCAN", 9000);

    assert_float(float_at(&f, 0, 7), 1);
    mh_values_finish(f.v, 1);
    assert_float(float_at(&f, 2, 63), (9000.0f - 63 * 140) / 2);
    mh_values_finish(f.v, 2);
    assert_float(float_at(&f, 2, 0), 0);
    assert_float(float_at(&f, 2, 63), 63 * 70);
    mh_values_finish(f.v, 3);
    for (uint64_t i = 0; i < 9000; i++)
        assert_float(float_at(&f, 1, i), (float)((i + 1) / 2));
    values_end(&f);
}

TEST(test_corr)
{
    enum { N = 40 };
    struct fixture f = values_of("CORR", N);
    float mean = 0, sum = 0;

    for (uint64_t i = 0; i < N; i++)
        mean += float_at(&f, 0, i * N + 39);
    assert_float(stored_at(&f, 2, 39), mean / 3214212.01f);
    mh_values_finish(f.v, 2);
    assert_float(float_at(&f, 3, 0), 1);
    /* sum of (39 i / 40)^2 = 0.950625 * 20540 */
    assert_true(fabs(float_at(&f, 3, 39) - sqrt(0.950625 * 20540 / 3214212.01)) < 1e-6);
    mh_values_finish(f.v, 4);
    for (uint64_t i = 0; i < N; i++)
        sum += float_at(&f, 0, i * N + 17) * float_at(&f, 0, i * N + 39);
    assert_float(float_at(&f, 1, 17 * N + 39), sum);
    assert_float(float_at(&f, 1, 39 * N + 17), sum);
    assert_float(float_at(&f, 1, 5 * N + 5), 1);
    assert_float(float_at(&f, 1, 39 * N + 39), 0);
    values_end(&f);
}

TEST(test_covar)
{
    enum { N = 40 };
    struct fixture f = values_of("COVAR", N);
    float before = float_at(&f, 0, 3 * N + 4), sum = 0;

    mh_values_finish(f.v, 2);
    assert_float(float_at(&f, 0, 3 * N + 4), before - float_at(&f, 2, 4));
    for (uint64_t i = 0; i < N; i++)
        sum += float_at(&f, 0, i * N + 39) * float_at(&f, 0, i * N + 39);
    assert_float(stored_at(&f, 1, 39 * N + 39), sum);
    assert_float(float_at(&f, 1, 39 * N + 39), 0);
    values_end(&f);
}

/* L U is the matrix that was there: 10 e^(-|i - j| / 1000). */
TEST(test_lud)
{
    enum { N = 48 };
    struct fixture f = values_of("LUD", N);

    assert_float(float_at(&f, 0, 0), 10);
    assert_float(float_at(&f, 0, 5 * N + 4), float_at(&f, 0, 4 * N + 5));
    assert_true(fabs(float_at(&f, 0, 7) - 10 * exp(-0.007)) < 1e-6);
    mh_values_finish(f.v, f.w->launch_count);
    for (uint64_t i = 0; i < N; i += 5)
        for (uint64_t j = 0; j < N; j += 7) {
            double sum = 0;

            for (uint64_t k = 0; k <= i && k <= j; k++)
                sum += (k == i ? 1.0 : (double)float_at(&f, 0, i * N + k)) * float_at(&f, 0, k * N + j);
            assert_true(fabs(sum - 10 * exp(-0.001 * fabs((double)i - (double)j))) < 1e-4);
        }
    values_end(&f);
}

TEST(test_srad)
{
    enum { N = 64 };
    struct fixture f = values_of("SRAD", N);
    float pixel = float_at(&f, 0, 100);
    double sum = 0;

    assert_true(pixel >= 78 && pixel <= 209 && pixel == floorf(pixel));
    assert_int_equal(word_at(&f, 1, 0), 0);
    assert_int_equal(word_at(&f, 1, 9), 8);
    assert_int_equal(word_at(&f, 2, N - 1), N - 1);
    mh_values_finish(f.v, 1);
    assert_float(float_at(&f, 0, 100), (float)exp(pixel / 255));
    for (uint64_t i = 0; i < N * N; i++)
        sum += float_at(&f, 0, i);
    mh_values_finish(f.v, f.w->launch_count - 3);
    assert_true(fabs(float_at(&f, 10, 0) - sum) < 1e-2);
    mh_values_finish(f.v, f.w->launch_count - 2);
    assert_float(float_at(&f, 5, 100), float_at(&f, 0, 99) - float_at(&f, 0, 100));
    assert_float(float_at(&f, 5, 64), 0); /* the first row is its own neighbour */
    assert_float(float_at(&f, 7, 100), float_at(&f, 0, 164) - float_at(&f, 0, 100));
    assert_true(float_at(&f, 9, 100) >= 0 && float_at(&f, 9, 100) <= 1);
    mh_values_finish(f.v, f.w->launch_count);
    assert_true(fabsf(float_at(&f, 0, 100) - pixel) < 20);
    values_end(&f);
}

/* 48 x 32 pixels are six macroblocks; position 16 * 33 + 16 is no displacement; the frame has moved by (3, 2). */
TEST(test_sad)
{
    enum { PLANE = 1096, STILL = 16 * 33 + 16, MOVED = 14 * 33 + 13, MBS = 6 };
    struct fixture f = values_of("SAD", 48);
    int32_t sum = 0, all = 0, moved = 0;

    mh_values_finish(f.v, 1);
    for (uint64_t y = 4; y < 8; y++) /* macroblock 1, block (0, 1) */
        for (uint64_t x = 16; x < 20; x++)
            sum += abs(half_at(&f, 0, y * 48 + x) - half_at(&f, 2, y * 48 + x));
    assert_int_equal(half_at(&f, 1, (MBS * 25 + 16 + 4) * PLANE + STILL), sum);
    assert_int_equal(half_at(&f, 1, STILL), 0);
    mh_values_finish(f.v, 3);
    for (uint64_t b = 0; b < 16; b++) {
        all += half_at(&f, 1, (MBS * 25 + 16 + b) * PLANE + STILL);
        moved += half_at(&f, 1, (MBS * 25 + 16 + b) * PLANE + MOVED);
    }
    assert_int_equal(half_at(&f, 1, 1 * PLANE + STILL), all);
    assert_true(moved < all);
    assert_true(moved <= 256 * 4); /* what is left is noise */
    values_end(&f);
}

enum { TRIES = 200000 };

static double between(uint64_t i, double low, double high)
{
    return low + (high - low) * ((double)(mh_random(7, i) >> 11) / 9007199254740992.0);
}

static bool near(double a, double b)
{
    return fabs(a - b) <= 8e-16 * fabs(b);
}

TEST(test_exp)
{
    assert_true(mh_exact_exp(0) == 1);
    assert_true((float)mh_exact_exp(1) == 2.7182817f);
    for (uint64_t i = 0; i < TRIES; i++) {
        double x = between(i, -700, 700), y = between(i, -3, 1);

        if (!near(mh_exact_exp(x), exp(x)) || (float)mh_exact_exp((float)y) != (float)exp((float)y))
            fail_msg("exp of %.17g or %.17g", x, y);
    }
}

TEST(test_log)
{
    assert_true(mh_exact_log(1) == 0);
    for (uint64_t i = 0; i < TRIES; i++) {
        float x = (float)between(i, 0.1, 10);
        double y = between(i, 1e-9, 1e9);

        if ((float)mh_exact_log(x) != (float)log(x) || !near(mh_exact_log(y), log(y)))
            fail_msg("log of %.9g or %.17g", (double)x, y);
    }
}

TEST(test_sqrt)
{
    assert_true(mh_exact_sqrtf(0) == 0);
    assert_true(mh_exact_sqrtf(2) == 1.41421354f);
    for (uint64_t i = 0; i < TRIES; i++) {
        uint32_t bits = (uint32_t)(mh_random(9, i) % 0x7f000000) + 0x00800000;
        float x;

        memcpy(&x, &bits, sizeof x);
        if (mh_exact_sqrtf(x) != sqrtf(x))
            fail_msg("root of %.9g", (double)x);
    }
}

/* The first numbers of a Linux program that has not called srand(), and of one with srand(42). */
TEST(test_rand)
{
    static const uint32_t first[] = {1804289383, 846930886, 1681692777, 1714636915, 1957747793};
    struct c_rand r;

    c_srand(&r, 1);
    for (size_t i = 0; i < sizeof first / sizeof *first; i++)
        assert_int_equal(c_rand(&r), first[i]);
    c_srand(&r, 42);
    assert_int_equal(c_rand(&r), 71876166);
    assert_int_equal(c_rand(&r), 708592740);
}
