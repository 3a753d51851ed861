/* Shell patterns: of images' names in data files, separated by blanks; of files. */
#ifndef HOST_BASE_PATTERNS_H
#define HOST_BASE_PATTERNS_H

#include <stdbool.h>
#include <stddef.h>

/** Does one of the patterns of `patterns` fit all of `name`? Patterns longer than 63 bytes fit nothing. */
bool patterns_fit(const char *patterns, const char *name);

/** Writes to `out` the pattern that fits `text` alone, cut off where `size` ends: for glob() in a folder of any name.
 */
void patterns_quote(char *out, size_t size, const char *text);

#endif
