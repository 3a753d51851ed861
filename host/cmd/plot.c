#include <argp.h>
#include <stdio.h>
#include <string.h>

#include "argument.h"
#include "base/figure.h"
#include "commands.h"
#include "pivot/show.h"
#include "pivot_call.h"
#include "report/epoch_log.h"

static const char doc[] =
    "Draws a file of points, as `memhelm sweep` leaves it: the pivot of `memhelm table` as lines, bars or a heat map, "
    "in "
    "SVG and PNG. Several values are panels below each other.\v"
    "Rows are the x axis and columns the series; of a heat map rows are y and columns x. Error bars are 95 % intervals "
    "over the seeds. An axis of numbers that grow by factors, such as 64, 128, 256, is logarithmic.\n"
    "Rings, in a heat map *, mark means of fewer points than there should be; a cell without a mean is a gap.\n"
    "--epochs draws logs of `memhelm run --epochs` instead: a panel for each quantity, a column for each run.\n"
    "Beside the figure stand its data and gnuplot's script.\n"
    "\n"
    "Examples:\n"
    "  memhelm plot sweep.sqlite --rows l2tlb.entries --columns image \\\n"
    "      --value weighted_speedup --output entries.svg\n"
    "  memhelm plot sweep.sqlite --kind bars --rows workload --columns image \\\n"
    "      --value weighted_speedup --against image=baseline\n"
    "  memhelm plot sweep.sqlite --kind heat --rows workload \\\n"
    "      --columns l2tlb.entries --value weighted_speedup --where image=mask\n"
    "  memhelm plot --epochs baseline.csv mask-tlb.csv --output epochs.svg\n"
    "  memhelm plot --epochs mask-tlb.csv --panel 'lane_instr / cycles' \\\n"
    "      --panel walks --panel 'tokens[0]' --sums\n"
    "\n"
    "Exit code: 0 done; 2 bad input, or a file could not be written.";

enum { KEY_KIND = 0x100, KEY_LOG, KEY_TITLE, KEY_EPOCHS, KEY_PANEL, KEY_SUMS, KEY_COLUMN };

static const struct argp_option plot_options[] = {
    {0, 0, 0, 0, "Of which points:", 1},
    {"epochs", KEY_EPOCHS, 0, 0, "The files are epoch logs, one of each run", 2},
    {"panel", KEY_PANEL, "EXPR", 0,
     "Of epoch logs: what is drawn, of their columns and `cycles`, an epoch's length. Repeatable (default: IPC, misses "
     "of the L2 TLB, latency of decisions, knobs that change)",
     2},
    {"sums", KEY_SUMS, 0, 0, "Of epoch logs: beside the epochs' values what they come to so far", 2},
    {0, 0, 0, 0, "What comes out:", 3},
    {"kind", KEY_KIND, "lines|bars|heat", 0, "(default: lines)", 3},
    {"log", KEY_LOG, "x|y", 0, "A logarithmic axis. Repeatable", 3},
    {"column", KEY_COLUMN, "1|2", 0,
     "As wide as one column of a paper, or as two, with texts of 9 points and without a title (lines, bars)", 3},
    {"title", KEY_TITLE, "TEXT", 0, "Above the figure (default: the sweep's name)", 3},
    {"output", 'o', "FILE.svg", 0,
     "(default: FILE with .svg, in this directory) FILE.png, .pdf, .eps, .dat and .gp stand beside it; -: the SVG "
     "alone, to standard output",
     3},
    {0},
};

struct request {
    struct pivot_request pivot;
    struct draw_options draw;
    bool epochs;
    struct epoch_plot log;
    const char *kind, *output;
};

static const struct argp_child children[] = {{&pivot_call_argp, 0, NULL, 1}, {0}};

static enum draw_kind kind_named(const char *name, struct argp_state *state)
{
    static const char *const names[] = {[DRAW_LINES] = "lines", [DRAW_BARS] = "bars", [DRAW_HEAT] = "heat"};
    for (unsigned k = 0; k < sizeof names / sizeof *names; k++)
        if (!strcmp(names[k], name))
            return (enum draw_kind)k;
    argp_error(state, "--kind: '%s'; allowed: lines, bars, heat", name);
    return DRAW_LINES;
}

static void take_log(struct draw_options *o, const char *axis, struct argp_state *state)
{
    if (strcmp(axis, "x") != 0 && strcmp(axis, "y") != 0)
        argp_error(state, "--log: '%s'; allowed: x, y", axis);
    o->log_x |= *axis == 'x';
    o->log_y |= *axis == 'y';
}

static void add_log(struct epoch_plot *p, const char *file, struct argp_state *state)
{
    argument_meant(file, MEANT_FILE, state);
    argument_add(p->files, &p->file_count, EPOCH_PLOT_LOGS, "epoch logs", file, state);
}

/* Options stand before arguments here, however they were given. */
static error_t take_argument(struct request *q, const char *arg, struct argp_state *state)
{
    if (!q->epochs)
        return ARGP_ERR_UNKNOWN; /* pivot_call's */
    add_log(&q->log, arg, state);
    q->pivot.file = q->log.files[0];
    return 0;
}

static void check(const struct request *q, struct argp_state *state)
{
    const struct pivot_request *p = &q->pivot;
    const bool of_points = p->rows || p->columns || p->values || p->where_count || p->against || q->kind ||
                           q->draw.log_x || q->draw.log_y || q->draw.columns;
    if (q->epochs && of_points)
        argp_error(state, "--epochs draws whole logs: of its options there are --panel, --sums, --title, --output");
    if (!q->epochs && (q->log.panel_count || q->log.sums))
        argp_error(state, "--panel and --sums are of --epochs");
    if (p->file && !p->rows && !q->epochs)
        argp_error(state, "--rows: which column is the x axis, or of a heat map the y axis?");
}

static const struct take takes[] = {
    {KEY_EPOCHS, TAKE_TRUE, .at = offsetof(struct request, epochs)},
    {KEY_SUMS, TAKE_TRUE, .at = offsetof(struct request, log.sums)},
    {KEY_TITLE, TAKE_ONCE, .at = offsetof(struct request, draw.title)},
    {'o', TAKE_OUTPUT, .at = offsetof(struct request, output)},
    {KEY_COLUMN, TAKE_NUMBER, .at = offsetof(struct request, draw.columns), .most = 2},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct request *q = state->input;
    switch (key) {
    case KEY_KIND:
        argument_once(&q->kind, "--kind", arg, state);
        q->draw.kind = kind_named(arg, state);
        return 0;
    case KEY_LOG:
        take_log(&q->draw, arg, state);
        return 0;
    case KEY_PANEL:
        argument_add(q->log.panels, &q->log.panel_count, EPOCH_PLOT_PANELS, "--panel", arg, state);
        return 0;
    case ARGP_KEY_ARG:
        return take_argument(q, arg, state);
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &q->pivot;
        return 0;
    case ARGP_KEY_END:
        check(q, state);
        return 0;
    default:
        return argument_take(takes, q, key, arg, state);
    }
}

/* The file's name, with another end, here. */
static void default_output(const struct request *q, char path[HOST_PATH])
{
    const char *slash = strrchr(q->pivot.file, '/'), *name = slash ? slash + 1 : q->pivot.file;
    const char *end = strrchr(name, '.');
    snprintf(path, HOST_PATH, "%.*s.svg", end && end != name ? (int)(end - name) : 400, name);
}

/* What a figure has no room for. */
static void say_missing(const struct pivot *t)
{
    const struct pivot_faults f = pivot_faults(t);
    if (f.lacking)
        fprintf(stderr, "memhelm: means of fewer points than there should be: %u; missing points:\n", f.lacking);
    show_reasons(&t->reasons, &(struct doc){stderr, DOC_TEXT, 0});
    show_unfinished(&t->selection->points, &(struct doc){stderr, DOC_TEXT, 0});
    if (f.refused)
        fprintf(stderr, "memhelm: %u cells have values of 0 or less, and no geometric mean: they are gaps\n",
                f.refused);
}

static int draw_points(const struct request *q, const char *dir, const char *name, struct mh_error *err)
{
    struct selection s;
    struct pivot t;
    if (selection_open(&s, &q->pivot, err))
        return -1;
    int status = pivot_of(&t, &s, err);
    if (!status) {
        say_missing(&t);
        status = draw_pivot(&t, &q->draw, dir, name, err);
        pivot_free(&t);
    }
    selection_close(&s);
    return status;
}

/* A figure's own files must not be what it is drawn from. */
static int check_inputs(const struct request *q, const char *dir, const char *name, struct mh_error *err)
{
    static const char *const sources[] = {"dat", "gp"};
    char file[HOST_PATH], path[HOST_PATH];
    for (size_t e = 0; e < 2 || gnuplot_pictures[e - 2]; e++) {
        snprintf(file, sizeof file, "%.*s.%s", GNUPLOT_NAME, name, e < 2 ? sources[e] : gnuplot_pictures[e - 2]);
        if (path_join(path, dir, file, err))
            return -1;
        for (unsigned i = 0; i < (q->epochs ? q->log.file_count : 1); i++)
            if (same_file(path, q->epochs ? q->log.files[i] : q->pivot.file))
                return mh_fail(err, "--output: %.300s would be overwritten; choose another name", path);
    }
    return 0;
}

static int draw(struct request *q, struct mh_error *err)
{
    char path[HOST_PATH], dir[HOST_PATH], name[HOST_PATH];
    default_output(q, path);
    if (gnuplot_place("--output", q->output ? q->output : path, dir, name, err) ||
        (*dir && check_inputs(q, dir, name, err)) || gnuplot_check(dir, err))
        return -1;
    q->log.title = q->draw.title;
    if (q->epochs ? epoch_plot_write(&q->log, dir, name, err) : draw_points(q, dir, name, err))
        return -1;
    if (*dir)
        printf("%s/%s.svg\n", dir, name);
    return 0;
}

const struct argp plot_argp = {plot_options, parse, "FILE\n--epochs FILE..", doc, children, NULL, NULL};

int cmd_plot(int argc, char **argv)
{
    struct request q = {0};
    struct mh_error err;
    command_parse(&plot_argp, argc, argv, &q);
    return draw(&q, &err) ? bad_input(&err) : EXIT_PASSED;
}
