#include "commands.h"

#include <string.h>

#include "base/json.h"
#include "mcu/image.h"
#include "mcu/timing.h"
#include "memhelm/config_file.h"
#include "memhelm/kernels.h"

/* A list of the words between blanks. */
static json_t *words(const char *text)
{
    json_t *list = json_array();
    for (size_t n; text += strspn(text, " "), (n = strcspn(text, " ")); text += n)
        json_array_append_new(list, json_stringn(text, n));
    return list;
}

static json_t *parameters(const char *image)
{
    struct mh_error why;
    struct params p;
    json_t *list = json_array();
    if (image_params(image, false, &p, &why))
        return list;
    for (const struct param *one = p.list; one < p.list + p.count; one++)
        json_array_append_new(list, json_pack("{s:s, s:I, s:I, s:I, s:s}", "name", one->name, "default",
                                              (json_int_t)one->standard, "least", (json_int_t)one->least, "most",
                                              (json_int_t)one->most, "text", one->text));
    return list;
}

static json_t *built;

static void put_image(const char *name, bool twin)
{
    const struct image_row *row = image_row(name);
    json_t *o = json_object();
    json_put(o, "name", json_string(name));
    json_put(o, "twin", json_boolean(twin));
    if (row) {
        json_put(o, "paper", *row->paper ? json_string(row->paper) : json_null());
        json_put(o, "preset", json_string(row->preset));
        json_put(o, "steers", words(row->steers));
        json_put(o, "needs", words(row->needs));
        json_put(o, "policies", words(row->policies));
        json_put(o, "sentence", json_string(row->sentence));
    }
    json_put(o, "parameters", parameters(name));
    json_array_append_new(built, o);
}

static json_t *images(struct mh_error *err)
{
    built = json_array();
    return image_list(put_image, err) ? NULL : built;
}

static json_t *papers(struct mh_error *err)
{
    json_t *list = json_array();
    (void)err;
    for (const struct paper_row *p = paper_rows; p->name && !*p->preset; p++) {
        json_t *own = json_array();
        for (const struct image_row *i = image_rows; i->name; i++)
            if (!strcmp(i->paper, p->name))
                json_array_append_new(own, json_string(i->name));
        json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:o, s:s, s:o, s:s}", "name", p->name,
                                              "title", p->title, "study", p->study, "preset", paper_preset(p), "image",
                                              p->image, "baseline", p->baseline, "images", own, "workload", p->workload,
                                              "settings", words(p->settings), "cycles", p->cycles));
    }
    return list;
}

static json_t *summaries(const char *const *names, const char *(*summary)(const char *name))
{
    json_t *list = json_array();
    for (; *names; names++)
        json_array_append_new(list, json_pack("{s:s, s:s}", "name", *names, "summary", summary(*names)));
    return list;
}

static json_t *presets(struct mh_error *err)
{
    (void)err;
    return summaries(mh_preset_names(), mh_preset_summary);
}

static json_t *designs(struct mh_error *err)
{
    (void)err;
    return summaries(mh_design_names(), mh_design_summary);
}

static json_t *kernel(const struct mh_kernel *k)
{
    json_t *o = json_object(), *variants = json_array();
    json_put(o, "name", json_string(k->name));
    json_put(o, "suite", json_string(k->suite));
    json_put(o, "summary", json_string(k->summary));
    json_put(o, "size", json_string(k->size_meaning));
    json_put_count(o, "default", k->size_default);
    json_put_count(o, "least", k->size_min);
    json_put_count(o, "most", k->size_max);
    for (const char *const *v = k->variants; v && *v; v++)
        json_array_append_new(variants, json_string(*v));
    json_put(o, "variants", variants);
    json_put(o, "input", k->input ? json_string(k->input == MH_INPUT_GRAPH ? "graph" : "matrix") : json_null());
    return o;
}

static json_t *kernels(struct mh_error *err)
{
    json_t *list = json_array();
    (void)err;
    for (const struct mh_kernel *const *k = mh_kernels; *k; k++)
        json_array_append_new(list, kernel(*k));
    return list;
}

static json_t *cores(struct mh_error *err)
{
    json_t *list = json_array();
    struct core c;
    for (const char *const *n = core_names(); *n; n++) {
        if (core_open(&c, *n, err))
            return NULL;
        json_array_append_new(list, json_pack("{s:s, s:s}", "name", c.name, "summary", c.title));
        core_close(&c);
    }
    return list;
}

int list_json(const char *what, FILE *out, struct mh_error *err)
{
    static const struct {
        const char *name;
        json_t *(*list)(struct mh_error *err);
    } lists[] = {{"papers", papers},   {"images", images},   {"presets", presets},
                 {"designs", designs}, {"kernels", kernels}, {"cores", cores}};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (!strcmp(what, lists[i].name)) {
            json_t *list = lists[i].list(err);
            return list ? json_print(list, out, err) : -1;
        }
    return mh_fail(err, "--json: not of '%.60s', but of papers, images, presets, designs, kernels and cores", what);
}
