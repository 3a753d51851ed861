#include "ccbp.h"

#include <stdbool.h>

enum { CYCLES_BITS = 16, RATE_BITS = 8 }; /* bandwidths are per 2^16 cycles, rates in 1/2^8 */

/* a x b x c at least d x e x f, in 96 bits. */
static bool at_least(uint32_t a, uint32_t b, uint32_t c, uint32_t d, uint32_t e, uint32_t f)
{
    uint64_t ab = (uint64_t)a * b, de = (uint64_t)d * e;
    uint64_t low = (ab & UINT32_MAX) * c, other_low = (de & UINT32_MAX) * f;
    uint64_t high = (ab >> 32) * c + (low >> 32), other_high = (de >> 32) * f + (other_low >> 32);

    return high != other_high ? high > other_high : (uint32_t)low >= (uint32_t)other_low;
}

uint32_t ccbp_bandwidth(const struct ccbp_config *config, const struct ccbp_window *window,
                        enum ccbp_bandwidth bandwidth)
{
    uint64_t bytes = (uint64_t)window->caused[bandwidth] * config->bytes[bandwidth];
    uint64_t per_time;

    if (window->cycles == 0)
        return 0;
    per_time = (bytes << CYCLES_BITS) / window->cycles;
    return per_time > UINT32_MAX ? UINT32_MAX : (uint32_t)per_time;
}

/*
 * demand / cycles x caused / requests x bytes x 2^16 >= sustainable / kernels, multiplied out. Of the three factors on
 * each side none has more than 32 bits: 4096 x 2^16 x 8 = 2^31.
 */
static bool demands_even_share(const struct ccbp_config *config, const struct ccbp_window *factors,
                               const struct ccbp_window *demand, uint32_t kernels, enum ccbp_bandwidth bandwidth)
{
    return at_least(demand->demand, factors->caused[bandwidth], config->bytes[bandwidth] * kernels << CYCLES_BITS,
                    config->sustainable[bandwidth], factors->requests, demand->cycles - config->grace);
}

enum ccbp_type ccbp_detect_type(const struct ccbp_config *config, const struct ccbp_window *factors,
                                const struct ccbp_window *demand, uint32_t kernels)
{
    if (factors->requests == 0 || demand->cycles <= config->grace)
        return CCBP_LATENCY_SENSITIVE;
    if (!demands_even_share(config, factors, demand, kernels, CCBP_NOC) &&
        !demands_even_share(config, factors, demand, kernels, CCBP_DRAM))
        return CCBP_LATENCY_SENSITIVE;
    return at_least(factors->caused[CCBP_DRAM], config->bytes[CCBP_DRAM], config->sustainable[CCBP_NOC],
                    factors->caused[CCBP_NOC], config->bytes[CCBP_NOC], config->sustainable[CCBP_DRAM])
               ? CCBP_DRAM_INTENSIVE
               : CCBP_NOC_INTENSIVE;
}

/* units x sms x bytes < 2^23: times 256 and caused it fits 64 bits, and a request that causes two 32. */
struct ccbp_cost ccbp_detect_cost(const struct ccbp_config *config, const struct ccbp_window *window)
{
    struct ccbp_cost cost = {{0}};

    if (window->requests == 0)
        return cost;
    for (uint32_t b = 0; b < CCBP_BANDWIDTHS; b++) {
        uint32_t one = config->units * config->sms * config->bytes[b] << RATE_BITS;
        uint64_t mean = ((uint64_t)one * window->caused[b] + window->requests - 1) / window->requests;

        cost.of[b] = mean > UINT32_MAX ? UINT32_MAX : (uint32_t)mean;
    }
    return cost;
}

/* quota / M x interval / 2^16 are the bytes of an interval; M is in `cost`, and so are 256 of 2^16. */
static uint32_t rate(const struct ccbp_config *config, uint32_t cost, uint32_t quota)
{
    uint64_t exact;

    if (cost == 0)
        return CCBP_RATE_MAX;
    exact = ((uint64_t)quota * config->interval >> (CYCLES_BITS - RATE_BITS)) / cost;
    return exact > CCBP_RATE_MAX ? CCBP_RATE_MAX : (uint32_t)exact;
}

uint32_t ccbp_issue_rate(const struct ccbp_config *config, const struct ccbp_cost *cost,
                         const uint32_t quota[CCBP_BANDWIDTHS])
{
    uint32_t noc = rate(config, cost->of[CCBP_NOC], quota[CCBP_NOC]);
    uint32_t dram = rate(config, cost->of[CCBP_DRAM], quota[CCBP_DRAM]);
    uint32_t lower = noc < dram ? noc : dram;

    return lower > config->least ? lower : config->least;
}

/* 4096 bytes x 128 SMs x 2^16 x 8 are 2^38; 256ths of requests are over 256ths of cycles. */
uint32_t ccbp_least_bandwidth(const struct ccbp_config *config, uint32_t kernels, enum ccbp_bandwidth bandwidth)
{
    uint64_t bytes = (uint64_t)config->bytes[bandwidth] * config->sms * config->least * kernels;
    uint64_t per_time = (bytes << CYCLES_BITS) / config->interval;

    return per_time > UINT32_MAX ? UINT32_MAX : (uint32_t)per_time;
}

uint32_t ccbp_even_rate(const struct ccbp_config *config, const struct ccbp_cost *cost, uint32_t kernels)
{
    uint32_t quota[CCBP_BANDWIDTHS];

    for (uint32_t b = 0; b < CCBP_BANDWIDTHS; b++)
        quota[b] = config->units * config->sustainable[b] / kernels;
    return ccbp_issue_rate(config, cost, quota);
}

/* ---- what was measured, as the allocation counts it */

static struct ccbp_use use_of(uint64_t all, uint32_t over)
{
    uint64_t whole = all / over;

    if (whole >= UINT32_MAX)
        return (struct ccbp_use){UINT32_MAX, 0, over};
    return (struct ccbp_use){(uint32_t)whole, (uint32_t)(all - whole * over), over};
}

struct ccbp_use ccbp_linear(uint32_t units, uint32_t bandwidth, uint32_t ctas)
{
    return use_of((uint64_t)units * bandwidth, ctas);
}

struct ccbp_point ccbp_point_of(uint32_t units, uint32_t sustainable, uint32_t own, uint32_t other)
{
    uint64_t used = (uint64_t)units * own / sustainable;

    return (struct ccbp_point){
        .other = use_of((uint64_t)sustainable * other, own > 0 ? own : 1),
        .units = used < units ? (uint32_t)used : units,
    };
}

uint32_t ccbp_most_ctas(const struct ccbp_sm *sm, const struct ccbp_sm *cta)
{
    uint32_t most = sm->slots < CCBP_MAX_CTAS ? sm->slots : CCBP_MAX_CTAS;

    for (uint32_t r = 0; r < CCBP_STATICS; r++)
        if (cta->amount[r] > 0 && sm->amount[r] / cta->amount[r] < most)
            most = sm->amount[r] / cta->amount[r];
    return most;
}
