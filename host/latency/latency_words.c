#include "latency_words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/markdown.h"
#include "base/memory.h"

void words_table(const struct output *o, struct table *t)
{
    if (o->markdown)
        table_markdown(t, o->file);
    else
        table_print(t, o->file);
    table_free(t);
}

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
    if (keeping < 0)
        snprintf(text, WORDS, "runs are missing");
    else if (!keeping)
        snprintf(text, WORDS, "not even 2 GHz");
    else
        point_name(POINTS_FIRST_CLOCK + (unsigned)keeping - 1, text, WORDS);
}

void words_bus(int keeping, char text[WORDS])
{
    if (keeping < 0)
        snprintf(text, WORDS, "runs are missing");
    else if (!keeping)
        snprintf(text, WORDS, "not even 5");
    else
        snprintf(text, WORDS, "%u", latency_points[POINTS_FIRST_BUS + keeping - 1].bus);
}

void words_workload(const struct latency *l, const struct latency_image *image, unsigned workload, char text[WORDS])
{
    latency_workload_name(l, image, workload, text, WORDS);
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
        fputs("any clock.\n", out);
    else
        fprintf(out, "%s%s.\n", clock, alone ? "" : " and slower");
}

void words_lost(const struct latency *l, const struct latency_image *image, const struct latency_summary *s,
                const char *name, const struct output *o)
{
    char workload[WORDS], gain[WORDS];
    for (unsigned w = 0; w < image->workload_count; w++) {
        const struct latency_losses *losses = &s->workloads[w];
        if (losses->verdict != GAIN_REAL || losses->keep[POINTS_DEFAULT] != KEEP_LOST)
            continue;
        words_workload(l, image, w, workload);
        words_interval(&losses->gain[0], true, gain);
        fputs(name, o->file);
        markdown_print(o->file, o->markdown, " %s it gains %s in no time and ", workload, gain);
        say_kept(losses, o->file);
    }
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
    struct ranked *all = calloc(l->image_count, sizeof *all);
    if (!all)
        abort();
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

/* "- `mask`: on" */
static char *lost_begin(const struct latency_image *image, bool markdown)
{
    char *text = NULL;
    size_t size;
    FILE *out = must(open_memstream(&text, &size));
    fputs(markdown ? "- " : "", out);
    if (markdown)
        markdown_write(out, MARKDOWN_CODE, latency_image_name(image));
    else
        fputs(latency_image_name(image), out);
    fputs(": on", out);
    fclose(out);
    return must(text);
}

/* The images that lose come first. */
static void say_lost(const struct latency *l, const struct ranked *all, const struct output *o)
{
    if (class_of(&all->summary)) {
        if (all_known(all, l->image_count))
            fprintf(o->file, "At %d MHz no image is shown to lose more than %.0f %% of a gain.\n\n",
                    POINTS_HZ / 1000000, 100 * KNEE_LOSS);
        return;
    }
    fprintf(o->file, "What firmware cannot afford, at %d MHz:\n%s", POINTS_HZ / 1000000, o->markdown ? "\n" : "");
    for (unsigned i = 0; i < l->image_count && !class_of(&all[i].summary); i++) {
        char *name = lost_begin(all[i].image, o->markdown);
        words_lost(l, all[i].image, &all[i].summary, name, o);
        free(name);
    }
    fputc('\n', o->file);
}

/* --- The table. */

static void knee_cells(struct table *t, const struct latency *l, const struct latency_image *image,
                       const struct latency_summary *s)
{
    const struct latency_losses *worst = &s->workloads[s->worst];
    char text[WORDS];
    words_workload(l, image, s->worst, text);
    table_left(t, text);
    words_interval(&worst->gain[0], true, text);
    table_text(t, "%s", text);
    words_loss(worst, POINTS_DEFAULT, text);
    table_text(t, "%s", text);
    words_clock(s->clock.knee, text);
    table_text(t, "%s", text);
    words_clock(s->clock.kept, text);
    table_text(t, "%s", text);
    words_bus(s->bus.knee, text);
    table_text(t, "%s", text);
    words_bus(s->bus.kept, text);
    table_text(t, "%s", text);
}

static void image_row(struct table *t, const struct latency *l, const struct ranked *r)
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

void latency_all(const struct latency *l, const struct output *o)
{
    static const char *const headings[] = {"image",           "preset",          "core", "worst workload",
                                           "gain in no time", "lost at 500 MHz", "knee", "kept down to",
                                           "longest bus",     "kept up to"};
    struct ranked *all = rank(l);
    struct table *t = table_new();
    say_lost(l, all, o);
    table_row(t);
    for (size_t i = 0; i < sizeof headings / sizeof *headings; i++)
        table_text(t, "%s", headings[i]);
    for (unsigned i = 0; i < l->image_count; i++)
        image_row(t, l, &all[i]);
    words_table(o, t);
    free(all);
}
