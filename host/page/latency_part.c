#include <math.h>
#include <string.h>

#include "made_by.h"
#include "part.h"

static void put_hz(struct table *t, const json_t *o, const char *key)
{
    const double hz = input_number(o, key);
    if (isnan(hz))
        table_text(t, "-");
    else
        table_text(t, "%.0f MHz", hz / 1e6);
}

/* What there is to gain, and from which clock on it is kept. */
static void workloads(struct part *p, const json_t *image)
{
    static const char *const names[] = {"workload", "gain in no time", "of it", "knee", "kept down to"};
    struct table *t = table_new();
    size_t i;
    const json_t *w;
    table_row(t);
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        table_text(t, "%s", names[k]);
    json_array_foreach(json_object_get(image, "workloads"), i, w)
    {
        table_row(t);
        table_text(t, "%s", input_text(w, "workload"));
        table_text(t, "%+.1f +- %.1f %%", 100 * input_number(w, "gain"), 100 * input_number(w, "gain_half"));
        table_text(t, "%s", *input_text(w, "verdict") ? input_text(w, "verdict") : "kept");
        put_hz(t, w, "knee_hz");
        put_hz(t, w, "kept_hz");
    }
    doc_table(&p->doc, t);
    table_free(t);
}

/* What of the gain is lost with an mcu and a bus, a row each; the first row's mcu takes no time. */
static void points(struct part *p, const json_t *image)
{
    struct table *t = table_new();
    size_t i, k;
    const json_t *w, *point, *loss;
    table_row(t);
    table_text(t, "lost, in points of the gain");
    json_array_foreach(json_object_get(image, "workloads"), i, w)
    {
        table_text(t, "%s", input_text(w, "workload"));
    }
    table_text(t, "missed");
    json_array_foreach(json_object_get(image, "points"), i, point)
    {
        table_row(t);
        table_text(t, "%s", input_text(point, "name"));
        json_array_foreach(json_object_get(point, "losses"), k, loss)
        {
            table_percent(t, json_is_number(loss) ? json_number_value(loss) : (double)NAN);
        }
        table_text(t, "%.0f of %.0f", input_number(point, "missed"), input_number(point, "questions"));
    }
    doc_table(&p->doc, t);
    table_free(t);
}

int part_latency(struct part *p, const struct input *in, struct mh_error *err)
{
    size_t i;
    const json_t *image;
    int status = 0;
    part_begin(p, in->name);
    made_by_words(&p->doc, in->json);
    doc_paragraph(&p->doc,
                  "Gain: weighted speedup over that of no policy, less 1. Knee: the slowest mcu on which it is kept.");
    json_array_foreach(json_object_get(in->json, "images"), i, image)
    {
        char figure[PART_TITLE];
        if (status)
            break;
        doc_heading(&p->doc, 1, input_text(image, "name"));
        doc_paragraph(&p->doc, "Preset %s, core %s, %.0f GPU cycles.", input_text(image, "preset"),
                      input_text(image, "core"), input_number(image, "cycles"));
        workloads(p, image);
        points(p, image);
        snprintf(figure, sizeof figure, "latency-%.100s", input_text(image, "name"));
        status = part_figures(p, in, figure, ".svg", err);
    }
    part_end(p);
    return status;
}
