/* Tornado figures: a row's range under each assumption, those that move it most on top. */
#ifndef HOST_ASSUMPTIONS_TORNADO_H
#define HOST_ASSUMPTIONS_TORNADO_H

#include <stdio.h>

#include "assumptions.h"

/** Writes DIR/NAME-ROW.svg and so on for each row that was run, NAME being the study's with "-assumptions" behind it.
 */
int tornado_write(const struct assumptions *a, const char *dir, struct mh_error *err);

/**
 * Says in Markdown, written to the file `markdown`, where the row's figure is: in `dir`, where tornado_write() puts it.
 * Nothing, when `dir` is NULL, not below the file's folder, or the row has no figure.
 */
void tornado_link(const struct assumptions *a, unsigned row, const char *markdown, const char *dir, FILE *out);

#endif
