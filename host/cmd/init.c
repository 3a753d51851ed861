#include <argp.h>
#include <stdio.h>

#include "commands.h"
#include "init/init.h"

static const char doc[] =
    "Makes a policy that builds, its image and its test, out of firmware/policy/template.c: for you to write your "
    "decision into. Started at the top of the source tree.\v"
    "NAME is a C identifier that no policy has yet; the image has - for each _ in it.\n"
    "\n"
    "Examples:\n"
    "  memhelm init walk_share        policy walk_share, image walk-share, test_policy_walk_share\n"
    "  memhelm init mine && make      and build it\n"
    "  memhelm compare baseline mine --preset dws --workload GUPS+3DS\n"
    "\n"
    "Exit codes: 0 made; 2 bad input, or a file could not be written: nothing is made then.";

static error_t parse(int key, char *arg, struct argp_state *state)
{
    const char **name = state->input;
    switch (key) {
    case ARGP_KEY_ARG:
        if (*name)
            argp_error(state, "one policy at a time: '%s', then '%s'", *name, arg);
        *name = arg;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "which name? a C identifier, such as walk_share");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp init_argp = {.parser = parse, .args_doc = "NAME", .doc = doc};

int cmd_init(int argc, char **argv)
{
    const char *name = NULL;
    struct mh_error err;
    command_parse(&init_argp, argc, argv, &name);
    return init_policy(name, stdout, &err) ? bad_input(&err) : EXIT_PASSED;
}
