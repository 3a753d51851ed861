/* Why points of a sweep differ from those of its first image, if it was asked (sweep --why). */
#ifndef HOST_PAGE_POINTS_WHY_H
#define HOST_PAGE_POINTS_WHY_H

#include "part.h"
#include "pivot/column_list.h"
#include "report/points.h"

/** A paragraph for each point that has words, under what tells it from the others: its values in `varied`. */
void points_why(struct part *p, const struct input *in, const struct points *points, const struct column_list *varied);

#endif
