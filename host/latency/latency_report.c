#include "latency_report.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "provenance.h"
#include "table.h"
#include "values.h"

struct output {
    FILE *file;
    bool markdown;
};

static void finish_table(struct output *o, struct table *t)
{
    if (o->markdown)
        table_markdown(t, o->file);
    else
        table_print(t, o->file);
    free(t);
}

static void signed_percent(struct table *t, double v)
{
    if (isnan(v))
        table_text(t, "-");
    else
        table_text(t, "%+.1f %%", 100 * v);
}

/* --- The table of an image. */

static void heading(struct table *t, const struct latency_image *image)
{
    char name[64];
    table_row(t);
    table_text(t, "decided");
    for (unsigned w = 0; w < image->workload_count; w++) {
        latency_workload_name(image, w, name, sizeof name);
        table_text(t, w < image->gaining ? "%s" : "(%s)", name);
    }
    table_text(t, "gain");
    table_text(t, "kept");
    table_text(t, "fairness");
    table_text(t, "answer");
    table_text(t, "longest");
    table_text(t, "missed");
    table_text(t, "awake");
}

static void core_cells(struct table *t, const struct latency_row *row)
{
    if (isnan(row->awake)) /* no firmware */
        return;
    table_number(t, row->answer_mean, 0);
    if (isnan(row->answer_mean))
        table_text(t, "-");
    else
        table_text(t, "%" PRIu64, row->answer_max);
    table_percent(t, row->raised ? (double)row->missed / (double)row->raised : (double)NAN);
    table_percent(t, row->awake);
    table_text(t, "%s", row->bites ? "the watchdog would bite" : "");
}

static void row_cells(struct table *t, const struct latency *l, const struct latency_image *image, unsigned point,
                      const struct latency_summary *s)
{
    struct latency_row row;
    char name[32];
    bool none = latency_points[point].kind == POINT_NO_POLICY;
    latency_row(l, image, point, &row);
    point_name(point, name, sizeof name);
    table_row(t);
    table_text(t, "%s", name);
    for (unsigned w = 0; w < image->workload_count; w++)
        signed_percent(t, none ? (double)NAN : row.gains[w]);
    signed_percent(t, none ? (double)NAN : row.gain);
    table_percent(t, s->verdict == GAIN_REAL && !none ? row.kept : (double)NAN);
    table_number(t, row.fairness, 3);
    core_cells(t, &row);
}

/* --- In words. */

static void say_clock(int keeping, char *text, size_t size)
{
    if (keeping < 0)
        snprintf(text, size, "runs are missing");
    else if (!keeping)
        snprintf(text, size, "not even 2 GHz");
    else
        point_name(POINTS_FIRST_CLOCK + (unsigned)keeping - 1, text, size);
}

static void say_bus(int keeping, char *text, size_t size)
{
    if (keeping < 0)
        snprintf(text, size, "runs are missing");
    else if (!keeping)
        snprintf(text, size, "not even 5");
    else
        snprintf(text, size, "%u", latency_points[POINTS_FIRST_BUS + keeping - 1].bus);
}

/* The knee beyond noise, where it is another. */
static bool say_beyond(int keeping, int lenient, void (*say)(int keeping, char *text, size_t size), FILE *out)
{
    char text[32];
    if (keeping < 0 || lenient <= keeping)
        return false;
    say(lenient, text, sizeof text);
    fprintf(out, " (%s if a loss within noise is none)", text);
    return true;
}

static void say_knee(const struct latency_summary *s, unsigned seeds, FILE *out)
{
    char clock[32], bus[32];
    say_clock(s->clock, clock, sizeof clock);
    say_bus(s->bus, bus, sizeof bus);
    if (s->clock > 0)
        fprintf(out, "Knee: %s is the slowest core that keeps %.0f %% of the gain, as all faster ones do", clock,
                100 * KNEE_KEEPS);
    else if (!s->clock)
        fprintf(out, "Knee: none, %s keeps %.0f %% of the gain", clock, 100 * KNEE_KEEPS);
    else
        fprintf(out, "Knee: not known, %s", clock);
    bool noisy = say_beyond(s->clock, s->clock_noise, say_clock, out);
    fprintf(out, ".\nLongest bus latency that keeps it at %d MHz: %s", POINTS_HZ / 1000000, bus);
    noisy |= say_beyond(s->bus, s->bus_noise, say_bus, out);
    fputs(".\n", out);
    if (noisy && seeds < LATENCY_NOISE_SEEDS)
        fprintf(out, "What is lost on the way is less than noise: --seeds %d tells more.\n", LATENCY_NOISE_SEEDS);
}

static void say_verdict(const struct latency *l, const struct latency_summary *s, FILE *out)
{
    if (s->verdict == GAIN_UNKNOWN) {
        fputs("Knee: not known, runs are missing.\n", out);
        return;
    }
    fprintf(out, "Gain in no time, seeds 1-%u: mean %+.1f %%, spread (noise) %.1f %%. ", l->noise_seeds, 100 * s->gain,
            100 * s->noise);
    if (s->verdict == GAIN_REAL)
        say_knee(s, l->request->seeds, out);
    else
        fprintf(out, "No knee: %s.\n",
                s->verdict == GAIN_NOISE ? "the gain is within noise" : "the policy loses, there is no gain to keep");
}

static void report_image(const struct latency *l, const struct latency_image *image, struct output *o)
{
    struct latency_summary s;
    struct table *t = table_new();
    latency_summarise(l, image, &s);
    fprintf(o->file, "%s%s: preset %s, core %s, %" PRIu64 " GPU cycles, seed%s 1", o->markdown ? "## " : "",
            latency_image_name(image), image->how.preset, image->core, image->how.cycles,
            l->request->seeds > 1 ? "s" : "");
    if (l->request->seeds > 1)
        fprintf(o->file, "-%u", l->request->seeds);
    fputs(o->markdown ? "\n\n" : "\n", o->file);
    heading(t, image);
    for (unsigned point = 0; point < POINTS; point++)
        row_cells(t, l, image, point, &s);
    finish_table(o, t);
    fputs(o->markdown ? "\n" : "", o->file);
    say_verdict(l, &s, o->file);
    fputc('\n', o->file);
}

/* --- All images. */

static void summary_cells(struct table *t, const struct latency *l, const struct latency_image *image)
{
    static const char *const words[] = {
        [GAIN_UNKNOWN] = "runs are missing", [GAIN_NOISE] = "none: within noise", [GAIN_LOSS] = "none: it loses"};
    struct latency_summary s;
    char text[32];
    latency_summarise(l, image, &s);
    table_row(t);
    table_text(t, "%s", latency_image_name(image));
    table_text(t, "%s", image->how.preset);
    table_text(t, "%s", image->core);
    signed_percent(t, s.gain);
    table_percent(t, isfinite(s.noise) ? s.noise : (double)NAN);
    if (s.verdict != GAIN_REAL) {
        table_text(t, "%s", words[s.verdict]);
        return;
    }
    say_clock(s.clock, text, sizeof text);
    table_text(t, "%s", text);
    say_clock(s.clock_noise, text, sizeof text);
    table_text(t, "%s", text);
    say_bus(s.bus, text, sizeof text);
    table_text(t, "%s", text);
    say_bus(s.bus_noise, text, sizeof text);
    table_text(t, "%s", text);
}

static void report_summary(const struct latency *l, struct output *o)
{
    static const char *const headings[] = {"image", "preset",       "core", "gain",        "noise",
                                           "knee",  "beyond noise", "bus",  "beyond noise"};
    struct table *t = table_new();
    table_row(t);
    for (size_t i = 0; i < sizeof headings / sizeof *headings; i++)
        table_text(t, "%s", headings[i]);
    for (unsigned i = 0; i < l->image_count; i++)
        summary_cells(t, l, &l->images[i]);
    finish_table(o, t);
}

static void report(const struct latency *l, struct output *o)
{
    if (o->markdown)
        provenance_say(o->file);
    fputs("Gain in weighted speedup over no policy, by where decisions are made. Gain: geometric mean; a workload in "
          "brackets\nhas nothing to gain and is not in it. Answer, longest: GPU cycles from question to answer. "
          "Missed: of all questions.\n",
          o->file);
    if (!l->request->workload_count && !l->request->reference)
        fputs("Workloads are those of the papers' lists in which the policy gained most with seed 1: what is kept of a "
              "large gain,\nnot the gain of a mean workload.\n",
              o->file);
    fputc('\n', o->file);
    for (unsigned i = 0; i < l->image_count; i++)
        report_image(l, &l->images[i], o);
    if (l->image_count > 1)
        report_summary(l, o);
}

void latency_report(const struct latency *l, FILE *out)
{
    report(l, &(struct output){.file = out});
}

int latency_report_markdown(const struct latency *l, const char *path, struct mh_error *err)
{
    char *text = NULL;
    size_t length = 0;
    FILE *f = open_memstream(&text, &length);
    if (!f)
        return mh_fail(err, "out of memory");
    report(l, &(struct output){.file = f, .markdown = true});
    fclose(f);
    int status = write_file(path, text, length, err);
    free(text);
    return status;
}
