/* Simulations whose results are kept: what was run before is not run again (store.h). */
#ifndef HOST_RUN_KEPT_H
#define HOST_RUN_KEPT_H

#include "store.h"
#include "base/hash.h"
#include "sim.h"

/* The name of a run's result: a hash of everything that determines it. */

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

/** A simulation, and the name under which its result is kept. */
struct kept_sim {
    struct sim sim; /**< first: the two have one address */
    struct sim_key key;
    char what[256]; /**< description for people: image, design, workload */
    bool kept;      /**< its result came from the store */
    bool fleeting;  /**< its directory stays until the plan goes, and its result is not kept */
};

/**
 * Fills in the results that are there: those sims are SIM_DONE, `kept`; the counts of those whose view has them are in
 * their directories. Returns how many. How many are damaged, and so
 * run again, is said on standard error.
 */
unsigned kept_load(struct kept_sim *const *sims, unsigned count, struct store *st);

/**
 * Runs those that wait, at most `jobs` at once; each that is not fleeting is kept in `st` (NULL: nowhere) when it ends,
 * and its directory goes unless `leave_dirs`. A result that cannot be kept is still used; that is said once. 0, or the
 * number of the signal that ended it early.
 */
int kept_run(struct kept_sim *const *sims, unsigned count, struct store *st, unsigned jobs, bool leave_dirs);

#endif
