#include <argp.h>
#include <stdio.h>

#include "commands.h"
#include "doctor/doctor.h"
#include "shared.h"

static const char doc[] =
    "Looks at what memhelm needs: QEMU, its plugin, images, twins, tools, the cache, kept runs, room on the disks; and "
    "runs "
    "one image for some thousand cycles. Says what is missing, and what to do about it.\v"
    "`wanted` is what some commands or figures need; `NEEDED` is in the way of every run. Nothing is changed.\n"
    "\n"
    "Examples:\n"
    "  memhelm doctor\n"
    "  memhelm doctor --results study.sqlite    another store of kept runs\n"
    "  memhelm doctor > doctor.txt              to send with a question\n"
    "\n"
    "Exit codes: 0 all that a run needs is there; 1 something is missing; 2 bad input.";

static const struct argp_child children[] = {{&shared_kept, 0, NULL, 0}, {0}};
static struct shared shared;

static error_t parse(int key, char *arg, struct argp_state *state)
{
    switch (key) {
    case ARGP_KEY_INIT:
        shared_begin(state, children, &shared);
        return 0;
    case ARGP_KEY_ARG:
        argp_error(state, "one word more than needed: %s", arg);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp doctor_argp = {.parser = parse, .doc = doc, .children = children};

int cmd_doctor(int argc, char **argv)
{
    static struct doctor d;
    shared_init(&shared);
    command_parse(&doctor_argp, argc, argv, NULL);
    version_print(stdout);
    fputc('\n', stdout);
    doctor_machine(&d);
    doctor_tools(&d);
    doctor_places(&d, shared.results);
    return doctor_report(&d, stdout) ? EXIT_NOT_PASSED : EXIT_PASSED;
}
