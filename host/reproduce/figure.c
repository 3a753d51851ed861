#include "figure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SMALL = 30 /**< bars of a figure that has a number on each */ };

/* Pixels. */
enum {
    CHARACTER = 7,   /**< width of one of a number */
    LEAST_WIDE = 34, /**< a bar with its number across */
    WIDE_ALL = 1200, /**< all bars with numbers across; else they are upright */
    LEAST_TALL = 15, /**< a bar with its number upright */
    MOST_TALL = 30,
    TALL_ALL = 900,
    THIN_LEAST = 5,
    THIN_MOST = 24,
    THIN_ALL = 1000, /**< all bars without a number */
    GAP_WIDE = 26,   /**< between groups */
    GAP_THIN = 8,
    GAP_THICK = 14,
};

struct figure_cell *figure_cell(struct figure *f, const char *group, unsigned series)
{
    unsigned g = 0;
    while (g < f->group_count && strncmp(f->groups[g], group, FIGURE_NAME - 1))
        g++;
    if (g == f->room) {
        f->room += 32;
        char(*groups)[FIGURE_NAME] = realloc(f->groups, f->room * sizeof *groups);
        f->groups = groups ? groups : f->groups;
        struct figure_cell *cells = realloc(f->cells, FIGURE_SERIES * f->room * sizeof *cells);
        f->cells = cells ? cells : f->cells;
        if (!groups || !cells)
            return NULL;
    }
    if (g == f->group_count) {
        snprintf(f->groups[f->group_count++], FIGURE_NAME, "%s", group);
        for (unsigned s = 0; s < FIGURE_SERIES; s++)
            f->cells[g * FIGURE_SERIES + s] = (struct figure_cell){(double)NAN, (double)NAN, (double)NAN, "", ""};
    }
    return &f->cells[g * FIGURE_SERIES + series];
}

void figure_free(struct figure *f)
{
    free(f->groups);
    free(f->cells);
}

/* --- Bars. */

static double base(const struct figure *f, const struct figure_layout *l)
{
    return f->log ? l->low : 0;
}

/* The paper's words without a number have the place of a bar. */
static void add_paper(struct figure_layout *l, const struct figure_cell *c, unsigned group, unsigned series)
{
    bool range = c->low < c->high;
    if (!*c->paper_text)
        return;
    l->bars[l->bar_count++] = (struct figure_bar){.group = group,
                                                  .series = series,
                                                  .paper = true,
                                                  .low = range ? c->low : (double)NAN,
                                                  .value = c->high,
                                                  .text = c->paper_text};
}

static void add_ours(struct figure_layout *l, const struct figure_cell *c, unsigned group, unsigned series)
{
    if (isnan(c->ours))
        return;
    l->bars[l->bar_count++] = (struct figure_bar){.group = group,
                                                  .series = series,
                                                  .low = (double)NAN,
                                                  .value = c->ours,
                                                  .text = *c->paper_text ? c->ours_text : NULL};
}

static void add_bars(const struct figure *f, struct figure_layout *l)
{
    for (unsigned g = 0; g < f->group_count; g++)
        for (unsigned s = 0; s < f->series_count; s++) {
            add_paper(l, &f->cells[g * FIGURE_SERIES + s], g, s);
            add_ours(l, &f->cells[g * FIGURE_SERIES + s], g, s);
        }
}

/* Few bars: each has its number. */
static void add_numbers(const struct figure *f, struct figure_layout *l)
{
    for (unsigned i = 0; i < l->bar_count; i++) {
        struct figure_bar *b = &l->bars[i];
        bool beyond = f->cut > 0 && b->value > f->cut;
        if (!b->text && (beyond || l->bar_count <= SMALL))
            b->text = f->cells[b->group * FIGURE_SERIES + b->series].ours_text;
    }
}

/* --- The x axis. */

/* Of the numbers above the axis, or of those below it. */
static size_t longest(const struct figure_layout *l, bool below)
{
    size_t most = 0;
    for (unsigned i = 0; i < l->bar_count; i++)
        if (l->bars[i].text && (l->bars[i].value < 0) == below && strlen(l->bars[i].text) > most)
            most = strlen(l->bars[i].text);
    return most;
}

static double wide(const struct figure_layout *l)
{
    return fmax(LEAST_WIDE, CHARACTER * fmax((double)longest(l, false), (double)longest(l, true)) + 6);
}

static double thin(const struct figure_layout *l)
{
    return fmin(THIN_MOST, fmax(THIN_LEAST, THIN_ALL / (double)l->bar_count));
}

static double bar_width(const struct figure_layout *l, const struct figure_bar *b)
{
    if (!l->upright)
        return wide(l);
    return b->text ? fmax(thin(l), fmin(MOST_TALL, fmax(LEAST_TALL, TALL_ALL / (double)l->bar_count))) : thin(l);
}

static void place(const struct figure *f, struct figure_layout *l)
{
    double gap = l->upright ? fmin(GAP_THICK, fmax(GAP_THIN, thin(l))) : GAP_WIDE, x = gap;
    for (unsigned i = 0; i < l->bar_count; i++) {
        struct figure_bar *b = &l->bars[i];
        if (i && b->group != b[-1].group)
            x += b->group >= f->apart && b[-1].group < f->apart ? 3 * gap : gap;
        b->left = x;
        x += bar_width(l, b);
        b->right = x;
    }
    l->width = x + gap;
}

/* --- The y axis. */

static double shown(const struct figure *f, double value)
{
    return f->cut > 0 ? fmin(value, f->cut) : value;
}

/* Of the values that there are; with a logarithmic axis a decade, so that each bar has a foot. */
static void span(const struct figure *f, struct figure_layout *l)
{
    double least = INFINITY, most = -INFINITY;
    for (unsigned i = 0; i < l->bar_count; i++) {
        double v = shown(f, l->bars[i].value);
        if (isnan(v) || (f->log && v <= 0))
            continue;
        least = fmin(least, isnan(l->bars[i].low) ? v : l->bars[i].low);
        most = fmax(most, v);
    }
    l->low = f->log ? pow(10, floor(log10(least) - 0.05)) : fmin(least, 0);
    l->high = f->log ? most : fmax(most, 0);
    if (!(l->low < l->high))
        l->high = l->low + 1;
    if (!isfinite(l->low) || !isfinite(l->high)) {
        l->low = 0.1;
        l->high = 1;
    }
}

/* Part of the axis for the numbers on one side. */
static double part(const struct figure_layout *l, bool below)
{
    double characters = (double)longest(l, below);
    return characters > 0 ? (l->upright ? CHARACTER * characters + 14 : 2 * CHARACTER + 6) / FIGURE_HEIGHT : 0.03;
}

/* Numbers stand above and below, outside the bars. */
static void leave_room(const struct figure *f, struct figure_layout *l)
{
    double above = part(l, false), below = l->low < 0 && !f->log ? part(l, true) : 0;
    double whole = (l->high - l->low) / fmax(0.2, 1 - above - below);
    if (f->log) {
        l->high *= pow(l->high / l->low, above / fmax(0.2, 1 - above));
        return;
    }
    l->low -= below * whole;
    l->high += above * whole;
}

static void raise_bars(const struct figure *f, struct figure_layout *l)
{
    for (unsigned i = 0; i < l->bar_count; i++) {
        struct figure_bar *b = &l->bars[i];
        double v = isnan(b->value) || (f->log && b->value <= 0) ? base(f, l) : shown(f, b->value);
        double foot = isnan(b->low) ? base(f, l) : b->low;
        b->low = fmin(v, foot);
        b->high = fmax(v, foot);
    }
}

int figure_lay_out(const struct figure *f, struct figure_layout *out, struct mh_error *err)
{
    *out = (struct figure_layout){.bars = calloc(2 * FIGURE_SERIES * f->group_count + 1, sizeof *out->bars)};
    if (!out->bars)
        return mh_fail(err, "out of memory");
    add_bars(f, out);
    add_numbers(f, out);
    out->upright = out->bar_count * wide(out) > WIDE_ALL;
    place(f, out);
    span(f, out);
    raise_bars(f, out);
    leave_room(f, out);
    return 0;
}

void figure_layout_free(struct figure_layout *l)
{
    free(l->bars);
}
