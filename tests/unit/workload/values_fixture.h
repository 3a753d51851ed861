/* A small workload and its values. */
#ifndef MEMHELM_TESTS_VALUES_FIXTURE_H
#define MEMHELM_TESTS_VALUES_FIXTURE_H

#include "unit/workload_walk.h"
#include "workload/gen.h"
#include "workload/values/values.h"

struct fixture {
    const char *kernel;
    struct mh_workload *w;
    const struct mh_gen *g;
    struct mh_values *v;
};

static inline struct fixture values_of(const char *kernel, uint64_t size)
{
    struct fixture f = {.kernel = kernel, .w = walk_make(kernel, size, 1, 32)};
    struct mh_error err;

    f.g = (const struct mh_gen *)f.w;
    f.v = mh_values_create(kernel, f.w, &err);
    if (!f.v) {
        fprintf(stderr, "%s\n", err.text);
        abort();
    }
    return f;
}

static inline void values_end(struct fixture *f)
{
    mh_values_destroy(f->v);
    f->w->destroy(f->w);
}

/** Element `i` of floats, words or halves of array `b`, as the launches that have finished have left it. */
static inline float float_at(struct fixture *f, uint32_t b, uint64_t i)
{
    float x;

    mh_values_read(f->v, false, f->g->base[b] + i * sizeof x, &x, sizeof x);
    return x;
}

/** A float of a line that the running launch has stored. */
static inline float stored_at(struct fixture *f, uint32_t b, uint64_t i)
{
    float x;

    mh_values_read(f->v, true, f->g->base[b] + i * sizeof x, &x, sizeof x);
    return x;
}

static inline int32_t word_at(struct fixture *f, uint32_t b, uint64_t i)
{
    int32_t x;

    mh_values_read(f->v, false, f->g->base[b] + i * sizeof x, &x, sizeof x);
    return x;
}

static inline uint16_t half_at(struct fixture *f, uint32_t b, uint64_t i)
{
    uint16_t x;

    mh_values_read(f->v, false, f->g->base[b] + i * sizeof x, &x, sizeof x);
    return x;
}

#endif
