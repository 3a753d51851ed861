/* Each point beside its base: the one that has a given image, say, and is otherwise of the same axes. */
#ifndef HOST_PIVOT_AGAINST_H
#define HOST_PIVOT_AGAINST_H

#include "column_list.h"

/**
 * Reads `text`, COLUMN=VALUE[,COLUMN=VALUE], and finds the base of every row of the file: -1 where there is none. The
 * caller frees what is returned. NULL and `err`: no such column or value, or two points that could be one's base.
 */
int *against_find(const struct points *p, const char *path, const char *text, struct column_list *columns,
                  struct mh_error *err);

#endif
