#include "figures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/figure.h"

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

struct bars_cell *bars_cell(struct bars *f, const char *group, unsigned series)
{
    unsigned g = 0;
    while (g < f->group_count && strncmp(f->groups[g], group, BARS_NAME - 1))
        g++;
    if (g == f->room) {
        f->room += 32;
        f->groups = must(realloc(f->groups, f->room * sizeof *f->groups));
        f->cells = must(realloc(f->cells, BARS_SERIES * f->room * sizeof *f->cells));
    }
    if (g == f->group_count) {
        snprintf(f->groups[f->group_count++], BARS_NAME, "%s", group);
        for (unsigned s = 0; s < BARS_SERIES; s++)
            f->cells[g * BARS_SERIES + s] = (struct bars_cell){(double)NAN, (double)NAN, (double)NAN, "", "", false};
    }
    return &f->cells[g * BARS_SERIES + series];
}

void bars_free(struct bars *f)
{
    free(f->groups);
    free(f->cells);
}

/* --- Bars. */

static double base(const struct bars *f, const struct bars_layout *l)
{
    return f->log ? l->low : 0;
}

/* The paper's words without a number have the place of a bar. */
static void add_paper(struct bars_layout *l, const struct bars_cell *c, unsigned group, unsigned series)
{
    bool range = c->low < c->high;
    if (!*c->paper_text)
        return;
    l->bars[l->bar_count++] = (struct bar){.group = group,
                                           .series = series,
                                           .paper = true,
                                           .low = range ? c->low : (double)NAN,
                                           .value = c->high,
                                           .text = c->paper_text};
}

static void add_ours(struct bars_layout *l, const struct bars_cell *c, unsigned group, unsigned series)
{
    if (isnan(c->ours))
        return;
    l->bars[l->bar_count++] = (struct bar){.group = group,
                                           .series = series,
                                           .low = (double)NAN,
                                           .value = c->ours,
                                           .text = *c->paper_text || c->alone ? c->ours_text : NULL};
}

static void add_bars(const struct bars *f, struct bars_layout *l)
{
    for (unsigned g = 0; g < f->group_count; g++)
        for (unsigned s = 0; s < f->series_count; s++) {
            add_paper(l, &f->cells[g * BARS_SERIES + s], g, s);
            add_ours(l, &f->cells[g * BARS_SERIES + s], g, s);
        }
}

/* Few bars: each has its number. */
static void add_numbers(const struct bars *f, struct bars_layout *l)
{
    for (unsigned i = 0; i < l->bar_count; i++) {
        struct bar *b = &l->bars[i];
        bool beyond = f->cut > 0 && b->value > f->cut;
        if (!b->text && (beyond || l->bar_count <= SMALL))
            b->text = f->cells[b->group * BARS_SERIES + b->series].ours_text;
    }
}

/* --- The x axis. */

/* Of the numbers above the axis, or of those below it. */
static size_t longest(const struct bars_layout *l, bool below)
{
    size_t most = 0;
    for (unsigned i = 0; i < l->bar_count; i++)
        if (l->bars[i].text && (l->bars[i].value < 0) == below && strlen(l->bars[i].text) > most)
            most = strlen(l->bars[i].text);
    return most;
}

static double wide(const struct bars_layout *l)
{
    return fmax(LEAST_WIDE, CHARACTER * fmax((double)longest(l, false), (double)longest(l, true)) + 6);
}

static double thin(const struct bars_layout *l)
{
    return fmin(THIN_MOST, fmax(THIN_LEAST, THIN_ALL / (double)l->bar_count));
}

static double bar_width(const struct bars_layout *l, const struct bar *b)
{
    if (!l->upright)
        return wide(l);
    return b->text ? fmax(thin(l), fmin(MOST_TALL, fmax(LEAST_TALL, TALL_ALL / (double)l->bar_count))) : thin(l);
}

static void place(const struct bars *f, struct bars_layout *l)
{
    double gap = l->upright ? fmin(GAP_THICK, fmax(GAP_THIN, thin(l))) : GAP_WIDE, x = gap;
    for (unsigned i = 0; i < l->bar_count; i++) {
        struct bar *b = &l->bars[i];
        if (i && b->group != b[-1].group)
            x += b->group >= f->apart && b[-1].group < f->apart ? 3 * gap : gap;
        b->left = x;
        x += bar_width(l, b);
        b->right = x;
    }
    l->width = x + gap;
}

/* --- The y axis. */

static double shown(const struct bars *f, double value)
{
    return f->cut > 0 ? fmin(value, f->cut) : value;
}

/* Of the values that there are; with a logarithmic axis a decade, so that each bar has a foot. */
static void span(const struct bars *f, struct bars_layout *l)
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
static double part(const struct bars_layout *l, bool below)
{
    double characters = (double)longest(l, below);
    return characters > 0 ? (l->upright ? CHARACTER * characters + 14 : 2 * CHARACTER + 6) / BARS_HEIGHT : 0.03;
}

/* Numbers stand above and below, outside the bars. */
static void leave_room(const struct bars *f, struct bars_layout *l)
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

static void raise_bars(const struct bars *f, struct bars_layout *l)
{
    for (unsigned i = 0; i < l->bar_count; i++) {
        struct bar *b = &l->bars[i];
        double v = isnan(b->value) || (f->log && b->value <= 0) ? base(f, l) : shown(f, b->value);
        double foot = isnan(b->low) ? base(f, l) : b->low;
        b->low = fmin(v, foot);
        b->high = fmax(v, foot);
    }
}

void bars_lay_out(const struct bars *f, struct bars_layout *out)
{
    *out = (struct bars_layout){.bars = must_have(2 * BARS_SERIES * f->group_count, sizeof *out->bars)};
    add_bars(f, out);
    add_numbers(f, out);
    out->upright = out->bar_count * wide(out) > WIDE_ALL;
    place(f, out);
    span(f, out);
    raise_bars(f, out);
    leave_room(f, out);
}

void bars_layout_free(struct bars_layout *l)
{
    free(l->bars);
}

/* --- Drawing. */

/* Pixels around the axes. */
enum { LEFT = 112, RIGHT = 24, ABOVE = 70, BELOW = 40, LEAST = 640 };

static const char paper_colour[] = "#C8C8C8";

/* Pixels of a text in gnuplot's own font, about. */
static double text_width(const char *text)
{
    double width = 0;
    for (; *text; text++)
        width += strchr("MW", *text) ? 14 : *text >= 'A' && *text <= 'Z' ? 11 : 8.5;
    return width;
}

static bool in_block(const struct bar *b, int series)
{
    return !isnan(b->value) && (series < 0 ? b->paper : !b->paper && b->series == (unsigned)series);
}

static bool has_block(const struct bars_layout *l, int series)
{
    for (unsigned i = 0; i < l->bar_count; i++)
        if (in_block(&l->bars[i], series))
            return true;
    return false;
}

static void draw_series(struct figure *out, const struct bars *f, const struct bars_layout *l, int series)
{
    const char *name = series < 0 ? "paper" : f->series[series];
    const unsigned block = figure_block(out, "%s", name);

    for (unsigned i = 0; i < l->bar_count; i++) {
        const struct bar *b = &l->bars[i];
        if (!in_block(b, series))
            continue;
        figure_row(out, f->groups[b->group]);
        fputc('\t', out->g.data);
        figure_row(out, f->series[b->series]);
        figure_values(out, 5, (const double[]){b->value, b->left, b->right, b->low, b->high});
    }
    figure_block_end(out);
    figure_layer(out, block, "(($4+$5)/2):7:4:5:6:7 with boxxyerror",
                 series < 0 ? paper_colour : gnuplot_colours[series], name);
}

static double centre(const struct bars_layout *l, unsigned group)
{
    double left = INFINITY, right = -INFINITY;
    for (unsigned i = 0; i < l->bar_count; i++)
        if (l->bars[i].group == group) {
            left = fmin(left, l->bars[i].left);
            right = fmax(right, l->bars[i].right);
        }
    return (left + right) / 2; /* NaN: a group without a bar */
}

/* Is there room for the groups' names in one line? */
static bool names_fit(const struct bars *f, const struct bars_layout *l)
{
    double end = 0;
    for (unsigned g = 0; g < f->group_count; g++) {
        double half = text_width(f->groups[g]) / 2, x = centre(l, g);
        if (x - half < end)
            return false;
        end = isnan(x) ? end : x + half + 6;
    }
    return true;
}

static void draw_names(struct figure *out, const struct bars *f, const struct bars_layout *l, bool fit)
{
    figure_ticks(out, "x", fit ? "scale 0" : "rotate by -45 scale 0");
    for (unsigned g = 0; g < f->group_count; g++)
        if (!isnan(centre(l, g)))
            figure_tick(out, f->groups[g], centre(l, g));
    figure_ticks_end(out);
}

static void draw_numbers(struct figure *out, const struct bars_layout *l)
{
    for (unsigned i = 0; i < l->bar_count; i++) {
        const struct bar *b = &l->bars[i];
        const bool below = b->value < 0;
        char how[120], place[200];
        if (!b->text)
            continue;
        if (l->upright)
            snprintf(how, sizeof how, "%s rotate by 90 offset 0.25,%s0.4", below ? "right" : "left", below ? "-" : "");
        else
            snprintf(how, sizeof how, "center offset 0,%s0.6", below ? "-" : "");
        snprintf(place, sizeof place, " at %.6g,%.6g noenhanced font ',9' %s", (b->left + b->right) / 2,
                 below ? b->low : b->high, how);
        figure_quoted(out, "set label ", b->text, place);
    }
}

static void draw_axes(struct figure *out, const struct bars *f, const struct bars_layout *l)
{
    figure_line(out, "set style fill solid 0.8 border lc rgb 'black'\nset grid ytics\n"
                     "set key above noenhanced width 2 samplen 3\nset xzeroaxis lt -1");
    figure_quoted(out, "set title ", f->title, " noenhanced");
    figure_quoted(out, "set ylabel ", f->axis, " noenhanced");
    figure_line(out, "%sset xrange [0:%.6g]\nset yrange [%.6g:%.6g]", f->log ? "set logscale y\n" : "", l->width,
                l->low, l->high);
}

/* Names are written downwards to the right: how far they go below the axis, and beyond its end. */
static void slanted(const struct bars *f, const struct bars_layout *l, double *down, double *beyond)
{
    *down = *beyond = 0;
    for (unsigned g = 0; g < f->group_count; g++) {
        double reach = 0.71 * text_width(f->groups[g]) + 16, x = centre(l, g);
        if (isnan(x))
            continue;
        *down = fmax(*down, reach);
        *beyond = fmax(*beyond, x + reach - l->width);
    }
}

/* Does the paper have texts but no numbers here? The key then marks them as the paper's. */
static bool only_words(const struct bars_layout *l)
{
    bool words = false;
    for (unsigned i = 0; i < l->bar_count; i++)
        words |= l->bars[i].paper;
    return words && !has_block(l, -1);
}

/* gnuplot places the key and, of names that stand straight, the lower edge. */
static void draw_frame(struct figure *out, const struct bars *f, const struct bars_layout *l, bool fit)
{
    double down = 0, beyond = 0;

    if (!fit)
        slanted(f, l, &down, &beyond);
    const double right = fmax(RIGHT, beyond), least = fmax(LEAST, text_width(f->title) + RIGHT);
    out->width = fmax(least, LEFT + l->width + right);
    out->height = ABOVE + BARS_HEIGHT + BELOW + down;
    figure_line(out, "set lmargin at screen %.6g\nset rmargin at screen %.6g", LEFT / out->width,
                1 - right / out->width);
    if (!fit)
        figure_line(out, "set bmargin at screen %.6g", (10 + down) / out->height);
}

static int draw(const struct bars *f, const struct bars_layout *l, const char *dir, struct mh_error *err)
{
    struct figure out;
    const bool fit = names_fit(f, l);

    figure_open(&out, "group\tseries\tvalue\tleft\tright\tlow\thigh");
    draw_axes(&out, f, l);
    draw_names(&out, f, l, fit);
    draw_numbers(&out, l);
    draw_frame(&out, f, l, fit);
    if (only_words(l))
        figure_key(&out, "boxes", paper_colour, "paper, in words");
    for (int s = -1; s < (int)f->series_count; s++)
        if (has_block(l, s))
            draw_series(&out, f, l, s);
    figure_panel_end(&out);
    return figure_finish(&out, dir, f->name, err);
}

int bars_write(const struct bars *f, const char *dir, struct mh_error *err)
{
    struct bars_layout l;
    bool any = false;
    bars_lay_out(f, &l);
    for (unsigned i = 0; i < l.bar_count; i++)
        any |= !isnan(l.bars[i].value);
    int status = any ? draw(f, &l, dir, err) : 0;
    if (!any)
        fprintf(stderr, "memhelm: %s: nothing to draw, no figure\n", f->name);
    bars_layout_free(&l);
    return status;
}
