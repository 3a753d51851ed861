/* What a result says of itself: the line above its tables, and what made it. */
#ifndef HOST_REPORT_TITLE_H
#define HOST_REPORT_TITLE_H

#include <jansson.h>
#include <stdio.h>

#include "plan/experiment.h"
#include "plan/plan.h"

/** "mask as changed by 2 keys: MVT + GUPS, 300000 GPU cycles, seed 1, ..", and tenants that come and go. */
void report_title(const struct experiment *x, FILE *out);

/* What made the numbers of a recorded file: its images and configurations (provenance.h has model, machine, commit). */

/** Adds `made_by`, and `images`: file (NAME.elf or, of a twin, NAME.so) to the SHA-256 of each image in the plan. */
void made_put(json_t *o, const struct plan *p);

/** Adds the configurations of all runs of `points` in their order, alone runs included. */
void made_add_configs(struct hash *h, const struct point *points, size_t count);

#endif
