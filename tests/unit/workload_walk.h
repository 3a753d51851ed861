/* Makes workloads and walks their ops, for tests. */
#ifndef MEMHELM_TESTS_WORKLOAD_WALK_H
#define MEMHELM_TESTS_WORKLOAD_WALK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workload/workload.h"

/** The workload; a failure ends the program with its error. */
static inline struct mh_workload *walk_make(const char *name, uint64_t size, uint64_t seed, uint32_t lanes)
{
    struct mh_error err;
    struct mh_workload *w = mh_workload_create(name, size, seed, lanes, &err);

    if (!w) {
        fprintf(stderr, "%s\n", err.text);
        abort();
    }
    return w;
}

/** Where an op comes from. */
struct walk_place {
    uint32_t launch, cta, warp;
};

typedef void walk_op(void *ctx, struct walk_place at, const struct mh_op *op, const uint64_t *addr);

/** Calls `visit` for each op of one warp, EXIT included; returns the number of ops. */
static inline uint64_t walk_warp(const struct mh_workload *w, struct walk_place at, walk_op *visit, void *ctx)
{
    struct mh_cursor c = {.launch = at.launch, .cta = at.cta, .warp = at.warp};
    uint64_t addr[MH_MAX_LANES], count = 0;
    struct mh_op op;

    memset(c.v, 0xa5, sizeof c.v); /* start() has to set what it relies on */
    c.state = 0xa5a5a5a5;
    w->start(w, &c);
    do {
        memset(&op, 0xa5, sizeof op);
        w->next(w, &c, &op, addr);
        visit(ctx, at, &op, addr);
        count++;
    } while (op.kind != MH_OP_EXIT);
    return count;
}

static inline uint32_t walk_warps(const struct mh_workload *w, uint32_t launch, uint32_t lanes)
{
    return (w->launches[launch].threads + lanes - 1) / lanes;
}

/** Every warp of every CTA of every launch. */
static inline uint64_t walk_all(const struct mh_workload *w, uint32_t lanes, walk_op *visit, void *ctx)
{
    uint64_t count = 0;

    for (uint32_t l = 0; l < w->launch_count; l++)
        for (uint32_t cta = 0; cta < w->launches[l].ctas; cta++)
            for (uint32_t warp = 0; warp < walk_warps(w, l, lanes); warp++)
                count += walk_warp(w, (struct walk_place){l, cta, warp}, visit, ctx);
    return count;
}

static inline void walk_end(struct mh_workload **w)
{
    (*w)->destroy(*w);
}

/** Declares a workload that is destroyed at the end of its block: `LOCAL_WORKLOAD(w) = walk_make(..);` */
#define LOCAL_WORKLOAD(w) __attribute__((cleanup(walk_end))) struct mh_workload *w

#endif
