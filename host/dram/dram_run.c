#include "dram.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "memhelm/dram.h"
#include "base/memory.h"
#include "base/process.h"
#include "base/file.h"

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
    v->accepted = must_have(queue, sizeof *v->accepted);
    v->places = must_have(queue, sizeof *v->places);
    v->d = mh_dram_create(v->cfg, &hooks);
    if (!v->d)
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

enum { ROOM = 1 << 18, LINE_MAX_BYTES = 256, SHOWN = 40 };

struct dram_trace {
    struct byte_stream *stream;
    const char *path;
    uint64_t line; /* number of the one read last */
    size_t at, used;
    bool ended;
    char text[ROOM + 1];
};

struct dram_trace *dram_trace_open(const char *path, struct mh_error *err)
{
    struct dram_trace *t = must_have(1, sizeof *t);
    t->path = path;
    t->stream = byte_stream_open(path, err);
    if (t->stream)
        return t;
    free(t);
    return NULL;
}

void dram_trace_close(struct dram_trace *t)
{
    if (t)
        byte_stream_close(t->stream);
    free(t);
}

double dram_trace_share(const struct dram_trace *t)
{
    return byte_stream_share(t->stream);
}

/* Moves what is left to the front and reads on behind it. */
static int refill(struct dram_trace *t, struct mh_error *err)
{
    const char *why;
    memmove(t->text, t->text + t->at, t->used - t->at);
    t->used -= t->at;
    t->at = 0;
    long got = byte_stream_read(t->stream, t->text + t->used, ROOM - t->used, &why);
    if (got < 0)
        return mh_fail(err, "%s:%llu: cannot read: %s", t->path, (unsigned long long)t->line + 1, why);
    t->used += (size_t)got;
    t->ended = got == 0;
    return 0;
}

/* The next line, its end replaced by 0; *line is NULL at the end. */
static int next_line(struct dram_trace *t, char **line, struct mh_error *err)
{
    char *end;
    while (!(end = memchr(t->text + t->at, '\n', t->used - t->at)) && !t->ended) {
        if (t->used - t->at > LINE_MAX_BYTES)
            break;
        if (refill(t, err))
            return -1;
    }
    *line = NULL;
    if (!end && t->at == t->used)
        return 0;
    t->line++;
    if (!end && t->used - t->at > LINE_MAX_BYTES)
        return mh_fail(err, "%s:%llu: more than %d bytes in a line: not a trace of DRAM requests", t->path,
                       (unsigned long long)t->line, LINE_MAX_BYTES);
    if (!end)
        end = t->text + t->used;
    *line = t->text + t->at;
    t->at = (size_t)(end - t->text) + (end < t->text + t->used);
    *end = 0;
    return 0;
}

static int bad_line(const struct dram_trace *t, const char *line, const char *what, struct mh_error *err)
{
    char shown[SHOWN + 1];
    snprintf(shown, sizeof shown, "%s", line);
    for (char *p = shown; *p; p++)
        if (*p < ' ' || *p > '~')
            *p = '?';
    return mh_fail(err, "%s:%llu: '%s': %s; a request looks like `0x1f80 READ 120`: address, READ or WRITE, cycle",
                   t->path, (unsigned long long)t->line, shown, what);
}

static const char *skip_blanks(const char *p)
{
    while (*p == ' ' || *p == '\t' || *p == '\r')
        p++;
    return p;
}

static inline unsigned digit_of(char c)
{
    if (c >= '0' && c <= '9')
        return (unsigned)(c - '0');
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10 : 16;
}

/* After the last digit; NULL when there is none, or more than 64 bits. */
static const char *parse_hex(const char *p, uint64_t *v)
{
    if (p[0] != '0' || (p[1] | 0x20) != 'x')
        return NULL;
    const char *start = p += 2;
    for (*v = 0; digit_of(*p) < 16; p++) {
        if (*v >> 60)
            return NULL;
        *v = *v << 4 | digit_of(*p);
    }
    return p == start ? NULL : p;
}

static const char *parse_cycle(const char *p, uint64_t *v)
{
    const char *start = p;
    for (*v = 0; *p >= '0' && *p <= '9'; p++) {
        *v = *v * 10 + digit_of(*p);
        if (*v > DRAM_TRACE_LAST)
            return NULL;
    }
    return p == start ? NULL : p;
}

static const char *parse_kind(const char *p, bool *write)
{
    *write = *p == 'W' || *p == 'w';
    size_t n = *write ? strlen("WRITE") : strlen("READ");
    return strncmp(p, *write ? "WRITE" : "READ", n) && strncmp(p, *write ? "write" : "read", n) ? NULL : p + n;
}

static bool blank(const char *p)
{
    return *p == ' ' || *p == '\t';
}

static int parse(const struct dram_trace *t, const char *line, const char *p, struct dram_access *a,
                 struct mh_error *err)
{
    p = parse_hex(p, &a->addr);
    if (!p || !blank(p))
        return bad_line(t, line, "the address is not 0x and up to 16 hexadecimal digits", err);
    p = parse_kind(skip_blanks(p), &a->write);
    if (!p || !blank(p))
        return bad_line(t, line, "neither READ nor WRITE after the address", err);
    p = parse_cycle(skip_blanks(p), &a->cycle);
    if (!p)
        return bad_line(t, line, "the cycle is not a number from 0 to 100000000000", err);
    if (*skip_blanks(p))
        return bad_line(t, line, "something follows the cycle", err);
    return 1;
}

int dram_trace_next(struct dram_trace *t, struct dram_access *a, struct mh_error *err)
{
    for (;;) {
        char *line;
        if (next_line(t, &line, err))
            return -1;
        if (!line)
            return 0;
        const char *p = skip_blanks(line);
        if (*p && *p != '#')
            return parse(t, line, p, a, err);
    }
}
