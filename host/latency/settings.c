#include "settings.h"

#include <stdio.h>

#define MHZ 1000000

/* [ours] 25 MHz .. 2 GHz in steps of about two; bus latencies around the presets'. */
const struct latency_point latency_points[POINTS] = {
    {POINT_NO_TIME, POINTS_HZ, POINTS_BUS},
    {POINT_CLOCK, 2000ull * MHZ, POINTS_BUS},
    {POINT_CLOCK, 1000ull * MHZ, POINTS_BUS},
    {POINT_CLOCK, 500ull * MHZ, POINTS_BUS},
    {POINT_CLOCK, 200ull * MHZ, POINTS_BUS},
    {POINT_CLOCK, 100ull * MHZ, POINTS_BUS},
    {POINT_CLOCK, 50ull * MHZ, POINTS_BUS},
    {POINT_CLOCK, 25ull * MHZ, POINTS_BUS},
    {POINT_BUS, POINTS_HZ, 5},
    {POINT_BUS, POINTS_HZ, 20},
    {POINT_BUS, POINTS_HZ, 100},
    {POINT_BUS, POINTS_HZ, 500},
    {POINT_NO_POLICY, POINTS_HZ, POINTS_BUS},
};

void point_name(unsigned point, char *text, size_t size)
{
    const struct latency_point *p = &latency_points[point];
    switch (p->kind) {
    case POINT_NO_TIME:
        snprintf(text, size, "no time");
        break;
    case POINT_CLOCK:
        snprintf(text, size, "%u MHz", (unsigned)(p->hz / MHZ));
        break;
    case POINT_BUS:
        snprintf(text, size, "bus %u", p->bus);
        break;
    default:
        snprintf(text, size, "no policy");
    }
}
