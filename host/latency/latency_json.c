#include "latency.h"

#include "base/json.h"
#include "report/report.h"

/* A list per workload of a number per seed. */
static json_t *speedups_json(const struct latency *l, const struct latency_image *image, unsigned point)
{
    json_t *all = json_array();
    for (unsigned w = 0; w < image->workload_count; w++) {
        json_t *one = json_array();
        for (unsigned s = 0; s < l->request->seeds; s++)
            json_array_append_new(one, json_number(latency_speedup(l, image, point, w, s)));
        json_array_append_new(all, one);
    }
    return all;
}

/* What a point makes of the gain, as the tables mark it; null where there is none. */
static json_t *keep_json(const struct latency_losses *losses, unsigned point)
{
    static const char *const words[] = {[KEEP_UNKNOWN] = "runs are missing",
                                        [KEEP_KEPT] = "kept",
                                        [KEEP_UNSHOWN] = "no loss shown",
                                        [KEEP_UNCLEAR] = "unclear",
                                        [KEEP_LOST] = "lost"};
    enum point_kind kind = latency_points[point].kind;
    if (kind == POINT_NO_TIME || kind == POINT_NO_POLICY)
        return json_null();
    if (losses->verdict == GAIN_REAL)
        return json_string(words[losses->keep[point]]);
    return loss_is_cost(&losses->loss[point]) ? json_string("costs") : json_null();
}

/* Lists of a value per workload. */
static void put_losses(json_t *o, const struct latency_image *image, const struct latency_summary *s, unsigned point)
{
    json_t *gains = json_array(), *losses = json_array(), *halves = json_array(), *keeps = json_array();
    for (unsigned w = 0; w < image->workload_count; w++) {
        const struct latency_losses *of = &s->workloads[w];
        json_array_append_new(gains, json_number(of->gain[point].mean));
        json_array_append_new(losses, json_number(of->loss[point].mean));
        json_array_append_new(halves, json_number(of->loss[point].half));
        json_array_append_new(keeps, keep_json(of, point));
    }
    json_put(o, "gains", gains);
    json_put(o, "losses", losses);
    json_put(o, "loss_halves", halves);
    json_put(o, "keeps", keeps);
}

static json_t *point_json(const struct latency *l, const struct latency_image *image, const struct latency_summary *s,
                          unsigned point)
{
    const struct latency_point *p = &latency_points[point];
    bool firmware = p->kind == POINT_CLOCK || p->kind == POINT_BUS;
    json_t *o = json_object();
    struct latency_row row;
    char name[32];
    latency_row(l, image, point, &row);
    point_name(point, name, sizeof name);
    json_put(o, "name", json_string(name));
    json_put(o, "hz", firmware ? json_integer((json_int_t)p->hz) : json_null());
    json_put(o, "bus_latency", firmware ? json_integer(p->bus) : json_null());
    json_put(o, "speedups", speedups_json(l, image, point));
    put_losses(o, image, s, point);
    json_put_real(o, "fairness", row.fairness);
    json_put_real(o, "answer_mean", row.answer_mean);
    json_put_count(o, "answer_max", row.answer_max);
    json_put_count(o, "questions", row.raised);
    json_put_count(o, "missed", row.missed);
    json_put_real(o, "awake", row.awake);
    json_put(o, "watchdog_bites", json_boolean(row.bites));
    return o;
}

/* Clock in Hz or bus latency of the last point that keeps; null where none does. */
static json_t *knee_json(enum gain_verdict verdict, int keeping, unsigned first)
{
    if (verdict != GAIN_REAL || keeping <= 0)
        return json_null();
    const struct latency_point *p = &latency_points[first + (unsigned)keeping - 1];
    return json_integer(p->kind == POINT_CLOCK ? (json_int_t)p->hz : (json_int_t)p->bus);
}

static void put_knees(json_t *o, enum gain_verdict verdict, const struct knee *clock, const struct knee *bus)
{
    static const char *const verdicts[] = {[GAIN_UNKNOWN] = "runs are missing",
                                           [GAIN_ONE_SEED] = "one seed",
                                           [GAIN_REAL] = "gain",
                                           [GAIN_NONE] = "nothing to gain",
                                           [GAIN_LOSS] = "loss"};
    json_put(o, "verdict", json_string(verdicts[verdict]));
    json_put(o, "knee_hz", knee_json(verdict, clock->knee, POINTS_FIRST_CLOCK));
    json_put(o, "kept_hz", knee_json(verdict, clock->kept, POINTS_FIRST_CLOCK));
    json_put(o, "knee_bus", knee_json(verdict, bus->knee, POINTS_FIRST_BUS));
    json_put(o, "kept_bus", knee_json(verdict, bus->kept, POINTS_FIRST_BUS));
}

static json_t *workloads_json(const struct latency_image *image, const struct latency_summary *s)
{
    json_t *list = json_array();
    for (unsigned w = 0; w < image->workload_count; w++) {
        const struct latency_losses *losses = &s->workloads[w];
        json_t *o = json_object();
        json_put(o, "workload", json_string(image->workloads[w]));
        json_put_real(o, "gain", losses->gain[0].mean);
        json_put_real(o, "gain_half", losses->gain[0].half);
        put_knees(o, losses->verdict, &losses->clock, &losses->bus);
        json_array_append_new(list, o);
    }
    return list;
}

/* Of all runs, but those that ask for the watchdog: they are these with it on. */
static json_t *configs_json(const struct latency *l, const struct latency_image *image)
{
    char text[HASH_TEXT];
    struct hash *h = hash_begin();
    made_add_configs(h, image->cells, (size_t)POINTS * image->workload_count * l->request->seeds);
    hash_end(h, text);
    return json_string(text);
}

static json_t *image_json(const struct latency *l, const struct latency_image *image)
{
    json_t *o = json_object(), *points = json_array();
    const struct point *firmware = latency_cell(l, image, POINTS_FIRST_CLOCK, 0, 0);
    struct latency_summary s;
    latency_summarise(l, image, &s);
    json_put(o, "name", json_string(latency_image_name(image)));
    json_put(o, "sha256", json_string(firmware->run->sim.image->sha256));
    json_put(o, "config_sha256", configs_json(l, image));
    json_put(o, "preset", json_string(image->how.preset));
    json_put(o, "core", json_string(image->core));
    json_put_count(o, "cycles", image->how.cycles);
    json_put(o, "alone", json_string(image->how.alone_whole ? "whole" : "same"));
    json_put(o, "workloads", workloads_json(image, &s));
    put_knees(o, s.verdict, &s.clock, &s.bus);
    json_put(o, "worst_workload", s.verdict == GAIN_REAL ? json_string(image->workloads[s.worst]) : json_null());
    for (unsigned point = 0; point < POINTS; point++)
        json_array_append_new(points, point_json(l, image, &s, point));
    json_put(o, "points", points);
    return o;
}

int latency_write_json(const struct latency *l, const char *path, struct mh_error *err)
{
    json_t *o = json_object(), *images = json_array();
    for (unsigned i = 0; i < l->image_count; i++)
        json_array_append_new(images, image_json(l, &l->images[i]));
    json_put(o, "schema", json_string("memhelm-latency-2"));
    made_put(o, l->plan);
    json_put(o, "reference_sha256", json_string(l->set.sha256));
    json_put_count(o, "first_seed", l->request->seed_first);
    json_put_count(o, "seeds", l->request->seeds);
    json_put_real(o, "loss_that_is_kept", KNEE_LOSS);
    json_put(o, "set", json_texts(l->request->sets, l->request->set_count));
    json_put(o, "images", images);
    return json_write(o, path, err);
}
