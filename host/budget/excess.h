/* Images that need more than they may. */
#ifndef HOST_BUDGET_EXCESS_H
#define HOST_BUDGET_EXCESS_H

#include "budget.h"

enum { EXCESS_TEXT = 1500 };

struct excess {
    unsigned image;
    char text[EXCESS_TEXT]; /**< what is over, by how much, and the function that grew or is largest */
};

/**
 * All of them, by image; an image of which something is not known is one. NULL and *count 0 when there are none. The
 * caller frees the list.
 */
struct excess *excess_find(const struct budget *b, unsigned *count);

/* Compares what an image needs with its accepted baseline, and names the functions that grew. */

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
