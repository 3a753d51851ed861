#include "budget_report.h"

#include <inttypes.h>
#include <stdlib.h>

#include "profile/line_costs.h"
#include "base/table.h"

static void calls_cell(const struct path_step *step, struct table *t)
{
    if (step->kind == PATH_EXACT)
        table_text(t, "%.0f", step->calls);
    else if (step->kind == PATH_MEAN)
        table_text(t, "~%.3g", step->calls);
    else
        table_text(t, "-");
}

static void step_row(const struct budget_image *i, const struct path_step *step, struct table *t)
{
    table_row(t);
    table_text(t, "    %*s%s", (int)(2 * step->depth), "", i->program.functions[step->function].name);
    calls_cell(step, t);
    table_text(t, "%" PRIu64, step->cycles);
    table_text(t, "%" PRIu64, step->own);
}

static void find(struct path *path, const struct budget_image *i, const struct profile *p, const struct series *s)
{
    path_of(path, p, s, &i->code, &i->program.symbols, &i->program.hooks);
}

static void path_table(const struct budget_image *i, const struct profile *p, const struct series *s, FILE *out)
{
    struct path path;
    struct table *t = table_new();
    table_heading(t, "    in the order of calls|calls|cycles|by itself");
    find(&path, i, p, s);
    for (unsigned n = 0; n < path.count; n++)
        step_row(i, &path.steps[n], t);
    free(path.steps);
    table_print(t, out);
    table_free(t);
}

void budget_report_paths(const struct budget *b, unsigned image, FILE *out)
{
    const struct budget_image *i = &b->images[image];
    for (unsigned source = 0; source < MH_SOURCES; source++) {
        const struct budget_run *longest = budget_longest_source(b, image, source);
        char text[600];
        if (!longest)
            continue;
        const struct series *s = budget_series(longest, source);
        budget_worst_text(i, s, text, sizeof text);
        fprintf(out, "  longest %s, workload %s, %" PRIu64 " cycles: %s\n", source_info(source).name,
                longest->workload->name, s->cycles.max, text);
        path_table(i, longest->profile, s, out);
    }
}

static json_t *calls_json(const struct path_step *step)
{
    if (step->kind == PATH_EXACT)
        return json_integer((json_int_t)step->calls);
    return step->kind == PATH_MEAN ? json_real(step->calls) : json_null();
}

json_t *budget_path_json(const struct budget_image *i, const struct profile *p, const struct series *s)
{
    struct path path;
    json_t *list = json_array();
    find(&path, i, p, s);
    for (unsigned n = 0; n < path.count; n++) {
        const struct path_step *step = &path.steps[n];
        json_array_append_new(list,
                              json_pack("[i, s, o, I, I]", (int)step->depth, i->program.functions[step->function].name,
                                        calls_json(step), (json_int_t)step->cycles, (json_int_t)step->own));
    }
    free(path.steps);
    return list;
}

/* Rows of values.def that a column adds up. MMIO is no class and stands behind the stores. */
static const struct {
    const char *name;
    enum core_row first, last;
} columns[] = {
    {"alu", CORE_ALU, CORE_ALU},
    {"shift", CORE_SHIFT_IMM, CORE_SHIFT_REG},
    {"mul", CORE_MUL, CORE_MULH},
    {"div", CORE_DIV, CORE_DIV},
    {"load", CORE_LOAD, CORE_LOAD},
    {"store", CORE_STORE, CORE_STORE},
    {"branch", CORE_BRANCH_NOT_TAKEN, CORE_BRANCH_TAKEN},
    {"taken", CORE_BRANCH_TAKEN, CORE_BRANCH_TAKEN},
    {"jump", CORE_JAL, CORE_JALR},
    {"csr", CORE_CSR, CORE_CSR_FLUSH},
    {"other", CORE_FENCE, CORE_WFI},
};
enum { COLUMNS = sizeof columns / sizeof *columns };

static void heading(struct table *t)
{
    table_heading(t, "  mean of|workload|calls|instructions");
    for (unsigned c = 0; c < COLUMNS; c++) {
        table_text(t, "%s", columns[c].name);
        if (columns[c].first == CORE_STORE)
            table_text(t, "MMIO");
    }
}

static uint64_t sum(const struct mix *m, unsigned column)
{
    uint64_t all = columns[column].last == CORE_WFI ? m->unknown : 0;
    for (unsigned k = columns[column].first; k <= columns[column].last; k++)
        all += m->classes[k];
    return all;
}

/* The cells behind the name. */
static void mix_cells(const struct budget_run *r, const struct series *s, struct table *t)
{
    double calls = (double)s->count;
    table_text(t, "%s", r->workload->name);
    table_text(t, "%" PRIu64, s->count);
    table_number(t, (double)mix_instructions(&s->mix) / calls, 1);
    for (unsigned c = 0; c < COLUMNS; c++) {
        table_number(t, (double)sum(&s->mix, c) / calls, 1);
        if (columns[c].first == CORE_STORE)
            table_number(t, (double)s->mix.mmio / calls, 1);
    }
}

void budget_report_mix(const struct budget *b, unsigned image, FILE *out)
{
    const struct budget_image *i = &b->images[image];
    struct table *t = table_new();
    heading(t);
    for (unsigned s = 0; s < MH_SOURCES; s++) {
        const struct budget_run *r = budget_longest_source(b, image, s);
        if (!r)
            continue;
        table_row(t);
        table_text(t, "  %s", source_info(s).name);
        mix_cells(r, &r->profile->sources[s], t);
    }
    for (unsigned h = 0; i->known && h < i->program.hooks.count; h++) {
        const struct budget_run *r = budget_longest_hook(b, image, h);
        if (!r)
            continue;
        table_row(t);
        table_text(t, "  %s %s", i->program.hooks.list[h].policy, i->program.hooks.list[h].kind);
        mix_cells(r, &r->profile->hooks[h], t);
    }
    if (t->rows > 1) {
        fputs("  instructions of a decision and of a call, where it took longest; MMIO: of loads and stores, taken: of "
              "branches:\n",
              out);
        table_print(t, out);
    }
    table_free(t);
}
