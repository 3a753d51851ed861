/* A search in words and tables: on the terminal the best of each metric, in Markdown also the whole surface. */
#ifndef HOST_SEARCH_SEARCH_REPORT_H
#define HOST_SEARCH_SEARCH_REPORT_H

#include <stdio.h>

#include "search.h"

/** The combinations, and how long those will take that are not kept: for --list, nothing is run. */
void search_list(const struct search *s, FILE *out);

void search_report(const struct search *s, FILE *out);
int search_report_markdown(const struct search *s, const char *path, struct mh_error *err);

#endif
