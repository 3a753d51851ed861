/*
 * The header of a kernel's file: lines `-KEY = VALUE`, up to the first other one. Other keys than those below are
 * skipped; without a tracer's version it is 1. Recordings have garbage in what the driver did not tell the tracer: read
 * leniently, what a run can do without is assumed instead.
 */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "workload/trace/traceg.h"

enum { MAX_VERSION = 5, MAX_KEY = 31 };

enum key { NAME, GRID, BLOCK, SHARED, REGISTERS, SHARED_BASE, LOCAL_BASE, VERSION, LINES, KEYS };

/* The most that a GPU has: CUDA's programming guide, technical specifications per compute capability. */
static const struct row {
    const char *key;
    const char *form;       /* NULL: the key may be missing */
    uint64_t max;           /* of a number: more is an error */
    uint64_t most;          /* that a GPU has */
    uint64_t assumed;       /* of a number that is not known */
    const char *assumption; /* in words; NULL: none is possible */
} rows[KEYS] = {
    [NAME] = {.key = "kernel name", .form = "NAME"},
    [GRID] = {.key = "grid dim", .form = "(X,Y,Z)"},
    [BLOCK] = {.key = "block dim", .form = "(X,Y,Z)"},
    [SHARED] = {"shmem", "BYTES", UINT32_MAX, 227 << 10, 0, "no shared memory"},
    [REGISTERS] = {"nregs", "NUMBER", 1024, 255, MH_TRACE_REGISTERS, "32 registers per thread"},
    [SHARED_BASE] = {"shmem base_addr", NULL, UINT64_MAX, UINT64_MAX, 0, "no generic accesses to shared memory"},
    [LOCAL_BASE] = {"local mem base_addr", NULL, UINT64_MAX, UINT64_MAX, 0, "no generic accesses to local memory"},
    [VERSION] = {.key = "accelsim tracer version", .max = UINT32_MAX, .most = UINT32_MAX},
    [LINES] = {.key = "enable lineinfo", .max = 1, .most = 1},
};

_Static_assert(MH_TRACE_REGISTERS == 32, "as its row says");

struct header {
    bool has[KEYS];
    uint64_t number[KEYS];
};

/* Files are read again, which counts no more. */
void mh_traceg_assume(struct mh_traceg *p, const char *what, const char *format, ...)
{
    char found[96];
    va_list ap;

    if (p->checked || p->r.about.assumed++)
        return;
    va_start(ap, format);
    vsnprintf(found, sizeof found, format, ap);
    va_end(ap);
    for (char *c = found; *c; c++)
        if (*c < 0x20 || *c > 0x7e)
            *c = '?';
    snprintf(p->assumption, sizeof p->assumption, "%.300s:%llu: %s %s", p->in.source.path,
             (unsigned long long)p->in.line_number, found, what);
    p->r.about.assumption = p->assumption;
}

static bool get_dimensions(struct mh_traceg *p, const char *value, uint32_t dim[3], uint64_t max, uint64_t *product)
{
    unsigned long long d[3];
    int end = 0;

    if (sscanf(value, "(%llu,%llu,%llu)%n", &d[0], &d[1], &d[2], &end) != 3 || end == 0 || !d[0] || !d[1] || !d[2])
        return mh_traceg_fail(p, "expected dimensions as (X,Y,Z), each from 1, found '%.60s'", value);
    *product = 1;
    for (int i = 0; i < 3; i++) {
        if (d[i] > max / *product)
            return mh_traceg_fail(p, "expected dimensions with a product of at most %llu, found '%.60s'",
                                  (unsigned long long)max, value);
        dim[i] = (uint32_t)d[i];
        *product *= d[i];
    }
    return true;
}

static bool is_number(const char *value, uint64_t max, uint64_t *v)
{
    char *end;

    *v = strtoull(value, &end, 0);
    return *value >= '0' && *value <= '9' && !end[strspn(end, " \t")] && *v <= max;
}

static bool get_number(struct mh_traceg *p, const struct row *r, const char *value, uint64_t *v)
{
    const bool lenient = p->lenient && r->assumption;

    if (is_number(value, lenient ? r->most : r->max, v))
        return true;
    if (!lenient)
        return mh_traceg_fail(p, "expected a number from 0 to %llu, found '%.60s'%s%s", (unsigned long long)r->max,
                              value, r->assumption ? "; --trace-lenient assumes " : "",
                              r->assumption ? r->assumption : "");
    *v = r->assumed;
    mh_traceg_assume(p, r->assumption, "-%s = %.60s: assumed", r->key, value);
    return true;
}

/* One text per kernel, shared by its launches: instructions are told apart by its address. */
static bool get_kernel(struct mh_traceg *p, const char *name)
{
    char **grown, *copy;

    snprintf(p->r.head.name, sizeof p->r.head.name, "%s", name);
    for (char *c = p->r.head.name; *c; c++)
        if (*c < 0x20 || *c > 0x7e)
            *c = '?';
    for (uint32_t i = 0; i < p->kernel_count; i++)
        if (strcmp(p->kernel[i], p->r.head.name) == 0) {
            p->kernel_name = p->kernel[i];
            return true;
        }
    grown = realloc(p->kernel, (p->kernel_count + 1) * sizeof *grown);
    if (grown)
        p->kernel = grown;
    copy = grown ? strdup(p->r.head.name) : NULL;
    if (!copy)
        return mh_traceg_fail(p, "out of memory");
    p->kernel[p->kernel_count++] = copy;
    p->kernel_name = copy;
    return true;
}

static bool get_grid(struct mh_traceg *p, const char *value)
{
    return get_dimensions(p, value, p->r.head.shape.grid, UINT32_MAX, &p->r.head.ctas);
}

static bool get_block(struct mh_traceg *p, const char *value)
{
    struct mh_trace_head *head = &p->r.head;
    uint64_t threads;

    if (!get_dimensions(p, value, head->shape.block, MH_MAX_WARPS * MH_TRACEG_LANES, &threads))
        return false;
    head->threads = (uint32_t)threads;
    p->warps = (head->threads + MH_TRACEG_LANES - 1) / MH_TRACEG_LANES;
    return true;
}

static bool get_version(struct mh_traceg *p, const char *value, uint64_t *v)
{
    if (!get_number(p, &rows[VERSION], value, v))
        return false;
    if (*v > MAX_VERSION)
        return mh_traceg_fail(p, "expected a tracer version of at most %d, found %llu: its instructions may differ",
                              MAX_VERSION, (unsigned long long)*v);
    if (*v > p->r.about.version)
        p->r.about.version = (uint32_t)*v;
    return true;
}

static bool get_entry(struct mh_traceg *p, enum key k, const char *value, struct header *h)
{
    h->has[k] = true;
    switch (k) {
    case NAME:
        return get_kernel(p, value);
    case GRID:
        return get_grid(p, value);
    case BLOCK:
        return get_block(p, value);
    case VERSION:
        return get_version(p, value, &h->number[k]);
    default:
        return get_number(p, &rows[k], value, &h->number[k]);
    }
}

static bool get_line(struct mh_traceg *p, const char *line, struct header *h)
{
    const char *equal = strstr(line, " = ");
    size_t length;
    enum key k = NAME;

    if (!equal && p->lenient) {
        mh_traceg_assume(p, "skipped", "%.60s:", line);
        return true;
    }
    if (!equal)
        return mh_traceg_fail(p, "expected '-KEY = VALUE', found '%.60s'; --trace-lenient skips it", line);
    for (length = (size_t)(equal - ++line); length && line[length - 1] == ' '; length--)
        ;
    while (k < KEYS && (strlen(rows[k].key) != length || strncmp(line, rows[k].key, length) != 0))
        k++;
    return k == KEYS || get_entry(p, k, equal + 3, h);
}

/* All that is needed is there. */
static bool check(struct mh_traceg *p, struct header *h)
{
    for (enum key k = NAME; k < KEYS; k++) {
        const struct row *r = &rows[k];

        if (h->has[k] || !r->form)
            continue;
        if (!p->lenient || !r->assumption)
            return mh_traceg_fail(p, "expected '-%s = %s' in the header before this line%s%s", r->key, r->form,
                                  r->assumption ? "; --trace-lenient assumes " : "",
                                  r->assumption ? r->assumption : "");
        h->number[k] = r->assumed;
        mh_traceg_assume(p, r->assumption, "no '-%s = %s' before this line: assumed", r->key, r->form);
    }
    return true;
}

bool mh_traceg_header(struct mh_traceg *p)
{
    struct header h = {.number = {0}};
    const char *line;

    p->has_line = false;
    for (;;) {
        if (!mh_traceg_next_line(p, &line, "the header of a kernel ('-kernel name = NAME')"))
            return false;
        if (*line != '-')
            break;
        if (!get_line(p, line, &h))
            return false;
    }
    p->has_line = true;
    if (!check(p, &h))
        return false;
    p->columns = (struct mh_traceg_columns){.ids = h.number[VERSION] < 3, .line = h.number[LINES]};
    p->shared_base = h.number[SHARED_BASE];
    p->local_base = h.number[LOCAL_BASE];
    p->r.head.shared_bytes = (uint32_t)h.number[SHARED];
    p->r.head.registers = (uint32_t)h.number[REGISTERS];
    return true;
}
