/* A figure per image by gnuplot. */
#ifndef HOST_LATENCY_LATENCY_PLOT_H
#define HOST_LATENCY_LATENCY_PLOT_H

#include "latency.h"

/**
 * latency-IMAGE.svg and .png in `dir`, with data and script beside: a line per workload, its gain over the mcu's clock
 * and over bus latency with the interval of what is lost of it, its gain in no time without points, and the knee if
 * there is one.
 */
int latency_plot(const struct latency *l, const char *dir, struct mh_error *err);

#endif
