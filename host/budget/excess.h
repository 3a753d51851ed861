/* Images that need more than they may. */
#ifndef HOST_BUDGET_EXCESS_H
#define HOST_BUDGET_EXCESS_H

#include "budget.h"

enum { EXCESS_TEXT = 1500 };

struct excess {
    unsigned image;
    char text[EXCESS_TEXT]; /**< what is over, by how much, who grew or who it is */
};

/**
 * All of them, by image; an image of which something is not known is one. NULL and *count 0 when there are none. The
 * caller frees the list.
 */
struct excess *excess_find(const struct budget *b, unsigned *count);

#endif
