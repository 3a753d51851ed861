/* The ops of a warp, and how often generated kernels touch each element of a buffer. cmocka.h comes first. */
#ifndef MEMHELM_TESTS_TOUCHES_H
#define MEMHELM_TESTS_TOUCHES_H

#include <stdlib.h>

#include "unit/workload_walk.h"
#include "workload/op_stats.h"

enum { LOAD = MH_OP_LOAD, STORE = MH_OP_STORE };

/** Which accesses count. */
struct touches_filter {
    uint32_t launch; /**< UINT32_MAX: all */
    int kind;
    uint32_t pc; /**< 0: all */
    uint64_t base, count;
    uint32_t element; /**< bytes */
    uint32_t *times;
};

static inline void touches_add(void *ctx, struct walk_place at, const struct mh_op *op, const uint64_t *addr)
{
    struct touches_filter *t = ctx;

    if (op->kind != t->kind || (t->launch != UINT32_MAX && at.launch != t->launch) || (t->pc && op->pc != t->pc))
        return;
    for (uint64_t m = op->mask; m; m &= m - 1) {
        const uint64_t a = mh_op_address(op, addr, (unsigned)__builtin_ctzll(m));

        for (uint64_t b = 0; b < op->bytes; b += t->element)
            if (a + b >= t->base && a + b < t->base + t->count * t->element)
                t->times[(a + b - t->base) / t->element]++;
    }
}

/** How often each of `count` elements from `base` on is touched; the caller frees it. */
static inline uint32_t *count_touches(const struct mh_workload *w, uint32_t lanes, uint32_t launch, int kind,
                                      uint32_t pc, uint64_t base, uint64_t count, uint32_t element)
{
    struct touches_filter t = {launch, kind, pc, base, count, element, calloc(count, sizeof *t.times)};

    assert_non_null(t.times);
    walk_all(w, lanes, touches_add, &t);
    return t.times;
}

/** The touches of a whole buffer, and the workload. */
struct touches {
    struct mh_workload *w;
    uint64_t count;
    uint32_t *times;
};

/** `buffer` counts in the order of addresses, which for small buffers is that of allocation. */
static inline struct touches touches_of(const char *name, uint64_t size, uint64_t seed, uint32_t lanes, uint32_t launch,
                                        int kind, uint32_t pc, uint32_t buffer, uint32_t element)
{
    struct touches t = {.w = walk_make(name, size, seed, lanes)};

    t.count = t.w->buffers[buffer].bytes / element;
    t.times = count_touches(t.w, lanes, launch, kind, pc, t.w->buffers[buffer].base, t.count, element);
    return t;
}

static inline void end_touches(struct touches *t)
{
    free(t->times);
    t->w->destroy(t->w);
}

/** How often an element should be touched by a kernel of that size. */
typedef uint32_t expected_touches(uint64_t element, uint64_t size);

/** Every element of the buffer, with both warp widths; pc 0: by any instruction. */
static inline void check_touches(const char *name, uint64_t size, uint32_t launch, int kind, uint32_t pc,
                                 uint32_t buffer, uint32_t element, expected_touches *expected)
{
    for (uint32_t lanes = 32; lanes <= 64; lanes += 32) {
        struct touches t = touches_of(name, size, 1, lanes, launch, kind, pc, buffer, element);

        for (uint64_t i = 0; i < t.count; i++)
            if (t.times[i] != expected(i, size))
                fail_msg("%s, %u lanes, launch %u, buffer %u: element %llu touched %u times, not %u", name, lanes,
                         launch, buffer, (unsigned long long)i, t.times[i], expected(i, size));
        end_touches(&t);
    }
}

/** The first `count` elements of the buffer, each `times` times. */
static inline void covers(const char *name, uint64_t size, uint32_t launch, int kind, uint32_t buffer, uint64_t count,
                          uint32_t element, uint32_t times)
{
    for (uint32_t lanes = 32; lanes <= 64; lanes += 32) {
        struct touches t = touches_of(name, size, 1, lanes, launch, kind, 0, buffer, element);

        assert_true(count <= t.count);
        for (uint64_t i = 0; i < count; i++)
            if (t.times[i] != times)
                fail_msg("%s, %u lanes, launch %u, buffer %u: element %llu touched %u times, not %u", name, lanes,
                         launch, buffer, (unsigned long long)i, t.times[i], times);
        end_touches(&t);
    }
}

/** What check_touches() expects where every element is touched once. */
static inline uint32_t once(uint64_t element, uint64_t size)
{
    (void)element;
    (void)size;
    return 1;
}

static inline uint32_t twice(uint64_t element, uint64_t size)
{
    return 2 * once(element, size);
}

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
