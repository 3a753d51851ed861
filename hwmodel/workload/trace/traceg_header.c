/*
 * The header of a kernel's file: lines `-KEY = VALUE`, up to the first other one. Needed: kernel name, grid dim, block
 * dim, shmem, nregs. Used: accelsim tracer version (without it: 1), enable lineinfo, shmem base_addr, local mem
 * base_addr. Others are skipped.
 */
#include <stdlib.h>
#include <string.h>

#include "workload/trace/traceg.h"

enum { MAX_VERSION = 5 };

struct header {
    bool name, grid, block, shared, registers;
};

static bool get_dimensions(struct mh_traceg *p, const char *value, uint32_t dim[3], uint64_t max, uint64_t *product)
{
    unsigned d[3];
    int end = 0;

    if (sscanf(value, "(%9u,%9u,%9u)%n", &d[0], &d[1], &d[2], &end) != 3 || end == 0 || !d[0] || !d[1] || !d[2])
        return mh_traceg_fail(p, "expected dimensions as (X,Y,Z), each from 1, found '%.60s'", value);
    *product = 1;
    for (int i = 0; i < 3; i++) {
        dim[i] = d[i];
        *product *= d[i];
        if (*product > max)
            return mh_traceg_fail(p, "expected dimensions with a product of at most %llu, found '%.60s'",
                                  (unsigned long long)max, value);
    }
    return true;
}

static bool get_value(struct mh_traceg *p, const char *value, uint64_t max, uint64_t *v)
{
    char *end;

    *v = strtoull(value, &end, 0);
    if (*value < '0' || *value > '9' || end[strspn(end, " \t")] || *v > max)
        return mh_traceg_fail(p, "expected a number from 0 to %llu, found '%.60s'", (unsigned long long)max, value);
    return true;
}

/* The same text for the same kernel: instructions are told apart by it. */
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

static bool get_version(struct mh_traceg *p, const char *value)
{
    uint64_t v;

    if (!get_value(p, value, UINT32_MAX, &v))
        return false;
    if (v > MAX_VERSION)
        return mh_traceg_fail(p, "expected a tracer version of at most %d, found %llu: its instructions may differ",
                              MAX_VERSION, (unsigned long long)v);
    p->columns.ids = v < 3;
    if (v > p->r.about.version)
        p->r.about.version = (uint32_t)v;
    return true;
}

static bool get_shape(struct mh_traceg *p, const char *key, const char *value, struct header *h)
{
    struct mh_trace_head *head = &p->r.head;
    uint64_t threads;

    if (strncmp(key, "grid dim", 8) == 0) {
        h->grid = true;
        return get_dimensions(p, value, head->shape.grid, UINT32_MAX, &head->ctas);
    }
    if (!get_dimensions(p, value, head->shape.block, MH_MAX_WARPS * MH_TRACEG_LANES, &threads))
        return false;
    h->block = true;
    head->threads = (uint32_t)threads;
    p->warps = (head->threads + MH_TRACEG_LANES - 1) / MH_TRACEG_LANES;
    return true;
}

static bool get_entry(struct mh_traceg *p, const char *key, const char *value, struct header *h)
{
    uint64_t v = 0;
    bool ok = true;

    if (strncmp(key, "kernel name", 11) == 0) {
        h->name = true;
        return get_kernel(p, value);
    }
    if (strncmp(key, "grid dim", 8) == 0 || strncmp(key, "block dim", 9) == 0)
        return get_shape(p, key, value, h);
    if (strncmp(key, "accelsim tracer version", 23) == 0)
        return get_version(p, value);
    if (strncmp(key, "shmem base_addr", 15) == 0)
        return get_value(p, value, UINT64_MAX, &p->shared_base);
    if (strncmp(key, "local mem base_addr", 19) == 0)
        return get_value(p, value, UINT64_MAX, &p->local_base);
    if (strncmp(key, "shmem", 5) == 0) {
        ok = h->shared = get_value(p, value, UINT32_MAX, &v);
        p->r.head.shared_bytes = (uint32_t)v;
    } else if (strncmp(key, "nregs", 5) == 0) {
        ok = h->registers = get_value(p, value, 1024, &v);
        p->r.head.registers = (uint32_t)v;
    } else if (strncmp(key, "enable lineinfo", 15) == 0) {
        ok = get_value(p, value, 1, &v);
        p->columns.line = v;
    }
    return ok; /* kernel id, binary version, cuda stream id, nvbit version and later ones: not used */
}

static bool check_header(struct mh_traceg *p, const struct header *h)
{
    const char *missing = !h->name        ? "kernel name = NAME"
                          : !h->grid      ? "grid dim = (X,Y,Z)"
                          : !h->block     ? "block dim = (X,Y,Z)"
                          : !h->shared    ? "shmem = BYTES"
                          : !h->registers ? "nregs = NUMBER"
                                          : NULL;

    return !missing || mh_traceg_fail(p, "expected '-%s' in the header before this line", missing);
}

bool mh_traceg_header(struct mh_traceg *p)
{
    struct header h = {.name = false};
    const char *line, *value;

    p->columns = (struct mh_traceg_columns){.ids = true};
    p->shared_base = p->local_base = 0;
    p->has_line = false;
    for (;;) {
        if (!mh_traceg_next_line(p, &line, "the header of a kernel ('-kernel name = NAME')"))
            return false;
        if (*line != '-')
            break;
        value = strstr(line, " = ");
        if (!value)
            return mh_traceg_fail(p, "expected '-KEY = VALUE', found '%.60s'", line);
        if (!get_entry(p, line + 1, value + 3, &h))
            return false;
    }
    p->has_line = true;
    return check_header(p, &h);
}
