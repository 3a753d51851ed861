#include <string.h>

#include "base/gnuplot.h"
#include "explain.h"
#include "run/setup.h"
#include "stack.h"

/* Instructions at the bottom, then the way to memory; parts that nobody has are left out. */
static const char *const colours[STACK_PARTS] = {"#009E73", "#999999", "#bbbbbb", "#56B4E9", "#0072B2",
                                                 "#003f72", "#CC79A7", "#E69F00", "#F0E442", "#D55E00",
                                                 "#8b3a00", "#555555", "#333333", "#dddddd", "#eeeeee"};

static bool is_there(const struct explain_run *runs, unsigned count, unsigned part)
{
    for (uint32_t t = 0; t < runs->cfg->tenants_count; t++)
        for (unsigned i = 0; i < count; i++) {
            struct stack s;
            stack_of(runs[i].cfg, runs[i].stats, t, &s);
            if (s.part[part] >= 0.005 * s.all)
                return true;
        }
    return false;
}

/* A name that is longer than there is room for lacks its middle. */
static void write_label(FILE *out, const char *kernel, const char *image)
{
    enum { MOST = 36, BEGIN = 18, END = MOST - BEGIN - 3 };
    char text[HOST_PATH];
    snprintf(text, sizeof text, "%s, %s", kernel, image);
    const size_t length = strlen(text);
    if (length > MOST) {
        memcpy(text + BEGIN, "...", 3);
        memmove(text + BEGIN + 3, text + length - END, END + 1);
    }
    gnuplot_cell(out, text);
}

static void write_data(struct gnuplot *g, const struct explain_run *runs, unsigned count)
{
    for (uint32_t t = 0; t < runs->cfg->tenants_count; t++)
        for (unsigned i = 0; i < count; i++) {
            struct stack s;
            stack_of(runs[i].cfg, runs[i].stats, t, &s);
            fputc('"', g->data);
            write_label(g->data, setup_kernel_name(&runs[i].cfg->tenants[t]), runs[i].image);
            fputc('"', g->data);
            for (unsigned p = 0; p < STACK_PARTS; p++)
                gnuplot_value(g, s.part[p]);
            fputc('\n', g->data);
        }
}

static void write_plot(struct gnuplot *g, const struct explain_run *runs, unsigned count)
{
    const char *lead = "plot ";
    for (unsigned p = 0; p < STACK_PARTS; p++) {
        if (!is_there(runs, count, p))
            continue;
        fputs(lead, g->script);
        gnuplot_file(g->script, "dat");
        fprintf(g->script, " using %u:xtic(1) title '%s' linecolor rgb '%s'", p + 2, stack_name(p), colours[p]);
        lead = ", \\\n     ";
    }
    fputc('\n', g->script);
}

static void write_script(struct gnuplot *g, const struct explain_run *runs, unsigned count)
{
    static const char head[] =
        "set datafile separator '\\t'\nset datafile missing '?'\nset style data histograms\n"
        "set style histogram rowstacked\nset style fill solid 0.9\nset boxwidth 0.7\n"
        "set ylabel 'SM cycles per warp instruction'\nset key outside right reverse Left invert\n"
        "set xtics rotate by -20 nomirror noenhanced\nset yrange [0:*]\nset grid ytics\n";
    fputs(head, g->script);
    for (unsigned png = 0; png < 2; png++) {
        const char *type = png ? "png" : "svg";
        fprintf(g->script, "set terminal %s size 960,480%s\nset output ", type, png ? "" : " background rgb 'white'");
        gnuplot_file(g->script, type);
        fputc('\n', g->script);
        write_plot(g, runs, count);
    }
}

int explain_draw(const struct explain_run *runs, unsigned count, const char *dir, const char *name,
                 struct mh_error *err)
{
    struct gnuplot g;
    if (gnuplot_open(&g, err))
        return -1;
    write_data(&g, runs, count);
    write_script(&g, runs, count);
    return gnuplot_finish(&g, dir, name, err);
}
