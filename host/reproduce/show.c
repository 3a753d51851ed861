#include "outcome.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/file.h"
#include "base/number.h"
#include "base/hash.h"
#include "base/table.h"

enum { TERMINAL_WIDTH = 118 };

static void say_machine(const struct reproduction *r, FILE *out)
{
    if (r->options->twin)
        fputs("policies as native twins", out);
    else if (r->mcu.hz)
        fprintf(out, "firmware in QEMU on core %s at %.6g MHz", r->mcu.core, (double)r->mcu.hz / 1e6);
    else
        fputs("firmware in QEMU on an infinitely fast mcu", out);
}

static void say_setting(const struct reproduction *r, bool markdown, FILE *out)
{
    const struct reproduce_options *o = r->options;
    fputs(markdown ? "# " : "", out);
    markdown_print(out, markdown, "%s", r->study.title);
    fputs(markdown ? "\n\n" : "\n", out);
    if (markdown)
        provenance_say(out);
    markdown_print(out, markdown, "Preset %s, windows of %" PRIu64 " GPU cycles unless a row says otherwise, seed%s %u",
                   r->study.common.preset, r->study.cycles, o->seed_first == o->seed_last ? "" : "s", o->seed_first);
    if (o->seed_first != o->seed_last)
        fprintf(out, "-%u", o->seed_last);
    fputs(", ", out);
    say_machine(r, out);
    fprintf(out, "%s.\n\n", r->study.quick ? ", the quick subset" : "");
}

/* --- Rows. */

static bool over_seeds(const struct reproduction *r)
{
    return r->options->seed_first != r->options->seed_last;
}

static bool both_readings(const struct reproduction *r)
{
    for (unsigned i = 0; i < r->row_count; i++)
        if (r->rows[i].other.workloads)
            return true;
    return false;
}

static void row_heading(struct table *t, const struct reproduction *r)
{
    const struct reproduce_options *o = r->options;
    table_heading(t, "figure: what|paper|ours");
    table_names(t, over_seeds(r) ? "over seeds" : "");
    table_names(t, o->mode == MODE_DOUBLING ? "twice the window|change" : "");
    if (both_readings(r))
        table_text(t, r->study.alone_whole ? "alone on its SMs" : "alone on all SMs");
    table_names(t, "ratio|<verdict|<command");
}

static void claim_cell(struct table *t, const struct row *row, double v)
{
    char text[32];
    claim_format(&row->claim, v, text, sizeof text);
    table_text(t, "%s", text);
}

/* A gain changes with the ratio that it is made of. */
static void doubling_cells(struct table *t, const struct row *row, const struct outcome *o)
{
    char moved[32];
    double shift = row->claim.gain ? 1 : 0;
    double change = (o->twice + shift) / (o->summary.value + shift) - 1;
    number_gain(change, moved, sizeof moved);
    claim_cell(t, row, o->twice);
    table_text(t, "%s", isfinite(change) ? moved : "-");
}

/* Three digits; none of -0.00. */
static void ratio_cell(struct table *t, double ratio)
{
    double size = fabs(ratio);
    table_number(t, size < 0.005 ? 0 : ratio, size < 10 ? 2 : size < 100 ? 1 : 0);
}

static enum colour verdict_colour(enum verdict v)
{
    return v == VERDICT_SIGN || v == VERDICT_QUARTER ? COLOUR_GOOD : v == VERDICT_MISS ? COLOUR_BAD : COLOUR_DOUBT;
}

static void row_cells(struct table *t, const struct reproduction *r, const struct reproduce_row *row)
{
    struct outcome o;
    char text[64], verdict[160], *command = reproduce_command(r, row->row->id);
    outcome_of(row, &o);
    outcome_words(row->row, &o, verdict, sizeof verdict);
    table_row(t);
    table_text(t, "%s: %s", row->row->figure, row->row->what);
    table_text(t, "%s", row->row->paper);
    claim_cell(t, row->row, o.summary.value);
    claim_format_interval(&row->row->claim, o.summary.value, o.summary.half, text, sizeof text);
    if (over_seeds(r))
        table_text(t, "%s", text);
    if (r->options->mode == MODE_DOUBLING)
        doubling_cells(t, row->row, &o);
    claim_format(&row->row->claim, o.other, text, sizeof text);
    if (both_readings(r))
        table_text(t, "%s", row->other.workloads ? text : "");
    ratio_cell(t, claim_ratio(&row->row->claim, o.summary.value));
    table_text(t, "%s", verdict);
    table_colour(t, verdict_colour(outcome_counts_as(&o)));
    table_kind(t, MARKDOWN_CODE, command);
    free(command);
}

/* The words of `text` after `column` others' characters; lines after the first are indented. */
static void say_words(const char *text, size_t width, size_t *column, FILE *out)
{
    for (size_t n; *text; text += n + strspn(text + n, " ")) {
        n = strcspn(text, " ");
        if (*column && *column + 1 + n > width) {
            fputs("\n ", out);
            *column = 1;
        }
        fprintf(out, "%s%.*s", *column ? " " : "", (int)n, text);
        *column += (*column > 0) + n;
    }
}

static void say_reason(const struct row *row, const struct outcome *o, const char *text, bool markdown, FILE *out)
{
    char words[128];
    size_t column = 0;
    const bool ran = o->verdict != VERDICT_NOT_RUN;
    if (markdown) {
        fputs("- ", out);
        markdown_write(out, MARKDOWN_CODE, row->id);
        fputs(ran ? ": " : ", not run: ", out);
        markdown_write(out, MARKDOWN_PROSE, text);
        fprintf(out, o->summary.missing > 1 ? " (and %u more runs)\n" : "\n", o->summary.missing - 1);
        return;
    }
    snprintf(words, sizeof words, "- %.100s%s:", row->id, ran ? "" : ", not run");
    say_words(words, TERMINAL_WIDTH, &column, out);
    say_words(text, TERMINAL_WIDTH, &column, out);
    if (o->summary.missing > 1) {
        snprintf(words, sizeof words, "(and %u more runs)", o->summary.missing - 1);
        say_words(words, TERMINAL_WIDTH, &column, out);
    }
    fputc('\n', out);
}

static void say_reasons(const struct reproduction *r, bool markdown, FILE *out)
{
    bool first = true;
    for (unsigned i = 0; i < r->row_count; i++) {
        struct outcome o;
        const struct row *row = r->rows[i].row;
        outcome_of(&r->rows[i], &o);
        enum verdict v = outcome_counts_as(&o);
        const char *text = v == VERDICT_NOT_RUN ? o.reason : v == VERDICT_QUARTER ? NULL : row->note;
        if (!text)
            continue;
        fputs(first ? "\n" : "", out);
        say_reason(row, &o, text, markdown, out);
        first = false;
    }
}

/* Without the workload that decides the verdict, else without the one that moves the mean most. */
static void spread_line(struct table *t, const struct row *row, const struct outcome *o)
{
    const struct over_workloads *w = &o->over;
    table_row(t);
    table_kind(t, MARKDOWN_CODE, row->id);
    claim_cell(t, row, o->summary.value);
    claim_cell(t, row, w->quartiles.first);
    claim_cell(t, row, w->quartiles.median);
    claim_cell(t, row, w->quartiles.third);
    claim_cell(t, row, w->decides ? w->without : w->without_most);
    table_left(t, w->decides ? w->decides : w->moves_most);
    table_left(t, w->decides ? outcome_word(row, w->verdict) : "");
}

/* A mean that rests on one workload is no effect, so every mean is shown with the spread of its workloads. */
static void show_spreads(const struct reproduction *r, bool markdown, FILE *out)
{
    struct table *t = table_new();
    table_heading(t, "row|mean|first quartile|median|third quartile|without one|<which|<verdict then");
    for (unsigned i = 0; i < r->row_count; i++) {
        struct outcome o;
        outcome_of(&r->rows[i], &o);
        if (o.over.known)
            spread_line(t, r->rows[i].row, &o);
    }
    if (t->rows > 1) {
        fputs("\nmeans over workloads, and without the one that decides the verdict or moves the mean most:\n\n", out);
        (markdown ? table_markdown : table_print)(t, out);
    }
    table_free(t);
}

static void show_rows(const struct reproduction *r, bool markdown, FILE *out)
{
    struct table *t = table_new();
    struct tally n;
    row_heading(t, r);
    for (unsigned i = 0; i < r->row_count; i++)
        row_cells(t, r, &r->rows[i]);
    (markdown ? table_markdown : table_print)(t, out);
    table_free(t);
    fputs("\nratio: ours over the paper's number, of gains (3.8x: 280 %); a bound or a direction has none\n", out);
    fputs(over_seeds(r) ? "over seeds: the mean and its 95 % interval; an effect within it is none\n"
                        : "one seed: no interval is known, and 2 % stand in for that of a gain [ours]\n",
          out);
    show_spreads(r, markdown, out);
    say_reasons(r, markdown, out);
    outcome_tally(r, &n);
    fprintf(out, "\n%u of %u rows agree in sign, %u within a quarter", n.sign, n.rows, n.quarter);
    if (n.hang || n.nearer)
        fprintf(out, "; by one workload alone %u more agree, %u more within a quarter", n.hang, n.nearer);
    fprintf(out, ", %u none (within noise), %u not run\n", n.none, n.not_run);
}

/* --- Grids. */

static void cell_text(struct table *t, const struct grid *g, double v)
{
    char text[32];
    number_gain(v, text, sizeof text);
    if (g->measure.relation == RELATION_GAIN && !isnan(v))
        table_text(t, "%s", text);
    else
        table_number(t, v, (int)g->digits);
}

/* The best of the other columns; NULL: none of them is above `against`, which has no gain. */
static const char *best_other(const struct reproduce_grid *g, unsigned workload, double *gain)
{
    const char *best = NULL;
    *gain = 0;
    for (unsigned c = 0; c < g->grid->column_count; c++) {
        double v = series_cell_mean(&g->columns[c], workload);
        if (c + 1 == g->grid->regret || !(v > *gain))
            continue;
        *gain = v;
        best = g->grid->columns[c].name;
    }
    return best;
}

static void grid_regret(struct table *t, const struct reproduce_grid *g, unsigned workload)
{
    double gain, own = series_cell_mean(&g->columns[g->grid->regret - 1], workload);
    const char *best = best_other(g, workload, &gain);
    table_text(t, "%s", best ? best : "none");
    cell_text(t, g->grid, (1 + own) / (1 + gain) - 1);
}

static void grid_line(struct table *t, const struct reproduce_grid *g, unsigned workload)
{
    table_row(t);
    table_text(t, "%s", g->columns[0].workloads[workload].name);
    for (unsigned c = 0; c < g->grid->column_count; c++)
        cell_text(t, g->grid, series_cell_mean(&g->columns[c], workload));
    if (g->grid->regret)
        grid_regret(t, g, workload);
}

static void grid_means(struct table *t, const struct reproduce_grid *g)
{
    table_row(t);
    table_text(t, g->grid->over == OVER_GEOMEAN ? "geometric mean" : "mean");
    for (unsigned c = 0; c < g->grid->column_count; c++)
        cell_text(t, g->grid, series_mean(&g->columns[c], g->grid->over));
}

static double spread_value(const struct series *s, enum aggregate over, size_t line)
{
    const double none = (double)NAN;
    struct spread spread = {.quartiles = {none, none, none}, .without = none};
    (void)spread_of(s, over, &spread);
    const struct quartiles *q = &spread.quartiles;
    return (double[]){spread.without, q->first, q->median, q->third}[line];
}

/* Below the mean: does one workload make it? */
static void grid_spread(struct table *t, const struct reproduce_grid *g)
{
    static const char *const lines[] = {"without one", "first quartile", "median", "third quartile"};
    for (size_t l = 0; l < sizeof lines / sizeof *lines; l++) {
        table_row(t);
        table_text(t, "%s", lines[l]);
        for (unsigned c = 0; c < g->grid->column_count; c++)
            cell_text(t, g->grid, spread_value(&g->columns[c], g->grid->over, l));
    }
}

static bool has_spread(const struct reproduce_grid *g)
{
    return g->columns[0].workload_count >= QUARTILES_LEAST;
}

static void say_missing_cells(const struct reproduce_grid *g, bool markdown, FILE *out)
{
    struct summary s;
    for (unsigned c = 0; c < g->grid->column_count; c++) {
        series_summarise(&g->columns[c], OVER_MEAN, 0, &s);
        if (s.missing)
            markdown_print(out, markdown, "- %s: %u without a result, the first: %s", g->grid->columns[c].name,
                           s.missing, s.reason);
        fputs(s.missing ? "\n" : "", out);
    }
}

static void show_grid(const struct reproduce_grid *g, bool markdown, FILE *out)
{
    struct table *t = table_new();
    fputs(markdown ? "## " : "", out);
    markdown_print(out, markdown, "%s: %s", g->grid->id, g->grid->title);
    fputs("\n\n", out);
    table_row(t);
    table_text(t, "%s", g->grid->axis ? g->grid->axis->name : "workload");
    for (unsigned c = 0; c < g->grid->column_count; c++)
        table_text(t, "%s", g->grid->columns[c].name);
    if (g->grid->regret) {
        table_text(t, "best other");
        table_text(t, "%s over it", g->grid->columns[g->grid->regret - 1].name);
    }
    for (unsigned w = 0; w < g->columns[0].workload_count; w++)
        grid_line(t, g, w);
    grid_means(t, g);
    if (has_spread(g))
        grid_spread(t, g);
    (markdown ? table_markdown : table_print)(t, out);
    table_free(t);
    if (has_spread(g))
        fputs("\nwithout one: the mean without the workload that moves it most\n", out);
    say_missing_cells(g, markdown, out);
}

static void show_grids(const struct reproduction *r, bool markdown, FILE *out)
{
    for (unsigned i = 0; i < r->grid_count; i++) {
        fputs(i ? "\n" : "", out);
        show_grid(&r->grids[i], markdown, out);
    }
}

void show_reproduction(const struct reproduction *r, FILE *out)
{
    say_setting(r, false, out);
    show_grids(r, false, out);
    fputs(r->row_count && r->grid_count ? "\n" : "", out);
    if (r->row_count)
        show_rows(r, false, out);
}

static void write_markdown(const struct reproduction *r, FILE *out)
{
    say_setting(r, true, out);
    if (r->row_count)
        show_rows(r, true, out);
    fputs(r->row_count && r->grid_count ? "\n" : "", out);
    show_grids(r, true, out);
}

int show_markdown(const struct reproduction *r, const char *path, struct mh_error *err)
{
    struct draft d;
    draft_open(&d);
    write_markdown(r, d.out);
    return draft_write(&d, path, err);
}
