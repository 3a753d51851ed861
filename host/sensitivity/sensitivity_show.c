#include "sensitivity.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/table.h"
#include "report/report.h"

enum { TERMINAL_LINES = 12, TEXT = 320 };

/* --- A row's table. */

/* A difference in the row's unit: points of percent where it is a gain. */
static void shift_text(const struct claim *c, double shift, double half, char *text, size_t size)
{
    const struct claim as = {.unit = c->gain || c->unit == UNIT_PERCENT ? UNIT_PERCENT : UNIT_PLAIN, .gain = true};
    claim_format_interval(&as, shift, half, text, size);
}

static void without_cell(struct table *t, const struct claim *c, const struct shift *s)
{
    char text[TEXT], shift[32];
    shift_text(c, s->without, (double)NAN, shift, sizeof shift);
    snprintf(text, sizeof text, "%s: %s", s->moves_most ? s->moves_most : "", shift);
    table_left(t, s->moves_most ? text : "-");
}

static void line(struct table *t, const struct reproduce_row *row, const struct swing *s, bool markdown)
{
    const struct claim *c = &row->row->claim;
    const char *depends = s->depends ? ", depends" : "";
    char text[64];
    table_row(t);
    table_text(t, "%s", s->of->key);
    table_text(t, "%s", s->of->value);
    claim_format(c, s->least, text, sizeof text);
    table_text(t, "%s", text);
    table_text(t, "%s", swing_value(s, s->low, !markdown));
    claim_format(c, s->most, text, sizeof text);
    table_text(t, "%s", text);
    table_text(t, "%s", swing_value(s, s->high, !markdown));
    shift_text(c, s->shift.shift, s->shift.half, text, sizeof text);
    table_text(t, "%s", text);
    if (isnan(s->shift.part))
        table_text(t, "-%s", depends);
    else
        table_text(t, "%.2f%s", s->shift.part, depends);
    without_cell(t, c, &s->shift);
    snprintf(text, sizeof text, "%s:%u", s->of->file, s->of->line);
    if (markdown)
        table_left(t, text);
}

/* How many of the first swings are shown: those that were run. */
static unsigned shown(const struct swing *s, unsigned count, bool markdown)
{
    const unsigned most = markdown ? count : TERMINAL_LINES;
    unsigned n = 0;
    while (n < count && n < most && s[n].furthest)
        n++;
    return n;
}

static void say_rest(const struct reproduce_row *row, const struct swing *s, unsigned count, unsigned from, FILE *out)
{
    char text[64];
    unsigned run = from;
    while (run < count && s[run].furthest)
        run++;
    if (run > from) {
        shift_text(&row->row->claim, fabs(s[from].shift.shift), (double)NAN, text, sizeof text);
        fprintf(out, "%u more move it by %s or less; --markdown shows all\n", run - from, text + strspn(text, "+"));
    }
    if (run < count)
        fprintf(out, "%u have no value that could be run\n", count - run);
}

/* `file`: the Markdown's, NULL on the terminal; `figures`: where its tornados are, or NULL. */
static void show_row(const struct sensitivity *a, unsigned row, const char *file, const char *figures, FILE *out)
{
    const bool markdown = file;
    const struct reproduce_row *r = &a->reproduction.rows[row];
    char text[64];
    unsigned count;
    struct outcome own;
    outcome_of(r, &own);
    claim_format_interval(&r->row->claim, own.summary.value, own.summary.half, text, sizeof text);
    fputs(markdown ? "\n## " : "\n", out);
    markdown_print(out, markdown, "%s: %s: %s", r->row->id, r->row->figure, r->row->what);
    fputc('\n', out);
    markdown_print(out, markdown, "paper %s, ours %s", r->row->paper, text);
    if (r->once.workload_count > 1)
        fprintf(out, " on %u workloads", r->once.workload_count);
    if (own.verdict == VERDICT_NOT_RUN) {
        markdown_print(out, markdown, "; not run: %s", own.reason);
        fputc('\n', out);
        return;
    }
    fputs("\n\n", out);
    if (markdown)
        tornado_link(a, row, file, figures, out);
    struct swing *swings = swings_of(a, row, &count);
    struct table *t = table_new();
    const unsigned n = shown(swings, count, markdown);
    table_heading(t, "assumption|value|least|with|most|with|moves by|of the paper's|"
                     "<without the workload that moves it most");
    table_names(t, markdown ? "<where it stands" : "");
    for (unsigned i = 0; i < n; i++)
        line(t, r, &swings[i], markdown);
    (markdown ? table_markdown : table_print)(t, out);
    say_rest(r, swings, count, n, out);
    table_free(t);
    free(swings);
}

/* --- What flips. */

static void say_flip(const struct reproduce_row *plain, const struct variation *v, const struct reproduce_row *with,
                     unsigned w, bool markdown, FILE *out)
{
    char was[32], is[32];
    claim_format(&plain->row->claim, series_cell_mean(&plain->once, w), was, sizeof was);
    claim_format(&plain->row->claim, series_cell_mean(&with->once, w), is, sizeof is);
    fputs("- ", out);
    markdown_print(out, markdown, "%s: %s: %s with %s=%s, else %s", plain->row->id, plain->once.workloads[w].name, is,
                   v->of->key, v->value, was);
    fputc('\n', out);
}

static void say_flips(const struct sensitivity *a, bool markdown, FILE *out)
{
    bool first = true;
    for (unsigned r = 0; r < a->reproduction.row_count; r++)
        for (unsigned i = 0; i < a->variation_count; i++) {
            const struct reproduce_row *plain = &a->reproduction.rows[r], *with = &a->variations[i].rows[r];
            for (unsigned w = 0; w < plain->once.workload_count; w++) {
                if (!shift_is_flip(shift_factor(plain, with, w)))
                    continue;
                fputs(first ? "\nworkloads that change by half or more, alone:\n\n" : "", out);
                say_flip(plain, &a->variations[i], with, w, markdown, out);
                first = false;
            }
        }
}

/* --- All. */

static bool varied(const struct mh_assumption *of)
{
    return of->others_length > 0;
}

static void say_fixed(const struct sensitivity *a, FILE *out)
{
    bool first = true;
    for (size_t i = 0; i < a->assumed_count; i++) {
        const struct mh_assumption *of = &a->assumed[i];
        if (varied(of))
            continue;
        fprintf(out, "%s%s=%s", first ? "\nnot varied: " : ", ", of->key, of->value);
        first = false;
    }
    fputs(first ? "" : "\n", out);
}

static void say_setting(const struct sensitivity *a, bool markdown, FILE *out)
{
    const struct reproduce_options *o = &a->options->rows;
    const struct study *s = &a->reproduction.study;
    fputs(markdown ? "# " : "", out);
    markdown_print(out, markdown, "What %s depends on", s->title);
    fputs(markdown ? "\n\n" : "\n", out);
    if (markdown)
        provenance_say(out);
    fprintf(out,
            "Preset %s, each value in doubt replaced by others, %u in all, one at a time; windows of %" PRIu64
            " GPU cycles, seed%s %u",
            a->preset, a->variation_count, s->cycles, o->seed_first == o->seed_last ? "" : "s", o->seed_first);
    if (o->seed_first != o->seed_last)
        fprintf(out, "-%u", o->seed_last);
    fprintf(out, "%s%s.\n", o->twin ? ", policies as native twins" : "", s->quick ? ", the quick subset" : "");
}

static void show(const struct sensitivity *a, const char *file, const char *figures, FILE *out)
{
    const bool markdown = file;
    say_setting(a, markdown, out);
    summary_show(a, markdown, out);
    for (unsigned r = 0; r < a->reproduction.row_count; r++)
        show_row(a, r, file, figures, out);
    say_flips(a, markdown, out);
    say_fixed(a, out);
    fprintf(out,
            "\ndepends: the row moves by more than %g of the paper's number, or has another verdict where that has "
            "none%s\n",
            SHIFT_HANGS,
            a->options->rows.seed_first == a->options->rows.seed_last ? ""
                                                                      : ", and by more than its interval over seeds");
}

void sensitivity_show(const struct sensitivity *a, FILE *out)
{
    show(a, NULL, NULL, out);
}

int sensitivity_markdown(const struct sensitivity *a, const char *path, const char *figures, struct mh_error *err)
{
    struct draft d;
    draft_open(&d);
    show(a, path, figures, d.out);
    return draft_write(&d, path, err);
}

void sensitivity_list(const struct sensitivity *a, FILE *out)
{
    struct table *t = table_new();
    table_heading(t, "assumption|value|<others|<where it stands|<what is said of it");
    for (size_t i = 0; i < a->assumed_count; i++) {
        const struct mh_assumption *of = &a->assumed[i];
        char text[TEXT];
        table_row(t);
        table_text(t, "%s", of->key);
        table_text(t, "%s", of->value);
        snprintf(text, sizeof text, "%.*s", of->others_length, of->others);
        table_left(t, varied(of) ? text : "-");
        snprintf(text, sizeof text, "%s:%u", of->file, of->line);
        table_left(t, text);
        snprintf(text, sizeof text, "%.*s", of->why_length, of->why);
        table_left(t, text);
    }
    table_print(t, out);
    table_free(t);
    fprintf(out, "\n%u rows, %u simulations\n", a->reproduction.row_count, plan_count(a->reproduction.plan));
}

static json_t *flips_json(const struct reproduce_row *plain, const struct reproduce_row *with)
{
    json_t *all = json_array();
    for (unsigned w = 0; w < plain->once.workload_count; w++) {
        const double factor = shift_factor(plain, with, w);
        if (!shift_is_flip(factor))
            continue;
        json_t *o = json_object();
        json_put(o, "workload", json_string(plain->once.workloads[w].name));
        json_put_real(o, "from", series_cell_mean(&plain->once, w));
        json_put_real(o, "to", series_cell_mean(&with->once, w));
        json_array_append_new(all, o);
    }
    return all;
}

static void put_spread(json_t *o, const struct over_workloads *over)
{
    json_t *quartiles = json_array();
    if (over->known) {
        json_array_append_new(quartiles, json_number(over->quartiles.first));
        json_array_append_new(quartiles, json_number(over->quartiles.third));
    }
    json_put(o, "median", over->known ? json_number(over->quartiles.median) : json_null());
    json_put(o, "quartiles", quartiles);
}

static json_t *value_json(const struct reproduce_row *plain, const struct variation *v, unsigned row)
{
    json_t *o = json_object();
    struct shift s;
    shift_of(plain, &v->rows[row], &s);
    json_put(o, "value", json_string(v->value));
    json_put_real(o, "ours", s.with.summary.value);
    json_put_real(o, "interval", s.with.summary.half);
    put_spread(o, &s.with.over);
    json_put_real(o, "shift", s.shift);
    json_put_real(o, "shift_interval", s.half);
    json_put_real(o, "of_paper", s.part);
    json_put(o, "depends", json_boolean(s.depends));
    json_put(o, "moves_most", s.moves_most ? json_string(s.moves_most) : json_null());
    json_put_real(o, "shift_without", s.without);
    json_put(o, "flips", flips_json(plain, &v->rows[row]));
    json_put(o, "reason", s.with.reason ? json_string(s.with.reason) : json_null());
    return o;
}

static json_t *assumption_json(const struct mh_assumption *of)
{
    json_t *o = json_object();
    json_put(o, "key", json_string(of->key));
    json_put(o, "value", json_string(of->value));
    json_put(o, "file", json_string(of->file));
    json_put_count(o, "line", of->line);
    json_put(o, "why", json_stringn(of->why, (size_t)of->why_length));
    return o;
}

static json_t *row_json(const struct sensitivity *a, unsigned row)
{
    const struct reproduce_row *plain = &a->reproduction.rows[row];
    json_t *o = json_object(), *list = json_array();
    struct outcome own;
    unsigned count, varied;
    outcome_of(plain, &own);
    json_put(o, "id", json_string(plain->row->id));
    json_put(o, "figure", json_string(plain->row->figure));
    json_put(o, "what", json_string(plain->row->what));
    json_put(o, "paper", json_string(plain->row->paper));
    json_put_real(o, "ours", own.summary.value);
    json_put_real(o, "interval", own.summary.half);
    json_put(o, "reason", own.reason ? json_string(own.reason) : json_null());
    json_put_count(o, "workload_count", plain->once.workload_count);
    json_put_count(o, "depends_on", summary_count(a, row, &varied));
    json_put_count(o, "varied", varied);
    struct swing *swings = swings_of(a, row, &count);
    for (unsigned i = 0; i < count; i++) {
        json_t *one = assumption_json(swings[i].of), *values = json_array();
        for (unsigned v = 0; v < a->variation_count; v++)
            if (a->variations[v].of == swings[i].of)
                json_array_append_new(values, value_json(plain, &a->variations[v], row));
        json_put(one, "values", values);
        json_array_append_new(list, one);
    }
    free(swings);
    json_put(o, "keys", list);
    return o;
}

static json_t *fixed_json(const struct sensitivity *a)
{
    json_t *list = json_array();
    for (size_t i = 0; i < a->assumed_count; i++)
        if (!a->assumed[i].others_length)
            json_array_append_new(list, assumption_json(&a->assumed[i]));
    return list;
}

int sensitivity_json_write(const struct sensitivity *a, const char *path, struct mh_error *err)
{
    const struct reproduce_options *in = &a->options->rows;
    json_t *o = json_object(), *rows = json_array();
    for (unsigned r = 0; r < a->reproduction.row_count; r++)
        json_array_append_new(rows, row_json(a, r));
    json_put(o, "schema", json_string("memhelm-sensitivity-1"));
    made_put(o, a->reproduction.plan);
    json_put(o, "rows_sha256", json_string(a->reproduction.study.sha256));
    json_put(o, "study", json_string(a->reproduction.study.name));
    json_put(o, "preset", json_string(a->preset));
    json_put(o, "machine", json_string(in->twin ? "twin" : "qemu"));
    json_put(o, "quick", json_boolean(a->reproduction.study.quick));
    json_put_count(o, "cycles", a->reproduction.study.cycles);
    json_put_count(o, "seed_first", in->seed_first);
    json_put_count(o, "seed_last", in->seed_last);
    json_put(o, "set", json_texts(in->sets, in->set_count));
    json_put(o, "workloads", json_texts(in->workloads, in->workload_count));
    json_put(o, "rows", rows);
    json_put(o, "not_varied", fixed_json(a));
    return json_write(o, path, err);
}
