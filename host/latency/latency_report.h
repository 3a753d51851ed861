/* A table per image with its knee in words; one of all, the least affordable first. */
#ifndef HOST_LATENCY_LATENCY_REPORT_H
#define HOST_LATENCY_LATENCY_REPORT_H

#include <stdio.h>

#include "latency.h"

void latency_report(const struct latency *l, FILE *out);

/** The report as Markdown; the table of all images comes first. */
int latency_report_markdown(const struct latency *l, const char *path, struct mh_error *err);

/* All that the experiment measured: memhelm-latency-2. */

/**
 * Of each image: what it ran on, its knees, its workloads and its points. In a point, `speedups` has a list per
 * workload of a number per seed; `gains`, `losses`, `loss_halves` and `keeps` have a value per workload. A knee is a
 * clock in Hz or a bus latency, null where none keeps the gain.
 */
int latency_write_json(const struct latency *l, const char *path, struct mh_error *err);

/* A figure per image by gnuplot. */

/**
 * latency-IMAGE.svg and .png in `dir`, with their data and script: a line per workload, its gain over the mcu's clock
 * and over bus latency with the interval of what is lost of it, its gain in no time without points, and the knee if
 * there is one.
 */
int latency_plot(const struct latency *l, const char *dir, struct mh_error *err);

#endif
