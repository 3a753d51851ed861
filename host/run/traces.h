/* Recorded traces in a directory. */
#ifndef HOST_RUN_TRACES_H
#define HOST_RUN_TRACES_H

#include <stdbool.h>

#include "base/hash.h"

/** Warp width of a trace (GMT1 and GMT2, plain or zstd, by their header; Accel-Sim's by their names); 0 when it is
 * none. */
unsigned trace_width(const char *path);

/** True if it is one of Accel-Sim's, by its name. */
bool trace_is_text(const char *path);

/** SHA-256 of a trace's file; of a list of files, of the digests of the list and of each file in it. */
int trace_hash(const char *path, char text[HASH_TEXT], struct mh_error *err);

/** Prints a line per trace in `dir`, sorted; returns how many there were. */
unsigned traces_list(const char *dir);

#endif
