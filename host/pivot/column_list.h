/* Columns of a file of points, as a user names them: joined by commas, unless a name has one itself. */
#ifndef HOST_PIVOT_COLUMN_LIST_H
#define HOST_PIVOT_COLUMN_LIST_H

#include <stdbool.h>

#include "report/points.h"

struct column_list {
    unsigned at[POINTS_COLUMNS];
    unsigned count;
};

/**
 * Adds the columns that `text`, the value of `option`, names. -1 and `err`: there is no such column, it is there
 * already, or it is none of the kinds: `kinds` has a bit of each, 1 << POINTS_AXIS and so on.
 */
int column_list_add(struct column_list *list, const struct points *p, const char *path, const char *option,
                    const char *text, unsigned kinds, struct mh_error *err);

/** Adds all columns of a kind. */
void column_list_add_kind(struct column_list *list, const struct points *p, enum points_kind kind);

bool column_list_has(const struct column_list *list, unsigned column);

#endif
