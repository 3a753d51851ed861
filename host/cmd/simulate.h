/* What `run` and `compare` have in common: open, simulate, report, write, clean up. */
#ifndef HOST_CMD_SIMULATE_H
#define HOST_CMD_SIMULATE_H

#include "plan/experiment.h"

/** What differs between them. */
struct presentation {
    void (*report)(const struct experiment *x, FILE *out);
    /** Writes the files that the options ask for, but for the timing file. */
    int (*write)(const struct experiment *x, struct mh_error *err);
};

/**
 * Returns the exit code of the program. Without --preset and --config the GPU is that on which the paper of the first
 * image evaluated it, which standard error says; so it says what an image steers and this GPU or workload has not.
 */
int simulate(struct options *o, const struct presentation *p);

#endif
