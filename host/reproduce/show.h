/* What `memhelm reproduce` prints: the rows beside the paper, grids, the list of rows; also as Markdown. */
#ifndef HOST_REPRODUCE_SHOW_H
#define HOST_REPRODUCE_SHOW_H

#include <stdio.h>

#include "reproduce.h"

/** Everything on the terminal; the last line counts. */
void show_reproduction(const struct reproduction *r, FILE *out);

/** Ids, figures, claims and the number of workloads; nothing is run. */
void show_list(const struct reproduction *r, FILE *out);

/** What show_reproduction() says, written to `path` as Markdown: the rows first. */
int show_markdown(const struct reproduction *r, const char *path, struct mh_error *err);

#endif
