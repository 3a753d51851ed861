/* Options that several commands have: each is declared here once, with its key, help and checks. */
#ifndef HOST_CMD_SHARED_H
#define HOST_CMD_SHARED_H

#include <argp.h>

#include "memhelm/error.h"
#include "run/options.h"

enum { SHARED_SETS = MAX_SETS };

/** What was given; 0 or NULL = not. Pointers are into argv. */
struct shared {
    unsigned jobs; /**< at least 1 */
    const char *json, *markdown, *plots, *results, *keep, *core;
    const char *sets[SHARED_SETS]; /**< key=value, in order */
    unsigned set_count;
    struct options *run; /**< unless NULL, assignments go there: their order with --cycles and the like counts */
    unsigned seed_first, seed_last; /**< 0: not given */
};

/**
 * Child parsers, whose input is a struct shared. A command lists those that it has, takes each group's header into its
 * own options ("What runs:" 1, "On which GPU and mcu:" 2, "What comes out:" 3, "How:" 4) and calls shared_begin() in
 * ARGP_KEY_INIT.
 */
extern const struct argp shared_json;  /**< --json */
extern const struct argp shared_jobs;  /**< --jobs, --timeout */
extern const struct argp shared_set;   /**< --set */
extern const struct argp shared_core;  /**< --core */
extern const struct argp shared_seeds; /**< --seeds */
extern const struct argp shared_keep;  /**< --keep */
extern const struct argp shared_kept;  /**< --results */
extern const struct argp shared_markdown;
extern const struct argp shared_figures; /**< --markdown, --plots */

/** Defaults: as many jobs as processors this process may use. */
void shared_init(struct shared *s);

/** Gives `s` to all children of a parser. */
void shared_begin(struct argp_state *state, const struct argp_child *children, struct shared *s);

/** Can the files be written that it names? -1 and `err`. */
int shared_check_outputs(const struct shared *s, struct mh_error *err);

#endif
