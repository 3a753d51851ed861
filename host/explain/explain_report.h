/* Why one image does more than another on a workload: stacks beside each other, and three sentences for each tenant. */
#ifndef HOST_EXPLAIN_EXPLAIN_REPORT_H
#define HOST_EXPLAIN_EXPLAIN_REPORT_H

#include <stdio.h>

#include "plan/experiment.h"

/** The two images of an experiment whose runs have sm.wait_reasons. What did not pass is left out. */
void explain_report(const struct experiment *x, FILE *out);

/** The same as Markdown. */
int explain_markdown(const struct experiment *x, const char *path, struct mh_error *err);

/** DIR/waits.svg and .png: a bar for each tenant and image. */
int explain_plot(const struct experiment *x, const char *dir, struct mh_error *err);

#endif
