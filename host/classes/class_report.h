/* What `memhelm classes` found, for people and as JSON. */
#ifndef HOST_CLASSES_CLASS_REPORT_H
#define HOST_CLASSES_CLASS_REPORT_H

#include <stdio.h>

#include "class_run.h"

/** A table per paper, then what is known of each miss; the last line counts. True: 9 of 10 are right. */
bool class_report(const struct class_run *r, FILE *out);

/** `memhelm-classes-1`. */
int class_report_json(const struct class_run *r, const char *path, struct mh_error *err);

#endif
