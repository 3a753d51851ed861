/* The assumptions' tables: for each row what it hangs on, on the terminal the first dozen, in Markdown all. */
#ifndef HOST_ASSUMPTIONS_ASSUMPTIONS_SHOW_H
#define HOST_ASSUMPTIONS_ASSUMPTIONS_SHOW_H

#include "assumptions.h"

void assumptions_show(const struct assumptions *a, FILE *out);

/** `figures`: where tornado_write() puts its figures, or NULL; each stands above its table. */
int assumptions_markdown(const struct assumptions *a, const char *path, const char *figures, struct mh_error *err);

/** What would be run: the assumptions with their other values and where they stand, and those that are not varied. */
void assumptions_list(const struct assumptions *a, FILE *out);

/* All that the assumptions' runs say, as JSON: schema memhelm-assumptions-1. */

int assumptions_json_write(const struct assumptions *a, const char *path, struct mh_error *err);

#endif
