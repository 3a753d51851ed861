#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "options.h"
#include "simulate.h"
#include "report/report.h"
#include "report/result.h"

static const char doc[] =
    "Simulates several firmware images on the same workload, in parallel, and prints a table: a row per image, with "
    "the change against the first.\v"
    "Examples:\n"
    "  memhelm compare baseline mask-tlb --workload MVT+GUPS --cycles 300000\n"
    "  memhelm compare baseline ./mine.elf -w HISTO+3DS --seed 2 --json c.json\n"
    "  memhelm compare baseline mask-tlb -w MVT+GUPS --twin    natively\n"
    "\n"
    "Exit codes as of `memhelm run`; what is finished is reported and written even if another image fails or "
    "Ctrl-C ends it.";

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct options *o = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = o;
        return 0;
    case ARGP_KEY_ARG:
        options_image(o, arg, state);
        return 0;
    case ARGP_KEY_END:
        if (o->image_count < 2)
            argp_error(state, "two images or more, such as: baseline mask-tlb; `memhelm list images` shows them");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static int write_files(const struct experiment *x, struct mh_error *err)
{
    return x->options->json ? result_write_compare(x, x->options->json, err) : 0;
}

static const struct argp_child children[] = {{&common_argp, 0, NULL, 0}, {0}};
const struct argp compare_argp = {.parser = parse, .args_doc = "IMAGE...", .doc = doc, .children = children};

int cmd_compare(int argc, char **argv)
{
    struct options o;
    options_init(&o);
    command_parse(&compare_argp, argc, argv, &o);
    return simulate(&o, &(struct presentation){report_compare, write_files});
}
