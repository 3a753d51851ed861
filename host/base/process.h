/* This process: Ctrl-C and its like, and the wall clock. */
#ifndef HOST_BASE_PROCESS_H
#define HOST_BASE_PROCESS_H

#include <stdbool.h>
#include <stdio.h>

/**
 * From now on SIGINT, SIGTERM and SIGHUP (unless it is ignored, as by nohup) end the program with 128 + signal and
 * call what signals_at_end() names. A reader that goes away and a limit on the size of files are no
 * signals but errors. Once, at the start.
 */
void signals_catch(void);

/** What such an end calls first: only what a signal handler may. */
void signals_at_end(void (*f)(void));

/** Holds them back, and SIGCHLD: nothing is interrupted until signals_wait(). */
void signals_hold(void);

/** Waits for one that is held, at most so many nanoseconds. Its number, or 0. */
int signals_wait(long nanoseconds);

/** From now on they interrupt what waits and are remembered; SIGCHLD stays held back. */
void signals_release(void);

/** Returns a pending termination signal, or 0. Poll it in long loops. */
int signals_pending(void);

/** Has there been one, also one that signals_wait() took? Then what is written does not wait for anybody. */
bool signals_told_to_end(void);

/** In a child: as in a program that knows nothing of this. */
void signals_default(void);

/* Wall time, for progress and timings; no result depends on it. */

/** Seconds of a clock that only goes forward. */
double wall_seconds(void);

/** An estimate in words, "about 3.4 hours if 2 processors are free", with a newline. */
void wall_say(double seconds, unsigned jobs, FILE *out);

#endif
