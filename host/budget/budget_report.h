/* Budgets on the terminal. */
#ifndef HOST_BUDGET_BUDGET_REPORT_H
#define HOST_BUDGET_BUDGET_REPORT_H

#include <jansson.h>
#include <stdio.h>

#include "excess.h"
#include "budget.h"

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
