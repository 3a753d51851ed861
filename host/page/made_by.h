/* What determines the numbers of a page: images, sources, settings. */
#ifndef HOST_PAGE_MADE_BY_H
#define HOST_PAGE_MADE_BY_H

#include "base/doc.h"
#include "run_file.h"

/** A table of the runs' images: machine, core, hashes, commit. */
void made_by_images(const struct doc *d, const struct run_file *const *runs, unsigned count);

/** What the configuration has otherwise than its preset and design, then its tenants. */
void made_by_settings(const struct doc *d, const struct run_file *r);

/** Commit, model and machine of any JSON of memhelm that has `made_by`; nothing of others. */
void made_by_words(const struct doc *d, const json_t *o);

#endif
