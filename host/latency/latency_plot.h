/* A figure per image by gnuplot. */
#ifndef HOST_LATENCY_LATENCY_PLOT_H
#define HOST_LATENCY_LATENCY_PLOT_H

#include "latency.h"

/**
 * latency-IMAGE.svg and .png in `dir`, with data and script beside: weighted speedup and fairness over the core's clock
 * and over bus latency, with lines for no time and no policy, and the knee if there is one.
 */
int latency_plot(const struct latency *l, const char *dir, struct mh_error *err);

#endif
