/* The call tree of the longest decision: callers and callees in order, counts, cycles. */
#ifndef HOST_BUDGET_PROFILE_PATH_H
#define HOST_BUDGET_PROFILE_PATH_H

#include "mcu/code.h"
#include "mcu/functions.h"
#include "profile.h"

enum path_calls {
    PATH_BEGINS,  /**< the decision begins and ends in it: it was called before */
    PATH_EXACT,   /**< that many times in this decision */
    PATH_MEAN,    /**< in all calls of the policy's hook in the run, for each on average */
    PATH_UNKNOWN, /**< some */
};

/** A function called by the nearest step above it that is less deep. */
struct path_step {
    unsigned depth, function;
    uint64_t cycles, own; /**< mcu cycles in this decision: with those it calls; by itself */
    enum path_calls kind;
    double calls;
};

struct path {
    struct path_step *steps;
    unsigned count;
};

/**
 * The longest one of a series of `p`. Order and cycles are as recorded. Calls are not recorded for a decision, but for
 * a node in the whole run, with the instructions of both; one call takes at least as many as the shortest way through
 * the function over jumps that the run made, and a place in the code that is in no loop calls once for each call of
 * its own function. Where that leaves one number, it is the number; a hook is called once.
 * -1 when memory is short. The caller frees `steps`.
 */
int path_of(struct path *path, const struct profile *p, const struct series *s, const struct code *code,
            const struct functions *f, const struct hooks *hooks);

/** Fewest instructions of one call of a function, without callees, over jumps that the run made; 0: none returned. */
uint64_t path_shortest(const struct profile *p, const struct code *code, uint32_t entry);

#endif
