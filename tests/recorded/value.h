/* A number of a recorded result, by a name such as mask:rows/fig11-mask/ours. */
#ifndef TESTS_RECORDED_VALUE_H
#define TESTS_RECORDED_VALUE_H

#include "memhelm/error.h"

/**
 * `name` is [-]FILE:KEY/KEY..: FILE.json among the recorded results, or budget/IMAGE, what an image was accepted with
 * (below the working directory), a `-` turns the sign. A KEY is a member of an object; of a list the object with that
 * `id`, `name`, `workload`, `key` or `value`, its place from 0, `last`, or how many there are (#). -1 and `err` when
 * there is no such number.
 */
int value_of(const char *name, double *value, struct mh_error *err);

/** Path of a recorded file; `suffix` with its dot. -1 and `err` when it is not there. */
int value_file(const char *name, const char *suffix, char *path, size_t size, struct mh_error *err);

#endif
