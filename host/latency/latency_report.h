/* A table per image with its knee in words; one of all, the least affordable first. */
#ifndef HOST_LATENCY_LATENCY_REPORT_H
#define HOST_LATENCY_LATENCY_REPORT_H

#include <stdio.h>

#include "latency.h"

void latency_report(const struct latency *l, FILE *out);

/** The same as Markdown into a file; there the table of all images stands first. */
int latency_report_markdown(const struct latency *l, const char *path, struct mh_error *err);

#endif
