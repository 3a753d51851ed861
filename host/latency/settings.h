/* Where decisions are made, from no time to not at all: the rows of an image's table. */
#ifndef HOST_LATENCY_SETTINGS_H
#define HOST_LATENCY_SETTINGS_H

#include <stddef.h>
#include <stdint.h>

/** The presets' bus latency, in mcu cycles, for clocks; and their clock for bus latencies. */
#define POINTS_BUS 20
#define POINTS_HZ  500000000

enum point_kind {
    POINT_NO_TIME,  /**< the policy decides in the cycle of the question: hardware at its best */
    POINT_CLOCK,    /**< firmware at `hz`, bus latency POINTS_BUS */
    POINT_BUS,      /**< firmware at POINTS_HZ, bus latency `bus` */
    POINT_NO_POLICY /**< image baseline */
};

struct latency_point {
    enum point_kind kind;
    uint64_t hz;
    uint32_t bus;
};

enum {
    POINTS_CLOCKS = 7,
    POINTS_BUSES = 4,
    /* Rows: no time; clocks from the fastest to the slowest; bus latencies from the shortest; no policy. */
    POINTS_FIRST_CLOCK = 1,
    POINTS_DEFAULT = POINTS_FIRST_CLOCK + 2, /* POINTS_HZ and POINTS_BUS: the presets' own */
    POINTS_FIRST_BUS = POINTS_FIRST_CLOCK + POINTS_CLOCKS,
    POINTS_LAST = POINTS_FIRST_BUS + POINTS_BUSES,
    POINTS
};

extern const struct latency_point latency_points[POINTS];

/** "no time", "200 MHz", "bus 100", "no policy". */
void point_name(unsigned point, char *text, size_t size);

#endif
