#include "latency_words.h"

#include "base/markdown.h"

#include <math.h>

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
