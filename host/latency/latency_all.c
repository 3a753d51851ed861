#include "latency_all.h"

#include <stdlib.h>
#include <string.h>

#include "base/markdown.h"
#include "base/memory.h"

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
