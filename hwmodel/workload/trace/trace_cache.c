#include "workload/trace/trace_cache.h"

#include <stdlib.h>

static bool put(struct mh_trace_sink *sink, const struct mh_op *op, const uint64_t *addr)
{
    struct mh_trace_cta_sink *s = (struct mh_trace_cta_sink *)sink;

    if (!s->in_warp) {
        s->cta->warp[s->cta->warps++] = s->cta->code.size;
        s->state = (struct mh_code_state){0};
    }
    s->in_warp = op->kind != MH_OP_EXIT;
    s->works |= s->in_warp || op->gap;
    return mh_code_put(&s->cta->code, &s->state, op, addr);
}

struct mh_trace_cta_sink mh_trace_cta_sink(struct mh_trace_cta *cta)
{
    cta->code.size = 0;
    cta->warps = 0;
    return (struct mh_trace_cta_sink){.sink.op = put, .cta = cta};
}

struct mh_trace_cta *mh_trace_cache_find(struct mh_trace_cache *c, uint32_t launch, uint32_t cta)
{
    uint32_t i = c->last; /* the warps of a CTA start one after the other */

    for (uint32_t left = c->count; left > 0; left--, i++) {
        struct mh_trace_cta *e = &c->entry[i < c->count ? i : (i = 0)];

        if (e->used && e->cta == cta && e->launch == launch) {
            c->last = i;
            return e;
        }
    }
    return NULL;
}

static bool grow(struct mh_trace_cache *c)
{
    uint32_t capacity = c->capacity ? c->capacity * 2 : 64;
    struct mh_trace_cta *entry = realloc(c->entry, capacity * sizeof *entry);

    if (!entry)
        return false;
    c->entry = entry;
    c->capacity = capacity;
    return true;
}

/* A free entry, a new one, or the oldest one. */
static struct mh_trace_cta *take(struct mh_trace_cache *c)
{
    uint32_t oldest = 0;

    for (uint32_t i = 0; i < c->count; i++) {
        if (!c->entry[i].used)
            return &c->entry[i];
        if (c->entry[i].started < c->entry[oldest].started)
            oldest = i;
    }
    if (c->count == MH_TRACE_MAX_CTAS)
        return &c->entry[oldest];
    if (c->count == c->capacity && !grow(c))
        return NULL;
    c->entry[c->count] = (struct mh_trace_cta){0};
    return &c->entry[c->count++];
}

struct mh_trace_cta *mh_trace_cache_add(struct mh_trace_cache *c, uint32_t launch, uint32_t cta)
{
    struct mh_trace_cta *e = take(c);

    if (!e)
        return NULL;
    e->launch = launch;
    e->cta = cta;
    e->generation++;
    e->used = true;
    e->done = 0;
    e->started = ++c->clock;
    c->last = (uint32_t)(e - c->entry);
    return e;
}

void mh_trace_cache_done(struct mh_trace_cta *cta, uint32_t warp)
{
    cta->done |= (uint64_t)1 << warp;
    if ((uint32_t)__builtin_popcountll(cta->done) == cta->warps)
        cta->used = false;
}

void mh_trace_cache_free(struct mh_trace_cache *c)
{
    for (uint32_t i = 0; i < c->count; i++)
        free(c->entry[i].code.bytes);
    free(c->entry);
    *c = (struct mh_trace_cache){0};
}
