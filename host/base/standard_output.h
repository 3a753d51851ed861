/* `-` in the place of an output file's name: standard output, which then has that result alone. */
#ifndef HOST_BASE_STANDARD_OUTPUT_H
#define HOST_BASE_STANDARD_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "memhelm/error.h"

/** Is it `-`? ./- is a file of that name. */
bool standard_output_named(const char *path);

/**
 * From now on stdout, which has text for people, goes to standard error, and a result named `-` to the former stdout.
 * -1 and `err` when stdout is closed.
 */
int standard_output_take(struct mh_error *err);

/** Writes a whole result. A reader that has seen enough is no failure. -1 and `err`. */
int standard_output_write(const char *data, size_t length, struct mh_error *err);

/** fopen(path, "w"), or for `-` standard output; to be closed by fclose(). NULL and errno. */
FILE *standard_output_or_file(const char *path);

#endif
