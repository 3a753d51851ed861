/* Why one image does more than another on a workload: two stacks and three sentences per tenant. */
#ifndef HOST_EXPLAIN_EXPLAIN_H
#define HOST_EXPLAIN_EXPLAIN_H

#include "base/table.h"

/** A run with sm.wait_reasons. Of the configuration count `sm.count`, `sm.share`, and the tenants' kernels and SMs. */
struct explain_run {
    const char *image;
    const struct mh_config *cfg;
    const struct mh_stats *stats;
};

/** Two runs of one configuration. */
void explain_pair(const struct explain_run of[2], const struct doc *d);

/** The sentences alone, those of all tenants in a line. */
void explain_say(const struct explain_run of[2], FILE *out);

/** DIR/NAME.svg and .png, and what they are drawn from: a bar for each tenant and run. */
int explain_draw(const struct explain_run *runs, unsigned count, const char *dir, const char *name,
                 struct mh_error *err);

#endif
