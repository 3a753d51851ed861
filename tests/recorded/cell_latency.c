/* Cells of `memhelm latency`: the weighted speedup of an image at a clock or bus latency, of one workload and seed. */
#include <string.h>

#include "base/json.h"
#include "latency/latency.h"
#include "recorded/cell.h"

struct latency_own {
    struct latency_request request;
    struct latency *latency;
    unsigned point, workload;
};

struct place {
    const json_t *image, *point;
    size_t workload, seed;
};

static bool find(const json_t *file, size_t *n, struct place *p)
{
    size_t i, k;
    const json_t *seeds;
    json_array_foreach(json_object_get(file, "images"), i, p->image)
    {
        json_array_foreach(json_object_get(p->image, "points"), k, p->point)
        {
            json_array_foreach(json_object_get(p->point, "speedups"), p->workload, seeds)
            {
                p->seed = *n;
                if (*n < json_array_size(seeds))
                    return true;
                *n -= json_array_size(seeds);
            }
        }
    }
    return false;
}

static size_t count(const json_t *file)
{
    struct place p = {.image = NULL};
    size_t left = SIZE_MAX;
    (void)find(file, &left, &p);
    return SIZE_MAX - left;
}

static int find_point(struct latency_own *own, const struct place *p, const char *workload, struct mh_error *err)
{
    const struct latency_image *image = &own->latency->images[0];
    char name[32];
    while (own->workload < image->workload_count && strcmp(image->workloads[own->workload], workload))
        own->workload++;
    for (; own->point < POINTS; own->point++) {
        point_name(own->point, name, sizeof name);
        if (!strcmp(name, cell_text(p->point, "name")))
            break;
    }
    if (own->workload == image->workload_count || own->point == POINTS)
        return mh_fail(err, "the reference set does not have it now");
    if (image->how.cycles != cell_count(p->image, "cycles") || strcmp(image->how.preset, cell_text(p->image, "preset")))
        return mh_fail(err, "the reference set has another window or preset now");
    return 0;
}

static int open_cell(struct cell *c, const json_t *file, size_t n, struct mh_error *err)
{
    struct place p = {.image = NULL};
    if (!find(file, &n, &p))
        return mh_fail(err, "there is no such cell");
    struct latency_own *own = cell_own(c, sizeof *own);
    struct latency_request *r = &own->request;
    const char *workload = cell_text(json_array_get(json_object_get(p.image, "workloads"), p.workload), "workload");
    c->was = json_array_get(json_array_get(json_object_get(p.point, "speedups"), p.workload), p.seed);
    r->images[r->image_count++] = cell_text(p.image, "name");
    r->core = cell_text(p.image, "core");
    r->set_count = cell_texts(json_object_get(file, "set"), r->sets, LATENCY_SETS);
    r->seed_first = (unsigned)(cell_count(file, "first_seed") + p.seed);
    r->seeds = r->jobs = 1;
    r->results = c->results;
    snprintf(c->name, sizeof c->name, "%s at %s, %s, seed %u", r->images[0], cell_text(p.point, "name"), workload,
             r->seed_first);
    own->latency = latency_open(r, err);
    if (!own->latency || find_point(own, &p, workload, err))
        return -1;
    const struct latency *l = own->latency;
    return cell_add_point(c, latency_cell(l, &l->images[0], own->point, own->workload, 0), err) ||
                   cell_add_point(c, latency_cell(l, &l->images[0], POINTS_LAST, own->workload, 0), err)
               ? -1
               : 0;
}

static json_t *value(const struct cell *c)
{
    const struct latency_own *own = c->own;
    return json_number(latency_speedup(own->latency, &own->latency->images[0], own->point, own->workload, 0));
}

static void close_cell(struct cell *c)
{
    struct latency_own *own = c->own;
    if (own->latency)
        latency_close(own->latency);
}

const struct cell_kind cell_latency = {"memhelm-latency-2", count, open_cell, value, close_cell};
