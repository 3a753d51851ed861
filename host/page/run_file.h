/* A run as memhelm-result-1 has it; how its configuration differs from its preset and from that of other runs. */
#ifndef HOST_PAGE_RUN_FILE_H
#define HOST_PAGE_RUN_FILE_H

#include <stdbool.h>

#include "memhelm/record.h"
#include "part.h"

enum { RUN_LABEL = 200 };

struct run_file {
    const json_t *json; /**< the file's, which must stay */
    const char *file;
    char image[RUN_LABEL];    /**< with " (twin)" behind it where the group has both machines */
    char workload[RUN_LABEL]; /**< MVT+GUPS */
    bool passed, has_waits;
    unsigned group;       /**< runs of the same configuration have the same number, from 0 on */
    bool again;           /**< another run of the group is this one; what only one of them has measured, that one has */
    json_t *config;       /**< without what only measures (settings_of_results()) */
    struct mh_config cfg; /**< what explain_run needs of it, and preset, design, run */
    struct mh_result result; /**< if `has_waits` */
};

/** All runs of the files, in their order; run_files_free() them. -1 and `err`: one is not as its schema says. */
int run_files_read(const struct input *in, unsigned inputs, struct run_file **runs, unsigned *count,
                   struct mh_error *err);

void run_files_free(struct run_file *runs, unsigned count);

/** A metric of the run, such as weighted_speedup; NaN: there is none. `tenant` -1: of all. */
double run_file_metric(const struct run_file *r, int tenant, const char *name);

/* --- Settings. */

/** " -p dws -w MVT+GUPS --cycles 300000 --seed 1 -s l2tlb.entries=1024": options of a call that runs the same. */
char *settings_options(const struct run_file *r);

/** The configuration without what only measures: runs that differ in nothing else are one. The caller has it. */
json_t *settings_of_results(const struct run_file *r);

/** Up to three keys in which `of` differs from `beside`, with its values: "l2tlb.entries 4096, run.seed 2". */
void settings_beside(const json_t *of, const json_t *beside, char *text, size_t size);

/* --- What determines the numbers of a page: images, sources, settings. */

/** A table of the runs' images: machine, core, hashes, commit. */
void made_by_images(const struct doc *d, const struct run_file *const *runs, unsigned count);

/** What the configuration has otherwise than its preset and design, then its tenants. */
void made_by_settings(const struct doc *d, const struct run_file *r);

/** Commit, model and machine of any JSON of memhelm that has `made_by`; nothing of others. */
void made_by_words(const struct doc *d, const json_t *o);

#endif
