/* Columns of a file of points, as a user names them, and what their rows have. */
#ifndef HOST_PIVOT_COLUMNS_H
#define HOST_PIVOT_COLUMNS_H

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

/* --- What different values rows of points have in some columns, and which has which. */

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

/** levels_of() for one column; -1 for no column. */
void levels_of_column(struct levels *l, const struct points *p, int column, const bool *chosen);

/** Orders them: numbers from the least to the most, then texts, in which numbers count as such (a2 before a10). */
void levels_sort(struct levels *l, const struct points *p, const struct column_list *columns);

void levels_free(struct levels *l);

/** Like strcmp(), of two cells in the order of levels_sort(); what is missing comes first. */
int levels_compare(const struct points_value *a, const struct points_value *b);

/* --- * Conditions on points: COLUMN=VALUE[,VALUE] and COLUMN!=VALUE[,VALUE] of texts and numbers, COLUMN<VALUE and <=,
 * >, >= of numbers. Numbers may be written as 64K. A value that no point has is refused: it is a slip of the pen. */

enum { WHERE_VALUES = 64, WHERE_TEXT = 1024 };

enum where_sign { WHERE_IS, WHERE_IS_NOT, WHERE_LESS, WHERE_AT_MOST, WHERE_MORE, WHERE_AT_LEAST };

struct where {
    unsigned column;
    enum where_sign sign;
    char text[WHERE_TEXT];            /**< the values, each ended by a 0 */
    const char *values[WHERE_VALUES]; /**< into `text` */
    unsigned count;
};

/** Reads `text`, the value of `option`; -1 and `err`: no such column or value, or it compares texts with < and so on.
 */
int where_read(struct where *w, const struct points *p, const char *path, const char *option, const char *text,
               struct mh_error *err);

/** Does the row fulfil it? A missing number does not, whatever the condition. */
bool where_holds(const struct where *w, const struct points *p, unsigned row);

#endif
