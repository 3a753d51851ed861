/*
 * A small GMT1 trace, byte by byte: warps of 32, a launch of CTAs of 40 threads over one buffer. And whether two traces
 * are the same one: launches, buffers and every op.
 */
#ifndef TESTS_UNIT_WORKLOAD_TRACE_FIXTURE_H
#define TESTS_UNIT_WORKLOAD_TRACE_FIXTURE_H

#include "unit/test.h"
#include "workload/trace/trace.h"
#include "unit/workload_walk.h"
#include "workload/op_stats.h"

struct bytes {
    uint8_t b[4096];
    size_t size;
};

static inline void gmt_put(struct bytes *t, const void *data, size_t size)
{
    assert_true(t->size + size <= sizeof t->b);
    memcpy(t->b + t->size, data, size);
    t->size += size;
}

static inline void gmt_number(struct bytes *t, uint64_t v)
{
    do {
        uint8_t byte = (uint8_t)((v & 0x7f) | (v > 0x7f ? 0x80 : 0));

        gmt_put(t, &byte, 1);
        v >>= 7;
    } while (v);
}

static inline void gmt_signed(struct bytes *t, int64_t v)
{
    gmt_number(t, ((uint64_t)v << 1) ^ (0 - (uint64_t)(v < 0)));
}

static inline void gmt_byte(struct bytes *t, unsigned v)
{
    uint8_t byte = (uint8_t)v;

    gmt_put(t, &byte, 1);
}

static inline void gmt_text(struct bytes *t, const char *text)
{
    gmt_put(t, text, strlen(text));
}

enum { BASE = 0x1000, BYTES = 512 };

/* Header and launch of 2 x 1 x 1 CTAs of 40 threads (warps of 32 and 8) over one buffer. */
static inline struct bytes launch(void)
{
    struct bytes t = {.size = 0};
    static const uint8_t shape[] = {2, 1, 1, 40, 1, 1, 2};

    gmt_text(&t, "GMT1 warp=32\nL\003abc"); /* 13 bytes, tag, length, name */
    gmt_put(&t, shape, sizeof shape);       /* from byte 18 */
    gmt_number(&t, 1);
    gmt_number(&t, BASE); /* two bytes */
    gmt_number(&t, BYTES);
    assert_int_equal(t.size, 30);
    return t;
}

static inline struct bytes cta(void)
{
    struct bytes t = launch();

    gmt_text(&t, "C"); /* byte 30 */
    gmt_number(&t, 0);
    gmt_number(&t, 2);
    return t; /* next: byte 33 */
}

/* A warp with no records. */
static inline void gmt_warp(struct bytes *t, unsigned warp, unsigned records)
{
    gmt_text(t, "W");
    gmt_number(t, warp);
    gmt_number(t, records);
}

/* Two warps: a load with a stride, a store with a list, an atomic, barriers. */
static inline struct bytes good(void)
{
    struct bytes t = cta();

    gmt_warp(&t, 0, 4);
    gmt_byte(&t, 0x20); /* load, all lanes, base + stride, 4 bytes */
    gmt_number(&t, 7);
    gmt_number(&t, 200);
    gmt_signed(&t, BASE + 124);
    gmt_signed(&t, -4);
    gmt_byte(&t, 0x04 | 0x08 | 0x01 | 0x70); /* store, mask, list, size follows */
    gmt_number(&t, 300);
    gmt_number(&t, 3);
    gmt_put(&t, "\x00\x0e\x00\x00", 4); /* lanes 9, 10, 11 */
    gmt_number(&t, 3);
    gmt_signed(&t, BASE);
    gmt_signed(&t, 500);
    gmt_signed(&t, -490);
    gmt_byte(&t, 0x02 | 0x04 | 0x30); /* atomic, mask, stride, 8 bytes */
    gmt_number(&t, 0);
    gmt_number(&t, 200);
    gmt_put(&t, "\x00\x00\x00\x11", 4); /* lanes 24 and 28 */
    gmt_signed(&t, 132 + 60);           /* from the last address of pc 200 */
    gmt_signed(&t, 8);
    gmt_byte(&t, 0x03); /* barrier */
    gmt_number(&t, 1);
    gmt_number(&t, 5);
    gmt_warp(&t, 1, 1);
    gmt_byte(&t, 0x03);
    gmt_number(&t, 2);
    gmt_number(&t, 5);
    gmt_text(&t, "E");
    return t;
}

static inline struct mh_workload *gmt_parse(const struct bytes *t, bool lenient, struct mh_error *err)
{
    /* An exact copy, so that a read past the end is seen by the address sanitizer. */
    uint8_t *copy = malloc(t->size ? t->size : 1);
    struct mh_workload *w;

    assert_non_null(copy);
    memcpy(copy, t->b, t->size);
    w = mh_trace_parse(copy, t->size, "t.gmt", (struct mh_trace_how){.lanes = 32, .lenient = lenient}, err);
    free(copy);
    return w;
}

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
