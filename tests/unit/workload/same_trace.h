/* Two traces are the same one: launches, buffers and every op. cmocka.h comes first. */
#ifndef TESTS_UNIT_WORKLOAD_SAME_TRACE_H
#define TESTS_UNIT_WORKLOAD_SAME_TRACE_H

#include "unit/workload_walk.h"
#include "workload/op_stats.h"
#include "workload/trace/trace.h"

struct compared {
    const struct mh_workload *other;
    bool full; /**< resources, dependences and last gaps have to be equal, too */
    struct walk_place last;
    struct mh_cursor c;
};

static inline void compare_op(void *ctx, struct walk_place from, const struct mh_op *op, const uint64_t *addr)
{
    struct compared *x = ctx;
    uint64_t other_addr[MH_MAX_LANES];
    struct mh_op other;

    if (memcmp(&from, &x->last, sizeof from)) {
        x->last = from;
        x->c = (struct mh_cursor){.launch = from.launch, .cta = from.cta, .warp = from.warp};
        x->other->start(x->other, &x->c);
    }
    x->other->next(x->other, &x->c, &other, other_addr);
    assert_int_equal(op->kind, other.kind);
    assert_int_equal(op->mask, other.mask);
    assert_true(op->bytes == other.bytes && op->pc == other.pc && op->list == other.list);
    if (op->kind != MH_OP_EXIT || x->full)
        assert_int_equal(op->gap, other.gap);
    if (x->full)
        assert_int_equal(mh_op_needs(op), mh_op_needs(&other));
    for (uint64_t m = mh_op_is_memory(op) ? op->mask : 0; m; m &= m - 1)
        assert_int_equal(mh_op_address(op, addr, (unsigned)__builtin_ctzll(m)),
                         mh_op_address(&other, other_addr, (unsigned)__builtin_ctzll(m)));
}

static inline void same_launch(const struct mh_workload *a, const struct mh_workload *b, uint32_t i, bool full)
{
    assert_string_equal(b->launches[i].name, a->launches[i].name);
    assert_int_equal(b->launches[i].ctas, a->launches[i].ctas);
    assert_int_equal(b->launches[i].registers, full ? a->launches[i].registers : 32);
    assert_int_equal(b->launches[i].shared_bytes, full ? a->launches[i].shared_bytes : 0);
    assert_int_equal(mh_trace_about(b)->recorded_in[i], mh_trace_about(a)->recorded_in[i]);
    for (uint32_t cta = 0; cta < a->launches[i].ctas; cta++)
        assert_int_equal(mh_trace_cta_number(b, i, cta), mh_trace_cta_number(a, i, cta));
}

/** `b` is what was written of `a`: as GMT2, or as GMT1, which has not all of it (!full). Returns the number of ops. */
static inline uint64_t same_trace(const struct mh_workload *a, const struct mh_workload *b, bool full)
{
    struct compared x = {.other = b, .full = full, .last = {UINT32_MAX, 0, 0}};

    assert_int_equal(b->launch_count, a->launch_count);
    for (uint32_t i = 0; i < a->launch_count; i++)
        same_launch(a, b, i, full);
    assert_int_equal(b->buffer_count, a->buffer_count);
    for (uint32_t i = 0; i < a->buffer_count; i++)
        assert_true(b->buffers[i].base == a->buffers[i].base && b->buffers[i].bytes == a->buffers[i].bytes);
    return walk_all(a, mh_trace_about(a)->lanes, compare_op, &x);
}

#endif
