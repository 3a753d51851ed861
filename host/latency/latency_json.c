#include "latency_json.h"

#include "json_file.h"
#include "memhelm/config_file.h"
#include "reproduce/made.h"
#include "values.h"

/* A list per workload of a number per seed. */
static json_t *speedups_json(const struct latency *l, const struct latency_image *image, unsigned point)
{
    json_t *all = json_array();
    for (unsigned w = 0; w < image->workload_count; w++) {
        json_t *one = json_array();
        for (unsigned s = 0; s < latency_seeds(l, point); s++)
            json_array_append_new(one, json_number(latency_speedup(l, image, point, w, s)));
        json_array_append_new(all, one);
    }
    return all;
}

static json_t *point_json(const struct latency *l, const struct latency_image *image, unsigned point)
{
    const struct latency_point *p = &latency_points[point];
    bool firmware = p->kind == POINT_CLOCK || p->kind == POINT_BUS;
    json_t *o = json_object(), *gains = json_array();
    struct latency_row row;
    char name[32];
    latency_row(l, image, point, &row);
    point_name(point, name, sizeof name);
    for (unsigned w = 0; w < image->workload_count; w++)
        json_array_append_new(gains, json_number(row.gains[w]));
    json_put(o, "name", json_string(name));
    json_put(o, "hz", firmware ? json_integer((json_int_t)p->hz) : json_null());
    json_put(o, "bus_latency", firmware ? json_integer(p->bus) : json_null());
    json_put(o, "speedups", speedups_json(l, image, point));
    json_put(o, "gains", gains);
    json_put_real(o, "weighted_speedup", row.weighted_speedup);
    json_put_real(o, "gain", row.gain);
    json_put_real(o, "kept", row.kept);
    json_put_real(o, "fairness", row.fairness);
    json_put_real(o, "answer_mean", row.answer_mean);
    json_put_count(o, "answer_max", row.answer_max);
    json_put_count(o, "questions", row.raised);
    json_put_count(o, "missed", row.missed);
    json_put_real(o, "awake", row.awake);
    json_put(o, "watchdog_bites", json_boolean(row.bites));
    return o;
}

static json_t *workloads_json(const struct latency_image *image)
{
    json_t *list = json_array();
    for (unsigned w = 0; w < image->workload_count; w++) {
        json_t *o = json_object();
        json_put(o, "workload", json_string(image->workloads[w]));
        json_put(o, "plain", json_boolean(w >= image->gaining));
        json_array_append_new(list, o);
    }
    return list;
}

/* Clock in Hz or bus latency of the knee; null where there is none. */
static json_t *knee_json(const struct latency_summary *s, int keeping, unsigned first)
{
    if (s->verdict != GAIN_REAL || keeping <= 0)
        return json_null();
    const struct latency_point *p = &latency_points[first + (unsigned)keeping - 1];
    return json_integer(p->kind == POINT_CLOCK ? (json_int_t)p->hz : (json_int_t)p->bus);
}

static void put_summary(json_t *o, const struct latency *l, const struct latency_image *image)
{
    static const char *const verdicts[] = {
        [GAIN_UNKNOWN] = "runs are missing", [GAIN_REAL] = "gain", [GAIN_NOISE] = "within noise", [GAIN_LOSS] = "loss"};
    struct latency_summary s;
    latency_summarise(l, image, &s);
    json_put_real(o, "gain", s.gain);
    json_put_real(o, "noise", s.noise);
    json_put(o, "verdict", json_string(verdicts[s.verdict]));
    json_put(o, "knee_hz", knee_json(&s, s.clock, POINTS_FIRST_CLOCK));
    json_put(o, "knee_hz_beyond_noise", knee_json(&s, s.clock_noise, POINTS_FIRST_CLOCK));
    json_put(o, "knee_bus", knee_json(&s, s.bus, POINTS_FIRST_BUS));
    json_put(o, "knee_bus_beyond_noise", knee_json(&s, s.bus_noise, POINTS_FIRST_BUS));
}

/* Of all runs, but those that ask for the watchdog: they are these with it on. */
static json_t *configs_json(const struct latency_image *image)
{
    char text[HASH_TEXT];
    struct hash *h = hash_begin();
    made_add_configs(h, image->cells, (size_t)POINTS * image->workload_count * image->seeds);
    hash_end(h, text);
    return json_string(text);
}

static json_t *image_json(const struct latency *l, const struct latency_image *image)
{
    json_t *o = json_object(), *points = json_array();
    const struct point *firmware = latency_cell(l, image, POINTS_FIRST_CLOCK, 0, 0);
    json_put(o, "name", json_string(latency_image_name(image)));
    json_put(o, "sha256", json_string(firmware->run->sim.image->sha256));
    json_put(o, "config_sha256", configs_json(image));
    json_put(o, "preset", json_string(image->how.preset));
    json_put(o, "core", json_string(image->core));
    json_put_count(o, "cycles", image->how.cycles);
    json_put(o, "alone", json_string(image->how.alone_whole ? "whole" : "same"));
    json_put(o, "workloads", workloads_json(image));
    put_summary(o, l, image);
    for (unsigned point = 0; point < POINTS; point++)
        json_array_append_new(points, point_json(l, image, point));
    json_put(o, "points", points);
    return o;
}

int latency_write_json(const struct latency *l, const char *path, struct mh_error *err)
{
    json_t *o = json_object(), *images = json_array(), *sets = json_array();
    for (unsigned i = 0; i < l->request->set_count; i++)
        json_array_append_new(sets, json_string(l->request->sets[i]));
    for (unsigned i = 0; i < l->image_count; i++)
        json_array_append_new(images, image_json(l, &l->images[i]));
    json_put(o, "schema", json_string("memhelm-latency-1"));
    made_put(o, l->plan);
    json_put(o, "reference_sha256", json_string(l->set.sha256));
    json_put_count(o, "seeds", l->request->seeds);
    json_put_count(o, "noise_seeds", l->noise_seeds);
    json_put_real(o, "keeps", KNEE_KEEPS);
    json_put(o, "set", sets);
    json_put(o, "images", images);
    return json_write(o, path, err);
}
