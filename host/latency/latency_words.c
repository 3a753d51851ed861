#include "latency.h"

#include <math.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"

/* No "-0.0": what is printed as nothing has no sign. */
static double printed(double percent, int digits)
{
    return fabs(percent) < 0.5 * pow(10, -digits) ? 0 : percent;
}

void words_interval(const struct interval *i, bool sign, char text[WORDS])
{
    double mean = 100 * i->mean, half = 100 * i->half;
    int digits = mean != 0 && fabs(mean) < 1 && half < 0.1 ? 2 : 1;
    mean = printed(mean, digits);
    if (isnan(mean))
        snprintf(text, WORDS, "-");
    else if (isnan(half))
        snprintf(text, WORDS, sign ? "%+.*f %%" : "%.*f %%", digits, mean);
    else
        snprintf(text, WORDS, sign ? "%+.*f +- %.*f %%" : "%.*f +- %.*f %%", digits, mean, digits, half);
}

void words_loss(const struct latency_losses *losses, unsigned point, char text[WORDS])
{
    static const char *const words[] = {[KEEP_UNKNOWN] = "",
                                        [KEEP_KEPT] = "",
                                        [KEEP_UNSHOWN] = " ?",
                                        [KEEP_UNCLEAR] = " unclear",
                                        [KEEP_LOST] = " lost"};
    const struct interval *loss = &losses->loss[point];
    char number[WORDS];
    const char *word = losses->verdict == GAIN_REAL ? words[losses->keep[point]] : loss_is_cost(loss) ? " costs" : "";
    words_interval(loss, false, number);
    snprintf(text, WORDS, "%.50s%s", number, word);
}

void words_clock(int keeping, char text[WORDS])
{
    if (keeping > 0)
        point_name(POINTS_FIRST_CLOCK + (unsigned)keeping - 1, text, WORDS);
    else
        snprintf(text, WORDS, keeping ? "runs are missing" : "not even 2 GHz");
}

void words_bus(int keeping, char text[WORDS])
{
    if (keeping > 0)
        snprintf(text, WORDS, "%u", latency_points[POINTS_FIRST_BUS + keeping - 1].bus);
    else
        snprintf(text, WORDS, keeping ? "runs are missing" : "not even 5");
}

/* --- What firmware cannot afford. */

/* The clocks from the first at which the gain is lost, as at all slower ones; POINTS_FIRST_BUS: none. */
static unsigned lost_from(const struct latency_losses *losses)
{
    unsigned first = POINTS_FIRST_BUS;
    while (first > POINTS_FIRST_CLOCK && losses->keep[first - 1] == KEEP_LOST)
        first--;
    return first;
}

/* What is kept at clocks `first` to `last`: the most of them. */
static void say_part(const struct latency_losses *losses, unsigned first, unsigned last, FILE *out)
{
    double most = latency_kept(losses, first);
    for (unsigned point = first + 1; point <= last; point++)
        most = fmax(most, latency_kept(losses, point));
    if (most < 0.005)
        fputs("keeps none of it at ", out);
    else
        fprintf(out, "keeps %s%.0f %% of it at ", first < last ? "at most " : "", 100 * most);
}

static void say_kept(const struct latency_losses *losses, FILE *out)
{
    char clock[WORDS];
    unsigned first = lost_from(losses);
    bool alone = first > POINTS_DEFAULT; /* a slower clock does not lose it */
    if (alone)
        first = POINTS_DEFAULT;
    say_part(losses, first, alone ? first : POINTS_FIRST_BUS - 1, out);
    point_name(first, clock, sizeof clock);
    if (first == POINTS_FIRST_CLOCK)
        fputs("any clock.", out);
    else
        fprintf(out, "%s%s.", clock, alone ? "" : " and slower");
}

unsigned words_lost(const struct latency *l, const struct latency_image *image, const struct latency_summary *s,
                    const char *name, const struct doc *d)
{
    char workload[WORDS], gain[WORDS];
    unsigned said = 0;

    for (unsigned w = 0; w < image->workload_count; w++) {
        const struct latency_losses *losses = &s->workloads[w];
        struct draft kept;
        if (losses->verdict != GAIN_REAL || losses->keep[POINTS_DEFAULT] != KEEP_LOST)
            continue;
        latency_workload_name(l, image, w, workload, sizeof workload);
        words_interval(&losses->gain[0], true, gain);
        draft_open(&kept);
        say_kept(losses, kept.out);
        char *text = draft_text(&kept);
        doc_item(d, "%s %s it gains %s in no time and %s", name, workload, gain, text);
        free(text);
        said++;
    }
    return said;
}

struct ranked {
    const struct latency_image *image;
    struct latency_summary summary;
};

/* --- Order: what firmware cannot afford, then what it can, then what there is nothing to afford of. */

static int class_of(const struct latency_summary *s)
{
    static const int classes[] = {
        [GAIN_REAL] = 1, [GAIN_LOSS] = 2, [GAIN_NONE] = 3, [GAIN_ONE_SEED] = 4, [GAIN_UNKNOWN] = 5};
    return s->verdict == GAIN_REAL && s->lost ? 0 : classes[s->verdict];
}

static int compare(const void *left, const void *right)
{
    const struct ranked *a = left, *b = right;
    int order = class_of(&a->summary) - class_of(&b->summary);
    if (!order && a->summary.verdict == GAIN_REAL)
        order = a->summary.clock.knee - b->summary.clock.knee;
    return order ? order : strcmp(latency_image_name(a->image), latency_image_name(b->image));
}

static struct ranked *rank(const struct latency *l)
{
    struct ranked *all = must_have(l->image_count, sizeof *all);

    for (unsigned i = 0; i < l->image_count; i++) {
        all[i].image = &l->images[i];
        latency_summarise(l, all[i].image, &all[i].summary);
    }
    qsort(all, l->image_count, sizeof *all, compare);
    return all;
}

/* --- Sentences. */

static bool all_known(const struct ranked *all, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        const struct latency_summary *s = &all[i].summary;
        if (s->verdict == GAIN_UNKNOWN || s->verdict == GAIN_ONE_SEED || (s->verdict == GAIN_REAL && s->clock.knee < 0))
            return false;
    }
    return true;
}

/* The images that lose come first. */
static void say_lost(const struct latency *l, const struct ranked *all, const struct doc *d)
{
    const int mhz = POINTS_HZ / 1000000;

    if (class_of(&all->summary)) {
        if (all_known(all, l->image_count))
            doc_paragraph(d, "At %d MHz no image is shown to lose more than %.0f %% of a gain.", mhz, 100 * KNEE_LOSS);
        return;
    }
    doc_paragraph(d, "What firmware cannot afford, at %d MHz:", mhz);
    for (unsigned i = 0; i < l->image_count && !class_of(&all[i].summary); i++) {
        char name[WORDS + 8];
        snprintf(name, sizeof name, "%.60s: on", latency_image_name(all[i].image));
        words_lost(l, all[i].image, &all[i].summary, name, d);
    }
    fputc('\n', d->out);
}

/* --- The table. */

static void knee_cells(struct table *t, const struct latency *l, const struct latency_image *image,
                       const struct latency_summary *s)
{
    const struct latency_losses *worst = &s->workloads[s->worst];
    char text[6][WORDS];

    latency_workload_name(l, image, s->worst, text[0], WORDS);
    table_left(t, text[0]);
    words_interval(&worst->gain[0], true, text[0]);
    words_loss(worst, POINTS_DEFAULT, text[1]);
    words_clock(s->clock.knee, text[2]);
    words_clock(s->clock.kept, text[3]);
    words_bus(s->bus.knee, text[4]);
    words_bus(s->bus.kept, text[5]);
    for (unsigned i = 0; i < 6; i++)
        table_text(t, "%s", text[i]);
}

static void ranked_row(struct table *t, const struct latency *l, const struct ranked *r)
{
    static const char *const words[] = {[GAIN_UNKNOWN] = "runs are missing",
                                        [GAIN_ONE_SEED] = "one seed: no verdict",
                                        [GAIN_NONE] = "nothing to gain",
                                        [GAIN_LOSS] = "it loses"};
    table_row(t);
    table_text(t, "%s", latency_image_name(r->image));
    table_text(t, "%s", r->image->how.preset);
    table_text(t, "%s", r->image->core);
    if (r->summary.verdict == GAIN_REAL)
        knee_cells(t, l, r->image, &r->summary);
    else
        table_text(t, "%s", words[r->summary.verdict]);
}

void latency_all(const struct latency *l, const struct doc *d)
{
    struct ranked *all = rank(l);
    struct table *t = table_new();

    say_lost(l, all, d);
    table_heading(t, "image|preset|core|worst workload|gain in no time|lost at 500 MHz|knee|kept down to|longest bus|"
                     "kept up to");
    for (unsigned i = 0; i < l->image_count; i++)
        ranked_row(t, l, &all[i]);
    doc_table(d, t);
    free(all);
}
