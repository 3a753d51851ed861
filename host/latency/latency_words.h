/* What the tables of one image and of all have in common: numbers and knees in words. */
#ifndef HOST_LATENCY_LATENCY_WORDS_H
#define HOST_LATENCY_LATENCY_WORDS_H

#include <stdio.h>

#include "losses.h"
#include "base/table.h"

struct output {
    FILE *file;
    bool markdown;
};

/** Prints the table and frees it. */
void words_table(const struct output *o, struct table *t);

enum { WORDS = 64 };

/** "+93.8 +- 60.3 %", "0.04 +- 0.01 %" (small, and known better than that); without an interval the mean alone. */
void words_interval(const struct interval *i, bool sign, char text[WORDS]);

/** The loss of a workload at a point with what it means: "", "?" (no loss shown), "unclear", "lost",
 * "costs". */
void words_loss(const struct latency_losses *losses, unsigned point, char text[WORDS]);

/** "200 MHz", "not even 2 GHz", "runs are missing"; of a number of points that keep: see struct knee. */
void words_clock(int keeping, char text[WORDS]);

/** The number of points as a bus latency: "100", "not even 5". */
void words_bus(int keeping, char text[WORDS]);

/** Name of a workload of the image. */
void words_workload(const struct latency *l, const struct latency_image *image, unsigned workload, char text[WORDS]);

/** A sentence that begins with `name`, as it is, for each workload whose gain is lost at POINTS_HZ. */
void words_lost(const struct latency *l, const struct latency_image *image, const struct latency_summary *s,
                const char *name, const struct output *o);

/* All images: which gains firmware cannot afford, in words, and a row per image, the worst first. */

void latency_all(const struct latency *l, const struct output *o);

#endif
