#include "dwspp_decide.h"

#include "memhelm/registers.h"

/* Table VII. */
const struct dwspp_table dwspp_default = {{400, 600, 800, 900, MH_DIFF_NEVER}, 51};
const struct dwspp_table dwspp_conservative = {{400, 600, 800, 900, MH_DIFF_NEVER}, 17};
const struct dwspp_table dwspp_aggressive = {{300, 300, 300, 300, 300}, 51};

/*
 * Row of the ratio larger / smaller: up to and including 1.5, 2, 3, 4, and above (tables IV and VII); a smaller of 0 is
 * above. In halves of the larger, so that there is nothing to divide: a handler that runs every 200 walks has few
 * cycles.
 */
static uint32_t dwspp_row(uint32_t halves, uint32_t smaller)
{
    uint32_t twice = smaller << 1, thrice = twice + smaller;

    if (halves <= thrice)
        return 0;
    if (halves <= twice << 1)
        return 1;
    if (halves <= thrice << 1)
        return 2;
    return halves <= twice << 2 ? 3 : 4;
}

/* The busiest tenant is the larger one of every comparison, its own with the second included. */
void dwspp_decide(const struct dwspp_table *table, uint32_t tenants, const uint32_t *enq, uint16_t *diff_thres)
{
    uint32_t busiest = 0, first = 0, second = 0;

    for (uint32_t tenant = 0; tenant < tenants; tenant++) {
        uint32_t walks = enq[tenant];

        if (walks <= second)
            continue;
        second = walks;
        if (walks > first) {
            second = first;
            first = walks;
            busiest = tenant;
        }
    }
    for (uint32_t tenant = 0; tenant < tenants; tenant++) {
        uint32_t smaller = tenant == busiest ? second : enq[tenant];

        diff_thres[tenant] = table->diff_thres[dwspp_row(2 * first, smaller)];
    }
}

uint32_t dwspp_queue_thres(const struct dwspp_table *table, uint32_t entries)
{
    return entries * table->queue_percent / 100;
}
