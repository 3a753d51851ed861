/*
 * What a study's rows depend on: every value of its preset that is in doubt is replaced by what else is
 * plausible (the preset's comment says it, behind a bar), one at a time, and the rows are run again.
 */
#ifndef HOST_SENSITIVITY_SENSITIVITY_H
#define HOST_SENSITIVITY_SENSITIVITY_H

#include <stdio.h>

#include "memhelm/config_file.h"
#include "reproduce/outcome.h"
#include "reproduce/reproduce.h"

enum {
    SENSITIVITY_KEYS = 32 /**< --key */,
    VARIATION_SETS = 12, /**< keys that change together */
    SENSITIVITY_SETS = REPRODUCE_MAX + VARIATION_SETS
};

struct sensitivity_options {
    struct reproduce_options rows;      /**< `mode` is MODE_HEADLINES: without ids those of the study's `doubling` */
    const char *keys[SENSITIVITY_KEYS]; /**< only these; none: all */
    unsigned key_count;
};

/**
 * One other value, and the rows with it. Behind the bar stands `64`, or `64 with dram.write_high=16 and
 * dram.write_low=4` where other keys must change too: one key alone would make an unrealistic GPU.
 */
struct variation {
    const struct mh_assumption *of;
    char *value;                /**< as it stands behind the bar */
    char *brief;                /**< the same where room is short: `64 + 2 keys` */
    char *sets[VARIATION_SETS]; /**< key=value: the assumption's own, then those that go with it */
    unsigned set_count;
    struct reproduce_row *rows; /**< as those of the reproduction */
};

struct sensitivity {
    const struct sensitivity_options *options;
    struct reproduction reproduction; /**< the rows as the preset has them; its plan has all runs */
    const char *preset;               /**< of all rows */
    struct mh_assumption *assumed;    /**< those that are looked at, in the order of config.def */
    size_t assumed_count;
    struct variation *variations; /**< in the order of `assumed`, those of one adjacent */
    unsigned variation_count, room;
};

/**
 * Reads rows and unspecified values, and makes the plan. -1 and `err`: bad input, nothing was run. Rows of several
 * presets, a key that is no assumption, and a value that the key may not have are refused.
 */
int sensitivity_open(struct sensitivity *a, const struct sensitivity_options *o, struct mh_error *err);
void sensitivity_close(struct sensitivity *a);

/* How far a row moves when one assumption has another value, and which workload carries that. */

/** Above this part of the paper's number a row depends on the assumption; without a number, when its verdict changes.
 */
#define SHIFT_HANGS 0.25

/** A workload's own value changes by this factor or more: it may have two states. [ours] */
#define SHIFT_FLIPS 1.5

/** Of one row with one other value. Names belong to the row. */
struct shift {
    struct outcome with; /**< the row as it comes out with the value */
    double shift, half;  /**< value less that of the preset, over paired seeds, and its 95 % interval (NaN: one seed) */
    double part;         /**< the shift's size as a part of the paper's number; NaN: it has none */
    const char *moves_most; /**< without this workload the shift is the furthest from what it is; NULL: one workload */
    double without;         /**< the shift without it */
    bool depends; /**< beyond its interval, and `part` over SHIFT_HANGS; without a part: the verdict is another */
};

/** `plain`, `with`: the row as the preset has it, and with the other value. A row that was not run has NaN everywhere.
 */
void shift_of(const struct reproduce_row *plain, const struct reproduce_row *with, struct shift *out);

/**
 * By what factor workload `w` changes, over its seeds: of a gain the ratio that it is made of. NaN where a difference
 * is measured, or there is no value.
 */
double shift_factor(const struct reproduce_row *plain, const struct reproduce_row *with, unsigned w);

/** Is a factor at least SHIFT_FLIPS, up or down? */
bool shift_is_flip(double factor);

/** What one assumption does to one row: its two ends. */
struct swing {
    const struct mh_assumption *of;
    const struct variation *furthest; /**< the value that moves the row most, of equals the first; NULL: none was run */
    struct shift shift;               /**< with that value */
    const struct variation *low, *high; /**< where the row is least and most; NULL: with the preset's own value */
    double least, most;
    bool depends; /**< with one of its values, which need not be the furthest */
};

/**
 * The swings of row `row`, those that move it most first, of equals as in config.def; keys without other values
 * are left out. `*count` of them, which the caller frees.
 */
struct swing *swings_of(const struct sensitivity *a, unsigned row, unsigned *count);

/** The value at an end of the swing: `at` is `low` or `high`. Brief or as it stands behind the bar. */
const char *swing_value(const struct swing *s, const struct variation *at, bool brief);

/* What each row depends on, in one table: the answer, before the tables that show how far everything moves it. */

/** How many these are; `*of`: of how many with values that could be run. */
unsigned summary_count(const struct sensitivity *a, unsigned row, unsigned *of);

void summary_show(const struct sensitivity *a, bool markdown, FILE *out);

/* The tables: for each row what it depends on, on the terminal the first dozen, in Markdown all. */

void sensitivity_show(const struct sensitivity *a, FILE *out);

/** `figures`: where tornado_write() puts its figures, or NULL; each stands above its table. */
int sensitivity_markdown(const struct sensitivity *a, const char *path, const char *figures, struct mh_error *err);

/** What would be run: the sensitivity with their other values and where they stand, and those that are not varied. */
void sensitivity_list(const struct sensitivity *a, FILE *out);

/* All that the runs say, as JSON: schema memhelm-sensitivity-1. */

int sensitivity_json_write(const struct sensitivity *a, const char *path, struct mh_error *err);

/* Tornado figures: a row's range under each assumption, those that move it most on top. */

/** Writes DIR/NAME-ROW.svg and so on for each row that was run, NAME being the study's with "-sensitivity" behind it.
 */
int tornado_write(const struct sensitivity *a, const char *dir, struct mh_error *err);

/**
 * Says in Markdown, written to the file `markdown`, where the row's figure is: in `dir`, where tornado_write() puts it.
 * Nothing, when `dir` is NULL, not below the file's folder, or the row has no figure.
 */
void tornado_link(const struct sensitivity *a, unsigned row, const char *markdown, const char *dir, FILE *out);

#endif
