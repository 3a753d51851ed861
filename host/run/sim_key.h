/* The name of a run's result: a hash of everything that determines it. */
#ifndef HOST_RUN_SIM_KEY_H
#define HOST_RUN_SIM_KEY_H

#include "base/hash.h"
#include "sim.h"

struct sim_key {
    char text[HASH_TEXT];
    char config[HASH_TEXT]; /**< of the configuration alone, as `config_sha256` of a run's results */
};

/**
 * Of model and machine (provenance.h), configuration (traces by content), image and its parameters, twin or QEMU and,
 * with a core that has times, the times of the image's instructions on it. Nothing that a compiler or another part of
 * this program changes is in it: a report with other words keeps its runs. But a twin is hashed as a file, and so is
 * another one with another compiler. Runs of a debug build have names of their own, so that its invariants are tested.
 */
int sim_key(const struct sim *s, struct sim_key *key, struct mh_error *err);

#endif
