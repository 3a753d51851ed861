#include <argp.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "commands.h"
#include "latency/latency.h"
#include "argument.h"
#include "shared.h"

static const char doc[] =
    "What does it cost that a policy decides on a small mcu and not in hardware? Runs each image with its mcu at 25 "
    "MHz to 2 GHz and at bus latencies of 5 to 500 cycles, in no time (as hardware would) and not at all (image "
    "baseline), all with the same seeds, and finds the knee: the slowest mcu that, as all faster ones, keeps the gain "
    "of each workload.\v"
    "IMAGE is a name of `memhelm list images`, or the path of an ELF file; without one all images of the reference set "
    "are run. What is lost is the gain in no time less the gain at a point, with the same seed; a gain within its 95 % "
    "interval over the seeds is none and has no knee.\n"
    "\n"
    "Finished runs are kept: after Ctrl-C the next call goes on. The watchdog is off, so that a policy that is too "
    "slow has a number; where it would bite, the table says so.\n"
    "\n"
    "Examples:\n"
    "  memhelm latency mask                   some minutes on 2 processors\n"
    "  memhelm latency --core picorv32 dws    on another core: `memhelm list cores`\n"
    "  memhelm latency mine --preset mask --workload MVT+GUPS --workload RED+BP\n"
    "  memhelm latency ./mine.elf -p mask -w MVT+GUPS --seeds 1-3   a wider interval, sooner\n"
    "  memhelm latency --json latency.json --plots figures        all images: an hour or two\n"
    "\n"
    "Exit codes: 0 all runs passed, whatever they say; 1 one did not; 2 bad input;\n"
    "128 + signal when interrupted, after the tables of what was finished.";

enum {
    KEY_ALL = 0x100,
    KEY_CYCLES,
    KEY_REFERENCE,
};

static const struct argp_option latency_options[] = {
    {0, 0, 0, 0, "What runs:", 1},
    {"all", KEY_ALL, 0, 0, "Variants of MASK's parameters, too", 1},
    {"preset", 'p', "NAME", 0, "Another GPU than the reference set's", 2},
    {"workload", 'w', "A+B", 0, "In the place of the reference set's workloads. Repeatable", 1},
    {"cycles", KEY_CYCLES, "N", 0, "Window in GPU cycles", 1},
    {"reference", KEY_REFERENCE, "FILE", 0, "Reference set (YAML) in the place of the built-in one", 1},
    {0, 0, 0, 0, "On which GPU and mcu:", 2},
    {0, 0, 0, 0, "What comes out:", 3},
    {0, 0, 0, 0, "How:", 4},
    {0},
};

static const struct argp_child children[] = {
    {&shared_seeds, 0, NULL, 0}, {&shared_core, 0, NULL, 0},    {&shared_set, 0, NULL, 0},  {&shared_json, 0, NULL, 0},
    {&shared_kept, 0, NULL, 0},  {&shared_figures, 0, NULL, 0}, {&shared_jobs, 0, NULL, 0}, {0}};

static struct shared shared;

/* The mcu is what is varied. */
static void add_set(struct latency_request *r, const char *set, struct argp_state *state)
{
    if (!strncmp(set, "mcu.", 4) && strncmp(set, "mcu.quantum=", 12))
        argp_error(state, "--set %.60s: clock, bus and watchdog are what is varied here; there is --core", set);
    else if (!strncmp(set, "run.cycles=", 11) || !strncmp(set, "run.seed=", 9))
        argp_error(state, "--set %.60s: use --cycles or --seeds", set);
    else
        argument_add(r->sets, &r->set_count, LATENCY_SETS, "--set", set, state);
}

static void take_shared(struct latency_request *r, struct argp_state *state)
{
    for (unsigned i = 0; i < shared.set_count; i++)
        add_set(r, shared.sets[i], state);
    if (shared.seed_first) {
        r->seed_first = shared.seed_first;
        r->seeds = shared.seed_last - shared.seed_first + 1;
    }
    r->core = shared.core;
    r->results = shared.results;
    r->jobs = shared.jobs;
}

static const struct take takes[] = {
    {KEY_ALL, TAKE_TRUE, .at = offsetof(struct latency_request, all)},
    {KEY_REFERENCE, TAKE_INPUT, .at = offsetof(struct latency_request, reference)},
    {KEY_CYCLES, TAKE_CYCLES, .at = offsetof(struct latency_request, cycles)},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct latency_request *r = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        shared_begin(state, children, &shared);
        return 0;
    case ARGP_KEY_END:
        take_shared(r, state);
        if (r->all && r->image_count)
            argp_error(state, "--all and names of images: give one or the other");
        return 0;
    case ARGP_KEY_ARG:
        argument_add(r->images, &r->image_count, LATENCY_IMAGES, "images", arg, state);
        return 0;
    case 'p':
        r->preset = arg;
        return 0;
    case 'w':
        files_workload(arg);
        argument_add(r->workloads, &r->workload_count, SET_WORKLOADS, "--workload", arg, state);
        return 0;
    default:
        return argument_take(takes, r, key, arg, state);
    }
}

static int write_all(const struct latency *l, struct mh_error *err)
{
    struct draft d;

    if (shared.json && latency_write_json(l, shared.json, err))
        return -1;
    if (shared.markdown) {
        draft_open(&d);
        latency_report(l, &(struct doc){d.out, DOC_MARKDOWN, 0});
        if (draft_write(&d, shared.markdown, err))
            return -1;
    }
    return shared.plots && latency_plot(l, shared.plots, err) ? -1 : 0;
}

static int run_and_show(struct latency *l)
{
    struct mh_error err;
    int signal = latency_run(l, &err);
    if (signal < 0)
        return bad_input(&err);
    latency_report(l, &(struct doc){stdout, DOC_TEXT, 0});
    fflush(stdout);
    bool good = plan_report_failures(l->plan);
    if (write_all(l, &err))
        return bad_input(&err);
    return signal ? 128 + signal : good ? EXIT_PASSED : EXIT_NOT_PASSED;
}

const struct argp latency_argp = {
    .options = latency_options, .parser = parse, .args_doc = "[IMAGE...]", .doc = doc, .children = children};

int cmd_latency(int argc, char **argv)
{
    struct latency_request request = {.seed_first = 1, .seeds = LATENCY_SEEDS};
    struct mh_error err;
    shared_init(&shared);
    command_parse(&latency_argp, argc, argv, &request);
    struct latency *l = shared_check_outputs(&shared, &err) ? NULL : latency_open(&request, &err);
    if (!l)
        return bad_input(&err);
    int code = run_and_show(l);
    latency_close(l);
    return code;
}
