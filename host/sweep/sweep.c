#define _GNU_SOURCE
#include "sweep.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/provenance.h"
#include "plan/quantity.h"
#include "run/options.h"
#include "run/run_dir.h"
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

/* Presets that are files, as they are now; NULL and `err`: one cannot be read. */
static json_t *files_json(const struct sweep_spec *spec, struct mh_error *err)
{
    json_t *files = json_object();
    for (unsigned i = 0; i < spec->presets.count; i++) {
        char sha256[HASH_TEXT];
        if (!preset_is_file(spec->presets.text[i]))
            continue;
        if (hash_file(spec->presets.text[i], sha256, err)) {
            json_decref(files);
            return NULL;
        }
        json_put(files, spec->presets.text[i], json_string(sha256));
    }
    return files;
}

/* `made_by` of other results, the images, and the user's own presets. */
static char *made_by(const struct sweep_spec *spec, struct mh_error *err)
{
    json_t *o = provenance_json(), *images = json_object(), *files = files_json(spec, err);
    if (!files) {
        json_decref(o);
        json_decref(images);
        return NULL;
    }
    if (json_object_size(files))
        json_put(o, "presets", files);
    else
        json_decref(files);
    for (unsigned i = 0; i < spec->images.count; i++) {
        struct image image;
        if (image_open(&image, spec->images.text[i], spec->twin, err)) {
            json_decref(o);
            json_decref(images);
            return NULL;
        }
        json_put(images, spec->images.text[i], json_string(image.sha256));
        image_close(&image);
    }
    json_put(o, "images", images);
    char *text = json_dumps(o, JSON_COMPACT);
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
    struct sweep *s = calloc(1, sizeof *s);
    if (!s) {
        (void)mh_fail(err, "out of memory");
        return NULL;
    }
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

const char *sweep_output(const struct sweep *s)
{
    return s->output;
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
