#include "latency_report.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/markdown.h"
#include "latency_words.h"
#include "base/provenance.h"
#include "measured.h"

/* --- The table of an image. */

static void heading(struct table *t, const struct latency *l, const struct latency_image *image)
{
    char name[WORDS];
    table_row(t);
    table_text(t, "decided");
    for (unsigned w = 0; w < image->workload_count; w++) {
        words_workload(l, image, w, name);
        table_text(t, "%s", name);
    }
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
    char text[WORDS];
    latency_row(l, image, point, &row);
    point_name(point, text, sizeof text);
    table_row(t);
    table_text(t, "%s", text);
    for (unsigned w = 0; w < image->workload_count; w++) {
        const struct latency_losses *losses = &s->workloads[w];
        if (latency_points[point].kind == POINT_NO_TIME)
            words_interval(&losses->gain[point], true, text);
        else if (latency_points[point].kind == POINT_NO_POLICY)
            snprintf(text, sizeof text, "-");
        else
            words_loss(losses, point, text);
        table_text(t, "%s", text);
    }
    table_number(t, row.fairness, 3);
    core_cells(t, &row);
}

/* A mark where "no loss shown" is a part of it. */
static void knee_cell(struct table *t, const struct latency_losses *losses, const struct knee *k,
                      void (*words)(int keeping, char text[WORDS]))
{
    static const char *const none[] = {[GAIN_UNKNOWN] = "runs are missing",
                                       [GAIN_ONE_SEED] = "-",
                                       [GAIN_NONE] = "nothing to gain",
                                       [GAIN_LOSS] = "it loses"};
    char text[WORDS];
    if (losses->verdict != GAIN_REAL) {
        table_text(t, "%s", none[losses->verdict]);
        return;
    }
    words(k->knee, text);
    table_text(t, "%s%s", text, k->kept < k->knee ? " ?" : "");
}

static void knee_rows(struct table *t, const struct latency_image *image, const struct latency_summary *s)
{
    table_row(t);
    table_text(t, "knee");
    for (unsigned w = 0; w < image->workload_count; w++)
        knee_cell(t, &s->workloads[w], &s->workloads[w].clock, words_clock);
    table_row(t);
    table_text(t, "longest bus");
    for (unsigned w = 0; w < image->workload_count; w++)
        knee_cell(t, &s->workloads[w], &s->workloads[w].bus, words_bus);
}

/* --- In words. */

/* Where "no loss shown" is a part of the answer: how far the gains are kept without it. */
static void say_kept(const struct knee *k, void (*words)(int keeping, char text[WORDS]), FILE *out)
{
    char text[WORDS];
    words(k->kept, text);
    if (k->kept < k->knee)
        fprintf(out, " (kept: %s; then no loss is shown)", text);
    fputs(".\n", out);
}

static void say_knee(const struct latency *l, const struct latency_image *image, const struct latency_summary *s,
                     const struct output *o)
{
    FILE *out = o->file;
    char clock[WORDS], bus[WORDS], worst[WORDS];
    words_clock(s->clock.knee, clock);
    words_bus(s->bus.knee, bus);
    words_workload(l, image, s->worst, worst);
    if (s->clock.knee > 0)
        markdown_print(out, o->markdown, "Knee: %s; worst workload: %s", clock, worst);
    else if (!s->clock.knee)
        markdown_print(out, o->markdown, "Knee: none, %s keeps the gain on %s", clock, worst);
    else
        fprintf(out, "Knee: not known, %s", clock);
    say_kept(&s->clock, words_clock, out);
    fprintf(out, "Longest bus latency at %d MHz: %s", POINTS_HZ / 1000000, bus);
    say_kept(&s->bus, words_bus, out);
}

static void say_losing(const struct latency *l, const struct latency_image *image, const struct latency_summary *s,
                       const struct output *o)
{
    char workload[WORDS], gain[WORDS];
    for (unsigned w = 0; w < image->workload_count; w++) {
        if (s->workloads[w].verdict != GAIN_LOSS)
            continue;
        words_workload(l, image, w, workload);
        words_interval(&s->workloads[w].gain[0], true, gain);
        markdown_print(o->file, o->markdown, "The policy itself loses on %s: %s in no time.", workload, gain);
        fputc('\n', o->file);
    }
}

static void say_verdict(const struct latency *l, const struct latency_image *image, const struct latency_summary *s,
                        const struct output *o)
{
    static const char *const none[] = {
        [GAIN_UNKNOWN] = "Knee: not known, runs are missing.",
        [GAIN_ONE_SEED] = "One seed has no interval: no verdict and no knee. Several (--seeds 1-5) have them.",
        [GAIN_NONE] = "No knee: nothing to gain. On no workload is there a gain in no time beyond its interval.",
        [GAIN_LOSS] = "No knee: nothing to gain."};
    if (s->verdict == GAIN_REAL)
        say_knee(l, image, s, o);
    else
        fprintf(o->file, "%s\n", none[s->verdict]);
    words_lost(l, image, s, "On", o);
    say_losing(l, image, s, o);
}

static void say_seeds(const struct latency *l, FILE *out)
{
    if (l->request->seeds > 1)
        fprintf(out, "seeds %u-%u", l->request->seed_first, l->request->seed_first + l->request->seeds - 1);
    else
        fprintf(out, "seed %u", l->request->seed_first);
}

static void report_image(const struct latency *l, const struct latency_image *image, const struct output *o)
{
    struct latency_summary s;
    struct table *t = table_new();
    latency_summarise(l, image, &s);
    fputs(o->markdown ? "## " : "", o->file);
    markdown_print(o->file, o->markdown, "%s: preset %s, core %s, %" PRIu64 " GPU cycles, ", latency_image_name(image),
                   image->how.preset, image->core, image->how.cycles);
    say_seeds(l, o->file);
    fputs(o->markdown ? "\n\n" : "\n", o->file);
    heading(t, l, image);
    for (unsigned point = 0; point < POINTS; point++)
        row_cells(t, l, image, point, &s);
    knee_rows(t, image, &s);
    words_table(o, t);
    fputs(o->markdown ? "\n" : "", o->file);
    say_verdict(l, image, &s, o);
    fputc('\n', o->file);
}

static void explain(const struct latency *l, FILE *out)
{
    fprintf(
        out,
        "Gain: weighted speedup over that of no policy with the same seed, less 1; a mean over seeds, +- half of its "
        "95 %% interval.\nKnee: the slowest mcu on which the gain is kept, or no loss is shown, as on all faster "
        "ones. Longest bus: likewise.\nAnswer, longest: GPU cycles from question to answer. Missed: of all "
        "questions. The row `no time` has the gain,\nthe rows below what is lost of it with the same seed:\n\n"
        "- no word: at most %.0f %% of the gain is lost, it is kept\n"
        "- `?`: more, but within its interval; no loss is shown\n"
        "- `unclear`: no loss beyond its interval, which is as wide as the gain\n"
        "- `lost`: more, and beyond its interval\n"
        "- `costs`: a loss beyond its interval where there is nothing to gain\n",
        100 * KNEE_LOSS);
    if (!l->request->workload_count && !l->request->reference)
        fputs(
            "\nWorkloads are those of the papers' lists in which the policy gained most with seed 1, and one in which\n"
            "it did not: what is kept of a large gain, not the gain of a mean workload.\n",
            out);
    fputc('\n', out);
}

/* On a terminal the end is what one sees; a file is read from its beginning. */
static void report(const struct latency *l, const struct output *o)
{
    bool many = l->image_count > 1;
    if (o->markdown)
        provenance_say(o->file);
    explain(l, o->file);
    if (many && o->markdown) {
        latency_all(l, o);
        fputc('\n', o->file);
    }
    for (unsigned i = 0; i < l->image_count; i++)
        report_image(l, &l->images[i], o);
    if (many && !o->markdown)
        latency_all(l, o);
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
