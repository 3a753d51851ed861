/*
 * A trace as a workload. Opening reads all of it once: that checks it and finds out what the model has to know before
 * the run (launches, buffers). Then it is read again while it is simulated, CTA by CTA, as they are dispatched: in the
 * file's order. A kernel that runs again needs its file from the start: compressed files have no entry in the middle.
 */
#include "workload/trace/trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workload/trace/trace_cache.h"

enum { MAX_LAUNCHES = 1 << 16 };

struct trace {
    struct mh_workload w; /* first */
    char *name;
    uint8_t *data; /* of a trace in memory */
    struct mh_trace_reader *reader;
    struct mh_launch *launches;
    struct mh_trace_shape *shapes;
    uint64_t *recorded_in;
    uint32_t *number; /* per launch, in the file: those without CTAs are left out here */
    uint32_t launch_capacity;
    uint32_t next_cta; /* in the reader's launch */
    struct mh_trace_cache cache;
};

/* Cursor: entry of the CTA, and above it the entry's generation; where the next op is; what it is relative to. */
enum { ENTRY, OFFSET, MASK, ADDRESS };

_Static_assert(ADDRESS + MH_CODE_STREAMS == sizeof((struct mh_cursor *)0)->v / sizeof(uint64_t), "fits the cursor");
enum { RUNNING, ENDED };

static bool skip_op(struct mh_trace_sink *sink, const struct mh_op *op, const uint64_t *addr)
{
    (void)sink;
    (void)op;
    (void)addr;
    return true;
}

/* Reads on until the CTA is announced. Forward is the normal way; back is for a kernel that is run again. */
static bool seek(struct trace *t, uint32_t launch, uint32_t cta, struct mh_error *err)
{
    struct mh_trace_reader *r = t->reader;
    struct mh_trace_sink skip = {skip_op};
    int64_t number = t->number[launch];

    if ((r->at > number || (r->at == number && t->next_cta > cta)) && !r->rewind(r, (uint32_t)number, err))
        return false;
    if (r->at != number)
        t->next_cta = 0;
    for (;;) {
        switch (r->next(r, err)) {
        case MH_TRACE_LAUNCH:
            t->next_cta = 0;
            break;
        case MH_TRACE_CTA:
            if (r->at == number && t->next_cta++ == cta)
                return true;
            if (!r->read_cta(r, &skip, err))
                return false;
            break;
        case MH_TRACE_END:
            return mh_fail(err, "%.384s: CTA %u of launch %u is gone", t->name, cta, launch) == 0;
        case MH_TRACE_FAILED:
            return false;
        }
    }
}

/* The file was checked when it was opened: this is a file that was changed or cannot be read any more. */
static void die(const struct trace *t, const struct mh_error *err)
{
    fprintf(stderr, "memhelm: the trace %s changed while it was simulated, or memory is short: %s\n", t->name,
            err->text);
    exit(1);
}

static struct mh_trace_cta *load(struct trace *t, uint32_t launch, uint32_t cta)
{
    struct mh_error err = {"out of memory"};
    struct mh_trace_cta *e = mh_trace_cache_find(&t->cache, launch, cta);
    struct mh_trace_cta_sink sink;

    if (e)
        return e;
    e = mh_trace_cache_add(&t->cache, launch, cta);
    if (!e || !seek(t, launch, cta, &err))
        die(t, &err);
    sink = mh_trace_cta_sink(e);
    if (!t->reader->read_cta(t->reader, &sink.sink, &err))
        die(t, &err);
    mh_code_trim(&e->code);
    e->number = t->reader->cta;
    return e;
}

static uint64_t handle_of(const struct trace *t, const struct mh_trace_cta *e)
{
    return (uint64_t)e->generation << 32 | (uint64_t)(e - t->cache.entry);
}

static void start(const struct mh_workload *w, struct mh_cursor *c)
{
    struct trace *t = (struct trace *)w;
    struct mh_trace_cta *e = load(t, c->launch, c->cta);

    c->state = RUNNING;
    memset(c->v, 0, sizeof c->v);
    c->v[ENTRY] = handle_of(t, e);
    c->v[OFFSET] = e->warp[c->warp];
}

/* The CTA of a cursor; it may have been let go if a warp of it was started more than once. */
static struct mh_trace_cta *entry_of(struct trace *t, struct mh_cursor *c)
{
    struct mh_trace_cta *e = &t->cache.entry[(uint32_t)c->v[ENTRY]];

    if (e->used && e->generation == c->v[ENTRY] >> 32)
        return e;
    e = load(t, c->launch, c->cta);
    c->v[ENTRY] = handle_of(t, e);
    return e;
}

static void next(const struct mh_workload *w, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    struct mh_code_state state = {.mask = c->v[MASK]};
    struct mh_trace_cta *e;

    if (c->state == ENDED) {
        *op = (struct mh_op){.kind = MH_OP_EXIT};
        return;
    }
    e = entry_of((struct trace *)w, c);
    memcpy(state.address, c->v + ADDRESS, sizeof state.address);
    c->v[OFFSET] += mh_code_get(e->code.bytes + c->v[OFFSET], &state, op, addr);
    memcpy(c->v + ADDRESS, state.address, sizeof state.address);
    c->v[MASK] = state.mask;
    if (op->kind == MH_OP_EXIT) {
        c->state = ENDED;
        mh_trace_cache_done(e, c->warp);
    }
}

static void destroy(struct mh_workload *w)
{
    struct trace *t = (struct trace *)w;

    if (t->reader)
        t->reader->destroy(t->reader);
    for (uint32_t i = 0; i < w->launch_count; i++)
        free((char *)(uintptr_t)t->launches[i].name);
    free(t->launches);
    free(t->shapes);
    free(t->recorded_in);
    free(t->number);
    free((struct mh_buffer *)(uintptr_t)w->buffers);
    mh_trace_cache_free(&t->cache);
    free(t->data);
    free(t->name);
    free(t);
}

const struct mh_trace_about *mh_trace_about(const struct mh_workload *w)
{
    return w->destroy == destroy ? &((const struct trace *)w)->reader->about : NULL;
}

uint64_t mh_trace_cta_number(const struct mh_workload *w, uint32_t launch, uint32_t cta)
{
    return load((struct trace *)w, launch, cta)->number;
}

void mh_trace_set_addresses(struct mh_op *op, const uint64_t *addr)
{
    unsigned first = (unsigned)__builtin_ctzll(op->mask);
    uint64_t rest = op->mask & (op->mask - 1), stride = 0;

    if (rest) {
        unsigned second = (unsigned)__builtin_ctzll(rest);

        /* What does not divide fails the comparison below, except by exact wrap-around, which is as good. */
        stride = (uint64_t)((int64_t)(addr[second] - addr[first]) / (int64_t)(second - first));
    }
    op->base = addr[first] - stride * first;
    op->stride = (int64_t)stride;
    op->list = false;
    for (uint64_t m = rest; m && !op->list; m &= m - 1)
        op->list = addr[__builtin_ctzll(m)] != op->base + stride * (unsigned)__builtin_ctzll(m);
    if (op->list) {
        op->base = addr[first];
        op->stride = 0;
    }
}

void mh_trace_fail_width(const char *name, uint32_t has, uint32_t wanted, const char *remedy, struct mh_error *err)
{
    (void)mh_fail(err, "trace %.300s has %u-lane warps, this configuration has %u: use %.300s", name, has, wanted,
                  remedy);
}

/* ---- opening ---- */

static bool reserve_launch(struct trace *t)
{
    uint32_t n = t->launch_capacity ? t->launch_capacity * 2 : 64;

    void *p;

    if (t->w.launch_count < t->launch_capacity)
        return true;
    if (n > MAX_LAUNCHES)
        return false;
    if (!(p = realloc(t->launches, n * sizeof *t->launches)))
        return false;
    t->launches = p;
    if (!(p = realloc(t->shapes, n * sizeof *t->shapes)))
        return false;
    t->shapes = p;
    if (!(p = realloc(t->recorded_in, n * sizeof *t->recorded_in)))
        return false;
    t->recorded_in = p;
    if (!(p = realloc(t->number, n * sizeof *t->number)))
        return false;
    t->number = p;
    t->launch_capacity = n;
    return true;
}

static bool add_launch(struct trace *t, struct mh_error *err)
{
    const struct mh_trace_head *h = &t->reader->head;
    uint32_t i = t->w.launch_count;
    char *name = reserve_launch(t) ? strdup(h->name) : NULL;

    if (!name)
        return mh_fail(err, "%.384s: more than %d launches, or out of memory", t->name, MAX_LAUNCHES) == 0;
    t->launches[i] = (struct mh_launch){
        .name = name, .threads = h->threads, .registers = h->registers, .shared_bytes = h->shared_bytes};
    t->shapes[i] = h->shape;
    t->shapes[i].empty = true;
    t->recorded_in[i] = h->ctas;
    t->number[i] = (uint32_t)t->reader->at;
    t->w.launch_count++;
    return true;
}

static bool check_cta(struct trace *t, struct mh_trace_cta *scratch, struct mh_error *err)
{
    struct mh_trace_cta_sink sink = mh_trace_cta_sink(scratch);

    if (t->w.launch_count == 0 || t->number[t->w.launch_count - 1] != t->reader->at)
        if (!add_launch(t, err))
            return false;
    t->launches[t->w.launch_count - 1].ctas++;
    if (!t->reader->read_cta(t->reader, &sink.sink, err))
        return false;
    t->shapes[t->w.launch_count - 1].empty &= !sink.works;
    return true;
}

/* Once through: every launch, every CTA. */
static bool check_all(struct trace *t, struct mh_error *err)
{
    struct mh_trace_cta scratch = {.launch = 0};
    enum mh_trace_item item;

    do {
        item = t->reader->next(t->reader, err);
        if (item == MH_TRACE_CTA && !check_cta(t, &scratch, err))
            item = MH_TRACE_FAILED;
    } while (item == MH_TRACE_LAUNCH || item == MH_TRACE_CTA);
    free(scratch.code.bytes);
    return item == MH_TRACE_END && t->reader->finish(t->reader, &t->w, err) && t->reader->rewind(t->reader, 0, err);
}

static bool is_gmt(const struct mh_stream *in)
{
    return in->out_size >= 3 && !memcmp(in->out, "GMT", 3);
}

/* What is neither is for the reader of GMT, which says so. */
static struct mh_trace_reader *open_reader(struct mh_stream *in, struct mh_trace_how how, struct mh_error *err)
{
    enum mh_traceg_file file = is_gmt(in) ? MH_TRACEG_NONE : mh_traceg_look(in);

    if (!is_gmt(in) && mh_stream_rewind(in, err))
        return NULL;
    return file ? mh_traceg_reader(in, file, how, err) : mh_gmt_reader(in, how, err);
}

static struct trace *new_trace(const char *name, const void *data, size_t size)
{
    struct trace *t = calloc(1, sizeof *t);

    if (!t)
        return NULL;
    t->w.start = start;
    t->w.next = next;
    t->w.destroy = destroy;
    t->name = strdup(name);
    if (data)
        t->data = malloc(size ? size : 1);
    if (t->name && (!data || t->data)) {
        if (size)
            memcpy(t->data, data, size);
        return t;
    }
    destroy(&t->w);
    return NULL;
}

static struct mh_workload *open_trace(const void *data, size_t size, const char *name, struct mh_trace_how how,
                                      struct mh_error *err)
{
    struct trace *t = new_trace(name, data, size);
    struct mh_stream in;

    if (!t) {
        (void)mh_fail(err, "%.384s: out of memory", name);
        return NULL;
    }
    if (mh_stream_open(&in, &(struct mh_source){t->name, t->data, size}, err) == 0)
        t->reader = open_reader(&in, how, err);
    if (!t->reader || !check_all(t, err)) {
        destroy(&t->w);
        return NULL;
    }
    t->w.launches = t->launches;
    t->reader->about.launches = t->launches;
    t->reader->about.launch_count = t->w.launch_count;
    t->reader->about.buffer_count = t->w.buffer_count;
    t->reader->about.shapes = t->shapes;
    t->reader->about.recorded_in = t->recorded_in;
    return &t->w;
}

int mh_trace_files(const char *path, int (*visit)(void *ctx, const char *file, struct mh_error *err), void *ctx,
                   struct mh_error *err)
{
    struct mh_trace_reader *r;
    struct mh_stream in;
    int status;

    if (mh_stream_open(&in, &(struct mh_source){.path = path}, err))
        return -1;
    r = open_reader(&in, (struct mh_trace_how){0}, err);
    if (!r)
        return -1;
    status = visit(ctx, path, err);
    if (!status && r->about.companion)
        status = visit(ctx, r->about.companion, err);
    for (uint32_t i = 0; i < r->about.file_count && !status; i++)
        status = visit(ctx, r->about.files[i], err);
    r->destroy(r);
    return status ? -1 : 0;
}

struct mh_workload *mh_trace_parse(const void *data, size_t size, const char *name, struct mh_trace_how how,
                                   struct mh_error *err)
{
    return open_trace(data, size, name, how, err);
}

struct mh_workload *mh_trace_open(const char *path, struct mh_trace_how how, struct mh_error *err)
{
    return open_trace(NULL, 0, path, how, err);
}

void mh_trace_close(struct mh_workload *trace)
{
    trace->destroy(trace);
}
