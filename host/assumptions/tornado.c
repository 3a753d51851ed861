#include "tornado.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/gnuplot.h"
#include "base/markdown.h"
#include "shift.h"

enum { BARS = 16, NAME = 128, WIDTH = 900, BAR_HEIGHT = 26, AROUND = 130 };

/* Values are drawn in percent where the row has them. */
static double scale(const struct row *row)
{
    return row->claim.unit == UNIT_PERCENT || row->claim.gain ? 100 : 1;
}

static unsigned bars_of(const struct swing *s, unsigned count)
{
    unsigned n = 0;
    while (n < count && n < BARS && s[n].furthest)
        n++;
    return n;
}

/* Columns: the key, its place, the row's least and most; the first bar is on top. */
static void write_data(struct gnuplot *g, const struct row *row, const struct swing *s, unsigned bars)
{
    for (unsigned i = 0; i < bars; i++) {
        gnuplot_cell(g->data, s[i].of->key);
        fprintf(g->data, "\t%u", bars - i);
        gnuplot_value(g, scale(row) * s[i].least);
        gnuplot_value(g, scale(row) * s[i].most);
        fputc('\n', g->data);
    }
}

static void write_label(FILE *out, const char *text, double x, unsigned y, bool right)
{
    fputs("set label ", out);
    gnuplot_quote(out, text);
    fprintf(out, " at first %.6g, first %u %s offset %s0.5,0 noenhanced font ',9'\n", x, y, right ? "left" : "right",
            right ? "" : "-");
}

static void write_names(struct gnuplot *g, const struct row *row, const struct swing *s, unsigned bars)
{
    fputs("set ytics noenhanced scale 0 (", g->script);
    for (unsigned i = 0; i < bars; i++) {
        char text[NAME];
        snprintf(text, sizeof text, "%.50s (%.50s)", s[i].of->key, s[i].of->value);
        fputs(i ? ", " : "", g->script);
        gnuplot_quote(g->script, text);
        fprintf(g->script, " %u", bars - i);
    }
    fputs(")\n", g->script);
    for (unsigned i = 0; i < bars; i++) {
        write_label(g->script, swing_value(&s[i], s[i].low, true), scale(row) * s[i].least, bars - i, false);
        write_label(g->script, swing_value(&s[i], s[i].high, true), scale(row) * s[i].most, bars - i, true);
    }
}

/* A tenth of the range on both sides is for the values' labels. */
static void write_range(struct gnuplot *g, const struct row *row, const struct swing *s, unsigned bars, double own)
{
    double low = own, high = own;
    for (unsigned i = 0; i < bars; i++) {
        low = fmin(low, scale(row) * s[i].least);
        high = fmax(high, scale(row) * s[i].most);
    }
    const double room = high > low ? (high - low) / 8 : fabs(own) / 8 + 1;
    fprintf(g->script, "set xrange [%.6g:%.6g]\nset yrange [0.4:%u.6]\n", low - room, high + room, bars);
    fprintf(g->script, "set arrow from first %.6g, graph 0 to first %.6g, graph 1 nohead lc rgb 'black'\n", own, own);
}

/* A quick subset has fewer workloads than the row says. */
static void title_of(const struct reproduce_row *row, char *title, size_t size)
{
    char on[40] = "";
    if (row->once.workload_count > 1)
        snprintf(on, sizeof on, "; here on %u workloads", row->once.workload_count);
    snprintf(title, size, "%.100s (paper: %.40s%s)", row->row->what, row->row->paper, on);
}

static void write_script(struct gnuplot *g, const struct reproduce_row *of, const struct swing *s, unsigned bars,
                         double own)
{
    const struct row *row = of->row;
    char title[NAME * 2];
    title_of(of, title, sizeof title);
    fputs("set datafile separator tab\nset datafile missing '?'\nset grid xtics\nunset key\n"
          "set style fill solid 0.8 border lc rgb 'black'\nset title ",
          g->script);
    gnuplot_quote(g->script, title);
    fprintf(g->script, " noenhanced\nset xlabel '%s'\n", scale(row) > 1 ? "percent" : "value");
    write_names(g, row, s, bars);
    write_range(g, row, s, bars, own);
    for (int png = 0; png < 2; png++) {
        const char *type = png ? "png" : "svg";
        fprintf(g->script, "set terminal %s size %d,%u\nset output ", type, WIDTH, AROUND + BAR_HEIGHT * bars);
        gnuplot_file(g->script, type);
        fputs("\nplot ", g->script);
        gnuplot_file(g->script, "dat");
        fprintf(g->script, " using 3:2:3:4:($2-0.35):($2+0.35) with boxxyerror lc rgb '%s' notitle\n",
                gnuplot_colours[0]);
    }
}

static void name_of(const struct assumptions *a, unsigned row, char *text)
{
    snprintf(text, NAME, "%.40s-assumptions-%.60s", a->reproduction.study.name, a->reproduction.rows[row].row->id);
}

static int draw_row(const struct assumptions *a, unsigned row, const char *dir, struct mh_error *err)
{
    const struct row *r = a->reproduction.rows[row].row;
    struct gnuplot g;
    struct outcome own;
    unsigned count;
    char name[NAME];
    outcome_of(&a->reproduction.rows[row], &own);
    struct swing *s = swings_of(a, row, &count);
    const unsigned bars = own.verdict == VERDICT_NOT_RUN ? 0 : bars_of(s, count);
    int status = bars ? gnuplot_open(&g, err) : 0;
    if (bars && !status) {
        name_of(a, row, name);
        write_data(&g, r, s, bars);
        write_script(&g, &a->reproduction.rows[row], s, bars, scale(r) * own.summary.value);
        status = gnuplot_finish(&g, dir, name, err);
    }
    free(s);
    return status;
}

int tornado_write(const struct assumptions *a, const char *dir, struct mh_error *err)
{
    for (unsigned r = 0; r < a->reproduction.row_count; r++)
        if (draw_row(a, r, dir, err))
            return -1;
    return 0;
}

/* `dir` as somebody in the file's folder names it; NULL: it is not below that. */
static const char *below_folder(const char *markdown, const char *dir)
{
    const char *slash = strrchr(markdown, '/');
    const size_t length = slash ? (size_t)(slash - markdown) : 0;
    if (!slash)
        return *dir == '/' ? NULL : dir;
    if (strncmp(dir, markdown, length) || (dir[length] && dir[length] != '/'))
        return NULL;
    return dir + length + strspn(dir + length, "/");
}

/* What has a meaning in a link is a number there. */
static void put_link(FILE *out, const char *path)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~+,@=/";
    for (; *path; path++)
        fprintf(out, strchr(plain, *path) ? "%c" : "%%%02X", (unsigned char)*path);
}

void tornado_link(const struct assumptions *a, unsigned row, const char *markdown, const char *dir, FILE *out)
{
    char name[NAME];
    unsigned count;
    const char *from = dir ? below_folder(markdown, dir) : NULL;
    struct swing *s = swings_of(a, row, &count);
    name_of(a, row, name);
    if (from && bars_of(s, count)) {
        fputs("![", out);
        markdown_write(out, MARKDOWN_TEXT, a->reproduction.rows[row].row->what);
        fputs("](", out);
        put_link(out, from);
        fputs(*from ? "/" : "", out);
        put_link(out, name);
        fputs(".svg)\n\n", out);
    }
    free(s);
}
