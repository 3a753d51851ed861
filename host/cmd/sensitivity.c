#include <argp.h>
#include <stdio.h>

#include "sensitivity/sensitivity.h"
#include "argument.h"
#include "commands.h"
#include "study_call.h"

static const char doc[] =
    "Asks what a paper's headlines depend on: every value of the preset that no source gives ([ours]), or that sources "
    "give in more than one way, is replaced by what else is plausible, one at a time, and the rows are run again.\v"
    "What else is plausible stands in the preset's file, in the value's comment behind a bar:\n"
    "  lsu_queue: 4  # [ours] no paper says | 1, 2, 8, 16\n"
    "Values are ranked by how far the row moves. It depends on one that moves it by more than a quarter of the "
    "paper's number. A mean that one workload makes is no effect: the last column leaves out the one that moves it "
    "most, and workloads that change by half or more are listed.\n"
    "\n"
    "Without --row the rows are the study's headlines, those of `memhelm reproduce PAPER --doubling`. Finished runs "
    "are "
    "kept: a call that was interrupted goes on where it stopped.\n"
    "\n"
    "Examples:\n"
    "  memhelm sensitivity mask --list            unspecified values and their alternatives; nothing runs\n"
    "  memhelm sensitivity simt --quick --twin    the quick subset, without a core's latency\n"
    "  memhelm sensitivity mask --row fig11-mask --key sm.lsu_queue\n"
    "  memhelm sensitivity dws --json dws.json --markdown dws.md --plots figures\n"
    "\n"
    "Exit codes: 0 all runs passed; 1 some did not; 2 bad input; 128 + signal when interrupted, after the tables of "
    "what was finished.";

enum { KEY_KEY = 0x100 };

static const struct argp_option sensitivity_options[] = {
    {0, 0, 0, 0, "What runs:", 1},
    {"key", KEY_KEY, "KEY", 0, "Only this value, such as sm.lsu_queue. Repeatable", 1},
    {0, 0, 0, 0, "On which GPU:", 2},
    {0, 0, 0, 0, "What comes out:", 3},
    {0, 0, 0, 0, "How:", 4},
    {0},
};

static struct study_call call;

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct sensitivity_options *o = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        study_call_begin(state, &call);
        return 0;
    case KEY_KEY:
        argument_add(o->keys, &o->key_count, SENSITIVITY_KEYS, "--key", arg, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static int write_all(const struct sensitivity *a, struct mh_error *err)
{
    const struct shared *s = &call.shared;
    if ((s->json && sensitivity_json_write(a, s->json, err)) ||
        (s->markdown && sensitivity_markdown(a, s->markdown, s->plots, err)))
        return -1;
    return s->plots && tornado_write(a, s->plots, err) ? -1 : 0;
}

static bool all_run(const struct sensitivity *a)
{
    struct outcome o;
    for (unsigned v = 0; v < a->variation_count; v++)
        for (unsigned r = 0; r < a->reproduction.row_count; r++) {
            outcome_of(&a->variations[v].rows[r], &o);
            if (o.summary.missing)
                return false;
        }
    return true;
}

static int run_and_show(struct sensitivity *a)
{
    struct mh_error err;
    int signal = reproduce_run(&a->reproduction);
    sensitivity_show(a, stdout);
    fflush(stdout);
    if (write_all(a, &err))
        return bad_input(&err);
    if (signal)
        return 128 + signal;
    if (all_run(a))
        return EXIT_PASSED;
    fputs("memhelm: some runs have no result, --json says why; the next call tries them again\n", stderr);
    return EXIT_NOT_PASSED;
}

const struct argp sensitivity_argp = {
    .options = sensitivity_options, .parser = parse, .args_doc = "PAPER", .doc = doc, .children = study_call_children};

int cmd_sensitivity(int argc, char **argv)
{
    static struct sensitivity_options o;
    struct sensitivity a;
    struct mh_error err;
    study_call_init(&call, MODE_HEADLINES);
    command_parse(&sensitivity_argp, argc, argv, &o);
    o.rows = call.options;
    if (shared_check_outputs(&call.shared, &err) || sensitivity_open(&a, &o, &err))
        return bad_input(&err);
    int code = EXIT_PASSED;
    if (o.rows.list)
        sensitivity_list(&a, stdout);
    else
        code = run_and_show(&a);
    sensitivity_close(&a);
    return code;
}
