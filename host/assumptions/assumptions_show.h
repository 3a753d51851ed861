/* The assumptions' tables: for each row what it hangs on, on the terminal the first dozen, in Markdown all. */
#ifndef HOST_ASSUMPTIONS_ASSUMPTIONS_SHOW_H
#define HOST_ASSUMPTIONS_ASSUMPTIONS_SHOW_H

#include <stdio.h>

#include "assumptions.h"

void assumptions_show(const struct assumptions *a, FILE *out);

/** `figures`: where tornado_write() puts its figures, or NULL; each stands above its table. */
int assumptions_markdown(const struct assumptions *a, const char *path, const char *figures, struct mh_error *err);

/** What would be run: the assumptions with their other values and where they stand, and those that are not varied. */
void assumptions_list(const struct assumptions *a, FILE *out);

/* All that the assumptions' runs say, as JSON: schema memhelm-assumptions-1. */

int assumptions_json_write(const struct assumptions *a, const char *path, struct mh_error *err);

/* Tornado figures: a row's range under each assumption, those that move it most on top. */

/** Writes DIR/NAME-ROW.svg and so on for each row that was run, NAME being the study's with "-assumptions" behind it.
 */
int tornado_write(const struct assumptions *a, const char *dir, struct mh_error *err);

/**
 * Says in Markdown, written to the file `markdown`, where the row's figure is: in `dir`, where tornado_write() puts it.
 * Nothing, when `dir` is NULL, not below the file's folder, or the row has no figure.
 */
void tornado_link(const struct assumptions *a, unsigned row, const char *markdown, const char *dir, FILE *out);

#endif
