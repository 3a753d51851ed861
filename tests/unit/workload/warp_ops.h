/* The ops of one warp, and what tests of matrix kernels ask of buffers. cmocka.h comes first. */
#ifndef TESTS_UNIT_WORKLOAD_WARP_OPS_H
#define TESTS_UNIT_WORKLOAD_WARP_OPS_H

#include "touches.h"
#include "unit/workload_walk.h"

enum { WARP_OPS = 4096 };

struct warp_ops {
    uint32_t count, gap; /**< gap: of all of them */
    struct mh_op op[WARP_OPS];
};

/** For walk_warp(), `ctx` a struct warp_ops. */
static inline void keep_op(void *ctx, struct walk_place at, const struct mh_op *op, const uint64_t *addr)
{
    struct warp_ops *s = ctx;

    (void)at;
    (void)addr;
    assert_true(s->count < WARP_OPS && !op->list);
    s->op[s->count++] = *op;
    s->gap += op->gap;
}

/** The buffer of so many bytes. */
static inline uint64_t buffer_of(const struct mh_workload *w, uint64_t bytes)
{
    for (uint32_t b = 0; b < w->buffer_count; b++)
        if (w->buffers[b].bytes == bytes)
            return w->buffers[b].base;
    fail_msg("no buffer of %llu bytes", (unsigned long long)bytes);
    return 0;
}

/** A launch touches each element of `bytes` bytes from `base` on so often. */
static inline void assert_touched(const struct mh_workload *w, uint32_t lanes, uint32_t launch, int kind, uint64_t base,
                                  uint64_t bytes, uint32_t element, uint32_t times)
{
    uint32_t *touched = count_touches(w, lanes, launch, kind, 0, base, bytes / element, element);

    for (uint64_t i = 0; i < bytes / element; i++)
        if (touched[i] != times)
            fail_msg("%llu bytes: element %llu touched %u times, not %u", (unsigned long long)bytes,
                     (unsigned long long)i, touched[i], times);
    free(touched);
}

#endif
