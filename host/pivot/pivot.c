#include "pivot.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

/** A chosen point and where it goes. */
struct placed {
    unsigned cell, row;
    int seed, mover;
};

/** What is needed while cells are filled. */
struct filling {
    struct pivot *t;
    struct placed *points; /* by cell, then seed */
    unsigned count;
    struct levels seeds;
    unsigned asked;        /* points of each cell when the sweep has run to its end; 0: no more than others have */
    unsigned combinations; /* of what is averaged over, but for axes that were drawn */
    struct levels drawn;   /* combinations of those */
    unsigned *seen;        /* [of them]: the visit to a cell that met it last */
    unsigned visit;
    struct sample *samples;
};

/* --- What is averaged over. */

static int named(const struct pivot *t, const char *name)
{
    struct mh_error none;
    const int c = points_column_named(&t->selection->points, name, &none);
    return c >= 0 && column_list_has(&t->over, (unsigned)c) ? c : -1;
}

static void take_over(struct pivot *t, unsigned column)
{
    struct levels l;
    levels_of_column(&l, &t->selection->points, (int)column, t->selection->chosen);
    if (l.count > 1) {
        t->over_counts[t->over.count] = l.count;
        t->over.at[t->over.count++] = column;
    }
    levels_free(&l);
}

static int find_over(struct pivot *t, struct mh_error *err)
{
    const struct selection *s = t->selection;
    const struct points *p = &s->points;
    t->over_counts = must_have(p->column_count, sizeof *t->over_counts);
    for (unsigned c = 0; c < p->column_count; c++)
        if (p->columns[c].kind == POINTS_AXIS && !column_list_has(&s->rows, c) && !column_list_has(&s->columns, c))
            take_over(t, c);
    t->seed = named(t, "seed");
    t->mover = named(t, "workload");
    for (unsigned i = 0; i < t->over.count && t->mover < 0; i++)
        if ((int)t->over.at[i] != t->seed)
            t->mover = (int)t->over.at[i];
    if (s->request->spread && t->mover < 0)
        return mh_fail(err, "%.200s: --spread: a cell is one workload's; leave it out of --rows and --columns",
                       s->request->file);
    return 0;
}

/* --- Cells. */

static int by_cell(const void *a, const void *b)
{
    const struct placed *p = a, *q = b;
    if (p->cell != q->cell)
        return p->cell < q->cell ? -1 : 1;
    if (p->seed != q->seed)
        return p->seed < q->seed ? -1 : 1;
    return (p->row > q->row) - (p->row < q->row);
}

static void place_points(struct filling *f)
{
    const struct pivot *t = f->t;
    for (unsigned r = 0; r < t->selection->points.rows; r++)
        if (t->selection->chosen[r])
            f->points[f->count++] =
                (struct placed){(unsigned)t->rows.of[r] * t->columns.count + (unsigned)t->columns.of[r], r,
                                f->seeds.of[r], t->movers.of[r]};
    qsort(f->points, f->count, sizeof *f->points, by_cell);
}

/* The points that are there of a cell's, and why others are not. */
static unsigned gather(struct filling *f, unsigned from, unsigned to, unsigned value)
{
    const struct selection *s = f->t->selection;
    char reason[SELECTION_TEXT];
    unsigned n = 0;
    for (unsigned i = from; i < to; i++) {
        const struct placed *p = &f->points[i];
        const double v = selection_value(s, p->row, value);
        if (!isnan(v)) {
            f->samples[n++] = (struct sample){v, p->seed, p->mover};
            continue;
        }
        selection_reason(s, p->row, value, reason);
        reasons_add(&f->t->reasons, reason, 1);
    }
    return n;
}

/* How many points a cell should have: of a sample those combinations that it has any of. */
static unsigned wanted(struct filling *f, unsigned from, unsigned to)
{
    unsigned drawn = 0;
    f->visit++;
    for (unsigned i = from; i < to; i++) {
        unsigned *seen = &f->seen[f->drawn.of[f->points[i].row]];
        drawn += *seen != f->visit;
        *seen = f->visit;
    }
    return f->asked ? f->asked : drawn * f->combinations;
}

static void fill_cell(struct filling *f, unsigned from, unsigned to, unsigned value)
{
    const struct selection *s = f->t->selection;
    const unsigned cells = f->t->rows.count * f->t->columns.count, n = gather(f, from, to, value);
    struct cell *c = &f->t->cells[(size_t)value * cells + f->points[from].cell];
    const enum mean_kind kind = selection_mean(s, value);
    const enum relation relation = s->request->relation;
    const double neutral = relation == RELATION_LEVEL ? (double)NAN : relation != RELATION_DIFFERENCE;
    c->points = n;
    c->of = wanted(f, from, to);
    cell_of(f->samples, n, kind, c);
    if (s->request->spread)
        cell_spread_of(f->samples, n, kind, neutral, c);
    if (to - from < c->of)
        reasons_add(&f->t->reasons, "not in the file: its sweep was interrupted, or other cells have more points",
                    c->of - (to - from));
}

static void fill_cells(struct filling *f)
{
    for (unsigned value = 0; value < f->t->selection->values.count; value++)
        for (unsigned from = 0, to; from < f->count; from = to) {
            for (to = from + 1; to < f->count && f->points[to].cell == f->points[from].cell; to++)
                ;
            fill_cell(f, from, to, value);
        }
}

static void make_cells(struct pivot *t, size_t count)
{
    t->cells = must_have(count, sizeof *t->cells);
    for (size_t i = 0; i < count; i++)
        t->cells[i] = (struct cell){.value = NAN, .half = NAN, .spread = {.moves_most = -1, .decides = -1}};
}

static void count_combinations(struct filling *f)
{
    const struct selection *s = f->t->selection;
    struct column_list drawn = {.count = 0}, crossed = {.count = 0};
    struct levels all;
    for (unsigned i = 0; i < f->t->over.count; i++) {
        const unsigned c = f->t->over.at[i];
        struct column_list *list = column_list_has(&s->drawn, c) ? &drawn : &crossed;
        list->at[list->count++] = c;
    }
    levels_of(&all, &s->points, &crossed, s->chosen);
    levels_of(&f->drawn, &s->points, &drawn, s->chosen);
    f->combinations = all.count;
    f->seen = must_have(f->drawn.count, sizeof *f->seen);
    levels_free(&all);
}

static void fill(struct pivot *t)
{
    const struct selection *s = t->selection;
    struct filling f = {.t = t,
                        .points = must_have(s->chosen_count, sizeof *f.points),
                        .samples = must_have(s->chosen_count, sizeof *f.samples)};
    f.asked = asked_of_cell(s);
    levels_of_column(&f.seeds, &s->points, t->seed, s->chosen);
    count_combinations(&f);
    place_points(&f);
    fill_cells(&f);
    levels_free(&f.seeds);
    levels_free(&f.drawn);
    free(f.seen);
    free(f.points);
    free(f.samples);
}

static int open_levels(struct pivot *t, struct mh_error *err)
{
    const struct selection *s = t->selection;
    levels_of(&t->rows, &s->points, &s->rows, s->chosen);
    levels_of(&t->columns, &s->points, &s->columns, s->chosen);
    if (s->request->sort) {
        levels_sort(&t->rows, &s->points, &s->rows);
        levels_sort(&t->columns, &s->points, &s->columns);
    }
    if ((uint64_t)t->rows.count * t->columns.count * s->values.count <= PIVOT_CELLS)
        return 0;
    return mh_fail(err, "%.200s: %u rows, %u columns and %u values are more than %d cells: choose fewer by --where",
                   s->request->file, t->rows.count, t->columns.count, s->values.count, PIVOT_CELLS);
}

int pivot_of(struct pivot *t, const struct selection *s, struct mh_error *err)
{
    memset(t, 0, sizeof *t);
    t->selection = s;
    if (open_levels(t, err) || find_over(t, err)) {
        pivot_free(t);
        return -1;
    }
    levels_of_column(&t->movers, &s->points, t->mover, s->chosen);
    make_cells(t, (size_t)t->rows.count * t->columns.count * s->values.count);
    fill(t);
    return 0;
}

void pivot_free(struct pivot *t)
{
    levels_free(&t->rows);
    levels_free(&t->columns);
    levels_free(&t->movers);
    free(t->over_counts);
    free(t->cells);
    reasons_free(&t->reasons);
}

struct pivot_faults pivot_faults(const struct pivot *t)
{
    struct pivot_faults f = {0, 0};
    const size_t cells = (size_t)t->rows.count * t->columns.count * t->selection->values.count;
    for (size_t i = 0; i < cells; i++) {
        f.lacking += t->cells[i].points < t->cells[i].of;
        f.refused += t->cells[i].refused > 0;
    }
    return f;
}
