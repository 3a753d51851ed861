/*
 * CCBP's allocation against algorithm 1 of the paper, written again in rational numbers of any size: the same kernels,
 * CTAs and quotas in a million random instances, with sums that are exactly at capacity and sums that miss it by next
 * to nothing among them. And what holds of every allocation.
 */
#include "unit/test.h"

#include "fake_window.h"

#include "ccbp_oracle.h"
#include "policy/ccbp/ccbp.h"
#include "random.h"

#define IMAGE_NAME             "test"
#define IMAGE_POLICIES(POLICY) POLICY(defaults)
#include "image/common/image.h"

enum { INSTANCES = 1000000 };

/* ---- the firmware's */

static struct ccbp_config config;
static struct ccbp_sm sm;
static struct ccbp_kernel kernels[KERNELS];
static struct ccbp_use uses[KERNELS][2];
static struct ccbp_point points[KERNELS][CTAS];
static struct ccbp_allocation allocation;

static void prepare(void)
{
    config = (struct ccbp_config){.units = in.units};
    memcpy(config.sustainable, in.sustainable, sizeof in.sustainable);
    memcpy(sm.amount, in.sm, sizeof in.sm);
    sm.slots = in.slots;
    for (uint32_t k = 0; k < in.kernels; k++) {
        uint32_t own = in.type[k] == DBI;

        kernels[k] = (struct ccbp_kernel){.type = in.type[k], .most = in.most[k], .use = uses[k], .points = points[k]};
        memcpy(kernels[k].cta.amount, in.cta[k], sizeof in.cta[k]);
        for (uint32_t b = 0; b < 2 && in.type[k] == LS; b++)
            uses[k][b] = ccbp_linear(in.units, in.bandwidth[k][b][1], in.measured[k]);
        for (uint32_t c = 1; c <= in.most[k] && in.type[k] != LS; c++)
            points[k][c - 1] =
                ccbp_point_of(in.units, in.sustainable[own], in.bandwidth[k][own][c], in.bandwidth[k][!own][c]);
    }
    memset(&allocation, 0xa5, sizeof allocation); /* it sets all of it */
    allocation.config = &config;
    allocation.sm = &sm;
    allocation.kernels = kernels;
    allocation.count = in.kernels;
}

static bool same_quota(const struct ccbp_use *use, const struct rational *quota)
{
    return use->rest < use->over &&
           ((u128)use->whole * use->over + use->rest) * quota->of == quota->part * in.units * use->over;
}

static uint32_t put_off; /* calls that were no whole iteration */

static void compare(uint32_t seed)
{
    uint32_t iterations = 0;

    prepare();
    algorithm_1();
    ccbp_allocate_begin(&allocation, in.prior);
    while (ccbp_allocate_some(&allocation, 1)) {
        if (allocation.put_off) {
            put_off++;
            continue;
        }
        if (iterations >= out.iterations || allocation.last != out.order[iterations])
            fail_msg("instance %u: another kernel in iteration %u", seed, iterations);
        iterations++;
    }
    assert_int_equal(iterations, out.iterations);
    for (uint32_t k = 0; k < in.kernels; k++)
        if (allocation.grants[k].ctas != out.ctas[k] ||
            !same_quota(&allocation.grants[k].use[CCBP_NOC], &out.quota[k][CCBP_NOC]) ||
            !same_quota(&allocation.grants[k].use[CCBP_DRAM], &out.quota[k][CCBP_DRAM]))
            fail_msg("instance %u: kernel %u has %u CTAs, not %u, or another quota", seed, k, allocation.grants[k].ctas,
                     out.ctas[k]);
}

/* ---- instances */

static uint64_t state_of_random;

static uint32_t number(uint32_t low, uint32_t high)
{
    return pick(&state_of_random, low, high);
}

/* Of all magnitudes alike, 1 .. 2^bits - 1. */
static uint32_t magnitude(uint32_t bits)
{
    uint32_t b = number(1, bits);

    return number(b == 1 ? 1 : 1u << (b - 1), b == 32 ? UINT32_MAX - 1 : (1u << b) - 1);
}

/* An SM, and CTAs of which it holds some 1 to 32. */
static void random_statics(void)
{
    static const uint32_t real[3] = {262144, 98304, 2048};
    uint32_t kind = number(0, 3);

    in.slots = number(0, 3) ? 32 : number(1, 32);
    for (uint32_t r = 0; r < 3; r++)
        in.sm[r] = kind == 0 ? real[r] : kind == 1 ? number(4, 64) : magnitude(17);
    if (kind == 2)
        in.sm[CCBP_SHARED] = 0;
    for (uint32_t k = 0; k < in.kernels; k++) {
        in.measured[k] = number(1, CTAS);
        for (uint32_t r = 0; r < 3; r++)
            in.cta[k][r] = number(0, 15) ? in.sm[r] / number(4, 40) : number(0, in.sm[r] / 2);
    }
}

/* A bandwidth that M times is below 2^32 - 1. */
static uint32_t sustainable(uint32_t bits)
{
    uint32_t bandwidth = magnitude(bits), most = (UINT32_MAX - 1) / in.units;

    return bandwidth < most ? bandwidth : most;
}

/* Use per CTA of all magnitudes, with noise. */
static void random_bandwidths(void)
{
    in.sustainable[0] = sustainable(32);
    in.sustainable[1] = sustainable(32);
    for (uint32_t k = 0; k < in.kernels; k++)
        for (uint32_t b = 0; b < 2; b++) {
            uint32_t one = in.sustainable[b] / number(1, 40);

            for (uint32_t c = 1; c <= CTAS; c++) {
                uint64_t use = (uint64_t)one * number(c, c + 3) / number(1, in.type[k] == LS ? 8 : 2);

                in.bandwidth[k][b][c] = use > UINT32_MAX ? UINT32_MAX : (uint32_t)use;
            }
        }
}

/* Few and small numbers: sums often meet capacities. */
static void small_bandwidths(void)
{
    in.sustainable[0] = number(1, 60);
    in.sustainable[1] = number(0, 1) ? in.sustainable[0] : number(1, 60);
    for (uint32_t k = 0; k < in.kernels; k++)
        for (uint32_t b = 0; b < 2; b++)
            for (uint32_t c = 1; c <= CTAS; c++)
                in.bandwidth[k][b][c] = number(0, 1 + in.sustainable[b] / 2);
}

/*
 * Parts of the capacity with small denominators, of numbers that are large: those over which the fractions stand are
 * as large as they can be, and sums meet the capacity. Half of them miss it: by 1 in one of the numbers.
 */
static void constructed_bandwidths(void)
{
    static const uint32_t parts[] = {1, 2, 3, 4, 6, 12, 5, 7};

    in.sustainable[0] = in.sustainable[1] = sustainable(number(0, 1) ? 32 : 10);
    for (uint32_t k = 0; k < in.kernels; k++) {
        uint32_t own = in.type[k] == DBI, of = parts[number(0, 5)], part = number(1, of);

        in.measured[k] = 4 * parts[number(0, 7)];
        for (uint32_t c = 1; c <= CTAS; c++) {
            uint32_t scale = number(1, UINT32_MAX / of - 1);

            in.bandwidth[k][own][c] = scale * of;
            in.bandwidth[k][!own][c] = in.type[k] == LS ? in.sustainable[0] : scale * part;
            if (in.type[k] == LS)
                in.bandwidth[k][own][c] = number(0, 1) ? in.sustainable[0] : 0;
            else if (number(0, 63) == 0)
                in.bandwidth[k][number(0, 1)][c]++;
        }
    }
}

static uint64_t common_factor(uint64_t a, uint64_t b)
{
    return b == 0 ? a : common_factor(b, a % b);
}

/* a times it is 1 modulo m, which has no factor in common with a. */
static uint64_t inverse(uint64_t a, uint64_t m)
{
    int64_t before = 0, now = 1;

    for (uint64_t high = m, low = a % m; low > 1;) {
        uint64_t rest = high % low;
        int64_t next = before - (int64_t)(high / low) * now;

        high = low;
        low = rest;
        before = now;
        now = next;
    }
    return now < 0 ? (uint64_t)(now + (int64_t)m) : (uint64_t)now;
}

/* Denominators of 32 bits that have no factors in common. */
static void coprimes(uint32_t *of, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        bool again;

        do {
            of[i] = number(3, 0xfffffffe);
            again = false;
            for (uint32_t j = 0; j < i; j++)
                again |= common_factor(of[i], of[j]) != 1;
        } while (again);
    }
}

/*
 * The sum of all but one kernel's first unit is off a whole number by 1 over the product of all denominators, up to
 * 2^-224: by Chinese remainders. The other kernel, the first, takes what makes that number the capacity.
 */
static void narrow_bandwidths(void)
{
    uint32_t of[KERNELS], whole = 0, count = in.kernels - 1, above = number(0, 1);
    double sum = 0;

    coprimes(of, count);
    in.units = number(KERNELS, 40);
    in.sustainable[CCBP_NOC] = 1;
    in.sustainable[CCBP_DRAM] = number(1, 1000);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t others = 1;

        for (uint32_t j = 0; j < count; j++)
            others = j == i ? others : others * (of[j] % of[i]) % of[i];

        uint64_t part = inverse(others, of[i]);

        for (uint32_t c = 1; c <= CTAS; c++) {
            in.bandwidth[i + 1][CCBP_NOC][c] = of[i];
            in.bandwidth[i + 1][CCBP_DRAM][c] = (uint32_t)(above ? part : of[i] - part);
        }
        in.type[i + 1] = NBI;
        sum += (double)in.bandwidth[i + 1][CCBP_DRAM][1] / of[i];
    }
    whole = (uint32_t)(sum + 0.5);
    in.type[0] = LS;
    in.measured[0] = in.units;
    in.bandwidth[0][CCBP_DRAM][1] = in.units * in.sustainable[CCBP_DRAM] - whole;
}

static void random_instance(uint32_t seed)
{
    memset(&in, 0, sizeof in);
    state_of_random = seed;
    in.kernels = number(0, 3) ? number(2, 4) : number(1, KERNELS);
    in.units = number(0, 1) ? 20 : number(0, 9) ? number(1, 40) : number(1, 255);
    in.prior = number(0, 1) ? 10 : number(1, 10);
    for (uint32_t k = 0; k < in.kernels; k++) {
        in.type[k] = number(0, 2);
        in.most[k] = number(0, 15) ? number(1, CTAS) : 0;
    }
    random_statics();
    switch (number(0, in.kernels > 2 ? 4 : 3)) {
    case 0:
        random_bandwidths();
        break;
    case 1:
        small_bandwidths();
        break;
    case 4:
        narrow_bandwidths();
        break;
    default:
        constructed_bandwidths();
    }
}

TEST(a_million_instances)
{
    for (uint32_t seed = 0; seed < INSTANCES; seed++) {
        random_instance(seed);
        compare(seed);
    }
    print_message("%u sums exactly at capacity, %u next to it, %u put off\n", exact, close, put_off);
    assert_true(exact > INSTANCES / 10 && close > INSTANCES / 1000 && put_off > INSTANCES / 1000);
}

/* ---- what holds of every allocation */

static void allocate(uint32_t prior)
{
    prepare();
    ccbp_allocate_begin(&allocation, prior);
    while (ccbp_allocate_some(&allocation, number(1, 100)))
        ;
}

/* CTAs fit the SM, quotas both bandwidths: by the oracle's sums, from the firmware's results. */
static bool holds(void)
{
    uint32_t ctas[KERNELS];
    struct rational quota[KERNELS][2];

    for (uint32_t k = 0; k < in.kernels; k++) {
        ctas[k] = allocation.grants[k].ctas;
        for (uint32_t b = 0; b < 2; b++) {
            const struct ccbp_use *use = &allocation.grants[k].use[b];

            quota[k][b] = (struct rational){(u128)use->whole * use->over + use->rest, (uint64_t)in.units * use->over};
        }
    }
    return can_allocate(ctas, quota);
}

TEST(what_is_granted_is_there)
{
    uint32_t filled = 0;

    for (uint32_t seed = INSTANCES; seed < INSTANCES + INSTANCES / 10; seed++) {
        uint32_t before[KERNELS];

        random_instance(seed);
        allocate(in.prior);
        if (!holds())
            fail_msg("instance %u: more than there is", seed);
        for (uint32_t k = 0; k < in.kernels; k++)
            before[k] = allocation.grants[k].ctas;
        assert_false(ccbp_allocate_fill(&allocation, CCBP_MAX_CTAS));
        if (!holds())
            fail_msg("instance %u: filled with more than there is", seed);
        for (uint32_t k = 0; k < in.kernels; k++) {
            filled += allocation.grants[k].ctas > before[k];
            assert_true(in.type[k] == LS || allocation.grants[k].ctas == before[k]);
        }
    }
    assert_true(filled > INSTANCES / 100);
}

/*
 * A latency-sensitive kernel and another one whose use grows with its quota: a lower prior gives the first as many CTAs
 * or more, and the other no more units. (Of more kernels it need not hold: what one loses may make room for a third.)
 */
TEST(a_lower_prior_favours_the_latency_sensitive)
{
    uint32_t moved = 0;

    for (uint32_t seed = 0; seed < INSTANCES / 50; seed++) {
        uint32_t bi, ls, ctas = 0, units = CCBP_MAX_UNITS;

        random_instance(seed);
        if (in.kernels == 1)
            continue;
        in.kernels = 2;
        bi = number(0, 1);
        ls = !bi;
        in.type[ls] = LS;
        in.type[bi] = number(0, 1) ? NBI : DBI;
        for (uint32_t b = 0; b < 2; b++)
            for (uint32_t c = CTAS; c >= 1; c--)
                in.bandwidth[bi][b][c] = in.bandwidth[bi][b][1] / CTAS * c;
        for (uint32_t prior = 10; prior >= 1; prior--) {
            allocate(prior);
            moved += prior < 10 && allocation.grants[ls].ctas > ctas;
            if (allocation.grants[ls].ctas < ctas || allocation.grants[bi].units > units)
                fail_msg("instance %u: %u CTAs at prior %u, %u before", seed, allocation.grants[ls].ctas, prior, ctas);
            ctas = allocation.grants[ls].ctas;
            units = allocation.grants[bi].units;
        }
    }
    assert_true(moved > INSTANCES / 500);
}

TEST_GROUP(.slow = true);
