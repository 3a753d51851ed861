#include "search_plot.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "base/gnuplot.h"
#include "best.h"
#include "run/setup.h"

/* Columns: CTAs of both, the metric. Combinations without a value leave a hole. */
static unsigned data(struct gnuplot *g, const struct search *s, const struct search_workload *w, double *least,
                     double *most)
{
    unsigned drawn = 0;
    *least = INFINITY, *most = -INFINITY;
    for (unsigned i = 0; i < w->all.count; i++) {
        double v = search_value(s, w, (int)i, s->request->metric).mean;
        if (isnan(v))
            continue;
        fprintf(g->data, "%u\t%u", w->all.ctas[i][0], w->all.ctas[i][1]);
        gnuplot_value(g, v);
        fputc('\n', g->data);
        *least = fmin(*least, v);
        *most = fmax(*most, v);
        drawn++;
    }
    return drawn;
}

static void say_text(FILE *out, const char *format, ...)
{
    char text[SEARCH_NAME + 200];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    gnuplot_quote(out, text);
    fputs(" noenhanced\n", out);
}

static void script(struct gnuplot *g, const struct search *s, const struct search_workload *w)
{
    const uint8_t *best = w->all.ctas[search_best(s, w, s->request->metric)];
    fprintf(g->script,
            "set datafile separator tab\nunset key\nset style fill solid noborder\nset palette defined (0 '#f7fbff', "
            "0.5 '#6baed6', 1 '#08306b')\nset xrange [0.5:%u.5]\nset yrange [0.5:%u.5]\nset tics out nomirror\n"
            "set cblabel '%s'\n",
            combinations_highest(&w->all, 0), combinations_highest(&w->all, 1),
            search_metrics[s->request->metric].title);
    for (unsigned t = 0; t < 2; t++) {
        fprintf(g->script, "set %clabel ", "xy"[t]);
        say_text(g->script, "CTAs of %s on an SM", setup_kernel_name(&search_config(w)->tenants[t]));
    }
    fputs("set title ", g->script);
    say_text(g->script, "%s on %s, %s: best %u + %u", w->name, s->request->preset,
             s->request->spatial ? "SMs split" : "SMs shared", best[0], best[1]);
    for (int png = 0; png < 2; png++) {
        const char *type = png ? "png" : "svg";
        fprintf(g->script, "set terminal %s size 720,560\nset output ", type);
        gnuplot_file(g->script, type);
        fputs("\nplot ", g->script);
        gnuplot_file(g->script, "dat");
        fprintf(g->script,
                " using 1:2:($1-0.5):($1+0.5):($2-0.5):($2+0.5):3 with boxxyerror lc palette notitle, '-' using "
                "1:2 with points pt 4 ps 2 lw 2 lc rgb 'red'\n%u\t%u\ne\n",
                best[0], best[1]);
    }
}

/* Equal values leave gnuplot no range of colours. */
static void colours(struct gnuplot *g, double least, double most)
{
    double margin = fmax(0.01 * fabs(most), 0.01);
    if (most - least <= 1e-5 * fabs(most))
        fprintf(g->script, "set cbrange [%.6g:%.6g]\n", least - margin, most + margin);
}

/* A workload's name is the start of files' names. */
static void file_name(const struct search *s, const struct search_workload *w, char *text, size_t size)
{
    snprintf(text, size, "search-%s%s", s->request->spatial ? "spatial-" : "", w->name);
    for (char *c = text; *c; c++)
        if (strchr("/:@' \\\"", *c))
            *c = '-';
}

static int plot_one(const struct search *s, const struct search_workload *w, const char *dir, struct mh_error *err)
{
    struct gnuplot g;
    double least, most;
    char name[SEARCH_NAME + 20];
    if (gnuplot_open(&g, err))
        return -1;
    if (!data(&g, s, w, &least, &most)) {
        fprintf(stderr, "memhelm: %s: no combination has a result yet, no figure\n", w->name);
        gnuplot_drop(&g);
        return 0;
    }
    file_name(s, w, name, sizeof name);
    colours(&g, least, most);
    script(&g, s, w);
    return gnuplot_finish(&g, dir, name, err);
}

int search_plot(const struct search *s, const char *dir, struct mh_error *err)
{
    for (unsigned i = 0; i < s->request->workload_count; i++) {
        const struct search_workload *w = &s->workloads[i];
        if (w->tenants != 2)
            fprintf(stderr, "memhelm: %s: a heat map is of two kernels, no figure\n", w->name);
        else if (plot_one(s, w, dir, err))
            return -1;
    }
    return 0;
}
