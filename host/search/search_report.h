/* A search in words and tables: on the terminal the best of each metric, in Markdown also the whole surface. */
#ifndef HOST_SEARCH_SEARCH_REPORT_H
#define HOST_SEARCH_SEARCH_REPORT_H

#include <jansson.h>
#include <stdio.h>

#include "search.h"

/** The combinations, and how long those will take that are not kept: for --list, nothing is run. */
void search_list(const struct search *s, FILE *out);

void search_report(const struct search *s, FILE *out);
int search_report_markdown(const struct search *s, const char *path, struct mh_error *err);

/* A search as JSON: every combination with every seed, and what made them. */

/** Combination `i` with a seed, from 0, as the surface has it: CTAs, seed, IPCs, metrics. A new reference. */
json_t *search_row_json(const struct search *s, const struct search_workload *w, unsigned i, unsigned seed);

int search_write_json(const struct search *s, const char *path, struct mh_error *err);

/* The surface of two kernels as a heat map: SVG and PNG. */

/** DIR/search-WORKLOAD.svg for each workload of two kernels (search-spatial-.. with SMs split), others are named on
 * standard error. */
int search_plot(const struct search *s, const char *dir, struct mh_error *err);

#endif
