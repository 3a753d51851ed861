/*
 * What changes during runs, as tracks over GPU cycles: inline SVG, which shows the whole run by itself. The script
 * timeline.js changes scales alone. Runs of a page have one time axis, and tracks of one name have one scale.
 */
#ifndef HOST_PAGE_TIMELINE_H
#define HOST_PAGE_TIMELINE_H

#include "base/doc.h"

enum timeline_shape {
    TIMELINE_STEPS, /**< a value holds until the next one */
    TIMELINE_FLAGS, /**< as high as the value, as wide as it lasts */
    TIMELINE_MISSED /**< in the bad colour, as high as the track; the value is ignored */
};

enum { TIMELINE_LINES = 256, /**< of a run */ TIMELINE_NEXT = -1 };

struct timeline;
struct timeline_line;

struct timeline *timeline_new(void);
void timeline_free(struct timeline *t);

/** Begins a run under a heading. */
void timeline_run(struct timeline *t, const char *name);

/**
 * The run's line of that name in the track of that name; both are made if there are none. `name` "": it is the only
 * one. `colour` is a number from 0 on; TIMELINE_NEXT: lines of the track before it. NULL: the run has TIMELINE_LINES.
 */
struct timeline_line *timeline_line(struct timeline *t, const char *track, const char *name, enum timeline_shape shape,
                                    int colour);

/** A value and the GPU cycles that it holds. Nothing if the value is NaN or the line NULL. */
void timeline_add(struct timeline_line *l, double from, double to, double value);

void timeline_write(const struct timeline *t, const struct doc *d);

#endif
