#include <math.h>
#include <string.h>

#include "base/gnuplot.h"
#include "figure.h"

/* Pixels around the axes. */
enum { LEFT = 112, RIGHT = 24, ABOVE = 70, BELOW = 40, LEAST = 640 };

/* Beside gnuplot_colours. */
static const char paper_colour[] = "#C8C8C8";

/* Pixels of a text in gnuplot's own font, about. */
static double text_width(const char *text)
{
    double width = 0;
    for (; *text; text++)
        width += strchr("MW", *text) ? 14 : *text >= 'A' && *text <= 'Z' ? 11 : 8.5;
    return width;
}

/* --- Data: a block for the paper's bars and one for each series, as far as it has some. */

static bool in_block(const struct figure_bar *b, int series)
{
    return !isnan(b->value) && (series < 0 ? b->paper : !b->paper && b->series == (unsigned)series);
}

static bool has_block(const struct figure_layout *l, int series)
{
    for (unsigned i = 0; i < l->bar_count; i++)
        if (in_block(&l->bars[i], series))
            return true;
    return false;
}

static void write_block(const struct figure *f, const struct figure_layout *l, int series, FILE *out)
{
    fputs("# ", out);
    gnuplot_cell(out, series < 0 ? "paper" : f->series[series]);
    fputc('\n', out);
    for (unsigned i = 0; i < l->bar_count; i++) {
        const struct figure_bar *b = &l->bars[i];
        if (!in_block(b, series))
            continue;
        gnuplot_cell(out, f->groups[b->group]);
        fputc('\t', out);
        gnuplot_cell(out, f->series[b->series]);
        fprintf(out, "\t%.6g\t%.6g\t%.6g\t%.6g\t%.6g\n", b->value, b->left, b->right, b->low, b->high);
    }
    fputs("\n\n", out);
}

/* --- Script. */

static double centre(const struct figure_layout *l, unsigned group)
{
    double left = INFINITY, right = -INFINITY;
    for (unsigned i = 0; i < l->bar_count; i++)
        if (l->bars[i].group == group) {
            left = fmin(left, l->bars[i].left);
            right = fmax(right, l->bars[i].right);
        }
    return (left + right) / 2; /* NaN: a group without a bar */
}

/* Do the groups' names stand beside each other? */
static bool names_fit(const struct figure *f, const struct figure_layout *l)
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

static void write_names(const struct figure *f, const struct figure_layout *l, bool fit, FILE *out)
{
    const char *sep = "";
    fprintf(out, "set xtics %snoenhanced scale 0 (", fit ? "" : "rotate by -45 ");
    for (unsigned g = 0; g < f->group_count; g++) {
        if (isnan(centre(l, g)))
            continue;
        fputs(sep, out);
        gnuplot_quote(out, f->groups[g]);
        fprintf(out, " %.6g", centre(l, g));
        sep = ", ";
    }
    fputs(")\n", out);
}

static void write_numbers(const struct figure_layout *l, FILE *out)
{
    for (unsigned i = 0; i < l->bar_count; i++) {
        const struct figure_bar *b = &l->bars[i];
        bool below = b->value < 0;
        if (!b->text)
            continue;
        fputs("set label ", out);
        gnuplot_quote(out, b->text);
        fprintf(out, " at %.6g,%.6g noenhanced font ',9' ", (b->left + b->right) / 2, below ? b->low : b->high);
        fprintf(out, l->upright ? "%s rotate by 90 offset 0.25,%s0.4\n" : "center %soffset 0,%s0.6\n",
                !l->upright ? ""
                : below     ? "right"
                            : "left",
                below ? "-" : "");
    }
}

static void write_axes(const struct figure *f, const struct figure_layout *l, FILE *out)
{
    fputs("set style fill solid 0.8 border lc rgb 'black'\nset grid ytics\nset key above noenhanced width 2 samplen 3\n"
          "set xzeroaxis lt -1\nset datafile separator tab\n",
          out);
    fputs("set title ", out);
    gnuplot_quote(out, f->title);
    fputs(" noenhanced\nset ylabel ", out);
    gnuplot_quote(out, f->axis);
    fprintf(out, " noenhanced\n%sset xrange [0:%.6g]\nset yrange [%.6g:%.6g]\n", f->log ? "set logscale y\n" : "",
            l->width, l->low, l->high);
}

/* The paper's words without a number need to be said whose they are. */
static bool only_words(const struct figure_layout *l)
{
    bool words = false;
    for (unsigned i = 0; i < l->bar_count; i++)
        words |= l->bars[i].paper;
    return words && !has_block(l, -1);
}

static void write_bars(const struct figure *f, const struct figure_layout *l, FILE *out)
{
    int block = 0;
    const char *sep = "";
    fputs("plot ", out);
    if (only_words(l)) {
        fprintf(out, "keyentry with boxes lc rgb '%s' title 'paper, in words'", paper_colour);
        sep = ", ";
    }
    for (int s = -1; s < (int)f->series_count; s++) {
        if (!has_block(l, s))
            continue;
        fputs(sep, out);
        gnuplot_file(out, "dat");
        fprintf(out, " index %d using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '%s' title ", block++,
                s < 0 ? paper_colour : gnuplot_colours[s]);
        gnuplot_quote(out, s < 0 ? "paper" : f->series[s]);
        sep = ", ";
    }
    fputc('\n', out);
}

/* Names are written downwards to the right: how far they go below the axis, and beyond its end. */
static void slanted(const struct figure *f, const struct figure_layout *l, double *down, double *beyond)
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

static void write_outputs(const struct figure *f, const struct figure_layout *l, bool fit, FILE *out)
{
    double down = 0, beyond = 0;
    if (!fit)
        slanted(f, l, &down, &beyond);
    double right = fmax(RIGHT, beyond), least = fmax(LEAST, text_width(f->title) + RIGHT);
    double width = fmax(least, LEFT + l->width + right), height = ABOVE + FIGURE_HEIGHT + BELOW + down;
    fprintf(out, "set lmargin at screen %.6g\nset rmargin at screen %.6g\n", LEFT / width, 1 - right / width);
    for (int png = 0; png < 2; png++) {
        fprintf(out, "set terminal %s size %.0f,%.0f\nset output ", png ? GNUPLOT_PNG : "svg", width, height);
        gnuplot_file(out, png ? "png" : "svg");
        fputc('\n', out);
        if (png && !fit) /* gnuplot's own guess of names that go down is right for SVG */
            fprintf(out, "set bmargin at screen %.6g\n", (10 + down) / height);
        write_bars(f, l, out);
    }
}

static void write_script(const struct figure *f, const struct figure_layout *l, FILE *out)
{
    bool fit = names_fit(f, l);
    write_axes(f, l, out);
    write_names(f, l, fit, out);
    write_numbers(l, out);
    write_outputs(f, l, fit, out);
}

static int draw(const struct figure *f, const struct figure_layout *l, const char *dir, struct mh_error *err)
{
    struct gnuplot g;
    if (gnuplot_open(&g, err))
        return -1;
    fputs("# group\tseries\tvalue\tleft\tright\tlow\thigh\n", g.data);
    for (int s = -1; s < (int)f->series_count; s++)
        if (has_block(l, s))
            write_block(f, l, s, g.data);
    write_script(f, l, g.script);
    return gnuplot_finish(&g, dir, f->name, err);
}

int figure_write(const struct figure *f, const char *dir, struct mh_error *err)
{
    struct figure_layout l;
    bool any = false;
    if (figure_lay_out(f, &l, err))
        return -1;
    for (unsigned i = 0; i < l.bar_count; i++)
        any |= !isnan(l.bars[i].value);
    int status = any ? draw(f, &l, dir, err) : 0;
    if (!any)
        fprintf(stderr, "memhelm: %s: nothing to draw, no figure\n", f->name);
    figure_layout_free(&l);
    return status;
}
