/* A pivot: the points that have the same values of some columns are one cell, and their mean stands in it. */
#ifndef HOST_PIVOT_PIVOT_H
#define HOST_PIVOT_PIVOT_H

#include "cell.h"
#include "columns.h"
#include "selection.h"

enum { PIVOT_CELLS = 1000000 };

struct pivot {
    const struct selection *selection;
    struct levels rows, columns; /**< of selection->rows, selection->columns; one of the latter if there are none */
    struct column_list over;     /**< what is averaged over: all other axes of more than one value */
    unsigned *over_counts;       /**< [of `over`]: how many values */
    int seed, mover;             /**< columns in `over`: the seed; what --spread leaves out. -1: none */
    struct levels movers;
    struct cell *cells;     /**< [value][row][column] */
    struct reasons reasons; /**< of missing points */
};

/** -1 and `err`: it has too many cells, or nothing to spread over. pivot_free() frees it; `s` must stay. */
int pivot_of(struct pivot *t, const struct selection *s, struct mh_error *err);
void pivot_free(struct pivot *t);

static inline const struct cell *pivot_cell(const struct pivot *t, unsigned value, unsigned row, unsigned column)
{
    return &t->cells[((uint64_t)value * t->rows.count + row) * t->columns.count + column];
}

/** How many cells lack some of their points, and how many have a value of 0 or less under a geometric mean. */
struct pivot_faults {
    unsigned lacking, refused;
};

struct pivot_faults pivot_faults(const struct pivot *t);

#endif
