/* getopt takes any part of a long option's name that fits one alone: what is mistyped would be obeyed as another. */
#ifndef HOST_CMD_WHOLE_OPTIONS_H
#define HOST_CMD_WHOLE_OPTIONS_H

#include <argp.h>

/**
 * An argp error when a long option on the command line of `state` is none of `argp`, letter by letter: it has the
 * nearest, and the key that --set takes if one has that name. In ARGP_KEY_INIT, before getopt looks.
 */
void whole_options_check(struct argp_state *state, const struct argp *argp);

#endif
