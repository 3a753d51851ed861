#include "sensitivity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/figure.h"
#include "base/escape.h"
#include "base/words.h"

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

/* Bars as they are drawn. */
struct tornado {
    const struct row *row;
    const struct swing *s;
    unsigned bars;
    double own, reach; /* what the row has; how far from it bars are drawn */
};

static double way(const struct tornado *t, unsigned bar)
{
    return fmax(fabs(scale(t->row) * t->s[bar].least - t->own), fabs(scale(t->row) * t->s[bar].most - t->own));
}

/* One or two values that change all would leave no room for the others: three times the third longest bar. */
static void measure_reach(struct tornado *t)
{
    double longest[3] = {0, 0, 0};

    for (unsigned i = 0; i < t->bars; i++) {
        double d = way(t, i);
        for (unsigned k = 0; k < 3; k++)
            if (d > longest[k]) {
                const double shorter = longest[k];
                longest[k] = d;
                d = shorter;
            }
    }
    t->reach = t->bars > 2 ? 3 * longest[2] : longest[0];
}

static double cut(const struct tornado *t, double v)
{
    return fmin(fmax(scale(t->row) * v, t->own - t->reach), t->own + t->reach);
}

/* The first bar is on top. */
static unsigned write_data(struct figure *f, const struct tornado *t)
{
    const unsigned block = figure_block(f, "bars");

    for (unsigned i = 0; i < t->bars; i++) {
        figure_row(f, t->s[i].of->key);
        figure_values(f, 3, (const double[]){t->bars - i, cut(t, t->s[i].least), cut(t, t->s[i].most)});
    }
    figure_block_end(f);
    return block;
}

/* The key's tick has the preset's value, so that its end of the bar has no label. A cut bar's label has its value. */
static void write_label(struct figure *f, const struct tornado *t, unsigned bar, bool right)
{
    const struct swing *s = &t->s[bar];
    const double v = right ? s->most : s->least, x = cut(t, v);
    const unsigned y = t->bars - bar;
    char place[120], text[NAME];

    snprintf(text, sizeof text, "%.80s", swing_value(s, right ? s->high : s->low, true));
    if (!strcmp(text, s->of->value))
        return;
    if (x != scale(t->row) * v)
        text_add(text, sizeof text, "", ": %.4g", scale(t->row) * v);

    snprintf(place, sizeof place, " at first %.6g, first %u %s offset %s0.5,0 noenhanced font ',9'", x, y,
             right ? "left" : "right", right ? "" : "-");
    figure_quoted(f, "set label ", text, place);
}

static void write_names(struct figure *f, const struct tornado *t)
{
    const struct swing *s = t->s;
    const unsigned bars = t->bars;
    char text[NAME];

    figure_ticks(f, "y", "scale 0");
    for (unsigned i = 0; i < bars; i++) {
        snprintf(text, sizeof text, "%.50s (%.50s)", s[i].of->key, s[i].of->value);
        figure_tick(f, text, bars - i);
    }
    figure_ticks_end(f);
    for (unsigned i = 0; i < bars; i++) {
        write_label(f, t, i, false);
        write_label(f, t, i, true);
    }
}

/* A seventh of the range on both sides is for the values' labels. */
static void write_range(struct figure *f, const struct tornado *t)
{
    const double own = t->own;
    double low = own, high = own;

    for (unsigned i = 0; i < t->bars; i++) {
        low = fmin(low, cut(t, t->s[i].least));
        high = fmax(high, cut(t, t->s[i].most));
    }
    const double room = high > low ? (high - low) / 5 : fabs(own) / 8 + 1;
    figure_line(f, "set xrange [%.6g:%.6g]\nset yrange [0.4:%u.6]", low - room, high + room, t->bars);
    figure_line(f, "set arrow from first %.6g, graph 0 to first %.6g, graph 1 nohead lc rgb 'black'", own, own);
}

/* A quick subset has fewer workloads than the row says. */
static void title_of(const struct reproduce_row *row, char *title, size_t size)
{
    char on[40] = "";
    if (row->once.workload_count > 1)
        snprintf(on, sizeof on, "; here on %u workloads", row->once.workload_count);
    snprintf(title, size, "%.100s (paper: %.40s%s)", row->row->what, row->row->paper, on);
}

static void draw_bars(struct figure *f, const struct reproduce_row *of, const struct swing *s, unsigned bars,
                      double own)
{
    struct tornado t = {of->row, s, bars, own, 0};
    char title[NAME * 2];

    measure_reach(&t);
    const unsigned block = write_data(f, &t);

    title_of(of, title, sizeof title);
    figure_line(f, "set grid xtics\nunset key\nset style fill solid 0.8 border lc rgb 'black'\nset xlabel '%s'",
                scale(t.row) > 1 ? "percent" : "value");
    figure_quoted(f, "set title ", title, " noenhanced");
    write_names(f, &t);
    write_range(f, &t);
    figure_layer(f, block, "3:2:3:4:($2-0.35):($2+0.35) with boxxyerror", gnuplot_colours[0], NULL);
    figure_panel_end(f);
}

static void name_of(const struct sensitivity *a, unsigned row, char *text)
{
    snprintf(text, NAME, "%.40s-sensitivity-%.60s", a->reproduction.study.name, a->reproduction.rows[row].row->id);
}

static int draw_row(const struct sensitivity *a, unsigned row, const char *dir, struct mh_error *err)
{
    const struct row *r = a->reproduction.rows[row].row;
    struct figure f;
    int status = 0;
    struct outcome own;
    unsigned count;
    char name[NAME];
    outcome_of(&a->reproduction.rows[row], &own);
    struct swing *s = swings_of(a, row, &count);
    const unsigned bars = own.verdict == VERDICT_NOT_RUN ? 0 : bars_of(s, count);
    if (bars) {
        name_of(a, row, name);
        figure_open(&f, "key\tplace\tleast\tmost");
        f.width = WIDTH;
        f.height = AROUND + BAR_HEIGHT * bars;
        draw_bars(&f, &a->reproduction.rows[row], s, bars, scale(r) * own.summary.value);
        status = figure_finish(&f, dir, name, err);
    }
    free(s);
    return status;
}

int tornado_write(const struct sensitivity *a, const char *dir, struct mh_error *err)
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

void tornado_link(const struct sensitivity *a, unsigned row, const char *markdown, const char *dir, FILE *out)
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
