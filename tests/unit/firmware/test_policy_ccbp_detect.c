/* CCBP's detection at, below and above each edge, with counters of 0 and of 32 bits, and against exact numbers. */
#include "unit/test.h"

#include "fake_window.h"

#include "policy/ccbp/ccbp.h"
#include "random.h"

#define IMAGE_NAME             "test"
#define IMAGE_POLICIES(POLICY) POLICY(defaults)
#include "image/common/image.h"

#define LS  CCBP_LATENCY_SENSITIVE
#define NBI CCBP_NOC_INTENSIVE
#define DBI CCBP_DRAM_INTENSIVE

typedef unsigned __int128 u128;

enum { SAMPLES = 300000 };

/* 2 replies a cycle, 4 accesses of DRAM; each line has its flit. */
static const struct ccbp_config round_numbers = {
    .sustainable = {2 * 160 << 16, 4 * 128 << 16},
    .bytes = {160, 128},
    .units = 20,
    .sms = 16,
    .interval = 200 << 8,
};

/* The paper's GPU: 368.64 and 223.3 GB/s at 1.8 GHz. */
static const struct ccbp_config paper = {
    .sustainable = {13421772, 8130104},
    .bytes = {160, 128},
    .units = 20,
    .sms = 16,
    .interval = 200 << 8,
};

TEST(bandwidths)
{
    static const struct {
        uint32_t cycles, reads, accesses, noc, dram;
    } rows[] = {
        {10000, 0, 0, 0, 0},
        {0, 10, 10, 0, 0},
        {65536, 1, 1, 160, 128},
        {65536, 3, 5, 480, 640},
        {10000, 10000, 5000, 160 << 16, 64 << 16},
        {3, 1, 1, 160 * 65536 / 3, 128 * 65536 / 3},
        {1, 409, 511, 409u * 160 * 65536, 511u * 128 * 65536},
        {1, 410, 512, UINT32_MAX, UINT32_MAX},
        {UINT32_MAX, UINT32_MAX, UINT32_MAX, 160 << 16, 128 << 16},
        {1, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ccbp_window window = {.cycles = rows[i].cycles, .caused = {rows[i].reads, rows[i].accesses}};

        assert_int_equal(ccbp_bandwidth(&round_numbers, &window, CCBP_NOC), rows[i].noc);
        assert_int_equal(ccbp_bandwidth(&round_numbers, &window, CCBP_DRAM), rows[i].dram);
    }
}

/* Of `round_numbers`; the even share of two kernels is 1 reply and 2 accesses a cycle. */
static const struct {
    const char *name;
    uint32_t requests, reads, accesses, demand, cycles, kernels;
    enum ccbp_type type;
} types[] = {
    {"nothing at all", 0, 0, 0, 0, 0, 2, LS},
    {"no cycles", 100, 100, 100, 100, 0, 2, LS},
    {"no requests, but demand", 0, 0, 0, 100000, 20000, 2, LS},
    {"requests, no demand", 100, 100, 100, 0, 20000, 2, LS},
    {"reads that hit: a reply a cycle", 100, 100, 0, 20000, 20000, 2, NBI},
    {"one less", 100, 100, 0, 19999, 20000, 2, LS},
    {"as much in a cycle less", 100, 100, 0, 19999, 19999, 2, NBI},
    {"alone: two replies", 100, 100, 0, 40000, 20000, 1, NBI},
    {"alone: one less", 100, 100, 0, 39999, 20000, 1, LS},
    {"eight: a quarter", 100, 100, 0, 5000, 20000, 8, NBI},
    {"eight: one less", 100, 100, 0, 4999, 20000, 8, LS},
    {"a third of them reads", 3, 1, 0, 60000, 20000, 2, NBI},
    {"a third: one less", 3, 1, 0, 59999, 20000, 2, LS},
    {"writes that hit use nothing", 100, 0, 0, UINT32_MAX, 20000, 2, LS},
    {"writes that miss: two accesses a cycle", 100, 0, 100, 40000, 20000, 2, DBI},
    {"one less", 100, 0, 100, 39999, 20000, 2, LS},
    {"two accesses each", 100, 0, 200, 20000, 20000, 2, DBI},
    {"two each: one less", 100, 0, 200, 19999, 20000, 2, LS},
    {"a reply and two accesses: as much of both is DRAM's", 100, 100, 200, 20000, 20000, 2, DBI},
    {"an access less", 100, 100, 199, 20000, 20000, 2, NBI},
    {"an access more: less demand will do", 100, 100, 201, 19901, 20000, 2, DBI},
    {"and not less", 100, 100, 201, 19900, 20000, 2, LS},
    {"32 bits", UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX, 2, NBI},
    {"32 bits, one less", UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX - 1, UINT32_MAX, 2, LS},
    {"32 bits of accesses", UINT32_MAX / 2, 0, UINT32_MAX - 1, UINT32_MAX, UINT32_MAX, 2, DBI},
};

TEST(types_by_hand)
{
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        struct ccbp_window factors = {.requests = types[i].requests, .caused = {types[i].reads, types[i].accesses}};
        struct ccbp_window demand = {.cycles = types[i].cycles, .demand = types[i].demand};

        if (ccbp_detect_type(&round_numbers, &factors, &demand, types[i].kernels) != types[i].type)
            fail_msg("%s", types[i].name);
    }
}

/* The last interval's requests may still come: without it 19 800 are enough. */
TEST(grace)
{
    struct ccbp_config config = round_numbers;
    struct ccbp_window factors = {.requests = 1, .caused = {1, 0}}, demand = {.cycles = 20000, .demand = 19800};

    config.grace = 200;
    assert_int_equal(ccbp_detect_type(&config, &factors, &demand, 2), NBI);
    demand.demand--;
    assert_int_equal(ccbp_detect_type(&config, &factors, &demand, 2), LS);
    demand.demand = UINT32_MAX;
    demand.cycles = 201;
    assert_int_equal(ccbp_detect_type(&config, &factors, &demand, 2), NBI);
    demand.cycles = 200;
    assert_int_equal(ccbp_detect_type(&config, &factors, &demand, 2), LS);
    demand.cycles = 0;
    assert_int_equal(ccbp_detect_type(&config, &factors, &demand, 2), LS);
}

static struct ccbp_cost cost_of(const struct ccbp_config *config, uint32_t requests, uint32_t reads, uint32_t accesses)
{
    struct ccbp_window window = {.requests = requests, .caused = {reads, accesses}};

    return ccbp_detect_cost(config, &window);
}

TEST(costs)
{
    struct ccbp_cost cost = cost_of(&round_numbers, 0, 5, 5);

    assert_int_equal(cost.of[CCBP_NOC], 0);
    assert_int_equal(cost.of[CCBP_DRAM], 0);
    cost = cost_of(&round_numbers, 7, 7, 14);
    assert_int_equal(cost.of[CCBP_NOC], 20 * 16 * 256 * 160);
    assert_int_equal(cost.of[CCBP_DRAM], 20 * 16 * 256 * 128 * 2);
    cost = cost_of(&round_numbers, 3, 0, 1);
    assert_int_equal(cost.of[CCBP_NOC], 0);
    assert_int_equal(cost.of[CCBP_DRAM], 20 * 16 * 256 * 128 / 3 + 1); /* 3495253.33, rounded up */
    cost = cost_of(&round_numbers, UINT32_MAX, 1, UINT32_MAX);
    assert_int_equal(cost.of[CCBP_NOC], 1);
    assert_int_equal(cost.of[CCBP_DRAM], 20 * 16 * 256 * 128);
    cost = cost_of(&round_numbers, 1, UINT32_MAX, UINT32_MAX);
    assert_int_equal(cost.of[CCBP_NOC], UINT32_MAX);
}

/* Of the paper's GPU: 16 reads an interval of 200 GPU cycles, 12.1 accesses; 24 and 18 where they are the NoC's. */
TEST(even_rates)
{
    struct ccbp_config noc_cycles = paper;
    struct ccbp_cost hits = cost_of(&paper, 1, 1, 0), misses = cost_of(&paper, 1, 0, 1),
                     both = cost_of(&paper, 1, 1, 1);
    struct ccbp_cost rare = cost_of(&paper, 16, 1, 1), nothing = cost_of(&paper, 1, 0, 0);

    noc_cycles.interval = 300 << 8;
    assert_int_equal(ccbp_even_rate(&paper, &hits, 1), 16 * 256 - 1); /* 15.999999 */
    assert_int_equal(ccbp_even_rate(&paper, &misses, 1), 3101);       /* 12.115 */
    assert_int_equal(ccbp_even_rate(&paper, &both, 1), 3101);
    assert_int_equal(ccbp_even_rate(&paper, &both, 2), 1550);
    assert_int_equal(ccbp_even_rate(&paper, &hits, 2), 8 * 256 - 1);
    assert_int_equal(ccbp_even_rate(&noc_cycles, &hits, 1), 24 * 256 - 1);
    assert_int_equal(ccbp_even_rate(&noc_cycles, &misses, 1), 4652); /* 18.17 */
    assert_int_equal(ccbp_even_rate(&paper, &rare, 1), 49622);       /* 193.84 */
    assert_int_equal(ccbp_even_rate(&noc_cycles, &rare, 1), CCBP_RATE_MAX);
    assert_int_equal(ccbp_even_rate(&paper, &nothing, 8), CCBP_RATE_MAX);
}

/* A unit of the NoC is 0.8 of a request that reads. */
TEST(rates_of_quotas)
{
    struct ccbp_config config = paper;
    struct ccbp_cost hits = cost_of(&paper, 1, 1, 0), nothing = cost_of(&paper, 1, 0, 0);
    uint32_t unit[CCBP_BANDWIDTHS] = {paper.sustainable[CCBP_NOC], 0}, none[CCBP_BANDWIDTHS] = {0, 0};
    uint32_t most[CCBP_BANDWIDTHS] = {UINT32_MAX, UINT32_MAX};

    assert_int_equal(ccbp_issue_rate(&config, &hits, unit), 204); /* 204.79999 */
    assert_int_equal(ccbp_issue_rate(&config, &hits, none), 0);
    assert_int_equal(ccbp_issue_rate(&config, &nothing, none), CCBP_RATE_MAX);
    config.least = 64;
    assert_int_equal(ccbp_issue_rate(&config, &hits, none), 64);
    assert_int_equal(ccbp_issue_rate(&config, &hits, unit), 204);
    config.least = 205;
    assert_int_equal(ccbp_issue_rate(&config, &hits, unit), 205);
    config.interval = (1 << 24) - 1;
    assert_int_equal(ccbp_issue_rate(&config, &hits, most), CCBP_RATE_MAX);
}

static uint64_t random_state = 1;

static uint32_t number(uint32_t low, uint32_t high)
{
    return pick(&random_state, low, high);
}

/* Of all magnitudes alike, 1 .. 2^bits - 1. */
static uint32_t magnitude(uint32_t bits)
{
    uint32_t b = number(1, bits);

    return number(b == 1 ? 1 : 1u << (b - 1), b == 32 ? UINT32_MAX - 1 : (1u << b) - 1);
}

static struct ccbp_config random_config(void)
{
    return (struct ccbp_config){
        .sustainable = {magnitude(32), magnitude(32)},
        .bytes = {number(1, 300), number(1, 300)},
        .units = number(1, 100),
        .sms = number(1, 128),
        .interval = magnitude(24),
    };
}

/* Equation 5 and inequality 7 in 128 bits. */
static enum ccbp_type exact_type(const struct ccbp_config *config, const struct ccbp_window *w, uint32_t kernels)
{
    bool demands = false;

    for (uint32_t b = 0; b < 2; b++)
        demands |= (u128)w->demand * w->caused[b] * config->bytes[b] * kernels * 65536 >=
                   (u128)config->sustainable[b] * w->requests * w->cycles;
    if (!demands)
        return LS;
    return (u128)w->caused[1] * config->sustainable[0] * config->bytes[1] <
                   (u128)w->caused[0] * config->sustainable[1] * config->bytes[0]
               ? NBI
               : DBI;
}

/* Half of them at the edge: the least demand that is as much as the even share, or one less. */
TEST(types_beside_exact_ones)
{
    uint32_t edges = 0, found[3] = {0};

    for (uint32_t i = 0; i < SAMPLES; i++) {
        struct ccbp_config config = random_config();
        uint32_t kernels = number(1, 8), b = number(0, 1);
        struct ccbp_window w = {magnitude(32), magnitude(32), {magnitude(32), magnitude(32)}, magnitude(32)};
        u128 one = (u128)w.caused[b] * config.bytes[b] * kernels * 65536;
        u128 least = ((u128)config.sustainable[b] * w.requests * w.cycles + one - 1) / one;

        if (i % 2 == 0 && least < UINT32_MAX) {
            w.demand = (uint32_t)least - number(0, 1);
            edges++;
        }
        enum ccbp_type type = exact_type(&config, &w, kernels);

        if (ccbp_detect_type(&config, &w, &w, kernels) != type)
            fail_msg("sample %u", i);
        found[type]++;
    }
    assert_true(edges > SAMPLES / 5 && found[LS] > 1000 && found[NBI] > 1000 && found[DBI] > 1000);
}

/* Never above the exact rate; below it by less than 1 and by one part in the cost. */
TEST(rates_beside_exact_ones)
{
    uint32_t within = 0;

    for (uint32_t i = 0; i < SAMPLES; i++) {
        struct ccbp_config config = random_config();
        uint32_t requests = magnitude(32), caused[2], rate;
        uint32_t quota[2];
        double low = 1e18, high = 1e18;

        for (uint32_t b = 0; b < 2; b++) {
            caused[b] = number(0, 7) ? number(1, requests) : number(0, 1) ? 0 : requests;
            quota[b] = magnitude(32);
        }
        struct ccbp_cost cost = cost_of(&config, requests, caused[0], caused[1]);

        for (uint32_t b = 0; b < 2; b++) {
            if (caused[b] == 0)
                continue;
            double one = (double)config.bytes[b] * config.sms * caused[b] / requests; /* bytes of a request each */
            double bytes = (double)quota[b] / config.units * config.interval / 256 / 65536;
            double exact = bytes / one * 256;
            double least = exact * (1 - 1.0 / cost.of[b]) - 1;

            high = exact < high ? exact : high;
            low = least < low ? least : low;
        }
        rate = ccbp_issue_rate(&config, &cost, quota);
        if (rate > high * 1.000000001 || (rate < low * 0.999999999 && rate < CCBP_RATE_MAX))
            fail_msg("sample %u: %u, exact %f", i, rate, high);
        within += rate > 0 && rate < CCBP_RATE_MAX;
    }
    assert_true(within > SAMPLES / 10);
}
