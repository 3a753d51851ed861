/* Simulations in parallel, with progress on a terminal and a clean end on Ctrl-C. */
#ifndef HOST_RUN_JOBS_H
#define HOST_RUN_JOBS_H

#include <stdio.h>

#include "sim.h"

/** No simulation may take more seconds of wall time from now on than this; 0, as at the start: any. */
void jobs_limit(unsigned seconds);

/** How far a call of jobs_run() is. */
struct jobs_state {
    unsigned done, running, count;
    double part; /**< pace_part() */
};

/** The part of the time of all runs that is over at `now` (base/process.h), 0..1. */
double pace_part(struct sim *const *sims, unsigned count, double now);

/** What a line of progress says in the place of "12 of 40 runs done ..". */
struct jobs_progress {
    void (*say)(void *ctx, FILE *out, const struct jobs_state *at);
    void *ctx;
};

/** From now on; NULL, as at the start: the usual line. */
void jobs_progress(const struct jobs_progress *progress);

/** What is done with each that ends, SIM_DONE or SIM_LOST, while its directory is still there. */
struct jobs_hooks {
    void (*finished)(void *ctx, struct sim *s); /**< before the next one starts in its place */
    void (*left)(void *ctx, struct sim *s);     /**< while that one runs */
    void *ctx;
};

/**
 * Runs sims[0..count) in order, at most `parallel` at once. Each that ends is SIM_DONE or SIM_LOST; one that is over
 * its time, or stopped or without its debugger for too long (sim.h), is ended and SIM_LOST. On SIGINT, SIGTERM or
 * SIGHUP the running ones are ended and those and the waiting ones are SIM_STOPPED: the signal's number is returned,
 * otherwise 0. Afterwards signals interrupt what waits (signals_release()). `hooks` may be NULL.
 */
int jobs_run(struct sim **sims, unsigned count, unsigned parallel, const struct jobs_hooks *hooks);

#endif
