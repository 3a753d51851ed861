/* The sensitivity' tables: for each row what it depends on, on the terminal the first dozen, in Markdown all. */
#ifndef HOST_SENSITIVITY_SENSITIVITY_SHOW_H
#define HOST_SENSITIVITY_SENSITIVITY_SHOW_H

#include <stdio.h>

#include "sensitivity.h"

void sensitivity_show(const struct sensitivity *a, FILE *out);

/** `figures`: where tornado_write() puts its figures, or NULL; each stands above its table. */
int sensitivity_markdown(const struct sensitivity *a, const char *path, const char *figures, struct mh_error *err);

/** What would be run: the sensitivity with their other values and where they stand, and those that are not varied. */
void sensitivity_list(const struct sensitivity *a, FILE *out);

/* All that the sensitivity' runs say, as JSON: schema memhelm-sensitivity-1. */

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
