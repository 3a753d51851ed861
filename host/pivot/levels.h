/* What different values rows of points have in some columns, and which has which. */
#ifndef HOST_PIVOT_LEVELS_H
#define HOST_PIVOT_LEVELS_H

#include "column_list.h"

enum { LEVEL_NONE = -1 };

struct levels {
    int *of;          /**< [row of points]: its level, LEVEL_NONE of rows that are not chosen */
    unsigned *sample; /**< [level]: the first row that has it */
    unsigned count;
};

/**
 * The values, one of each column together, of the rows that `chosen` (NULL: all) has, in the order in which the file
 * has them. Without a column all rows are of one level. levels_free() frees it.
 */
void levels_of(struct levels *l, const struct points *p, const struct column_list *columns, const bool *chosen);

/** Orders them: numbers from the least to the most, then texts, in which numbers count as such (a2 before a10). */
void levels_sort(struct levels *l, const struct points *p, const struct column_list *columns);

void levels_free(struct levels *l);

/** Like strcmp(), of two cells in the order of levels_sort(); what is missing comes first. */
int levels_compare(const struct points_value *a, const struct points_value *b);

#endif
