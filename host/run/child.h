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

#endif
