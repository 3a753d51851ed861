/* Recorded traces in a directory. */
#ifndef HOST_TRACES_H
#define HOST_TRACES_H

#include <stdbool.h>

/** Warp width in the header line of a GMT1 file (plain or zstd); 0 when it is none. */
unsigned trace_width(const char *path);

/** Prints a line per trace in `dir`, sorted; returns how many there were. */
unsigned traces_list(const char *dir);

#endif
