#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/figure.h"
#include "base/number.h"
#include "base/memory.h"
#include "run/setup.h"
#include "report.h"

#define AT(member) offsetof(struct metrics, member)

static double number_at(const struct metrics *m, size_t at)
{
    return *(const double *)(const void *)((const char *)m + at);
}

/* --- CSV: a row per image and seed. */

static const struct {
    const char *name;
    size_t at;
} of_all[] = {
    {"weighted_speedup", AT(weighted_speedup)},
    {"harmonic_speedup", AT(harmonic_speedup)},
    {"max_slowdown", AT(maximum_slowdown)},
    {"fairness", AT(fairness)},
    {"l2tlb_hit_rate", AT(all.l2tlb_hit)},
    {"walk_latency", AT(all.walk_latency)},
    {"dram_gbs", AT(all.dram_gbs)},
    {"dram_share", AT(all.dram_share)},
    {"noc_share", AT(all.noc_share)},
    {"decision_latency", AT(decision_latency)},
};
enum { OF_ALL = sizeof of_all / sizeof *of_all };

static void csv_heading(const struct experiment *x, struct table *t)
{
    table_heading(t, "image|seed");
    for (unsigned c = 0; c < OF_ALL; c++)
        table_text(t, "%s", of_all[c].name);
    for (uint32_t i = 0; i < x->cfg.tenants_count; i++) {
        table_text(t, "kernel[%u]", i);
        table_text(t, "ipc[%u]", i);
        table_text(t, "ipc_alone[%u]", i);
        table_text(t, "speedup[%u]", i);
    }
}

static void csv_row(const struct experiment *x, unsigned image, struct table *t)
{
    struct metrics m;
    const bool good = experiment_metrics(x, image, &m);
    table_row(t);
    table_text(t, "%s", x->images[image]->name);
    table_text(t, "%" PRIu64, x->cfg.run.seed);
    for (unsigned c = 0; c < OF_ALL; c++)
        table_exact(t, good ? number_at(&m, of_all[c].at) : (double)NAN);
    for (uint32_t i = 0; i < x->cfg.tenants_count; i++) {
        table_text(t, "%s", setup_kernel_name(&x->cfg.tenants[i]));
        table_exact(t, good ? m.tenant[i].ipc : (double)NAN);
        table_exact(t, good ? m.tenant[i].ipc_alone : (double)NAN);
        table_exact(t, good ? m.tenant[i].speedup : (double)NAN);
    }
}

void report_compare_csv(const struct experiment *x, FILE *out)
{
    const struct doc d = {out, DOC_CSV, 0};
    struct table *t = doc_table_new(&d);
    csv_heading(x, t);
    for (unsigned n = 0; n < x->seeds * x->options->image_count; n++)
        csv_row(&x[n % x->seeds], n / x->seeds, t);
    doc_table_bare(&d, t);
}

/* --- The figure: a group of bars for the weighted speedup and for each tenant's IPC, in parts of the first image's. */

enum { GROUP_TENANT = 1 /* after the weighted speedup, which one tenant does not have */ };

static double of_group(const struct metrics *m, unsigned group)
{
    return group < GROUP_TENANT ? m->weighted_speedup : m->tenant[group - GROUP_TENANT].ipc;
}

/* Ratios to the first image, paired by seed. */
static struct interval ratio_of(const struct experiment *x, unsigned image, unsigned group)
{
    double *ratio = must_have(x->seeds, sizeof *ratio);
    for (unsigned k = 0; k < x->seeds; k++) {
        struct metrics first, own;
        ratio[k] = experiment_metrics(&x[k], 0, &first) && experiment_metrics(&x[k], image, &own)
                       ? metrics_ratio(of_group(&own, group), of_group(&first, group))
                       : (double)NAN;
    }
    const struct interval v = interval_of(ratio, x->seeds);
    free(ratio);
    return v;
}

static unsigned first_group(const struct experiment *x)
{
    return x->cfg.tenants_count == 1 || !x->with_alone ? GROUP_TENANT : 0;
}

static void draw_image(struct figure *f, const struct experiment *x, unsigned image)
{
    const unsigned bars = x->options->image_count - 1;
    const double width = 0.8 / bars;
    const char *colour = gnuplot_colours[(image - 1) % GNUPLOT_COLOURS];
    const unsigned block = figure_block(f, "%s", x->images[image]->name);
    for (unsigned g = first_group(x); g < GROUP_TENANT + x->cfg.tenants_count; g++) {
        const struct interval v = ratio_of(x, image, g);
        const double half = isnan(v.half) ? 0 : v.half;
        figure_row_at(f, g + width * (image - 1 - (bars - 1) / 2.0));
        figure_values(f, 3, (const double[]){v.mean, v.mean - half, v.mean + half});
    }
    figure_block_end(f);
    figure_layer(f, block, "1:2 with boxes", colour, x->images[image]->name);
    if (x->seeds > 1)
        figure_layer(f, block, "1:3:(0):($4-$3) with vectors heads size screen 0.006,90 nofilled lw 1.5", "black",
                     NULL);
}

static void draw_axes(struct figure *f, const struct experiment *x, unsigned columns)
{
    char name[80];
    figure_ticks(f, "x", columns == 1 ? "rotate by 45 right" : "");
    if (!first_group(x))
        figure_tick(f, "weighted speedup", 0);
    for (uint32_t t = 0; t < x->cfg.tenants_count; t++) {
        snprintf(name, sizeof name, "IPC of %.60s", setup_kernel_name(&x->cfg.tenants[t]));
        figure_tick(f, name, GROUP_TENANT + t);
    }
    figure_ticks_end(f);
    figure_line(f, "set xrange [%g:%g]\nset yrange [0:*]\nset grid y\nset style fill solid 0.85 border lc rgb 'black'",
                first_group(x) - 0.6, x->cfg.tenants_count + 0.6);
    figure_line(f, "set boxwidth %.6g absolute", 0.8 / (x->options->image_count - 1));
    figure_quoted(f, "set ylabel ", x->images[0]->name, ".\" = 1\" noenhanced");
}

int report_compare_plot(const struct experiment *x, unsigned columns, const char *path, struct mh_error *err)
{
    char dir[HOST_PATH], name[HOST_PATH], title[600], workload[400], note[80] = "";
    struct figure f;
    if (gnuplot_place("--plot", path, dir, name, err))
        return -1;
    figure_open(&f, "place, value of the first image's, 95 % interval");
    f.width = columns ? figure_paper_width(columns) : 720;
    f.height = columns ? 275 : 480;
    report_workload(&x->cfg, " + ", workload, sizeof workload);
    snprintf(title, sizeof title, "%s on %s, GPU cycles %" PRIu64 " to %" PRIu64, workload, x->cfg.preset,
             x->cfg.run.warmup, x->cfg.run.cycles);
    if (x->seeds > 1)
        snprintf(note, sizeof note, "seeds %u-%u, mean and 95 %% interval", x->options->seed_first,
                 x->options->seed_last);
    figure_title(&f, columns ? "" : title, columns ? "" : note, 1);
    figure_edges(&f, columns ? 84 : 80, f.width - 14,
                 columns ? 30
                 : *note ? 90
                         : 72,
                 f.height - (columns == 1 ? 105 : 40));
    draw_axes(&f, x, columns);
    figure_constant(&f, "1 with lines dt 2 lc rgb 'black' notitle");
    for (unsigned i = 1; i < x->options->image_count; i++)
        draw_image(&f, x, i);
    figure_panel_end(&f);
    return figure_finish(&f, dir, name, err);
}
