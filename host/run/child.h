/* The process that simulates: QEMU with the machine `memhelm`, or this program again with a native twin. */
#ifndef HOST_RUN_CHILD_H
#define HOST_RUN_CHILD_H

#include "sim.h"

/**
 * The twin has a process, too: a policy that crashes natively is reported like any other. Starts it with standard error
 * in DIR/stderr.log (on the terminal when QEMU traces); returns its process id. The child dies with its parent. -1 and
 * `err` when it cannot be started at all.
 */
pid_t child_start(struct sim *s, struct mh_error *err);

/*
 * The firmware's console (run --console). On a terminal control characters are shown, not obeyed (escape.h); a file or
 * a pipe gets the bytes as they are.
 */

/** Before the child is started: a pipe, if its console needs one. `to` is the child's end, -1 without a pipe. */
int console_open(struct sim *s, int *to, struct mh_error *err);

/** Shows what has come, without waiting. */
void console_show(struct sim *s);

/** Shows the rest, when the child has ended. */
void console_close(struct sim *s);

#endif
