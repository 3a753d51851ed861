/* Names of images in data files: shell patterns, separated by blanks. */
#ifndef HOST_BASE_PATTERNS_H
#define HOST_BASE_PATTERNS_H

#include <stdbool.h>

/** Does one of the patterns of `patterns` fit all of `name`? Patterns longer than 63 bytes fit nothing. */
bool patterns_fit(const char *patterns, const char *name);

#endif
