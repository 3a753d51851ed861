#include "workload/trace/trace_cache.h"

#include <stdlib.h>

/* The first byte. */
enum { KIND = 7, WAIT = 8, LIST = 16, NEW_MASK = 32, STREAM_SHIFT = 6 };

/* With the bytes per lane: distances between lanes come with the number of times they repeat. Tiles are such lists. */
enum { RUNS = 128 };

/* Farther from all others than this, an address starts a stream of its own. */
#define FAR ((uint64_t)1 << 14)

enum { MAX_OP = 32 + 10 * MH_MAX_LANES };

uint8_t *mh_put_number(uint8_t *to, uint64_t v)
{
    for (; v > 0x7f; v >>= 7)
        *to++ = (uint8_t)(v | 0x80);
    *to++ = (uint8_t)v;
    return to;
}

uint8_t *mh_put_signed(uint8_t *to, uint64_t v)
{
    return mh_put_number(to, v << 1 ^ (0 - (v >> 63)));
}

static const uint8_t *get_number(const uint8_t *at, uint64_t *v)
{
    unsigned shift = 0;

    for (*v = 0; *at & 0x80; shift += 7)
        *v |= (uint64_t)(*at++ & 0x7f) << shift;
    *v |= (uint64_t)*at++ << shift;
    return at;
}

static const uint8_t *get_signed(const uint8_t *at, uint64_t *v)
{
    at = get_number(at, v);
    *v = *v >> 1 ^ (0 - (*v & 1));
    return at;
}

static bool reserve(struct mh_code *c)
{
    size_t capacity = c->capacity > 2048 ? c->capacity * 2 : 4096;
    uint8_t *bytes;

    if (c->capacity - c->size >= MAX_OP)
        return true;
    bytes = capacity > MH_CODE_MAX ? NULL : realloc(c->bytes, capacity);
    if (!bytes)
        return false;
    c->bytes = bytes;
    c->capacity = capacity;
    return true;
}

void mh_code_trim(struct mh_code *c)
{
    uint8_t *bytes = c->size ? realloc(c->bytes, c->size) : NULL;

    if (!bytes)
        return;
    c->bytes = bytes;
    c->capacity = c->size;
}

/* The stream an address belongs to. */
static unsigned stream_of(const struct mh_code_state *s, uint64_t address)
{
    uint64_t best = UINT64_MAX;
    unsigned stream = 0, unused = MH_CODE_STREAMS;

    for (unsigned i = 0; i < MH_CODE_STREAMS; i++) {
        uint64_t d = address > s->address[i] ? address - s->address[i] : s->address[i] - address;

        if (s->address[i] == 0)
            unused = unused < i ? unused : i;
        else if (d < best) {
            best = d;
            stream = i;
        }
    }
    return best > FAR && unused < MH_CODE_STREAMS ? unused : stream;
}

/* Distances from one active lane to the next, first the one from `from`; their number. */
static unsigned distances(const struct mh_op *op, const uint64_t *addr, uint64_t from, uint64_t *d, unsigned *runs)
{
    unsigned n = 0;

    *runs = 0;
    for (uint64_t m = op->mask; m; m &= m - 1, n++) {
        d[n] = addr[__builtin_ctzll(m)] - from;
        from += d[n];
        *runs += n == 0 || d[n] != d[n - 1];
    }
    return n;
}

static uint8_t *put_list(uint8_t *to, uint64_t *last, const struct mh_op *op, const uint64_t *addr)
{
    uint64_t d[MH_MAX_LANES];
    unsigned runs, n = distances(op, addr, *last, d, &runs), length;

    *last = addr[__builtin_ctzll(op->mask)];
    *to++ = (uint8_t)(op->bytes | (2 * runs < n ? RUNS : 0));
    for (unsigned i = 0; i < n; i += length) {
        to = mh_put_signed(to, d[i]);
        length = 1;
        if (2 * runs >= n)
            continue;
        while (i + length < n && d[i + length] == d[i])
            length++;
        to = mh_put_number(to, length);
    }
    return to;
}

static uint8_t *put_addresses(uint8_t *to, uint64_t *last, const struct mh_op *op, const uint64_t *addr)
{
    if (op->list)
        return put_list(to, last, op, addr);
    *to++ = op->bytes;
    to = mh_put_signed(to, op->base - *last);
    *last = op->base;
    return mh_put_signed(to, (uint64_t)op->stride);
}

bool mh_code_put(struct mh_code *c, struct mh_code_state *s, const struct mh_op *op, const uint64_t *addr)
{
    bool new_mask = op->mask != s->mask, memory = op->kind <= MH_OP_ATOMIC;
    unsigned stream = memory ? stream_of(s, op->list ? addr[__builtin_ctzll(op->mask)] : op->base) : 0;
    uint8_t *to;

    if (!reserve(c))
        return false;
    to = c->bytes + c->size;
    *to++ = (uint8_t)(op->kind | (op->wait ? WAIT : 0) | (op->list ? LIST : 0) | (new_mask ? NEW_MASK : 0) |
                      stream << STREAM_SHIFT);
    if (op->wait)
        to = mh_put_number(to, mh_op_needs(op));
    to = mh_put_number(to, op->gap);
    to = mh_put_number(to, op->pc);
    if (new_mask)
        to = mh_put_number(to, s->mask = op->mask);
    if (memory)
        to = put_addresses(to, &s->address[stream], op, addr);
    c->size = (size_t)(to - c->bytes);
    return true;
}

static const uint8_t *get_list(const uint8_t *at, uint64_t a, const struct mh_op *op, bool runs, uint64_t *addr)
{
    uint64_t d = 0, repeat = 0;

    for (uint64_t m = op->mask; m; m &= m - 1) {
        if (repeat == 0) {
            at = get_signed(at, &d);
            repeat = 1;
            if (runs)
                at = get_number(at, &repeat);
        }
        repeat--;
        addr[__builtin_ctzll(m)] = a += d;
    }
    return at;
}

static const uint8_t *get_addresses(const uint8_t *at, uint64_t *last, struct mh_op *op, uint64_t *addr)
{
    unsigned bytes = *at++;
    uint64_t v;

    op->bytes = (uint8_t)(bytes & ~(unsigned)RUNS);
    if (op->list) {
        at = get_list(at, *last, op, bytes & RUNS, addr);
        *last = op->base = addr[__builtin_ctzll(op->mask)];
        return at;
    }
    at = get_signed(at, &v);
    *last = op->base = *last + v;
    at = get_signed(at, &v);
    op->stride = (int64_t)v;
    return at;
}

size_t mh_code_get(const uint8_t *at, struct mh_code_state *s, struct mh_op *op, uint64_t *addr)
{
    const uint8_t *from = at;
    unsigned flags = *at++;
    uint64_t gap, pc, need = 0;

    if (flags & WAIT)
        at = get_number(at, &need);
    at = get_number(at, &gap);
    at = get_number(at, &pc);
    if (flags & NEW_MASK)
        at = get_number(at, &s->mask);
    *op = (struct mh_op){
        .kind = flags & KIND, .list = flags & LIST, .gap = (uint32_t)gap, .pc = (uint32_t)pc, .mask = s->mask};
    mh_op_set_needs(op, (uint32_t)need);
    if (op->kind <= MH_OP_ATOMIC)
        at = get_addresses(at, &s->address[flags >> STREAM_SHIFT], op, addr);
    return (size_t)(at - from);
}

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
