/* What made the numbers of a recorded file: its images and configurations (provenance.h has model, machine, commit). */
#ifndef HOST_REPORT_MADE_H
#define HOST_REPORT_MADE_H

#include <jansson.h>

#include "plan/plan.h"

/** Adds `made_by`, and `images`: file (NAME.elf or, of a twin, NAME.so) to the SHA-256 of each image in the plan. */
void made_put(json_t *o, const struct plan *p);

/** Adds the configurations of all runs of `points` in their order, alone runs included. */
void made_add_configs(struct hash *h, const struct point *points, size_t count);

#endif
