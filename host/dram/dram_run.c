#include "dram_run.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "memhelm/dram.h"
#include "base/wall.h"

enum { LATENCIES = 4096, LATENCIES_MAX = 1 << 26, LOOK_EVERY = 1 << 16, QUIET_SECONDS = 2 };

struct driver {
    const struct mh_dram_cfg *cfg;
    struct dram_result *r;
    struct mh_dram *d;
    struct mh_error *err;
    FILE *commands;
    uint32_t banks_per_group;
    uint64_t *accepted; /* by place in the queue */
    uint32_t *places, places_free;
    uint64_t next; /* step() is due; MH_DRAM_NEVER */
    bool failed;
};

static int make_room(struct dram_latency *l, uint64_t cycles)
{
    size_t room = l->room ? l->room : LATENCIES;
    while (room <= cycles && room < LATENCIES_MAX)
        room *= 2;
    uint64_t *grown = room > cycles ? realloc(l->count, room * sizeof *grown) : NULL;
    if (!grown)
        return -1;
    memset(grown + l->room, 0, (room - l->room) * sizeof *grown);
    l->count = grown;
    l->room = room;
    return 0;
}

static int add_latency(struct dram_latency *l, uint64_t cycles)
{
    if (cycles >= l->room && make_room(l, cycles))
        return -1;
    l->count[cycles]++;
    l->sum += cycles;
    l->min = !l->reads || cycles < l->min ? cycles : l->min;
    l->max = cycles > l->max ? cycles : l->max;
    l->reads++;
    return 0;
}

uint64_t dram_latency_percentile(const struct dram_latency *l, unsigned percent)
{
    uint64_t want = (l->reads * percent + 99) / 100, seen = 0, cycles = l->min;
    while ((seen += l->count[cycles]) < want)
        cycles++;
    return cycles;
}

/* A tag is the place in the queue, and whether it is a write. */
static void done(void *ctx, uint32_t tag, uint64_t finish, bool row_hit)
{
    struct driver *v = ctx;
    v->r->row_hits += row_hit;
    if (finish > v->r->cycles)
        v->r->cycles = finish;
    if (!(tag & 1) && add_latency(&v->r->latency, finish - v->accepted[tag / 2]))
        v->failed = true;
    v->places[v->places_free++] = tag / 2;
}

static void command(void *ctx, uint64_t cycle, enum mh_dram_command cmd, uint32_t bank, uint32_t row)
{
    static const char *const names[] = {"ACT", "PRE", "RD", "WR", "REF", "REFB"};
    const struct driver *v = ctx;
    uint32_t rank = bank / v->cfg->banks, group = bank % v->cfg->banks / v->banks_per_group;
    if (cmd == MH_DRAM_REF)
        fprintf(v->commands, "%" PRIu64 " REF %u - - -\n", cycle, rank);
    else
        fprintf(v->commands, "%" PRIu64 " %s %u %u %u %u\n", cycle, names[cmd], rank, group, bank % v->banks_per_group,
                row);
}

static int open_driver(struct driver *v)
{
    const struct mh_dram_hooks hooks = {v, done, v->commands ? command : NULL};
    uint32_t queue = v->cfg->queue + v->cfg->write_queue;
    v->next = MH_DRAM_NEVER;
    v->banks_per_group = v->cfg->banks / (v->cfg->groups ? v->cfg->groups : 1);
    v->accepted = calloc(queue, sizeof *v->accepted);
    v->places = calloc(queue, sizeof *v->places);
    v->d = mh_dram_create(v->cfg, &hooks);
    if (!v->accepted || !v->places || !v->d)
        return mh_fail(v->err, "dram: out of memory");
    for (v->places_free = 0; v->places_free < queue; v->places_free++)
        v->places[v->places_free] = v->places_free;
    if (v->commands)
        fputs("# cycle command rank group bank row\n", v->commands);
    return 0;
}

static void close_driver(struct driver *v)
{
    mh_dram_destroy(v->d);
    free(v->accepted);
    free(v->places);
}

/* Returns the cycle at which it entered: `at`, or the first at which the queue has room. */
static uint64_t enter(struct driver *v, const struct dram_access *a, uint64_t at)
{
    if (v->next < at)
        v->next = mh_dram_step(v->d, at - 1);
    struct mh_dram_request req = {.addr = a->addr, .write = a->write};
    while (!mh_dram_takes(v->d, a->write ? NULL : &req, a->write)) {
        at = v->next > at ? v->next : at;
        v->next = mh_dram_step(v->d, at);
    }
    uint32_t place = v->places[--v->places_free];
    req.tag = place * 2 + a->write;
    v->accepted[place] = at;
    v->next = mh_dram_push(v->d, at, &req);
    *(a->write ? &v->r->writes : &v->r->reads) += 1;
    v->r->requests++;
    return at;
}

static void show(const struct driver *v, const struct dram_trace *trace, double seconds)
{
    double share = dram_trace_share(trace);
    fprintf(stderr, "\r\033[Kmemhelm: %.1f M requests, ", 1e-6 * (double)v->r->requests);
    if (share >= 0)
        fprintf(stderr, "%.0f %% of the trace, ", 100 * share);
    fprintf(stderr, "%.0f s", seconds);
    fflush(stderr);
}

static int run_trace(struct driver *v, struct dram_trace *trace, bool progress)
{
    struct dram_access a;
    uint64_t entered = 0;
    double start = wall_seconds(), shown = start + QUIET_SECONDS - 1;
    int got;
    while ((got = dram_trace_next(trace, &a, v->err)) > 0 && !v->failed) {
        uint64_t earliest = v->r->requests ? entered + 1 : 0;
        entered = enter(v, &a, a.cycle > earliest ? a.cycle : earliest);
        if (progress && v->r->requests % LOOK_EVERY == 0 && wall_seconds() - shown >= 1)
            show(v, trace, (shown = wall_seconds()) - start);
    }
    while (v->next != MH_DRAM_NEVER)
        v->next = mh_dram_step(v->d, v->next);
    if (progress && shown > start + QUIET_SECONDS - 1)
        fputs("\r\033[K", stderr);
    if (v->failed)
        return mh_fail(v->err, "dram: a read of more than %d cycles, or out of memory", LATENCIES_MAX);
    return got;
}

int dram_run(const struct mh_dram_cfg *cfg, struct dram_trace *trace, FILE *commands, bool progress,
             struct dram_result *r, struct mh_error *err)
{
    struct driver v = {.cfg = cfg, .r = r, .err = err, .commands = commands};
    memset(r, 0, sizeof *r);
    int status = open_driver(&v) || run_trace(&v, trace, progress) ? -1 : 0;
    close_driver(&v);
    return status;
}

void dram_result_free(struct dram_result *r)
{
    free(r->latency.count);
    r->latency.count = NULL;
}
