#include "dwspp_decide.h"

#include "memhelm/registers.h"

enum { TENTHS = 10 };

/* Upper bounds of the ratios, included, in tenths (tables IV and VII). */
static const uint8_t dwspp_bounds[DWSPP_RATIOS - 1] = {15, 20, 30, 40};

/* Table VII. */
const struct dwspp_table dwspp_default = {{400, 600, 800, 900, MH_DIFF_NEVER}, 51};
const struct dwspp_table dwspp_conservative = {{400, 600, 800, 900, MH_DIFF_NEVER}, 17};
const struct dwspp_table dwspp_aggressive = {{300, 300, 300, 300, 300}, 51};

static uint16_t dwspp_thres(const struct dwspp_table *table, uint32_t a, uint32_t b)
{
    uint32_t larger = a > b ? a : b, smaller = a > b ? b : a, row = 0;

    if (smaller == 0)
        return MH_DIFF_NEVER;
    while (row < DWSPP_RATIOS - 1 && larger * TENTHS > smaller * dwspp_bounds[row])
        row++;
    return table->diff_thres[row];
}

void dwspp_decide(const struct dwspp_table *table, uint32_t tenants, const uint32_t *enq, uint16_t *diff_thres)
{
    for (uint32_t tenant = 0; tenant < tenants; tenant++) {
        uint32_t others = 0;

        for (uint32_t other = 0; other < tenants; other++)
            if (other != tenant && enq[other] > others)
                others = enq[other];
        diff_thres[tenant] = dwspp_thres(table, enq[tenant], others);
    }
}

uint32_t dwspp_queue_thres(const struct dwspp_table *table, uint32_t entries)
{
    return entries * table->queue_percent / 100;
}
