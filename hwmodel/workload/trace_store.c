#include "workload/trace_store.h"

#include <stdlib.h>
#include <string.h>

/* Cursor: next record, one past the warp's last, whether the last op was a load. */
enum { RECORD, END, AFTER_LOAD };

static void start(const struct mh_workload *w, struct mh_cursor *c)
{
    const struct mh_trace *t = (const struct mh_trace *)w;
    uint64_t warp = t->launch_warp[c->launch] + (uint64_t)c->cta * t->cta_warps[c->launch] + c->warp;

    c->state = 0;
    memset(c->v, 0, sizeof c->v);
    c->v[RECORD] = t->warp_record[warp];
    c->v[END] = t->warp_record[warp + 1];
}

static void expand(const struct mh_trace *t, const struct mh_trace_shape *s, uint64_t base, uint64_t *addr)
{
    const uint64_t *offset = t->lists.words + s->list;

    for (uint64_t m = s->mask; m; m &= m - 1)
        addr[__builtin_ctzll(m)] = base + *offset++;
}

static void next(const struct mh_workload *w, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const struct mh_trace *t = (const struct mh_trace *)w;
    struct mh_trace_shape s;
    uint64_t base;

    if (c->v[RECORD] == c->v[END]) {
        *op = (struct mh_op){.kind = MH_OP_EXIT, .wait = c->v[AFTER_LOAD]};
        return;
    }
    base = t->base[c->v[RECORD]];
    memcpy(&s, t->shapes.words + t->shape[c->v[RECORD]], sizeof s);
    *op = (struct mh_op){.kind = s.kind,
                         .bytes = s.bytes,
                         .wait = c->v[AFTER_LOAD],
                         .list = s.is_list,
                         .gap = s.gap,
                         .pc = s.pc,
                         .mask = s.mask,
                         .base = base,
                         .stride = s.stride};
    if (s.is_list)
        expand(t, &s, base, addr);
    c->v[RECORD]++;
    c->v[AFTER_LOAD] = s.kind == MH_OP_LOAD;
}

static void destroy(struct mh_workload *w)
{
    struct mh_trace *t = (struct mh_trace *)w;

    for (uint32_t i = 0; i < w->launch_count; i++)
        free((char *)(uintptr_t)t->launches[i].name);
    free(t->launches);
    free(t->launch_warp);
    free(t->cta_warps);
    free(t->buffers);
    free(t->base);
    free(t->shape);
    free(t->warp_record);
    mh_pool_free(&t->shapes);
    mh_pool_free(&t->lists);
    free(t);
}

struct mh_trace *mh_trace_new(void)
{
    struct mh_trace *t = calloc(1, sizeof *t);

    if (!t)
        return NULL;
    t->launches = calloc(MH_TRACE_MAX_LAUNCHES, sizeof *t->launches);
    t->launch_warp = calloc(MH_TRACE_MAX_LAUNCHES, sizeof *t->launch_warp);
    t->cta_warps = calloc(MH_TRACE_MAX_LAUNCHES, sizeof *t->cta_warps);
    t->w.start = start;
    t->w.next = next;
    t->w.destroy = destroy;
    if (t->launches && t->launch_warp && t->cta_warps)
        return t;
    destroy(&t->w);
    return NULL;
}

/* Room for one more in an array of `count` items; the array, or NULL when memory is short. */
static void *reserve(void *array, size_t count, size_t *capacity, size_t item)
{
    size_t grown = *capacity ? *capacity * 2 : 256;

    if (count < *capacity)
        return array;
    array = realloc(array, grown * item);
    if (array)
        *capacity = grown;
    return array;
}

/* A launch of which nothing was recorded is forgotten. */
static void drop_empty_launch(struct mh_trace *t)
{
    uint32_t count = t->w.launch_count;

    if (count > 0 && t->launches[count - 1].ctas == 0) {
        free((char *)(uintptr_t)t->launches[count - 1].name);
        t->w.launch_count = count - 1;
    }
}

bool mh_trace_add_launch(struct mh_trace *t, const char *name, uint32_t threads, uint32_t lanes)
{
    uint32_t i;
    char *copy;

    drop_empty_launch(t);
    i = t->w.launch_count;
    copy = i < MH_TRACE_MAX_LAUNCHES ? strdup(name) : NULL;
    if (!copy)
        return false;
    t->launches[i] = (struct mh_launch){.name = copy, .threads = threads, .registers = MH_TRACE_REGISTERS};
    t->launch_warp[i] = t->warps;
    t->cta_warps[i] = (threads + lanes - 1) / lanes;
    t->w.launch_count++;
    return true;
}

bool mh_trace_add_buffer(struct mh_trace *t, struct mh_buffer b)
{
    void *p = reserve(t->buffers, t->w.buffer_count, &t->buffer_capacity, sizeof b);

    if (!p)
        return false;
    t->buffers = p;
    t->buffers[t->w.buffer_count++] = b;
    return true;
}

void mh_trace_add_cta(struct mh_trace *t)
{
    t->launches[t->w.launch_count - 1].ctas++;
}

bool mh_trace_add_warp(struct mh_trace *t)
{
    void *p = reserve(t->warp_record, t->warps + 1, &t->warp_capacity, sizeof *t->warp_record);

    if (!p)
        return false;
    t->warp_record = p;
    t->warp_record[t->warps++] = t->records;
    t->warp_record[t->warps] = t->records;
    return true;
}

static bool reserve_record(struct mh_trace *t)
{
    size_t capacity = t->record_capacity;
    void *p;

    if (t->records >= MH_TRACE_MAX_RECORDS)
        return false;
    p = reserve(t->base, t->records, &capacity, sizeof *t->base);
    if (!p)
        return false;
    t->base = p;
    p = reserve(t->shape, t->records, &t->record_capacity, sizeof *t->shape);
    if (!p)
        return false;
    t->shape = p;
    return true;
}

bool mh_trace_add_record(struct mh_trace *t, struct mh_trace_shape s, uint64_t base, const uint64_t *offsets)
{
    uint64_t words[sizeof s / sizeof(uint64_t)];
    uint32_t index;

    if (!reserve_record(t))
        return false;
    if (offsets) {
        s.is_list = 1;
        s.list = mh_pool_intern(&t->lists, offsets, (uint32_t)__builtin_popcountll(s.mask), MH_TRACE_MAX_LIST_WORDS);
        if (s.list == MH_POOL_FULL)
            return false;
    }
    memcpy(words, &s, sizeof words);
    index = mh_pool_intern(&t->shapes, words, sizeof words / sizeof *words, MH_TRACE_MAX_SHAPE_WORDS);
    if (index == MH_POOL_FULL)
        return false;
    t->base[t->records] = base;
    t->shape[t->records++] = index;
    t->warp_record[t->warps] = t->records;
    return true;
}

static int by_base(const void *a, const void *b)
{
    const struct mh_buffer *x = a, *y = b;

    return (x->base > y->base) - (x->base < y->base);
}

/* Launches list the same buffers again; where a freed one was reused, the union counts. */
static void merge_buffers(struct mh_trace *t)
{
    uint32_t kept = 0;

    qsort(t->buffers, t->w.buffer_count, sizeof *t->buffers, by_base);
    for (uint32_t i = 0; i < t->w.buffer_count; i++) {
        struct mh_buffer b = t->buffers[i], *last = kept ? &t->buffers[kept - 1] : NULL;

        if (last && b.base < last->base + last->bytes) {
            if (b.base + b.bytes > last->base + last->bytes)
                last->bytes = b.base + b.bytes - last->base;
        } else {
            t->buffers[kept++] = b;
        }
    }
    t->w.buffer_count = kept;
}

bool mh_trace_finish(struct mh_trace *t)
{
    drop_empty_launch(t);
    if (t->w.buffer_count)
        merge_buffers(t);
    mh_pool_seal(&t->shapes);
    mh_pool_seal(&t->lists);
    t->w.launches = t->launches;
    t->w.buffers = t->buffers;
    return t->w.launch_count > 0;
}
