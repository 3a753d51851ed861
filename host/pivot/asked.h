/* What a sweep that has not run to its end asked for, by the spec in its file. */
#ifndef HOST_PIVOT_ASKED_H
#define HOST_PIVOT_ASKED_H

#include "selection.h"

/**
 * How many points each cell will have. 0: the file does not tell, or is whole, or the points are a sample or a part.
 */
unsigned asked_of_cell(const struct selection *s);

#endif
