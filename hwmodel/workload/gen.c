#include "workload/gen.h"

#include <stdlib.h>
#include <string.h>

#include "workload/workload.h"

#define FIRST_VA   ((uint64_t)4 << 30)
#define VA_END     ((uint64_t)1 << 39)
#define LARGE      ((uint64_t)1 << 20)
#define SLAB       ((uint64_t)2 << 20)
#define SMALL_STEP ((uint64_t)512)

static void start(const struct mh_workload *w, struct mh_cursor *c)
{
    (void)w;
    c->state = 0;
    memset(c->v, 0, sizeof c->v);
}

static void next(const struct mh_workload *w, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const struct mh_gen *g = (const struct mh_gen *)w;

    g->body[c->launch](g, c, op, addr);
}

static void destroy(struct mh_workload *w)
{
    struct mh_gen *g = (struct mh_gen *)w;

    free(g->data);
    free(g->launch);
    free(g->body);
    free(g);
}

static struct mh_gen *new_gen(const struct mh_kernel_args *args, struct mh_error *err)
{
    struct mh_gen *g = calloc(1, sizeof *g);

    if (!g) {
        (void)mh_fail(err, "out of memory for a workload");
        return NULL;
    }
    g->top = FIRST_VA;
    g->lanes = args->lanes;
    g->variant = args->variant;
    g->n = args->size;
    g->seed = args->seed;
    g->input = args->input;
    g->err = err;
    g->w.buffers = g->sorted;
    g->w.start = start;
    g->w.next = next;
    g->w.destroy = destroy;
    return g;
}

const struct mh_gen *mh_gen_of(const struct mh_workload *w)
{
    struct mh_launch_range range;

    w = mh_launches_whole(w, &range);
    return w->destroy == destroy ? (const struct mh_gen *)w : NULL;
}

void mh_workload_ptx(struct mh_workload *w)
{
    struct mh_launch_range range;
    const struct mh_workload *whole = mh_launches_whole(w, &range);

    if (whole->destroy == destroy)
        ((struct mh_gen *)(uintptr_t)whole)->ptx = true;
}

void mh_workload_results(struct mh_workload *w)
{
    struct mh_launch_range range;
    const struct mh_workload *whole = mh_launches_whole(w, &range);

    if (whole->destroy == destroy)
        ((struct mh_gen *)(uintptr_t)whole)->results = true;
}

static uint64_t align_up(uint64_t value, uint64_t step)
{
    return mh_ceil_div(value, step) * step;
}

/* Keeps `sorted` in order of addresses: a slab may lie below large buffers that came before its last small one. */
static void insert_sorted(struct mh_gen *g, struct mh_buffer b)
{
    uint32_t i = g->w.buffer_count;

    for (; i > 0 && g->sorted[i - 1].base > b.base; i--)
        g->sorted[i] = g->sorted[i - 1];
    g->sorted[i] = b;
    g->base[g->w.buffer_count++] = b.base;
}

uint64_t mh_gen_buffer(struct mh_gen *g, uint64_t bytes)
{
    uint64_t base;

    if (bytes >= LARGE) {
        base = g->top;
        g->top = align_up(base + bytes, SLAB);
    } else {
        if (g->slab_end - g->slab < bytes) {
            g->slab = g->top;
            g->slab_end = g->top = g->top + SLAB;
        }
        base = g->slab;
        g->slab = align_up(base + bytes, SMALL_STEP);
    }
    g->overflow |= g->top > VA_END || bytes > VA_END;
    insert_sorted(g, (struct mh_buffer){base, bytes});
    return base;
}

void mh_gen_buffers(struct mh_gen *g, uint32_t count, const uint64_t *bytes)
{
    for (uint32_t i = 0; i < count; i++)
        mh_gen_buffer(g, bytes[i]);
}

static bool grow_launches(struct mh_gen *g)
{
    const uint32_t room = g->launch_room ? 2 * g->launch_room : 4;
    struct mh_launch *launch;

    mh_gen_body **body;

    if (g->w.launch_count < g->launch_room)
        return true;
    launch = realloc(g->launch, room * sizeof *launch);
    if (launch)
        g->w.launches = g->launch = launch;
    body = realloc(g->body, room * sizeof *body);
    if (body)
        g->body = body;
    if (!launch || !body)
        return false;
    g->launch_room = room;
    return true;
}

void mh_gen_launch(struct mh_gen *g, struct mh_launch launch, mh_gen_body *body)
{
    if (!grow_launches(g)) {
        g->no_memory = true;
        return;
    }
    g->body[g->w.launch_count] = body;
    g->launch[g->w.launch_count++] = launch;
}

/* False and `err` when memory is short or buffers do not fit below 2^39. */
static bool is_whole(const struct mh_gen *g, struct mh_error *err)
{
    if (g->failed)
        return false;
    if (g->no_memory)
        return mh_fail(err, "out of memory for a workload of size %llu", (unsigned long long)g->n) == 0;
    return !g->overflow ||
           mh_fail(err,
                   "problem size %llu needs more than the 2^39 bytes of a tenant's address space: use a smaller one",
                   (unsigned long long)g->n) == 0;
}

struct mh_workload *mh_kernel_create(const struct mh_kernel *k, const struct mh_kernel_args *args, struct mh_error *err)
{
    struct mh_gen *g = new_gen(args, err);

    if (!g)
        return NULL;
    k->build(g);
    g->input = NULL;
    g->err = NULL;
    if (is_whole(g, err))
        return &g->w;
    destroy(&g->w);
    return NULL;
}
