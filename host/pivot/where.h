/*
 * Conditions on points: COLUMN=VALUE[,VALUE] and COLUMN!=VALUE[,VALUE] of texts and numbers, COLUMN<VALUE and <=, >, >=
 * of numbers. Numbers may be written as 64K. A value that no point has is refused: it is a slip of the pen.
 */
#ifndef HOST_PIVOT_WHERE_H
#define HOST_PIVOT_WHERE_H

#include <stdbool.h>

#include "report/points.h"

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
