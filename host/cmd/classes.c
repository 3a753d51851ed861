#include <argp.h>
#include <stdio.h>
#include <string.h>

#include "classes/classes.h"
#include "commands.h"
#include "base/words.h"
#include "argument.h"
#include "shared.h"

static const char doc[] =
    "Measures each kernel alone on the GPU of its paper and prints its class beside the paper's: do light and heavy, "
    "regular and irregular come out of the kernels' addresses?\v"
    "A class is made by the paper's own rule from counters of one execution of the kernel, all its launches, from "
    "cycle\n"
    "0 on, cut off where the window ends; nothing in kernels or presets is adjusted to it. Kernels have the size that "
    "the paper prints or its authors publish, if any, else their default. The firmware\n"
    "is the image baseline, which decides nothing, as a native twin: faster than QEMU, the same counters.\n"
    "\n"
    "  --paper   classes                              measure\n"
    "  mask      low or high / low or high            L1 and L2 TLB miss rates\n"
    "  dws       light, medium, heavy                 L2 TLB misses per million thread instructions\n"
    "  ccbp      LS, NBI, DBI                         demand for NoC and DRAM with half of the CTAs\n"
    "  etc       regular, irregular                   lines per memory instruction of a warp\n"
    "  simt      regular, irregular                   page walks per memory instruction of a wavefront\n"
    "\n"
    "`cycles` is how long the execution took; + means that the window showed its beginning only. A miss is explained\n"
    "below its table.\n"
    "\n"
    "Examples:\n"
    "  memhelm classes                                all five papers\n"
    "  memhelm classes --paper mask                   one\n"
    "  memhelm classes --kernel MVT --json c.json     one kernel, in every paper that has it\n"
    "  memhelm classes -p mask --set l1tlb.entries=32   what a class depends on\n"
    "\n"
    "Exit codes: 0 at least 9 of 10 classes are as in the papers; 1 fewer, or a run without result; 2 bad input;\n"
    "128 + signal when interrupted, after the tables of what was finished.";

enum { KEY_CYCLES = 0x100, KEY_SEED };

/* Twice the window moves few classes. */
#define WINDOW "10000000"

static const struct argp_option classes_options[] = {
    {0, 0, 0, 0, "What runs:", 1},
    {"paper", 'p', "NAME", 0, "mask, dws, ccbp, etc or simt (default: all)", 1},
    {"kernel", 'k', "NAME", 0, "One kernel of those (default: all)", 1},
    {"cycles", KEY_CYCLES, "N", 0, "Window in GPU cycles (default: " WINDOW ")", 1},
    {"seed", KEY_SEED, "N", 0, "Of data and page placement", 1},
    {0, 0, 0, 0, "On which GPU, in the place of the paper's:", 2},
    {0, 0, 0, 0, "What comes out:", 3},
    {0, 0, 0, 0, "How:", 4},
    {0},
};

static const struct argp_child children[] = {
    {&shared_set, 0, NULL, 0}, {&shared_json, 0, NULL, 0}, {&shared_keep, 0, NULL, 0}, {&shared_jobs, 0, NULL, 0}, {0}};

static struct shared shared;

struct request {
    struct options options;
    const char *paper, *kernel;
};

static void parse_paper(struct request *q, const char *name, struct argp_state *state)
{
    for (enum class_paper p = 0; p < PAPERS; p++)
        if (!strcmp(class_tables[p].name, name))
            q->paper = class_tables[p].name;
    if (!q->paper)
        argp_error(state, "--paper: '%.40s'%s%s; there are: " CLASS_PAPERS, name, meant_by(name, MEANT_OTHER).text,
                   nearest_word(name, CLASS_PAPERS).text);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct request *q = state->input;
    switch (key) {
    case 'p':
        parse_paper(q, arg, state);
        return 0;
    case 'k':
        argument_once(&q->kernel, "--kernel", arg, state);
        argument_meant(arg, MEANT_WORKLOAD, state);
        return 0;
    case KEY_CYCLES:
        options_short(&q->options, SHORT_CYCLES, arg, state);
        return 0;
    case KEY_SEED:
        options_short(&q->options, SHORT_SEED, arg, state);
        return 0;
    case ARGP_KEY_INIT:
        shared_begin(state, children, &shared);
        return 0;
    case ARGP_KEY_END:
        q->options.json = shared.json;
        q->options.keep = shared.keep;
        q->options.jobs = shared.jobs;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static int finish(const struct class_run *r, int signal)
{
    struct mh_error err;
    bool reached = class_report(r, stdout);
    fflush(stdout);
    bool good = plan_report_failures(r->plan);
    if (r->options->json && class_report_json(r, r->options->json, &err))
        return bad_input(&err);
    return signal ? 128 + signal : good && reached ? EXIT_PASSED : EXIT_NOT_PASSED;
}

const struct argp classes_argp = {.options = classes_options, .parser = parse, .doc = doc, .children = children};

int cmd_classes(int argc, char **argv)
{
    struct request q = {.paper = NULL};
    struct mh_error err;
    options_init(&q.options);
    q.options.twin = true;
    shared_init(&shared);
    shared.run = &q.options;
    q.options.sets[q.options.set_count++] = "run.cycles=" WINDOW;
    command_parse(&classes_argp, argc, argv, &q);
    bool writable = !shared_check_outputs(&shared, &err);
    struct class_run *r = writable ? class_run_open(&q.options, q.paper, q.kernel, &err) : NULL;
    if (!r)
        return bad_input(&err);
    int code = finish(r, class_run_all(r));
    class_run_close(r);
    return code;
}
