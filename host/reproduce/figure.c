#include "figure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Pixels. */
enum {
    SMALL = 30,      /**< bars of a figure that has a number on each, side by side */
    CHARACTER = 7,   /**< width of one of a number */
    LEAST_WIDE = 34, /**< a bar with its number across */
    LEAST_TALL = 15, /**< with its number upright */
    THIN_LEAST = 5,
    THIN_MOST = 14,
    THIN_ALL = 1250, /**< all bars without a number */
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

static size_t longest(const struct figure_layout *l)
{
    size_t most = 0;
    for (unsigned i = 0; i < l->bar_count; i++)
        if (l->bars[i].text && strlen(l->bars[i].text) > most)
            most = strlen(l->bars[i].text);
    return most;
}

static double bar_width(const struct figure_layout *l, const struct figure_bar *b)
{
    if (!l->upright)
        return fmax(LEAST_WIDE, (double)(CHARACTER * longest(l)) + 6);
    return b->text ? LEAST_TALL : fmin(THIN_MOST, fmax(THIN_LEAST, THIN_ALL / (double)l->bar_count));
}

static void place(const struct figure *f, struct figure_layout *l)
{
    double gap = l->upright ? 10 : 26, x = gap;
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

/* Numbers stand above and below, outside the bars. */
static void leave_room(const struct figure *f, struct figure_layout *l)
{
    double number = l->upright ? CHARACTER * (double)longest(l) + 8 : 2 * CHARACTER + 6;
    double part = fmin(0.4, number / FIGURE_HEIGHT);
    bool both = l->low < 0 && !f->log;
    if (f->log) {
        l->high *= pow(l->high / l->low, part / (1 - part));
        return;
    }
    double room = part / (both ? 1 - 2 * part : 1 - part) * (l->high - l->low);
    l->low -= both ? room : 0;
    l->high += room;
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
    out->upright = out->bar_count > SMALL;
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
