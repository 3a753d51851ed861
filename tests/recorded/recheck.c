#include "recorded/recorded.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/json.h"
#include "base/process.h"
#include "engine/random.h"
#include "latency/set.h"
#include "recorded/cell.h"
#include "run/sim.h"
#include "run/jobs.h"

/* Which cells are run: at random, the same of a seed on every machine. */

/* The state of random numbers that `seed` and `what` decide. */
static uint64_t draw_seed(const char *seed, const char *what)
{
    char text[HASH_TEXT];
    struct hash *h = hash_begin();
    hash_add(h, seed, strlen(seed) + 1);
    hash_add(h, what, strlen(what));
    hash_end(h, text);
    text[16] = 0;
    return strtoull(text, NULL, 16);
}

/* The numbers 0..count-1 in random order; the caller frees them. */
static size_t *draw_order(uint64_t seed, size_t count)
{
    size_t *order = calloc(count + 1, sizeof *order);
    if (!order)
        abort();
    for (size_t i = 0; i < count; i++) {
        const size_t j = mh_random(seed, i) % (i + 1);
        order[i] = order[j];
        order[j] = i;
    }
    return order;
}

/* Draw `i` of the seed: true with probability `chance`. */
static bool draw_happens(uint64_t seed, size_t i, double chance)
{
    return (double)mh_random(~seed, i) < chance * (double)UINT64_MAX;
}

enum {
    FILES = 256,
    TRIES = 4 /* cells that are looked at for one that is worth its time */
};

/* Programs that run to their end: so many windows of the reference set. [ours] dws takes 3 s a run, etc 9. */
#define TO_THE_END 4

struct state {
    const struct recheck_options *o;
    struct latency_set costs;
    struct store *store;
    double left; /* seconds */
    unsigned cells, unfinished, moved_cells, moved_count;
    const char *moved[FILES];
    int signal;
};

/* --- What a cell costs. */

static double cost_of(const struct state *s, const struct mh_config *cfg)
{
    const struct set_preset p = latency_set_preset(&s->costs, cfg->preset);
    return 1e-9 * (double)p.cost * (double)(cfg->run.completions ? TO_THE_END * p.cycles : cfg->run.cycles);
}

static double seconds_of(const struct state *s, const struct cell *c)
{
    double sum = 0;
    for (unsigned i = 0; i < c->sim_count; i++) {
        struct sim *sim = &c->sims[i]->sim;
        sim->cost = cost_of(s, &sim->cfg);
        sum += sim->cost;
    }
    return sum;
}

/* --- What it says now. */

static char *digits(const json_t *v)
{
    char *text = json_dumps(v, JSON_ENCODE_ANY | JSON_REAL_PRECISION(6));
    if (!text)
        abort();
    return text;
}

/* Why a run has no result; "": all have one. */
static void why_not(const struct cell *c, char *text, size_t size)
{
    *text = 0;
    for (unsigned i = 0; i < c->sim_count && !*text; i++)
        diagnose(&c->sims[i]->sim, text, size);
}

static bool given_up(const struct cell *c)
{
    for (unsigned i = 0; i < c->sim_count; i++)
        if (c->sims[i]->sim.given_up)
            return true;
    return false;
}

/* Is it what is recorded? */
static bool compare(const struct cell *c, FILE *out)
{
    char why[1024];
    json_t *now = c->kind->value(c);
    char *was_text = digits(c->was), *now_text = digits(now);
    const bool equal = !strcmp(was_text, now_text);
    why_not(c, why, sizeof why);
    if (!equal)
        fprintf(out, "  %s: %s recorded, %s now%s%s\n", c->name, was_text, now_text, *why ? ": " : "", why);
    free(was_text);
    free(now_text);
    json_decref(now);
    return equal;
}

/* --- Cells of one file. */

struct file {
    const char *path;
    json_t *json;
    const struct cell_kind *kind;
    size_t count, *order;
    unsigned cells, runs, moved;
};

static int open_file(struct file *f, const char *seed, const char *path, struct mh_error *err)
{
    *f = (struct file){.path = path, .json = json_read(path, err)};
    if (!f->json)
        return -1;
    f->kind = cell_kind_of(f->json);
    if (!f->kind)
        return mh_fail(err, "%s: %s is no schema of a recording", path, cell_text(f->json, "schema"));
    f->count = f->kind->count(f->json);
    f->order = draw_order(draw_seed(seed, path), f->count);
    return 0;
}

static void close_file(struct file *f)
{
    free(f->order);
    json_decref(f->json);
}

/* What cannot be opened has moved, unless it is recorded that there was nothing. False: there is nothing to run. */
static bool open_cell(struct file *f, const struct recheck_options *o, size_t n, struct cell *c)
{
    struct mh_error err;
    *c = (struct cell){.kind = f->kind, .results = o->results};
    if (!f->kind->open(c, f->json, n, &err))
        return true;
    f->cells++;
    if (!json_is_null(c->was)) {
        f->moved++;
        printf("  %s: %s\n", c->name, err.text);
    }
    cell_close(c);
    return false;
}

static void take(struct state *s, struct file *f, struct cell *c)
{
    kept_load(c->sims, c->sim_count, s->store);
    s->signal = kept_run(c->sims, c->sim_count, s->store, s->o->jobs, false);
    if (s->signal)
        return;
    f->runs += c->sim_count;
    if (given_up(c)) {
        s->unfinished++;
        printf("  %s: not finished in %u s, not compared\n", c->name, s->o->seconds);
    } else {
        f->cells++;
        f->moved += !compare(c, stdout);
    }
}

/* Many cheap cells rather than one: a tenth of the time is cheap, and a cell that costs more is drawn less often. */
static bool worth(const struct state *s, const struct file *f, size_t i, double cost)
{
    const double cheap = s->o->seconds / 10.0;
    if (!s->o->seconds)
        return true;
    return cost <= s->left && draw_happens(draw_seed(s->o->seed, f->path), i, cheap / cost);
}

/* The first of the order that are worth their time. */
static void take_some(struct state *s, struct file *f)
{
    const unsigned wanted = s->o->each ? s->o->each : 1;
    unsigned taken = 0;
    struct cell c;
    for (size_t i = 0; i < f->count && i < (size_t)TRIES * wanted && taken < wanted && !s->signal; i++) {
        if (!open_cell(f, s->o, f->order[i], &c)) {
            taken++;
            continue;
        }
        const double cost = seconds_of(s, &c);
        if (worth(s, f, i, cost)) {
            s->left -= s->o->each ? 0 : cost;
            taken++;
            take(s, f, &c);
        }
        cell_close(&c);
    }
}

static void tell(struct state *s, const struct file *f)
{
    if (f->moved)
        s->moved[s->moved_count++] = f->path;
    s->cells += f->cells;
    s->moved_cells += f->moved;
    if (!f->count)
        printf("%s: does not say on what it ran; not compared\n", f->path);
    else if (f->cells)
        printf("%s: %u of %zu cells, %u runs: %s\n", f->path, f->cells, f->count, f->runs,
               f->moved ? "MOVED" : "as recorded");
    fflush(stdout);
}

static int one_file(struct state *s, const char *path)
{
    struct mh_error err;
    struct file f;
    int status = open_file(&f, s->o->seed, path, &err);
    if (status)
        fprintf(stderr, "recorded: %s\n", err.text);
    else
        take_some(s, &f);
    if (!status)
        tell(s, &f);
    close_file(&f);
    return status;
}

/* --- All. */

/* The call that records anew what moved: host/recordings.mk. */
static void say_call(const struct state *s)
{
    for (unsigned i = 0; i < s->moved_count; i++) {
        const char *slash = strrchr(s->moved[i], '/'), *name = slash ? slash + 1 : s->moved[i];
        printf("%s%.*s", i ? " " : "record anew: make results STUDIES=\"", (int)strcspn(name, "."), name);
    }
    fputs(s->moved_count ? "\"\n" : "", stdout);
}

static int report(const struct state *s, double seconds)
{
    printf("%u cells run again, %u moved, in %u recordings; seed %s, %.0f s\n", s->cells, s->moved_cells,
           s->moved_count, s->o->seed, seconds);
    say_call(s);
    if (s->signal) {
        fputs("recorded: interrupted; what is finished is kept, the same call goes on\n", stderr);
        return 128 + s->signal;
    }
    return s->moved_count || !s->cells;
}

static int all_files(struct state *s, char **paths)
{
    unsigned count = 0;
    int status = 0;
    while (paths[count])
        count++;
    if (count > FILES)
        return -1;
    size_t *order = draw_order(draw_seed(s->o->seed, ""), count);
    for (unsigned i = 0; i < count && !s->signal && !status && (s->o->each || s->left >= 1); i++)
        status = one_file(s, paths[s->o->each ? i : order[i]]);
    free(order);
    return status;
}

int recheck(char **paths, const struct recheck_options *o)
{
    struct state s = {.o = o, .left = o->seconds};
    struct mh_error err;
    const double started = wall_seconds();
    s.store = latency_set_open(&s.costs, NULL, &err) ? NULL : store_open(o->results, &err);
    if (!s.store) {
        fprintf(stderr, "recorded: %s\n", err.text);
        return 2;
    }
    jobs_limit(o->seconds); /* an estimate may be wrong */
    int code = all_files(&s, paths) ? 2 : report(&s, wall_seconds() - started);
    store_close(s.store);
    latency_set_close(&s.costs);
    return code;
}
