/* The process that simulates: QEMU with the machine `memhelm`, or this program again with a native twin. */
#ifndef HOST_RUN_CHILD_H
#define HOST_RUN_CHILD_H

#include <setjmp.h>

#include "memhelm/record.h"
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

/* The native twin: the same policies as an image, loaded into this process, with decisions that take no time. */

/** Simulates `s` to its end in this process, writes its result; returns the exit code (enum mh_end, or 4 = failed). */
int twin_run(const struct sim *s);

/* Calls of a native twin's firmware, which may crash, or never come back: the run ends, and is told why. */

/** Where a call that went wrong comes back to: sigsetjmp(twin_guard_back, 1) is not 0 then, but what it takes to tell.
 */
extern sigjmp_buf twin_guard_back;

/** Behind that sigsetjmp(). One twin at a time in a process. */
void twin_guard_init(void);

/** Around each call. */
void twin_guard_enter(void);
void twin_guard_leave(void);

/** What sigsetjmp() gave, in words: with the line, if `image`, the twin's file, says it. */
enum mh_end twin_guard_end(int stopped, const char *image, struct mh_fault *fault);

#endif
