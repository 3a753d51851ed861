#include "latency.h"

#include <inttypes.h>
#include <math.h>

#include "base/hash.h"
#include "base/words.h"

/* --- The table of an image. */

static void heading(struct table *t, const struct latency *l, const struct latency_image *image)
{
    char name[WORDS];
    table_heading(t, "decided");
    for (unsigned w = 0; w < image->workload_count; w++) {
        latency_workload_name(l, image, w, name, sizeof name);
        table_text(t, "%s", name);
    }
    table_names(t, "fairness|answer|longest|missed|awake");
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
    table_heading(t, "knee");
    for (unsigned w = 0; w < image->workload_count; w++)
        knee_cell(t, &s->workloads[w], &s->workloads[w].clock, words_clock);
    table_heading(t, "longest bus");
    for (unsigned w = 0; w < image->workload_count; w++)
        knee_cell(t, &s->workloads[w], &s->workloads[w].bus, words_bus);
}

/* --- In words. */

/* Where "no loss shown" is a part of the answer: how far the gains are kept without it. */
static void kept_words(const struct knee *k, void (*words)(int keeping, char text[WORDS]), char text[2 * WORDS])
{
    char kept[WORDS];

    words(k->kept, kept);
    snprintf(text, 2 * WORDS, k->kept < k->knee ? " (kept: %s; then no loss is shown)" : "", kept);
}

static void say_knee(const struct latency *l, const struct latency_image *image, const struct latency_summary *s,
                     const struct doc *d)
{
    char clock[WORDS], bus[WORDS], worst[WORDS], kept[2 * WORDS];

    words_clock(s->clock.knee, clock);
    words_bus(s->bus.knee, bus);
    latency_workload_name(l, image, s->worst, worst, sizeof worst);
    kept_words(&s->clock, words_clock, kept);
    if (s->clock.knee > 0)
        doc_paragraph(d, "Knee: %s; worst workload: %s%s.", clock, worst, kept);
    else if (!s->clock.knee)
        doc_paragraph(d, "Knee: none, %s keeps the gain on %s%s.", clock, worst, kept);
    else
        doc_paragraph(d, "Knee: not known, %s%s.", clock, kept);
    kept_words(&s->bus, words_bus, kept);
    doc_paragraph(d, "Longest bus latency at %d MHz: %s%s.", POINTS_HZ / 1000000, bus, kept);
}

static unsigned say_losing(const struct latency *l, const struct latency_image *image, const struct latency_summary *s,
                           const struct doc *d)
{
    char workload[WORDS], gain[WORDS];
    unsigned said = 0;

    for (unsigned w = 0; w < image->workload_count; w++) {
        if (s->workloads[w].verdict != GAIN_LOSS)
            continue;
        latency_workload_name(l, image, w, workload, sizeof workload);
        words_interval(&s->workloads[w].gain[0], true, gain);
        doc_item(d, "The policy itself loses on %s: %s in no time.", workload, gain);
        said++;
    }
    return said;
}

static void say_verdict(const struct latency *l, const struct latency_image *image, const struct latency_summary *s,
                        const struct doc *d)
{
    static const char *const none[] = {
        [GAIN_UNKNOWN] = "Knee: not known, runs are missing.",
        [GAIN_ONE_SEED] = "One seed has no interval: no verdict and no knee. Several (--seeds 1-5) have them.",
        [GAIN_NONE] = "No knee: nothing to gain. On no workload is there a gain in no time beyond its interval.",
        [GAIN_LOSS] = "No knee: nothing to gain."};

    if (s->verdict == GAIN_REAL)
        say_knee(l, image, s, d);
    else
        doc_paragraph(d, "%s", none[s->verdict]);
    if (words_lost(l, image, s, "On", d) + say_losing(l, image, s, d))
        fputc('\n', d->out);
}

static void report_image(const struct latency *l, const struct latency_image *image, const struct doc *d)
{
    struct latency_summary s;
    struct table *t = table_new();
    char title[512], seeds[SEEDS_TEXT];

    latency_summarise(l, image, &s);
    seeds_words(l->request->seed_first, l->request->seeds, seeds);
    snprintf(title, sizeof title, "%.150s: preset %.100s, core %.60s, %" PRIu64 " GPU cycles, %s",
             latency_image_name(image), image->how.preset, image->core, image->how.cycles, seeds);
    doc_heading(d, 2, title);
    heading(t, l, image);
    for (unsigned point = 0; point < POINTS; point++)
        row_cells(t, l, image, point, &s);
    knee_rows(t, image, &s);
    doc_table(d, t);
    say_verdict(l, image, &s, d);
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
void latency_report(const struct latency *l, const struct doc *d)
{
    const bool many = l->image_count > 1, file = d->form == DOC_MARKDOWN;

    if (file)
        provenance_say(d->out);
    explain(l, d->out);
    if (many && file)
        latency_all(l, d);
    for (unsigned i = 0; i < l->image_count; i++)
        report_image(l, &l->images[i], d);
    if (many && !file)
        latency_all(l, d);
}
