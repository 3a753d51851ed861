#include "budget_path.h"

#include <inttypes.h>
#include <stdlib.h>

#include "profile/path.h"
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

static bool find(struct path *path, const struct budget_image *i, const struct profile *p, const struct series *s)
{
    return !path_of(path, p, s, &i->code, &i->program.symbols, &i->program.hooks);
}

static void path_table(const struct budget_image *i, const struct profile *p, const struct series *s, FILE *out)
{
    struct path path;
    struct table *t = table_new();
    table_row(t);
    table_text(t, "    in the order of calls");
    table_text(t, "calls");
    table_text(t, "cycles");
    table_text(t, "by itself");
    bool found = find(&path, i, p, s);
    for (unsigned n = 0; found && n < path.count; n++)
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
    bool found = find(&path, i, p, s);
    for (unsigned n = 0; found && n < path.count; n++) {
        const struct path_step *step = &path.steps[n];
        json_array_append_new(list,
                              json_pack("[i, s, o, I, I]", (int)step->depth, i->program.functions[step->function].name,
                                        calls_json(step), (json_int_t)step->cycles, (json_int_t)step->own));
    }
    free(path.steps);
    return list;
}
