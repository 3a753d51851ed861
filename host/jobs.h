/* Simulations in parallel, with progress on a terminal and a clean end on Ctrl-C. */
#ifndef HOST_JOBS_H
#define HOST_JOBS_H

#include "sim.h"

/** Holds back the signals that jobs_run() waits for and ignores SIGPIPE; once, before anything needs cleaning up. */
void jobs_hold_signals(void);

/** A signal other than SIGCHLD that is held back and that nobody has taken, or 0: what takes long should ask for it. */
int jobs_signal_held(void);

/**
 * Runs sims[0..count) in order, at most `parallel` at once. Each that ends is SIM_DONE or SIM_LOST. On SIGINT, SIGTERM
 * or SIGHUP the running ones are ended and those and the waiting ones are SIM_STOPPED: the signal's number is returned,
 * otherwise 0.
 */
int jobs_run(struct sim **sims, unsigned count, unsigned parallel);

/** The same; `finished` is called for each that ends, SIM_DONE or SIM_LOST, while its directory is still there. */
int jobs_run_each(struct sim **sims, unsigned count, unsigned parallel, void (*finished)(void *ctx, struct sim *s),
                  void *ctx);

#endif
