#include <argp.h>
#include <stdlib.h>
#include <string.h>

#include "argument.h"
#include "base/file.h"
#include "base/words.h"
#include "commands.h"
#include "pivot/show.h"
#include "pivot_call.h"

static const char doc[] =
    "Turns a file of points, as `memhelm sweep` leaves it, into a table: all points, a line each, or with --rows a "
    "pivot, whose cells are means.\v"
    "A mean is first taken over all axes that are neither rows nor columns, for each seed; then over the seeds, with "
    "its "
    "95 % interval (Student's t). A cell whose points are not all there says so: (12 of 14). Why is listed below.\n"
    "--against leaves out the base's own points, unless its column is a number among --rows or --columns.\n"
    "--spread has a line for each cell: quartiles of its workloads, which of them moves the mean most, and what the "
    "mean is without that. A gain depends on a workload without which it is none: within its interval, or of the other "
    "sign.\n"
    "A geometric mean is of values above 0: a cell with others has none, and the table says so.\n"
    "\n"
    "Examples:\n"
    "  memhelm table sweep.sqlite --format csv --output points.csv\n"
    "  memhelm table sweep.sqlite --rows workload --columns image \\\n"
    "      --value weighted_speedup --against image=baseline\n"
    "  memhelm table sweep.sqlite --rows image --against image=baseline \\\n"
    "      --where 'seed<=3' --spread --format markdown\n"
    "\n"
    "Exit code: 0 done; 2 bad input, or a file could not be written.";

enum { KEY_SHOW = 0x100, KEY_FORMAT, KEY_SPREAD };

static const struct argp_option table_options[] = {
    {0, 0, 0, 0, "Of which points:", 1},
    {"show", KEY_SHOW, "COL[,COL]", 0, "Without --rows: these columns, such as run or reason (default: axes, metrics)",
     1},
    {"spread", KEY_SPREAD, 0, 0, "Quartiles, and the workload that carries a mean", 1},
    {0, 0, 0, 0, "What comes out:", 2},
    {"format", KEY_FORMAT, "text|csv|json|markdown|latex", 0, "(default: by the end of --output; else text)", 2},
    {"output", 'o', "FILE", 0, "Instead of standard output, which is -", 2},
    {0},
};

enum format { FORMAT_TEXT, FORMAT_CSV, FORMAT_JSON, FORMAT_MARKDOWN, FORMAT_LATEX, FORMATS };

static const char *const format_names[] = {"text", "csv", "json", "markdown", "latex"};

struct request {
    struct pivot_request pivot;
    const char *show, *format, *output;
};

static const struct argp_child children[] = {{&pivot_call_argp, 0, NULL, 1}, {0}};

/* FORMATS: none of that name. */
static enum format format_named(const char *name)
{
    unsigned f = 0;
    while (f < FORMATS && strcmp(format_names[f], name) != 0)
        f++;
    return (enum format)f;
}

static bool ends_with(const char *text, const char *end)
{
    const size_t n = strlen(text), m = strlen(end);
    return n >= m && !strcmp(text + n - m, end);
}

static enum format format_of(const struct request *q)
{
    static const char *const ends[] = {".txt", ".csv", ".json", ".md", ".tex"};
    for (unsigned f = 0; f < FORMATS && q->output && !q->format; f++)
        if (ends_with(q->output, ends[f]))
            return (enum format)f;
    return q->format ? format_named(q->format) : FORMAT_TEXT;
}

#define FORMAT_NAMES "text, csv, json, markdown, latex"

static void check(const struct request *q, struct argp_state *state)
{
    if (q->format && format_named(q->format) == FORMATS)
        argp_error(state, "--format: '%s'%s; allowed: " FORMAT_NAMES, q->format,
                   nearest_word(q->format, FORMAT_NAMES).text);
    if (q->pivot.columns && !q->pivot.rows)
        argp_error(state, "--columns needs --rows");
    if (q->pivot.spread && !q->pivot.rows)
        argp_error(state, "--spread needs --rows");
    if (q->show && q->pivot.rows)
        argp_error(state, "--show is of a table without --rows; --value chooses metrics of a pivot");
}

static const struct take takes[] = {
    {KEY_SPREAD, TAKE_TRUE, .at = offsetof(struct request, pivot.spread)},
    {KEY_SHOW, TAKE_ONCE, .at = offsetof(struct request, show)},
    {KEY_FORMAT, TAKE_ONCE, .at = offsetof(struct request, format)},
    {'o', TAKE_OUTPUT, .at = offsetof(struct request, output)},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct request *q = state->input;
    switch (key) {
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

static struct doc doc_of(const struct request *q, FILE *out)
{
    static const enum doc_form forms[] = {
        [FORMAT_TEXT] = DOC_TEXT, [FORMAT_CSV] = DOC_CSV, [FORMAT_MARKDOWN] = DOC_MARKDOWN, [FORMAT_LATEX] = DOC_LATEX};

    return (struct doc){out, format_of(q) == FORMAT_JSON ? DOC_TEXT : forms[format_of(q)], 0};
}

static int print_flat(const struct request *q, const struct selection *s, FILE *out, struct mh_error *err)
{
    struct flat f;
    const struct doc d = doc_of(q, out);
    int status = flat_of(&f, s, q->show, err);

    if (!status && format_of(q) == FORMAT_JSON)
        status = flat_json(&f, out, err);
    else if (!status) {
        flat_show(&f, &d);
        fputs(d.form < DOC_CSV && s->points.asked > s->points.rows ? "\n" : "", out);
        show_unfinished(&s->points, &d);
    }
    flat_free(&f);
    return status;
}

static int print_pivot(const struct request *q, const struct selection *s, FILE *out, struct mh_error *err)
{
    struct pivot t;
    const struct doc d = doc_of(q, out);
    int status = pivot_of(&t, s, err);

    if (status)
        return status;
    if (format_of(q) == FORMAT_JSON)
        status = export_json(&t, out, err);
    else
        show_pivot(&t, &d);
    pivot_free(&t);
    return status;
}

static int print_table(const struct request *q, FILE *out, struct mh_error *err)
{
    struct selection s;
    if (selection_open(&s, &q->pivot, err))
        return -1;
    int status = q->pivot.rows ? print_pivot(q, &s, out, err) : print_flat(q, &s, out, err);
    selection_close(&s);
    return status;
}

static int write_table(const struct request *q, struct mh_error *err)
{
    struct draft d;

    draft_open(&d);
    if (!print_table(q, d.out, err))
        return draft_write(&d, q->output, err);
    free(draft_text(&d));
    return -1;
}

const struct argp table_argp = {table_options, parse, "FILE", doc, children, NULL, NULL};

int cmd_table(int argc, char **argv)
{
    struct request q = {0};
    struct mh_error err;
    command_parse(&table_argp, argc, argv, &q);
    if (q.output ? check_writable(q.output, &err) || write_table(&q, &err) : print_table(&q, stdout, &err))
        return bad_input(&err);
    return EXIT_PASSED;
}
