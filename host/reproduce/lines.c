#include "figures.h"

#include <math.h>
#include <string.h>

#include "base/figure.h"

/* Pixels. */
enum {
    WIDTH = 960,
    LEFT = 92,    /**< of a panel: its y axis */
    RIGHT = 36,   /**< the last mark goes on beyond it */
    ABOVE = 62,   /**< its marks */
    HEIGHT = 220, /**< of the axis itself */
    BELOW = 60,
    TITLE = 76 /**< and two lines of key, above all */
};

#define PUBLISHED "pt 6 ps 0.8 lw 1.5"

void lines_init(struct lines *l)
{
    const double none = (double)NAN;
    memset(l, 0, sizeof *l);
    for (unsigned p = 0; p < PLOT_PANELS; p++)
        for (unsigned s = 0; s < PLOT_SERIES; s++)
            for (unsigned v = 0; v < AXIS_VALUES; v++)
                l->panels[p].points[s][v] = (struct lines_point){none, none, none, none};
}

double lines_place(const struct axis *a, double number)
{
    unsigned v = 0;
    while (v + 2 < a->value_count && number > a->values[v + 1].number)
        v++;
    if (v + 1 >= a->value_count)
        return 0;
    const double from = a->values[v].number, to = a->values[v + 1].number;
    return v + (from > 0 ? log(number / from) / log(to / from) : (number - from) / (to - from));
}

bool lines_range(const struct lines_panel *p, unsigned series_count, double range[2])
{
    bool any = false;
    range[0] = range[1] = 0;
    for (unsigned s = 0; s < series_count; s++)
        for (unsigned v = 0; v < p->axis->value_count; v++) {
            const struct lines_point *at = &p->points[s][v];
            any |= !isnan(at->mean);
            range[0] = fmin(range[0], fmin(at->mean, at->low)); /* fmin leaves NaN out */
            range[1] = fmax(range[1], fmax(at->mean, at->high));
        }
    for (unsigned s = 0; s < series_count; s++)
        for (unsigned i = 0; i < p->published_count[s]; i++) {
            range[0] = fmin(range[0], p->published[s][i].value);
            range[1] = fmax(range[1], p->published[s][i].value);
        }
    const double margin = range[0] < range[1] ? 0.06 * (range[1] - range[0]) : 1;
    range[0] -= margin;
    range[1] += margin;
    return any;
}

/* --- Layers. */

/* Means over a few workloads have no quartiles. */
static bool has(const struct lines_panel *p, unsigned series, bool quartiles)
{
    for (unsigned v = 0; v < p->axis->value_count; v++)
        if (!isnan(quartiles ? p->points[series][v].median : p->points[series][v].mean))
            return true;
    return false;
}

static unsigned write_block(struct figure *f, const struct lines *l, const struct lines_panel *p, unsigned series)
{
    const unsigned block = figure_block(f, "%s, %s", p->axis->name, l->series[series]);

    for (unsigned v = 0; v < p->axis->value_count; v++) {
        const struct lines_point *at = &p->points[series][v];
        figure_row(f, p->axis->values[v].label);
        figure_values(f, 5, (const double[]){v, at->mean, at->low, at->median, at->high});
    }
    figure_block_end(f);
    return block;
}

static void draw_published(struct figure *f, const struct lines *l, const struct lines_panel *p, unsigned series)
{
    const unsigned block = figure_block(f, "published, %s", l->series[series]);

    for (unsigned i = 0; i < p->published_count[series]; i++) {
        const struct plot_point *at = &p->published[series][i];
        figure_row_at(f, at->number);
        figure_values(f, 2, (const double[]){lines_place(p->axis, at->number), at->value});
    }
    figure_block_end(f);
    figure_layer(f, block, "2:3 with points " PUBLISHED, gnuplot_colours[series], NULL);
}

/* Bands lie below lines: the parts of all series one after the other. Published points lie above all. */
static void draw_curves(struct figure *f, const struct lines *l, const struct lines_panel *p)
{
    static const char *const parts[] = {"2:4:6 with filledcurves fs transparent solid 0.15 noborder",
                                        "2:5 with lines lw 1", "2:3 with linespoints pt 7 ps 0.7 lw 2"};
    unsigned blocks[PLOT_SERIES];

    for (unsigned s = 0; s < l->series_count; s++)
        if (has(p, s, false))
            blocks[s] = write_block(f, l, p, s);
    for (unsigned part = 0; part < 3; part++)
        for (unsigned s = 0; s < l->series_count; s++)
            if (has(p, s, false) && (part == 2 || has(p, s, true)))
                figure_layer(f, blocks[s], parts[part], gnuplot_colours[s], NULL);
    for (unsigned s = 0; s < l->series_count; s++)
        if (p->published[s])
            draw_published(f, l, p, s);
}

/* --- Frames. */

static unsigned columns(const struct lines *l)
{
    return l->panel_count < 2 ? 1 : 2; /* names of axes are long */
}

static void draw_ticks(struct figure *f, const struct axis *a)
{
    figure_ticks(f, "x", "nomirror rotate by 0");
    for (unsigned v = 0; v < a->value_count; v++)
        figure_tick(f, a->values[v].label, v);
    figure_ticks_end(f);
    figure_line(f, "unset x2tics\nset grid ytics nox2tics lt 1 lc rgb '#C8C8C8'");
    if (!a->mark_count)
        return;
    figure_line(f, "set grid x2tics");
    figure_ticks(f, "x2", "scale 0 rotate by 40 left offset -0.5,0 font ',10'");
    for (unsigned m = 0; m < a->mark_count; m++)
        figure_tick(f, a->marks[m].label, lines_place(a, a->marks[m].number));
    figure_ticks_end(f);
}

static bool is_published(const struct lines *l, unsigned series)
{
    for (unsigned p = 0; p < l->panel_count; p++)
        if (l->panels[p].published[series])
            return true;
    return false;
}

static bool any_quartiles(const struct lines *l)
{
    for (unsigned p = 0; p < l->panel_count; p++)
        for (unsigned s = 0; s < l->series_count; s++)
            if (has(&l->panels[p], s, true))
                return true;
    return false;
}

/* What a colour and a stroke mean, in a panel of its own over the whole width: in another it would be as wide. */
static void draw_key(struct figure *f, const struct lines *l)
{
    figure_line(f, "unset border\nunset xtics\nunset ytics\nset xrange [0:1]\nset yrange [0:1]");
    figure_edges(f, 0, WIDTH, 0, TITLE);
    figure_constant(f, "1e30 notitle");
    for (unsigned s = 0; s < l->series_count; s++)
        figure_key(f, is_published(l, s) ? "points " PUBLISHED : "linespoints pt 7 ps 0.7 lw 2", gnuplot_colours[s],
                   l->series[s]);
    if (any_quartiles(l)) {
        figure_key(f, "lines lw 1", "black", "median");
        figure_key(f, "filledcurves fs solid 1 noborder", "#D8D8D8", "quartiles");
    }
    figure_panel_end(f);
    figure_line(f, "set border\nset ytics\nset xzeroaxis lt -1");
    figure_quoted(f, "set ylabel ", l->axis, " noenhanced");
}

static void draw_panel(struct figure *f, const struct lines *l, unsigned panel)
{
    const struct lines_panel *p = &l->panels[panel];
    double range[2];
    const double wide = (double)WIDTH / columns(l), left = wide * (panel % columns(l)),
                 top = TITLE + ABOVE + (double)(panel / columns(l)) * (ABOVE + HEIGHT + BELOW);

    figure_edges(f, left + LEFT, left + wide - RIGHT, top, top + HEIGHT);
    figure_quoted(f, "set xlabel ", p->axis->name, " noenhanced");
    (void)lines_range(p, l->series_count, range);
    figure_line(f, "set xrange [-0.3:%.6g]\nset x2range [-0.3:%.6g]\nset yrange [%.6g:%.6g]",
                p->axis->value_count - 0.7, p->axis->value_count - 0.7, range[0], range[1]);
    draw_ticks(f, p->axis);
    draw_curves(f, l, p);
    figure_panel_end(f);
}

static bool any_point(const struct lines *l)
{
    for (unsigned p = 0; p < l->panel_count; p++)
        for (unsigned s = 0; s < l->series_count; s++)
            if (has(&l->panels[p], s, false))
                return true;
    return false;
}

int lines_write(const struct lines *l, const char *dir, struct mh_error *err)
{
    struct figure f;
    const unsigned rows = (l->panel_count + columns(l) - 1) / columns(l);

    if (!any_point(l)) {
        fprintf(stderr, "memhelm: %s: nothing to draw, no figure\n", l->name);
        return 0;
    }
    figure_open(&f, "value\tplace\tmean\tlow\tmedian\thigh");
    f.width = WIDTH;
    f.height = TITLE + rows * (ABOVE + HEIGHT + BELOW);
    figure_title(&f, l->title, "", 2);
    draw_key(&f, l);
    for (unsigned p = 0; p < l->panel_count; p++)
        draw_panel(&f, l, p);
    return figure_finish(&f, dir, l->name, err);
}
