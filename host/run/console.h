/*
 * The firmware's console (run --console). On a terminal control characters are shown, not obeyed (escape.h); a file or
 * a pipe gets the bytes as they are.
 */
#ifndef HOST_RUN_CONSOLE_H
#define HOST_RUN_CONSOLE_H

#include "sim.h"

/** Before the child is started: a pipe, if its console needs one. `to` is the child's end, -1 without a pipe. */
int console_open(struct sim *s, int *to, struct mh_error *err);

/** Shows what has come, without waiting. */
void console_show(struct sim *s);

/** Shows the rest, when the child has ended. */
void console_close(struct sim *s);

#endif
