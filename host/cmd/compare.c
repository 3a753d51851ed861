#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "argument.h"
#include "commands.h"
#include "shared.h"
#include "base/figure.h"
#include "base/number.h"
#include "report/report.h"

static const char doc[] =
    "Simulates several firmware images on the same workload, in parallel, and prints a table: a row per image, with "
    "the change against the first.\v"
    "Examples:\n"
    "  memhelm compare baseline mask-tlb --workload MVT+GUPS --cycles 300000\n"
    "  memhelm compare baseline ./mine.elf -w HISTO+3DS --seed 2 --json c.json\n"
    "  memhelm compare baseline mask-tlb -w MVT+GUPS --twin    natively\n"
    "  memhelm compare baseline dws -w GUPS+3DS --seeds 1-5 --cycles 500K --markdown c.md\n"
    "  memhelm compare baseline dws -w GUPS+3DS --roi 100K..500K --plot c.svg --csv c.csv\n"
    "  memhelm compare baseline dws mask -w GUPS+3DS --warm 5M --cycles 7M --twin    from one state\n"
    "\n"
    "With --seeds: the mean and half of its 95 % interval; changes are paired by seed. IPC is thread instructions per "
    "GPU cycle.\n"
    "\n"
    "Exit codes as of `memhelm run`; what is finished is reported and written even if another image fails or "
    "Ctrl-C ends it.";

enum { KEY_WIDE = 0x300, KEY_CSV, KEY_LATEX, KEY_PLOT, KEY_COLUMN, KEY_EPOCHS, KEY_WARM };

static const struct argp_option compare_options[] = {
    {"warm", KEY_WARM, "CYCLE", 0,
     "All runs are the first image's up to this GPU cycle; there each image takes over the same state, and results "
     "begin",
     1},
    {"wide", KEY_WIDE, 0, 0, "All columns: TLB hits, walks, DRAM", 3},
    {"csv", KEY_CSV, "FILE", 0, "A line per image and seed, all digits", 3},
    {"latex", KEY_LATEX, "FILE", 0, "The tables for LaTeX, with package booktabs", 3},
    {"plot", KEY_PLOT, "FILE.svg", 0, "Bars in parts of the first image's: weighted speedup, each tenant's IPC", 3},
    {"column", KEY_COLUMN, "1|2", 0, "Of --plot: as wide as one column of a paper, or as two, and without a title", 3},
    {"epochs", KEY_EPOCHS, "DIR", 0,
     "DIR/IMAGE.csv, with --seeds IMAGE-SEED.csv: the epoch log of `memhelm run`, as `report` and `explain` take it",
     3},
    {0}};

static const char *csv, *latex, *plot;
static unsigned columns;

static struct shared shared;
static const struct argp_child children[] = {
    {&common_argp, 0, NULL, 0}, {&shared_seeds, 0, NULL, 0}, {&shared_markdown, 0, NULL, 0}, {0}};

static const struct take takes[] = {
    {KEY_WIDE, TAKE_TRUE, .at = offsetof(struct options, wide)},
    {KEY_EPOCHS, TAKE_FOLDER, .at = offsetof(struct options, epochs_dir)},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct options *o = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        shared_init(&shared);
        shared_begin(state, children, &shared);
        state->child_inputs[0] = o;
        return 0;
    case KEY_WARM:
        if (!number_scaled(arg, &o->warm) || !o->warm)
            argp_error(state, "--warm %.60s: a GPU cycle, such as 5M", arg);
        options_short(o, SHORT_WARMUP, arg, state);
        return 0;
    case KEY_CSV:
        argument_output(&csv, "--csv", arg, state);
        return 0;
    case KEY_LATEX:
        argument_output(&latex, "--latex", arg, state);
        return 0;
    case KEY_PLOT:
        argument_output(&plot, "--plot", arg, state);
        return 0;
    case KEY_COLUMN:
        columns = argument_number("--column", arg, 2, state);
        return 0;
    case ARGP_KEY_ARG:
        options_image(o, arg, state);
        return 0;
    case ARGP_KEY_END:
        o->seed_first = shared.seed_first;
        o->seed_last = shared.seed_last;
        for (unsigned i = 0; o->seed_last && i < o->set_count; i++)
            if (!strncmp(o->sets[i], "run.seed=", strlen("run.seed=")))
                argp_error(state, "--seed and --seeds: one of them");
        if (columns && !plot)
            argp_error(state, "--column is of --plot");
        if (o->image_count < 2)
            argp_error(state, "two images or more, such as: baseline mask-tlb; `memhelm list images` shows them");
        return 0;
    default:
        return argument_take(takes, o, key, arg, state);
    }
}

static int write_tables(const struct experiment *x, enum doc_form form, const char *path, struct mh_error *err)
{
    struct draft d;
    if (!path)
        return 0;
    draft_open(&d);
    if (form == DOC_CSV)
        report_compare_csv(x, d.out);
    else
        report_compare_tables(x, &(struct doc){d.out, form, 0});
    return draft_write(&d, path, err);
}

static int write_epochs(const struct experiment *x, struct mh_error *err)
{
    char to[HOST_PATH], from[HOST_PATH], name[HOST_PATH];
    for (unsigned n = 0; x->options->epochs_dir && n < x->seeds * x->options->image_count; n++) {
        const struct experiment *own = &x[n % x->seeds];
        const struct sim *s = &own->runs[n / x->seeds]->sim;
        snprintf(name, sizeof name, "%.200s", s->image->name);
        if (x->seeds > 1)
            snprintf(name, sizeof name, "%.200s-%" PRIu64, s->image->name, own->cfg.run.seed);
        strcat(name, ".csv");
        if (s->state == SIM_DONE && (path_join(to, x->options->epochs_dir, name, err) ||
                                     path_join(from, s->dir, "epochs.csv", err) || copy_file(from, to, err)))
            return -1;
    }
    return 0;
}

static int write_files(const struct experiment *x, struct mh_error *err)
{
    if (x->options->json && result_write_compare(x, x->options->json, err))
        return -1;
    return write_tables(x, DOC_MARKDOWN, shared.markdown, err) || write_tables(x, DOC_CSV, csv, err) ||
                   write_tables(x, DOC_LATEX, latex, err) || write_epochs(x, err) ||
                   (plot && report_compare_plot(x, columns, plot, err))
               ? -1
               : 0;
}

const struct argp compare_argp = {
    .options = compare_options, .parser = parse, .args_doc = "IMAGE...", .doc = doc, .children = children};

static int check_outputs(const struct options *o, struct mh_error *err)
{
    const char *const files[] = {csv, latex, shared.markdown};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (files[i] && check_writable(files[i], err))
            return -1;
    return (plot && gnuplot_check_file("--plot", plot, err)) || (o->epochs_dir && make_dirs(o->epochs_dir, err)) ? -1
                                                                                                                 : 0;
}

int cmd_compare(int argc, char **argv)
{
    struct options o;
    struct mh_error err;
    options_init(&o);
    command_parse(&compare_argp, argc, argv, &o);
    if (check_outputs(&o, &err))
        return bad_input(&err);
    return simulate(&o, &(struct presentation){report_compare, write_files});
}
