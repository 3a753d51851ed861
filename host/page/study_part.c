#include <math.h>
#include <string.h>

#include "base/number.h"
#include "part.h"
#include "reproduce/paper_claim.h"

static enum colour colour_of(const char *verdict)
{
    if (strstr(verdict, "miss"))
        return COLOUR_BAD;
    return strstr(verdict, "none") || strstr(verdict, "not run") ? COLOUR_DOUBT : COLOUR_GOOD;
}

/* As the paper has it: +37 %, 3.8x, 42; over several seeds with half the interval. */
static void put_value(struct table *t, const json_t *row, double half)
{
    struct claim claim;
    char text[64];
    struct mh_error none;
    const double v = input_number(row, "ours");
    if (isnan(v))
        snprintf(text, sizeof text, "-");
    else if (claim_parse(&claim, input_text(row, "paper"), !strcmp(input_text(row, "relation"), "gain"), &none))
        number_short(v, 3, text, sizeof text);
    else
        claim_format_interval(&claim, v, half, text, sizeof text);
    table_text(t, "%s", text);
}

static void put_row(struct table *t, const json_t *row)
{
    const char *verdict = input_text(row, "verdict");
    table_row(t);
    table_text(t, "%s: %s", input_text(row, "figure"), input_text(row, "what"));
    table_text(t, "%s", input_text(row, "paper"));
    put_value(t, row, input_number(row, "interval"));
    table_left(t, verdict);
    table_colour(t, colour_of(verdict));
}

static void rows(struct part *p, const json_t *study)
{
    struct table *t = table_new();
    size_t i;
    const json_t *row;
    table_heading(t, "figure: what|paper|ours|<verdict");
    json_array_foreach(json_object_get(study, "rows"), i, row)
    {
        put_row(t, row);
    }
    doc_table(&p->doc, t);
}

/* Why a row differs, and which pair a mean depends on. */
static void notes(struct part *p, const json_t *study)
{
    size_t i;
    const json_t *row;
    part_fold(p, "Notes");
    json_array_foreach(json_object_get(study, "rows"), i, row)
    {
        const char *note = input_text(row, "note"), *reason = input_text(row, "reason");
        if (*note || *reason)
            doc_item(&p->doc, "%s %s: %s%s%s", input_text(row, "figure"), input_text(row, "what"), reason,
                     *note && *reason ? "; " : "", note);
    }
    part_fold_end(p);
}

/* --- Grids: a line for each workload. */

/* The mean of its seeds; of a gain the arithmetic one, too: all seeds are one workload's. */
static double cell(const json_t *column, size_t workload)
{
    double sum = 0;
    size_t seed;
    const json_t *one, *cells = json_object_get(column, "cells");
    json_array_foreach(cells, seed, one)
    {
        const json_t *v = json_array_get(one, workload);
        sum += json_is_number(v) ? json_number_value(v) : (double)NAN;
    }
    return sum / (double)json_array_size(cells);
}

static void put_cell(struct table *t, const json_t *column, size_t workload)
{
    const double v = cell(column, workload);
    char text[64];
    if (strcmp(input_text(column, "relation"), "gain") != 0)
        number_short(v, 3, text, sizeof text);
    else
        number_gain(v, text, sizeof text);
    table_text(t, "%s", isnan(v) ? "-" : text);
}

static void grid(struct part *p, const json_t *g)
{
    const json_t *columns = json_object_get(g, "columns"), *column, *name;
    const json_t *workloads = json_object_get(json_array_get(columns, 0), "workloads");
    struct table *t = table_new();
    size_t c, w;
    table_heading(t, "workload");
    json_array_foreach(columns, c, column)
    {
        table_text(t, "%s", input_text(column, "name"));
    }
    json_array_foreach(workloads, w, name)
    {
        table_row(t);
        table_text(t, "%s", json_string_value(name) ? json_string_value(name) : "?");
        for (c = 0; c < json_array_size(columns); c++)
            put_cell(t, json_array_get(columns, c), w);
    }
    part_fold(p, input_text(g, "title"));
    doc_table(&p->doc, t);
    part_fold_end(p);
}

int part_study(struct part *p, const struct input *in, struct mh_error *err)
{
    size_t i;
    const json_t *g;
    part_begin(p, *input_text(in->json, "title") ? input_text(in->json, "title") : in->name);
    made_by_words(&p->doc, in->json);
    doc_paragraph(&p->doc, "Of %zu rows %.0f agree with the paper at least in sign, %.0f within a quarter.",
                  json_array_size(json_object_get(in->json, "rows")), input_number(in->json, "agree"),
                  input_number(in->json, "quarter"));
    rows(p, in->json);
    notes(p, in->json);
    json_array_foreach(json_object_get(in->json, "grids"), i, g)
    {
        grid(p, g);
    }
    const int status = part_figures(p, in, in->name, "-*.svg", err);
    part_end(p);
    return status;
}
