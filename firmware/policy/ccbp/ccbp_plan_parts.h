/*
 * What the parts of CCBP's plan have in common: ccbp_plan.c, stages; ccbp_learn.c, windows; ccbp_grant.c, allocation.
 */
#ifndef FIRMWARE_CCBP_PLAN_PARTS_H
#define FIRMWARE_CCBP_PLAN_PARTS_H

#include <stdbool.h>

#include "ccbp_plan.h"

/** Windows of 100 K cycles before the first new phase counts (ours). */
enum { CCBP_FIRST_PATIENCE = 5 };

static inline bool ccbp_is_latency_sensitive(const struct ccbp_known *known)
{
    return known->type == CCBP_LATENCY_SENSITIVE;
}

/** Bandwidths of a window that were more than the sustainable ones take their place; the next window begins. */
void ccbp_calibrate(struct ccbp_plan *plan);

/**
 * priorLSK is to be adjusted. One that changes nothing is not tried: without latency-sensitive kernels, or with no
 * others, none does.
 */
bool ccbp_has_climb(const struct ccbp_plan *plan);

/** The next stage is CCBP_ALLOCATE. */
void ccbp_begin_allocation(struct ccbp_plan *plan);

#endif
