#include "oracle.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/file.h"

#define SCHEMA "memhelm-search-1"

enum { FILES = 8 };

/* One that cannot be read stays here with its error. */
struct oracle_file {
    char path[HOST_PATH];
    json_t *search; /* NULL: `error` says why */
    struct mh_error error;
};

struct oracles {
    struct oracle_file files[FILES];
    unsigned count;
};

struct oracles *oracles_new(void)
{
    return must_have(1, sizeof(struct oracles));
}

void oracles_free(struct oracles *o)
{
    for (unsigned i = 0; i < o->count; i++)
        json_decref(o->files[i].search);
    free(o);
}

/* --- The file. */

static const char *text_of(const json_t *o, const char *key)
{
    const char *text = json_string_value(json_object_get(o, key));
    return text ? text : "";
}

static json_t *parse(const char *path, const char *text, size_t length, struct mh_error *err)
{
    json_error_t why;
    json_t *search = json_loadb(text, length, JSON_REJECT_DUPLICATES, &why);
    if (!search)
        (void)mh_fail(err, "%s:%d: damaged: %.160s; write it again: memhelm search --json", path, why.line, why.text);
    else if (strcmp(text_of(search, "schema"), SCHEMA) != 0)
        (void)mh_fail(err, "%s: no " SCHEMA ": an oracle is what memhelm search --json writes", path);
    else
        return search;
    json_decref(search);
    return NULL;
}

static json_t *load(const char *path, struct mh_error *err)
{
    struct mh_error why;
    size_t length;
    char *text = read_packed(path, &length, &why);
    if (!text) {
        (void)mh_fail(err,
                      "%.700s; an oracle is what memhelm search --json writes; its name starts at the current folder",
                      why.text);
        return NULL;
    }
    json_t *search = parse(path, text, length, err);
    free(text);
    return search;
}

static const json_t *search_of(struct oracles *o, const char *path, struct mh_error *err)
{
    struct oracle_file *f = o->files;
    while (f < o->files + o->count && strcmp(f->path, path) != 0)
        f++;
    if (f == o->files + FILES || strlen(path) >= sizeof f->path) {
        (void)mh_fail(err, "oracle %.300s: more than %d files, or the name is too long", path, FILES);
        return NULL;
    }
    if (f == o->files + o->count) {
        o->count++;
        strcpy(f->path, path);
        f->search = load(path, &f->error);
    }
    if (!f->search)
        *err = f->error;
    return f->search;
}

/* --- Is it of this GPU? */

static bool has_set(const struct oracle_query *q, const char *set)
{
    for (unsigned i = 0; i < q->set_count; i++)
        if (!strcmp(q->sets[i], set))
            return true;
    return false;
}

static int check_gpu(const json_t *search, const struct oracle_query *q, struct mh_error *err)
{
    const json_t *sets = json_object_get(search, "set");
    if (strcmp(text_of(search, "preset"), q->preset) != 0)
        return mh_fail(err, "%s: searched on preset %.60s, the run is on %.60s", q->file, text_of(search, "preset"),
                       q->preset);
    for (size_t i = 0; i < json_array_size(sets); i++) {
        const char *set = json_string_value(json_array_get(sets, i));
        if (!set || !has_set(q, set))
            return mh_fail(err, "%s: searched with --set %.200s, which the run has not", q->file, set ? set : "?");
    }
    return 0;
}

/* --- The workload, and its best. */

static const json_t *find_workload(const json_t *search, const struct oracle_query *q, struct mh_error *err)
{
    const bool split = !strcmp(text_of(search, "sms"), "split");
    const json_t *workloads = json_object_get(search, "workloads");
    for (size_t i = 0; i < json_array_size(workloads); i++) {
        const json_t *w = json_array_get(workloads, i);
        if (!strcmp(text_of(w, "workload"), q->workload))
            return w;
    }
    (void)mh_fail(err,
                  "%s has no workload %.200s; add it to the search: memhelm search%s --preset %s --workload %.200s",
                  q->file, q->workload, split ? " --spatial" : "", q->preset, q->workload);
    return NULL;
}

static int damaged(const struct oracle_query *q, const char *what, struct mh_error *err)
{
    return mh_fail(err, "%s, workload %.200s: damaged: %s; write it again: memhelm search --json", q->file, q->workload,
                   what);
}

static int take_ctas(const json_t *ctas, const struct oracle_query *q, struct oracle_choice *out, struct mh_error *err)
{
    out->kernels = (unsigned)json_array_size(ctas);
    if (!out->kernels || out->kernels > MH_MAX_TENANTS)
        return damaged(q, "the best combination has no numbers of CTAs", err);
    for (unsigned k = 0; k < out->kernels; k++) {
        json_int_t n = json_integer_value(json_array_get(ctas, k));
        if (n < 1 || n > MH_MAX_WARPS)
            return damaged(q, "a number of CTAs per SM is from 1 on", err);
        out->ctas[k] = (uint32_t)n;
    }
    return 0;
}

static int take_best(const json_t *workload, const struct oracle_query *q, struct oracle_choice *out,
                     struct mh_error *err)
{
    const json_t *best = json_object_get(workload, "best"), *of = json_object_get(best, q->metric);
    const json_t *missing = json_object_get(workload, "missing");
    if (!json_is_object(best) || !json_is_integer(missing))
        return damaged(q, "best and missing are not there", err);
    if (!of)
        return mh_fail(err,
                       "%s: there is no best by %.60s; there is by harmonic_speedup, weighted_speedup, "
                       "max_slowdown and fairness",
                       q->file, q->metric);
    if (json_integer_value(missing))
        return mh_fail(err, "%s, workload %.200s: %d combinations have no result yet: the same search goes on", q->file,
                       q->workload, (int)json_integer_value(missing));
    return take_ctas(json_object_get(of, "ctas"), q, out, err);
}

/* Its window, and whether SMs were split. */
static int read_about(const json_t *search, const char *file, struct oracle_search *out, struct mh_error *err)
{
    const char *sms = text_of(search, "sms");
    json_int_t cycles = json_integer_value(json_object_get(search, "cycles"));
    *out = (struct oracle_search){.split = !strcmp(sms, "split"), .cycles = (uint64_t)cycles};
    if ((!out->split && strcmp(sms, "shared") != 0) || cycles <= 0)
        return mh_fail(
            err, "%s: damaged: sms is shared or split, cycles above 0; write it again: memhelm search --json", file);
    return 0;
}

int oracles_about(struct oracles *o, const char *file, struct oracle_search *out, struct mh_error *err)
{
    const json_t *search = search_of(o, file, err);
    return search ? read_about(search, file, out, err) : -1;
}

/* NULL and `err`: not there, or not of the run's GPU. */
static const json_t *workload_of(struct oracles *o, const struct oracle_query *q, struct oracle_search *about,
                                 struct mh_error *err)
{
    const json_t *search = search_of(o, q->file, err);
    if (!search || check_gpu(search, q, err) || read_about(search, q->file, about, err))
        return NULL;
    return find_workload(search, q, err);
}

int oracles_choose(struct oracles *o, const struct oracle_query *q, struct oracle_choice *out, struct mh_error *err)
{
    struct oracle_search about;
    const json_t *workload = workload_of(o, q, &about, err);
    if (!workload)
        return -1;
    *out = (struct oracle_choice){.split = about.split};
    return take_best(workload, q, out, err);
}

/* --- The surface: rows of a combination stand together, one for each seed. */

struct ranked {
    struct oracle_choice choice;
    double mean;
    unsigned seeds;
};

static int column_of(const json_t *surface, const char *name)
{
    const json_t *columns = json_object_get(surface, "columns");
    for (size_t i = 0; i < json_array_size(columns); i++) {
        const char *text = json_string_value(json_array_get(columns, i));
        if (text && !strcmp(text, name))
            return (int)i;
    }
    return -1;
}

/* The combination of a row; -1: it has none. */
static int read_ctas(const json_t *row, unsigned kernels, struct oracle_choice *out)
{
    out->kernels = kernels;
    for (unsigned k = 0; k < kernels; k++) {
        json_int_t n = json_integer_value(json_array_get(row, k));
        if (n < 1 || n > MH_MAX_WARPS)
            return -1;
        out->ctas[k] = (uint32_t)n;
    }
    return 0;
}

/* Adds a row to the last combination, or as a new one; returns how many there are. */
static unsigned add_row(struct ranked *all, unsigned count, const struct oracle_choice *c, double value)
{
    if (!count || memcmp(all[count - 1].choice.ctas, c->ctas, sizeof c->ctas) != 0)
        all[count++] = (struct ranked){.choice = *c};
    struct ranked *r = &all[count - 1];
    r->mean += (value - r->mean) / ++r->seeds;
    return count;
}

/* How many combinations; -1: damaged. */
static int read_surface(const json_t *surface, int metric, unsigned kernels, bool split, struct ranked *all)
{
    const json_t *rows = json_object_get(surface, "rows");
    unsigned count = 0;
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i), *value = json_array_get(row, (size_t)metric);
        struct oracle_choice c = {.split = split};
        if (!json_is_number(value) || read_ctas(row, kernels, &c))
            return -1;
        count = add_row(all, count, &c, json_number_value(value));
    }
    return (int)count;
}

/* Moves the best of those from `first` on to `first`; the others keep their order. */
static void best_first(struct ranked *all, unsigned first, unsigned count, bool least)
{
    unsigned best = first;
    for (unsigned i = first + 1; i < count; i++)
        if (least ? all[i].mean < all[best].mean : all[i].mean > all[best].mean)
            best = i;
    const struct ranked chosen = all[best];
    memmove(all + first + 1, all + first, (best - first) * sizeof *all);
    all[first] = chosen;
}

int oracles_rank(struct oracles *o, const struct oracle_query *q, unsigned most, struct oracle_choice *out,
                 struct mh_error *err)
{
    struct oracle_search about;
    struct oracle_choice best = {0};
    const json_t *workload = workload_of(o, q, &about, err);
    if (!workload || take_best(workload, q, &best, err))
        return -1;
    const json_t *surface = json_object_get(workload, "surface");
    const int metric = column_of(surface, q->metric);
    struct ranked *all = must_have(json_array_size(json_object_get(surface, "rows")), sizeof *all);
    int count = metric < 0 ? -1 : read_surface(surface, metric, best.kernels, about.split, all);
    for (unsigned i = 0; (int)i < count && i < most; i++) {
        best_first(all, i, (unsigned)count, !strcmp(q->metric, "max_slowdown"));
        out[i] = all[i].choice;
    }
    free(all);
    if (count <= 0)
        return damaged(q, "its surface has no numbers", err);
    return count < (int)most ? count : (int)most;
}
