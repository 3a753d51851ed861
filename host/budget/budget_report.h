/* Images that need more than they may. */
#ifndef HOST_BUDGET_BUDGET_REPORT_H
#define HOST_BUDGET_BUDGET_REPORT_H

#include <jansson.h>
#include <stdio.h>

#include "budget.h"

enum { EXCESS_TEXT = 1500 };

struct excess {
    unsigned image;
    char text[EXCESS_TEXT]; /**< what is over, by how much, and the function that grew or is largest */
};

/**
 * All of them, by image; an image of which something is not known is one. NULL and *count 0 when there are none. The
 * caller frees the list.
 */
struct excess *excess_find(const struct budget *b, unsigned *count);

/* Compares what an image needs with its accepted baseline, and names the functions that grew. */

/** What the image needs now, to be the next baseline. The names belong to `b`; the caller frees `functions`. */
void baseline_of(const struct budget *b, unsigned image, struct baseline *now);

/**
 * The functions of which a part grew most since the baseline: "f grew 372 -> 498 B, g is new with 30 B". Without a
 * baseline the largest; empty when none grew.
 */
void growth_text(const struct baseline *now, const struct baseline *before, enum baseline_part part, char *text,
                 size_t size);

/** Says on `out` what differs from the baselines, within limits; an image without one is new. */
void growth_report(const struct budget *b, FILE *out);

/** Makes what was measured the baselines. */
int growth_accept(const struct budget *b, struct mh_error *err);

/* Budgets on the terminal. */

/**
 * Each image's tables: bytes by owner, stack, decisions. Awake is a share of the time since GPU time began. Interrupt
 * latency is from the line's rise to the first read of IRQ_PENDING, bus stalls included; handlers do not nest, so at
 * worst it is one whole interrupt.
 */
void budget_report_images(const struct budget *b, FILE *out);

/** A row for each image. */
void budget_report_summary(const struct budget *b, FILE *out);

/** What is over, and which exceptions were used. */
void budget_report_excess(const struct budget *b, const struct excess *list, unsigned count, FILE *out);

/* Budgets as JSON: memhelm-budget-1. */

/**
 * Depends only on images, reference set and limits. Of each image: sizes, owners, stack, checks, what is
 * over, and its runs. Of each run: `mix` and `functions` of the whole run, and of each source and hook its `mix` (all
 * together), `worst_mix` (the longest one), `worst` (functions by own cycles) and `path` (budget_path_json()).
 */
int budget_write_json(const struct budget *b, const struct excess *list, unsigned count, const char *path,
                      struct mh_error *err);

/* The files for flame graphs and KCachegrind of a budget's run. */

/**
 * Writes request->flame and request->callgrind, of the workload that is marked `check`, at the last clock, of the first
 * image. -1 and `err` when that run did not pass or a file cannot be written.
 */
int budget_write_flames(const struct budget *b, struct mh_error *err);

/* The longest decision of an image for each source: where it was spent, and the path that it took. */

/** A line for each source that made decisions, and a table of callers and callees. */
void budget_report_paths(const struct budget *b, unsigned image, FILE *out);

/** [depth, function, calls, cycles with those it calls, by itself]; calls null: not known, a real: a mean. */
json_t *budget_path_json(const struct budget_image *i, const struct profile *p, const struct series *s);

/* The table of what decisions and calls of hooks execute, by class of instruction. */

/**
 * Each source and hook of the image: the mean over the run in which it took longest. The JSON has the sum over all and
 * the longest one, for each run. Nothing without a run.
 */
void budget_report_mix(const struct budget *b, unsigned image, FILE *out);

#endif
