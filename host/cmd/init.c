#include <argp.h>
#include <stdbool.h>
#include <stdio.h>

#include "argument.h"
#include "commands.h"
#include "init/init.h"

static const char doc[] =
    "Makes a policy that builds, its image and its test, out of firmware/policy/template.c: for you to write your "
    "decision into. Started at the top of the source tree; with --here in any folder, and makes the policy alone.\v"
    "NAME is a C identifier that no policy has yet; the image has - for each _ in it.\n"
    "\n"
    "Examples:\n"
    "  memhelm init walk_share        policy walk_share, image walk-share, test_policy_walk_share\n"
    "  memhelm init mine && make      and build it\n"
    "  memhelm compare baseline mine --preset dws --workload GUPS+3DS\n"
    "  memhelm init another --here && memhelm build another.c\n"
    "                                 another.c in this folder, then its image ./another.elf\n"
    "\n"
    "Exit codes: 0 made; 2 bad input, or a file could not be written: nothing is made then.";

enum { KEY_HERE = 0x100 };

static const struct argp_option options[] = {
    {"here", KEY_HERE, 0, 0, "NAME.c in this folder, for `memhelm build`: no source tree is needed", 0}, {0}};

struct request {
    const char *name;
    bool here;
};

static const struct take takes[] = {
    {KEY_HERE, TAKE_TRUE, .at = offsetof(struct request, here)},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct request *r = state->input;
    switch (key) {
    case ARGP_KEY_ARG:
        if (r->name)
            argp_error(state, "one policy at a time: '%s', then '%s'", r->name, arg);
        r->name = arg;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "which name? a C identifier, such as walk_share");
        return 0;
    default:
        return argument_take(takes, r, key, arg, state);
    }
}

const struct argp init_argp = {.options = options, .parser = parse, .args_doc = "NAME", .doc = doc};

int cmd_init(int argc, char **argv)
{
    struct request r = {0};
    struct mh_error err;
    command_parse(&init_argp, argc, argv, &r);
    int status = r.here ? init_policy_here(r.name, stdout, &err) : init_policy(r.name, stdout, &err);
    return status ? bad_input(&err) : EXIT_PASSED;
}
