#include "ucp.h"

#include <string.h>

void ucp_begin(struct ucp_curve *curve, const uint32_t now[UCP_POSITIONS])
{
    memset(curve->hits, 0, sizeof curve->hits);
    memcpy(curve->before, now, sizeof curve->before);
}

void ucp_sample(struct ucp_curve *curve, const uint32_t now[UCP_POSITIONS])
{
    for (uint32_t p = 0; p < UCP_POSITIONS; p++) {
        curve->hits[p] = curve->hits[p] / 2 + (now[p] - curve->before[p]);
        curve->before[p] = now[p];
    }
}

/* Marginal utility: hits that so many more ways gain. */
struct gain {
    uint32_t hits, ways;
};

static int is_more(struct gain a, struct gain b)
{
    return (uint64_t)a.hits * b.ways > (uint64_t)b.hits * a.ways;
}

/* The most hits a way, with at most `balance` ways beyond those that the tenant has. */
static struct gain best_gain(const struct ucp_curve *curve, uint32_t has, uint32_t balance)
{
    struct gain best = {0, 1}, gain = {0, 0};

    for (uint32_t p = has; p < has + balance && p < UCP_POSITIONS; p++) {
        gain.hits += curve->hits[p];
        gain.ways++;
        if (is_more(gain, best))
            best = gain;
    }
    return best;
}

static uint32_t fewest(const uint8_t *allocated, uint32_t tenants)
{
    uint32_t fewest = 0;

    for (uint32_t t = 1; t < tenants; t++)
        if (allocated[t] < allocated[fewest])
            fewest = t;
    return fewest;
}

void ucp_partition(const struct ucp_curve *curves, uint32_t tenants, uint32_t ways, uint8_t allocated[])
{
    uint32_t balance = ways - tenants;

    memset(allocated, 1, tenants);
    while (balance > 0) {
        struct gain most = {0, 1};
        uint32_t winner = fewest(allocated, tenants);

        for (uint32_t t = 0; t < tenants; t++) {
            struct gain gain = best_gain(&curves[t], allocated[t], balance);

            if (is_more(gain, most)) {
                most = gain;
                winner = t;
            }
        }
        allocated[winner] = (uint8_t)(allocated[winner] + most.ways);
        balance -= most.ways;
    }
}
