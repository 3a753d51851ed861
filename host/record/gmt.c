#include "gmt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HAS_MASK = 4, IS_LIST = 8, SIZE_SHIFT = 4, SIZE_FOLLOWS = 7 };

void record_gmt_head(struct bytes *out, unsigned lanes)
{
    char line[32];

    bytes_add(out, line, (size_t)snprintf(line, sizeof line, "GMT1 warp=%u\n", lanes));
}

void record_gmt_launch(struct bytes *out, const struct record_launch_head *l, const struct record_places *buffers)
{
    bytes_byte(out, 'L');
    bytes_text(out, l->name);
    for (int i = 0; i < 3; i++)
        bytes_number(out, l->grid[i]);
    for (int i = 0; i < 3; i++)
        bytes_number(out, l->block[i]);
    bytes_number(out, l->ctas);
    bytes_number(out, buffers->count);
    for (unsigned i = 0; i < buffers->count; i++) {
        bytes_number(out, buffers->place[i].base);
        bytes_number(out, buffers->place[i].bytes);
    }
}

void record_gmt_cta(struct bytes *out, uint64_t cta, unsigned warps)
{
    bytes_byte(out, 'C');
    bytes_number(out, cta);
    bytes_number(out, warps);
}

void record_gmt_warp(struct bytes *out, unsigned warp, uint64_t records)
{
    bytes_byte(out, 'W');
    bytes_number(out, warp);
    bytes_number(out, records);
}

void record_gmt_end(struct bytes *out)
{
    bytes_byte(out, 'E');
}

void record_gmt_warp_start(struct record_gmt_last *last)
{
    last->warp++;
}

/* The place of `pc` in the table; its address is 0 at the start of a warp. NULL: out of memory. */
static uint64_t *last_address(struct record_gmt_last *last, uint32_t pc)
{
    struct record_gmt_address *a;

    if (pc >= last->count) {
        uint32_t count = pc + pc / 2 + 64;

        a = realloc(last->at, count * sizeof *a);
        if (!a)
            return NULL;
        memset(a + last->count, 0, (count - last->count) * sizeof *a);
        last->at = a;
        last->count = count;
    }
    a = &last->at[pc];
    if (a->warp != last->warp)
        *a = (struct record_gmt_address){last->warp, 0};
    return &a->address;
}

/* Bytes from lane to lane, if the same between all of them that are active; one lane alone has 0. */
static bool get_stride(const struct record_op *op, uint64_t *stride)
{
    unsigned first = (unsigned)__builtin_ctzll(op->mask), second;
    uint64_t rest = op->mask & (op->mask - 1);
    int64_t apart;

    *stride = 0;
    if (!rest)
        return true;
    second = (unsigned)__builtin_ctzll(rest);
    apart = (int64_t)(op->address[second] - op->address[first]);
    if (apart % (int64_t)(second - first))
        return false;
    *stride = (uint64_t)(apart / (int64_t)(second - first));
    for (uint64_t m = rest; m; m &= m - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(m);

        if (op->address[lane] != op->address[first] + *stride * (lane - first))
            return false;
    }
    return true;
}

static void put_list(struct bytes *out, const struct record_op *op)
{
    uint64_t at = op->address[__builtin_ctzll(op->mask)];

    for (uint64_t m = op->mask & (op->mask - 1); m; m &= m - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(m);

        bytes_signed(out, op->address[lane] - at);
        at = op->address[lane];
    }
}

static bool put_addresses(struct bytes *out, struct record_gmt_last *last, const struct record_op *op, bool strided,
                          uint64_t stride)
{
    uint64_t first = op->address[__builtin_ctzll(op->mask)], *before = last_address(last, op->pc);

    if (!before)
        return false;
    bytes_signed(out, first - *before);
    *before = first;
    if (strided)
        bytes_signed(out, stride);
    else
        put_list(out, op);
    return true;
}

bool record_gmt_op(struct bytes *out, struct record_gmt_last *last, const struct record_op *op, uint64_t all,
                   unsigned lanes)
{
    bool memory = op->kind != RECORD_BARRIER, power = (op->bytes & (op->bytes - 1)) == 0;
    uint64_t stride = 0;
    bool strided = !memory || get_stride(op, &stride);
    unsigned size = !memory ? 0 : power ? (unsigned)__builtin_ctz(op->bytes) : SIZE_FOLLOWS;

    bytes_byte(out,
               (uint8_t)(op->kind | (op->mask != all ? HAS_MASK : 0) | (strided ? 0 : IS_LIST) | size << SIZE_SHIFT));
    bytes_number(out, op->gap);
    bytes_number(out, op->pc);
    for (unsigned i = 0; op->mask != all && i < lanes; i += 8)
        bytes_byte(out, (uint8_t)(op->mask >> i));
    if (size == SIZE_FOLLOWS)
        bytes_number(out, op->bytes);
    return !memory || put_addresses(out, last, op, strided, stride);
}
