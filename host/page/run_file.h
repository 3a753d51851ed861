/* A run as memhelm-result-1 has it. */
#ifndef HOST_PAGE_RUN_FILE_H
#define HOST_PAGE_RUN_FILE_H

#include <stdbool.h>

#include "input.h"
#include "memhelm/record.h"

enum { RUN_LABEL = 200 };

struct run_file {
    const json_t *json; /**< the file's, which must stay */
    const char *file;
    char image[RUN_LABEL];    /**< with " (twin)" behind it where the group has both machines */
    char workload[RUN_LABEL]; /**< MVT+GUPS */
    bool passed, has_waits;
    unsigned group;       /**< runs of the same configuration have the same number, from 0 on */
    bool again;           /**< another run of the group is this one; what only one of them has measured, that one has */
    json_t *config;       /**< without what only measures (settings.h) */
    struct mh_config cfg; /**< what explain_run needs of it, and preset, design, run */
    struct mh_result result; /**< if `has_waits` */
};

/** All runs of the files, in their order; run_files_free() them. -1 and `err`: one is not as its schema says. */
int run_files_read(const struct input *in, unsigned inputs, struct run_file **runs, unsigned *count,
                   struct mh_error *err);

void run_files_free(struct run_file *runs, unsigned count);

/** A metric of the run, such as weighted_speedup; NaN: there is none. `tenant` -1: of all. */
double run_file_metric(const struct run_file *r, int tenant, const char *name);

#endif
