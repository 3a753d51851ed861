/* What an image needs now beside its baseline, and which functions grew. */
#ifndef HOST_BUDGET_GROWTH_H
#define HOST_BUDGET_GROWTH_H

#include "budget.h"

/** What the image needs now, to be the next baseline. The names belong to `b`; the caller frees `functions`. */
int baseline_of(const struct budget *b, unsigned image, struct baseline *now, struct mh_error *err);

/**
 * The functions of which a part grew most since the baseline: "f grew 372 -> 498 B, g is new with 30 B". Without a
 * baseline the largest; empty when none grew.
 */
void growth_text(const struct baseline *now, const struct baseline *before, enum baseline_part part, char *text,
                 size_t size);

/** Says on `out` what differs from the baselines, within limits; an image without one is new. False: out of memory. */
bool growth_report(const struct budget *b, FILE *out);

/** Makes what was measured the baselines. */
int growth_accept(const struct budget *b, struct mh_error *err);

#endif
