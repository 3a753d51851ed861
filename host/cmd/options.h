/* The command line of `run` and `compare`, and what other commands share of it. */
#ifndef HOST_CMD_OPTIONS_H
#define HOST_CMD_OPTIONS_H

#include <argp.h>

#include "run/options.h"

/** Options that `run` and `compare` share; argp's child parser, its input is a struct options. */
extern const struct argp common_argp;

/** Options of `run` alone. */
extern const struct argp single_argp;

/** --timeout of every command that simulates: a child parser without input. */
extern const struct argp timeout_argp;
extern const struct argp_child timeout_children[];

/** Adds an image; an argp error when there are too many. */
void options_image(struct options *o, const char *image, struct argp_state *state);

/** Adds an assignment; an argp error when there are too many. */
void options_set(struct options *o, const char *set, struct argp_state *state);

/** The same of --cycles and the like. */
void options_short(struct options *o, enum option_short which, const char *value, struct argp_state *state);

/** Takes the value of an option that can be given once; an argp error that names `option` and both values else. */
void options_once(const char **value, const char *option, const char *text, struct argp_state *state);

/** The same for --workload of a command that has one: its tenants are joined with +. */
void options_workload(const char **value, const char *text, struct argp_state *state);

/** 1..max, or an argp error that names the option `what`. */
unsigned options_number(const char *what, const char *text, unsigned max, struct argp_state *state);

#endif
