/* The command line of `run` and `compare`, and what other commands share of it. */
#ifndef HOST_CMD_OPTIONS_H
#define HOST_CMD_OPTIONS_H

#include <argp.h>

#include "run/options.h"

/** Options that `run` and `compare` share; argp's child parser, its input is a struct options. */
extern const struct argp common_argp;

/** Options of `run` alone. */
extern const struct argp single_argp;

/** Adds an image; an argp error when there are too many. */
void options_image(struct options *o, const char *image, struct argp_state *state);

/** Adds the assignment that an option such as --cycles stands for; an argp error when it cannot be. */
void options_short(struct options *o, enum option_short which, const char *value, struct argp_state *state);

#endif
