#include <argp.h>
#include <stdio.h>
#include <stdlib.h>

#include "commands.h"
#include "reproduce/outcome.h"
#include "study_call.h"

static const char doc[] =
    "Runs the evaluation of a paper and prints its table: figure, the paper's value, ours, whether they agree.\n"
    "PAPER is one of:\n"
#define STUDY(paper, what) "\n  " #paper ": " what
#include "reproduce/studies.def"
    "\v"
    "Each row is scored: an effect on its sign, and on being within a quarter of\n"
    "the paper's; a level on its value; what is within noise is none; a row that\n"
    "was not run is a miss. Finished runs are kept: a call that was interrupted\n"
    "goes on where it stopped. A line of progress says how long it will\n"
    "take.\n"
    "\n"
    "Examples:\n"
    "  memhelm reproduce mask --quick          under 5 minutes on 2 cores\n"
    "  memhelm reproduce dws --markdown dws.md --json dws.json --plots figures\n"
    "  memhelm reproduce simt --row fig8-mean    one row\n"
    "  memhelm reproduce mask --list           the rows; nothing is run\n"
    "  memhelm reproduce mask --row fig11-mask --set walk.walkers=128\n"
    "  memhelm reproduce mask --doubling       do headlines move with the window?\n"
    "  memhelm reproduce dws --latency         in no time, at 500 and 100 MHz\n"
    "  memhelm reproduce regular --seeds 1-5   does an image cost regular kernels anything?\n"
    "  memhelm reproduce mask --traces --workload trace:mine.gmt.zst+HISTO\n"
    "  memhelm reproduce partition --workload GUPS+MM   how many SMs for whom?\n"
    "  memhelm reproduce map --plots figures   which mechanism is worth having on which GPU?\n"
    "  memhelm reproduce map --row map-dws-mshrs --set walk.walkers=32\n"
    "\n"
    "Exit codes: 0 all rows of the run were run, whatever they say, but those that\n"
    "the rows file says cannot be; 1 some were not; 2 bad input; 128 + signal when\n"
    "interrupted, after the table of what was finished.";

enum { KEY_DOUBLING = 0x100, KEY_LATENCY, KEY_TRACES, KEY_FROM_RECORDED };

static const struct argp_option reproduce_options[] = {
    {0, 0, 0, 0, "What runs:", 1},
    {"doubling", KEY_DOUBLING, 0, 0, "Instead of the rows: the headline rows, and the same with twice the window", 1},
    {"latency", KEY_LATENCY, 0, 0, "Instead: what decisions cost: the twin, and firmware at two clocks, on ten pairs",
     1},
    {"traces", KEY_TRACES, 0, 0, "Instead: the policies on recorded traces beside the generated kernels", 1},
    {0, 0, 0, 0, "On which GPU:", 2},
    {0, 0, 0, 0, "What comes out:", 3},
    {"from-recorded", KEY_FROM_RECORDED, "FILE", OPTION_ARG_OPTIONAL,
     "Draw the figures of --plots from a recording, without a run (default: the study's, in host/reproduce/results)",
     3},
    {0, 0, 0, 0, "How:", 4},
    {0},
};

static struct study_call call;

static void set_mode(struct reproduce_options *o, enum reproduce_mode mode, struct argp_state *state)
{
    if (o->mode != MODE_ROWS && o->mode != mode)
        argp_error(state, "--doubling, --latency and --traces: one of them");
    o->mode = mode;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct reproduce_options *o = &call.options;

    switch (key) {
    case ARGP_KEY_INIT:
        study_call_begin(state, &call);
        return 0;
    case ARGP_KEY_END:
        if (o->id_count && (o->mode == MODE_LATENCY || o->mode == MODE_TRACES))
            argp_error(state, "--row: --latency and --traces are tables of their own, without rows");
        if (o->recorded && (!call.shared.plots || call.shared.json || call.shared.markdown || o->mode != MODE_ROWS))
            argp_error(state, "--from-recorded draws the figures of --plots DIR, and writes nothing else");
        return 0;
    case KEY_DOUBLING:
        set_mode(o, MODE_DOUBLING, state);
        return 0;
    case KEY_LATENCY:
        set_mode(o, MODE_LATENCY, state);
        return 0;
    case KEY_TRACES:
        set_mode(o, MODE_TRACES, state);
        return 0;
    case KEY_FROM_RECORDED:
        o->recorded = arg ? arg : "";
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static int write_all(const struct reproduction *r, struct mh_error *err)
{
    const struct reproduce_options *o = r->options;
    if ((call.shared.json && rows_json_write(r, call.shared.json, err)) ||
        (call.shared.markdown && show_markdown(r, call.shared.markdown, err)))
        return -1;
    return o->plots && plot_write(r, o->plots, err) ? -1 : 0;
}

static bool all_run(const struct reproduction *r)
{
    struct tally t;
    struct summary s;
    outcome_tally(r, &t);
    for (unsigned i = 0; i < r->grid_count; i++)
        for (unsigned c = 0; c < r->grids[i].grid->column_count; c++) {
            series_summarise(&r->grids[i].columns[c], OVER_MEAN, 0, &s);
            if (s.missing)
                return false;
        }
    return !t.failed;
}

static int run_and_show(struct reproduction *r)
{
    struct mh_error err;
    int signal = reproduce_run(r);
    show_reproduction(r, stdout);
    fflush(stdout);
    if (write_all(r, &err))
        return bad_input(&err);
    if (signal)
        return 128 + signal;
    if (all_run(r))
        return EXIT_PASSED;
    fputs("memhelm: some runs have no result, the table says why; the next call tries them again\n", stderr);
    return EXIT_NOT_PASSED;
}

static int draw_recorded(struct reproduction *r, const json_t *recording)
{
    struct mh_error err;
    unsigned missing;

    if (from_recorded_fill(r, recording, &missing, &err) || plot_write(r, r->options->plots, &err))
        return bad_input(&err);
    if (missing)
        fprintf(stderr, "memhelm: %u rows and columns are not in the recording, their figures lack them\n", missing);
    return EXIT_PASSED;
}

const struct argp reproduce_argp = {
    .options = reproduce_options, .parser = parse, .args_doc = "PAPER", .doc = doc, .children = study_call_children};

int cmd_reproduce(int argc, char **argv)
{
    struct reproduction r;
    struct mh_error err;
    study_call_init(&call, MODE_ROWS);
    command_parse(&reproduce_argp, argc, argv, NULL);
    json_t *recording = NULL;
    if (shared_check_outputs(&call.shared, &err))
        return bad_input(&err);
    if (call.options.recorded) {
        recording = from_recorded_read(&call.options, &err);
        if (!recording)
            return bad_input(&err);
    }
    if (reproduce_open(&r, &call.options, &err)) {
        json_decref(recording);
        return bad_input(&err);
    }
    int code = EXIT_PASSED;
    if (call.options.list)
        show_list(&r, stdout);
    else
        code = recording ? draw_recorded(&r, recording) : run_and_show(&r);
    reproduce_close(&r);
    json_decref(recording);
    return code;
}
