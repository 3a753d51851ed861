/* How the configurations of runs differ: from their preset, and from each other. */
#ifndef HOST_PAGE_SETTINGS_H
#define HOST_PAGE_SETTINGS_H

#include "base/doc.h"
#include "run_file.h"

/** A value of a configuration as text. */
void settings_text(const json_t *value, char *text, size_t size);

/**
 * Calls for each key, but those of tenants, that is not as the preset and design have it. Returns how many there are;
 * -1 and `err`: this memhelm has no such preset or design.
 */
int settings_changed(const struct run_file *r,
                     void (*each)(void *ctx, const char *key, const char *here, const char *preset), void *ctx,
                     struct mh_error *err);

/** " -p dws -w MVT+GUPS --cycles 300000 --seed 1 -s l2tlb.entries=1024": options of a call that runs the same. */
char *settings_options(const struct run_file *r);

/** The configuration without what only measures: runs that differ in nothing else are one. The caller has it. */
json_t *settings_of_results(const struct run_file *r);

/** "l2tlb.entries 4096, run.seed 2": keys in which `of` differs from `beside`, three at most. */
void settings_beside(const json_t *of, const json_t *beside, char *text, size_t size);

/* --- What determines the numbers of a page: images, sources, settings. */

/** A table of the runs' images: machine, core, hashes, commit. */
void made_by_images(const struct doc *d, const struct run_file *const *runs, unsigned count);

/** What the configuration has otherwise than its preset and design, then its tenants. */
void made_by_settings(const struct doc *d, const struct run_file *r);

/** Commit, model and machine of any JSON of memhelm that has `made_by`; nothing of others. */
void made_by_words(const struct doc *d, const json_t *o);

#endif
