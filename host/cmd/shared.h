/* What several commands have: options, each declared once, with its key, help and checks; runs of images. */
#ifndef HOST_CMD_SHARED_H
#define HOST_CMD_SHARED_H

#include <argp.h>

#include "memhelm/error.h"
#include "plan/plan.h"
#include "run/setup.h"

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

/* The command line of `run` and `compare`, and what other commands share of it. */

/** Options that `run` and `compare` share; argp's child parser, its input is a struct options. */
extern const struct argp common_argp;

/** Options of `run` alone. */
extern const struct argp single_argp;

/** Adds an image; an argp error when there are too many. */
void options_image(struct options *o, const char *image, struct argp_state *state);

/** Adds the assignment that an option such as --cycles stands for; an argp error when it cannot be. */
void options_short(struct options *o, enum option_short which, const char *value, struct argp_state *state);

/* What `run` and `compare` have in common: open, simulate, report, write, clean up. */

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
