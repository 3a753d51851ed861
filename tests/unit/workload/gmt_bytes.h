/* A small GMT1 trace, byte by byte: warps of 32, a launch of CTAs of 40 threads over one buffer. */
#ifndef TESTS_UNIT_WORKLOAD_GMT_BYTES_H
#define TESTS_UNIT_WORKLOAD_GMT_BYTES_H

#include "unit/test.h"
#include "workload/trace/trace.h"

struct bytes {
    uint8_t b[4096];
    size_t size;
};

static inline void put(struct bytes *t, const void *data, size_t size)
{
    assert_true(t->size + size <= sizeof t->b);
    memcpy(t->b + t->size, data, size);
    t->size += size;
}

static inline void put_number(struct bytes *t, uint64_t v)
{
    do {
        uint8_t byte = (uint8_t)((v & 0x7f) | (v > 0x7f ? 0x80 : 0));

        put(t, &byte, 1);
        v >>= 7;
    } while (v);
}

static inline void put_signed(struct bytes *t, int64_t v)
{
    put_number(t, ((uint64_t)v << 1) ^ (0 - (uint64_t)(v < 0)));
}

static inline void put_byte(struct bytes *t, unsigned v)
{
    uint8_t byte = (uint8_t)v;

    put(t, &byte, 1);
}

static inline void put_text(struct bytes *t, const char *text)
{
    put(t, text, strlen(text));
}

enum { BASE = 0x1000, BYTES = 512 };

/* Header and launch of 2 x 1 x 1 CTAs of 40 threads (warps of 32 and 8) over one buffer. */
static inline struct bytes launch(void)
{
    struct bytes t = {.size = 0};
    static const uint8_t shape[] = {2, 1, 1, 40, 1, 1, 2};

    put_text(&t, "GMT1 warp=32\nL\003abc"); /* 13 bytes, tag, length, name */
    put(&t, shape, sizeof shape);           /* from byte 18 */
    put_number(&t, 1);
    put_number(&t, BASE); /* two bytes */
    put_number(&t, BYTES);
    assert_int_equal(t.size, 30);
    return t;
}

static inline struct bytes cta(void)
{
    struct bytes t = launch();

    put_text(&t, "C"); /* byte 30 */
    put_number(&t, 0);
    put_number(&t, 2);
    return t; /* next: byte 33 */
}

/* A warp with no records. */
static inline void put_warp(struct bytes *t, unsigned warp, unsigned records)
{
    put_text(t, "W");
    put_number(t, warp);
    put_number(t, records);
}

/* Two warps: a load with a stride, a store with a list, an atomic, barriers. */
static inline struct bytes good(void)
{
    struct bytes t = cta();

    put_warp(&t, 0, 4);
    put_byte(&t, 0x20); /* load, all lanes, base + stride, 4 bytes */
    put_number(&t, 7);
    put_number(&t, 200);
    put_signed(&t, BASE + 124);
    put_signed(&t, -4);
    put_byte(&t, 0x04 | 0x08 | 0x01 | 0x70); /* store, mask, list, size follows */
    put_number(&t, 300);
    put_number(&t, 3);
    put(&t, "\x00\x0e\x00\x00", 4); /* lanes 9, 10, 11 */
    put_number(&t, 3);
    put_signed(&t, BASE);
    put_signed(&t, 500);
    put_signed(&t, -490);
    put_byte(&t, 0x02 | 0x04 | 0x30); /* atomic, mask, stride, 8 bytes */
    put_number(&t, 0);
    put_number(&t, 200);
    put(&t, "\x00\x00\x00\x11", 4); /* lanes 24 and 28 */
    put_signed(&t, 132 + 60);       /* from the last address of pc 200 */
    put_signed(&t, 8);
    put_byte(&t, 0x03); /* barrier */
    put_number(&t, 1);
    put_number(&t, 5);
    put_warp(&t, 1, 1);
    put_byte(&t, 0x03);
    put_number(&t, 2);
    put_number(&t, 5);
    put_text(&t, "E");
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

#endif
