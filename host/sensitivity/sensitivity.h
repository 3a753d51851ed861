/*
 * What a study's rows depend on: every value of its preset that is in doubt is replaced by what else is
 * plausible (the preset's comment says it, behind a bar), one at a time, and the rows are run again.
 */
#ifndef HOST_SENSITIVITY_SENSITIVITY_H
#define HOST_SENSITIVITY_SENSITIVITY_H

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

#endif
