#define _GNU_SOURCE
#include "sweep.h"

#include <inttypes.h>
#include <search.h>
#include <string.h>

#include "base/escape.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/hash.h"
#include "base/process.h"
#include "plan/quantity.h"
#include "run/setup.h"
#include "run/sim.h"
#include "sweep_private.h"

static int open_metrics(struct sweep *s, struct mh_error *err)
{
    const struct words *w = &s->request->spec.metrics;
    for (unsigned i = 0; i < w->count; i++) {
        s->metrics[i] = expr_parse(w->text[i], err);
        if (!s->metrics[i])
            return -1;
        s->alone |= values_need_alone(s->metrics[i]);
        if (!s->planned || values_need_series(s->metrics[i]))
            s->planned = s->metrics[i];
    }
    return 0;
}

static int count_points(struct sweep *s, struct mh_error *err)
{
    const struct sweep_spec *spec = &s->request->spec;
    double all = (double)s->choices.count * spec->presets.count * spec->designs.count * spec->workloads.count *
                 spec->images.count * (spec->seed_last - spec->seed_first + 1);
    if (all > CHOICE_MOST)
        return mh_fail(err, "%.0f points, more than %d: vary fewer values, or take a sample", all, CHOICE_MOST);
    s->tally.points = (uint64_t)all;
    return 0;
}

/* --- The file of points. */

/* Presets that are files, as they are now. */
static int put_files(json_t *o, const struct sweep_spec *spec, struct mh_error *err)
{
    json_t *files = json_object();
    int status = 0;

    for (unsigned i = 0; i < spec->presets.count && !status; i++) {
        char sha256[HASH_TEXT];
        if (!preset_is_file(spec->presets.text[i]))
            continue;
        status = hash_file(spec->presets.text[i], sha256, err);
        json_put(files, spec->presets.text[i], json_string(sha256));
    }
    if (json_object_size(files))
        json_object_set(o, "presets", files);
    json_decref(files);
    return status;
}

static int put_images(json_t *o, const struct sweep_spec *spec, struct mh_error *err)
{
    json_t *images = json_object();

    json_put(o, "images", images);
    for (unsigned i = 0; i < spec->images.count; i++) {
        struct image image;
        if (image_open(&image, spec->images.text[i], spec->twin, err))
            return -1;
        json_put(images, spec->images.text[i], json_string(image.sha256));
        image_close(&image);
    }
    return 0;
}

/* `made_by` of other results, the user's own presets, and the images. */
static char *made_by(const struct sweep_spec *spec, struct mh_error *err)
{
    json_t *o = provenance_json();
    char *text = put_files(o, spec, err) || put_images(o, spec, err) ? NULL : json_dumps(o, JSON_COMPACT);

    json_decref(o);
    return text;
}

int sweep_open_points(struct sweep *s, struct mh_error *err)
{
    const struct sweep_spec *spec = &s->request->spec;
    json_t *asked = spec_json(spec);
    char *text = json_dumps(asked, JSON_COMPACT), *made = made_by(spec, err);
    const struct points_head head = {spec->name, text, made, s->columns, s->column_count, s->tally.points};
    s->points = made ? points_write(s->output, &head, err) : NULL;
    json_decref(asked);
    free(text);
    free(made);
    return s->points ? 0 : -1;
}

static int name_output(struct sweep *s, struct mh_error *err)
{
    const struct sweep_request *r = s->request;
    int n =
        snprintf(s->output, sizeof s->output, "%s%s", r->output ? r->output : r->spec.name, r->output ? "" : ".sqlite");
    return n < (int)sizeof s->output ? 0 : mh_fail(err, "%.60s..: the name is too long", r->spec.name);
}

static int open_all(struct sweep *s, struct mh_error *err)
{
    if (columns_make(s, err) || open_metrics(s, err) || choices_make(&s->choices, &s->request->spec, err) ||
        count_points(s, err) || name_output(s, err) || make_run_dir(s->base, NULL, err))
        return -1;
    s->store = store_open(s->request->results, err);
    return s->store ? 0 : -1;
}

struct sweep *sweep_open(const struct sweep_request *r, struct mh_error *err)
{
    struct sweep *s = must_have(1, sizeof *s);
    s->request = r;
    if (!open_all(s, err))
        return s;
    sweep_close(s);
    return NULL;
}

const struct sweep_tally *sweep_tally(const struct sweep *s)
{
    return &s->tally;
}

void sweep_close(struct sweep *s)
{
    for (unsigned i = 0; i < SWEEP_METRICS && s->metrics[i]; i++)
        expr_free(s->metrics[i]);
    if (s->points)
        points_write_end(s->points);
    if (s->store)
        store_close(s->store);
    if (*s->base)
        remove_tree(s->base);
    choices_free(&s->choices);
    tdestroy(s->seen, free);
    free(s);
}

/* --- What it says when it ends. */

static void say_count(uint64_t n, const char *one, FILE *out)
{
    fprintf(out, "%" PRIu64 " %s%s", n, one, n == 1 ? "" : "s");
}

static void say_runs(const struct sweep_tally *t, const struct sweep_request *r, FILE *out)
{
    say_count(t->done, "point", out);
    if (t->done < t->points)
        fprintf(out, " of %" PRIu64, t->points);
    fputs(", ", out);
    say_count(t->runs, "run", out);
    fprintf(out, ", %" PRIu64 " of them kept from before", t->kept);
    if (r->shards)
        fprintf(out, "; this is part %u of %u", r->shard, r->shards);
    fputs("\n", out);
}

static void say_missing(const struct sweep_tally *t, FILE *out)
{
    const struct {
        uint64_t count;
        const char *one, *more;
    } kinds[] = {{t->refused, "cannot be run", "cannot be run"},
                 {t->failed, "failed", "failed"},
                 {t->valueless, "has a metric without a value", "have a metric without a value"}};
    char text[1024];
    const char *sep = "";
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (!kinds[i].count)
            continue;
        fputs(sep, out);
        say_count(kinds[i].count, "point", out);
        fprintf(out, " %s", kinds[i].count == 1 ? kinds[i].one : kinds[i].more);
        sep = "; ";
    }
    escape_text(text, sizeof text, t->reason);
    if (*sep)
        fprintf(out, ". The first: %s\n", text);
}

/* A file's name may be any bytes: on a terminal what is no text is escaped. */
static void say_word(const char *word, FILE *out)
{
    char text[HOST_PATH];
    escape_text(text, sizeof text, word);
    shell_word(out, text);
}

/* The first axis that has more than one value, but for the images. */
static const char *rows_of(const struct sweep_spec *spec)
{
    for (unsigned a = 0; a < spec->axis_count; a++)
        for (unsigned i = 1; i < spec->axes[a].values.count; i++)
            if (strcmp(spec->axes[a].values.text[i], spec->axes[a].values.text[0]) != 0)
                return spec->axes[a].key;
    if (spec->workloads.count > 1)
        return "workload";
    if (spec->presets.count > 1 || spec->designs.count > 1)
        return spec->presets.count > 1 ? "preset" : "design";
    return spec->seed_first < spec->seed_last ? "seed" : "image";
}

/* The usual next question: that axis against the images. */
static void say_next(const struct sweep *s, FILE *out)
{
    const struct sweep_spec *spec = &s->request->spec;
    const char *rows = rows_of(spec);
    fputs("  memhelm table ", out);
    say_word(s->output, out);
    fputs(" --rows ", out);
    say_word(rows, out);
    if (spec->images.count > 1 && strcmp(rows, "image") != 0)
        fputs(" --columns image", out);
    fputs(" --value ", out);
    say_word(spec->metric_names.text[0], out);
    fputs("\n", out);
}

void sweep_report(const struct sweep *s, bool dry, FILE *out)
{
    const struct sweep_tally *t = &s->tally;
    const struct sweep_request *r = s->request;
    say_runs(t, r, out);
    if (dry) {
        fprintf(out, "%.0f million GPU cycles are to be simulated: ", t->cycles / 1e6);
        wall_say(t->cycles / 1e6 * PLAN_SECONDS_PER_MCYCLE / r->jobs, r->jobs, out);
    }
    if (dry || r->shards) {
        if (t->refused)
            say_missing(t, out);
        return;
    }
    say_missing(t, out);
    say_next(s, out);
}
