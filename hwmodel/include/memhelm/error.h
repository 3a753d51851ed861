/* One error text, written where the fault is found, printed by the owner of the terminal. */
#ifndef MEMHELM_ERROR_H
#define MEMHELM_ERROR_H

#include <stdio.h>

/** Caller-owned. `text` is one or more lines without a trailing newline: what is wrong, where, and the remedy. */
struct mh_error {
    char text[1024];
};

/** Formats into `err` (which may be NULL) and evaluates to -1, so that `return mh_fail(err, ...)` reads well. */
#define mh_fail(err, ...) ((err) ? (void)snprintf((err)->text, sizeof(err)->text, __VA_ARGS__) : (void)0, -1)

#endif
