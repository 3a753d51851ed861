/* What `run` and `compare` are told on the command line. */
#ifndef HOST_OPTIONS_H
#define HOST_OPTIONS_H

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>

enum { MAX_IMAGES = 16, MAX_SETS = 64, OWN_SETS = 2, MAX_SHORTS = 8 };

/** Pointers are into argv. NULL, 0 or false = not given, but where said otherwise. */
struct options {
    const char *images[MAX_IMAGES];
    unsigned image_count;
    const char *preset, *design, *config, *workload;
    const char *of_core; /**< an option that was given and says something of the core, which a twin has not */
    /** key=value, in order; --cycles and the like are such, and a command may put OWN_SETS before the user's own */
    const char *sets[MAX_SETS + OWN_SETS];
    unsigned set_count;
    unsigned jobs; /**< at least 1 */
    bool twin, no_alone, console;
    unsigned gdb; /**< port */
    const char *epochs, *registers, *counts, *dram_trace, *json, *timing, *keep, *trace;
    char text[MAX_SHORTS][600]; /**< room for assignments made from --cycles and the like */
    unsigned texts;
};

/** Options that `run` and `compare` share; argp's child parser, its input is a struct options. */
extern const struct argp common_argp;

/** Options of `run` alone. */
extern const struct argp single_argp;

/** --timeout of every command that simulates: a child parser without input. */
extern const struct argp timeout_argp;
extern const struct argp_child timeout_children[];

/** Defaults: as many jobs as processors this process may use. */
void options_init(struct options *o);

/** Adds an image; an argp error when there are too many. */
void options_image(struct options *o, const char *image, struct argp_state *state);

/** Adds an assignment, `set` or key=value; an argp error when there are too many. */
void options_set(struct options *o, const char *set, struct argp_state *state);
void options_short(struct options *o, const char *key, const char *value, struct argp_state *state);

/** Assignment `i` as it was typed: `--set l2.ways=8`, or `--cycles 5`. */
void options_typed(const struct options *o, unsigned i, char *text, size_t size);

/** Takes the value of an option that can be given once; an argp error that names `option` and both values else. */
void options_once(const char **value, const char *option, const char *text, struct argp_state *state);

/** The same for --workload of a command that has one: its tenants are joined with +. */
void options_workload(const char **value, const char *text, struct argp_state *state);

/** 1..max, or an argp error that names the option `what`. */
unsigned options_number(const char *what, const char *text, unsigned max, struct argp_state *state);

#endif
