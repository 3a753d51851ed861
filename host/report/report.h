/*
 * Tables for the terminal. Decisions are those that were applied: a COMMIT that answered timer 0. Cycles of the mcu per
 * decision are what the firmware reported, or what was counted if that is more, bus stalls excluded; the twin has none.
 * Walk epochs stand apart; one is missed when no answer came before the next. The twin answers in the same cycle: it
 * misses what its policy never answers.
 */
#ifndef HOST_REPORT_REPORT_H
#define HOST_REPORT_REPORT_H

#include "base/doc.h"
#include "plan/experiment.h"

/**
 * The first image in detail: tenants, the GPU, the firmware. A line warns of a source of which more than 1 % [ours] is
 * missed, and of one that raised n questions and got more than 2 n + 10 decisions.
 */
void report_run(const struct experiment *x, FILE *out);

/** Of one run of several: what it finished, and warnings, a line each that begins with the image's name. */
void report_lines(const struct sim *s, FILE *out);

/**
 * A row per image, with the change against the first; all columns with options->wide. Of several seeds the mean and
 * half of its 95 % interval; changes are paired by seed.
 */
void report_compare(const struct experiment *x, FILE *out);

/** The tables of report_compare(), alone. */
void report_compare_tables(const struct experiment *x, const struct doc *d);

/** Wall time and simulated cycles per second of what was run. */
void report_speed(const struct experiment *x, FILE *out);

#endif
