/* A table per image with its knee in words; one of all, the least affordable first; the same as JSON and as figures. */
#ifndef HOST_LATENCY_LATENCY_REPORT_H
#define HOST_LATENCY_LATENCY_REPORT_H

#include "base/doc.h"
#include "losses.h"

/** All tables; in Markdown that of all images stands first. */
void latency_report(const struct latency *l, const struct doc *d);

/** All images: which gains firmware cannot afford, in words, and a row per image, the worst first. */
void latency_all(const struct latency *l, const struct doc *d);

/**
 * memhelm-latency-2: all that was measured. Of each image: what it ran on, its knees, its workloads and its points. In
 * a point, `speedups` has a list per workload of a number per seed; `gains`, `losses`, `loss_halves` and `keeps` have a
 * value per workload. A knee is a clock in Hz or a bus latency, null where none keeps the gain.
 */
int latency_write_json(const struct latency *l, const char *path, struct mh_error *err);

/**
 * latency-IMAGE.svg and .png in `dir`, with their data and script: a line per workload, its gain over the mcu's clock
 * and over bus latency with the interval of what is lost of it, its gain in no time without points, and the knee if
 * there is one.
 */
int latency_plot(const struct latency *l, const char *dir, struct mh_error *err);

/* --- Numbers and knees in words. */

enum { WORDS = 64 };

/** "+93.8 +- 60.3 %", "0.04 +- 0.01 %" (small, and known better than that); without an interval the mean alone. */
void words_interval(const struct interval *i, bool sign, char text[WORDS]);

/** A workload's loss at a point with what it means: "", "?" (no loss shown), "unclear", "lost", "costs". */
void words_loss(const struct latency_losses *losses, unsigned point, char text[WORDS]);

/** "200 MHz", "not even 2 GHz", "runs are missing"; of a number of points that keep: see struct knee. */
void words_clock(int keeping, char text[WORDS]);

/** The greatest bus latency that keeps the gain: "100", "not even 5". */
void words_bus(int keeping, char text[WORDS]);

/** A point of a list, which begins with `name`, for each workload whose gain is lost at POINTS_HZ; how many. */
unsigned words_lost(const struct latency *l, const struct latency_image *image, const struct latency_summary *s,
                    const char *name, const struct doc *d);

#endif
