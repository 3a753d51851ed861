/* --list: what a call would run. */
#include "base/table.h"
#include "plan/plan.h"
#include "show.h"

static void list_tables(const struct reproduction *r, FILE *out)
{
    struct table *t = table_new();
    table_heading(t, "table|what|workloads|columns");
    for (unsigned i = 0; i < r->grid_count; i++) {
        const struct reproduce_grid *g = &r->grids[i];
        table_row(t);
        table_text(t, "%s", g->grid->id);
        table_text(t, "%s", g->grid->title);
        table_text(t, "%u", g->columns[0].workload_count);
        table_text(t, "%u", g->grid->column_count);
    }
    table_print(t, out);
    table_free(t);
}

static void list_rows(const struct reproduction *r, FILE *out)
{
    struct table *t = table_new();
    static const char *const kinds[] = {"effect", "level", "order"};
    table_heading(t, "row|figure: what|kind|paper|workloads");
    for (unsigned i = 0; i < r->row_count; i++) {
        const struct row *row = r->rows[i].row;
        table_row(t);
        table_text(t, "%s", row->id);
        table_text(t, "%s: %s", row->figure, row->what);
        table_text(t, "%s", kinds[row->kind]);
        table_text(t, "%s", row->paper);
        table_text(t, "%u", r->rows[i].once.workload_count);
    }
    table_print(t, out);
    table_free(t);
}

static unsigned tables_of_plots(const struct reproduction *r)
{
    unsigned n = 0;
    for (unsigned i = 0; i < r->study.grid_count; i++)
        n += r->study.grids[i].use == GRID_PLOT && !r->study.grids[i].left_out;
    return n;
}

void show_list(const struct reproduction *r, FILE *out)
{
    if (r->row_count)
        list_rows(r, out);
    if (r->row_count && r->grid_count)
        fputc('\n', out);
    if (r->grid_count)
        list_tables(r, out);
    if (r->row_count)
        fprintf(out, "%u rows, ", r->row_count);
    if (r->grid_count)
        fprintf(out, "%u tables, ", r->grid_count);
    fprintf(out, "%u runs", plan_count(r->plan));
    if (r->options->mode == MODE_ROWS && !r->options->plots && !r->options->id_count && tables_of_plots(r))
        fprintf(out, "; with --plots %u tables more, which may need runs of their own", tables_of_plots(r));
    fputc('\n', out);
}
