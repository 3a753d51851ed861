#include "gmt.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define START ((uint64_t)4 << 30)
#define END   ((uint64_t)1 << 39) /* of a trace's addresses */

enum { LARGE = 1 << 20, SLAB = 2 << 20, GRAIN = 512 };

static uint64_t round_up(uint64_t n, uint64_t to)
{
    return (n + to - 1) / to * to;
}

static uint64_t take(struct record_places *p, uint64_t bytes)
{
    uint64_t base = p->next;

    p->next = round_up(p->next + bytes, SLAB);
    return base;
}

static uint64_t take_small(struct record_places *p, uint64_t bytes)
{
    uint64_t base;

    if (p->slab + bytes > p->slab_end) {
        p->slab = take(p, SLAB);
        p->slab_end = p->slab + SLAB;
    }
    base = p->slab;
    p->slab = round_up(p->slab + bytes, GRAIN);
    return base;
}

int record_places_add(struct record_places *p, uint64_t context, uint64_t device, uint64_t bytes, struct mh_error *err)
{
    struct record_place *new;

    if (!bytes) /* nothing lies in it */
        return 0;
    if (!p->next)
        p->next = START;
    if (bytes > END - p->next || END - p->next - bytes < SLAB)
        return mh_fail(err,
                       "a buffer of %" PRIu64
                       " bytes does not fit below 2^39, where a trace's addresses end: places of "
                       "buffers that were freed are not used again; record fewer launches (--stop ends the program "
                       "behind them)",
                       bytes);
    p->place = grow(p->place, p->count, &p->room, sizeof *p->place);
    new = &p->place[p->count++];
    *new = (struct record_place){context, device, 0, bytes};
    new->base = bytes < LARGE ? take_small(p, bytes) : take(p, bytes);
    return 0;
}

void record_places_remove(struct record_places *p, uint64_t context, uint64_t device)
{
    for (unsigned i = 0; i < p->count; i++)
        if (p->place[i].context == context && p->place[i].device == device) {
            p->late -= i >= p->count - p->late;
            memmove(&p->place[i], &p->place[i + 1], (--p->count - i) * sizeof *p->place);
            p->last = 0;
            return;
        }
}

static bool is_in(const struct record_place *b, uint64_t context, uint64_t device, uint32_t bytes)
{
    return b->context == context && device - b->device <= b->bytes && b->bytes - (device - b->device) >= bytes;
}

bool record_places_find(struct record_places *p, uint64_t context, uint64_t device, uint32_t bytes, uint64_t *address)
{
    const unsigned count = p->count - p->late;

    for (unsigned n = 0; n < count; n++) {
        unsigned i = (p->last + n) % count;

        if (is_in(&p->place[i], context, device, bytes)) {
            p->last = i;
            *address = p->place[i].base + (device - p->place[i].device);
            return true;
        }
    }
    return false;
}

void record_places_free(struct record_places *p)
{
    free(p->place);
    *p = (struct record_places){0};
}

static void advance(struct record_warp *w, unsigned lane)
{
    if (record_access_get(&w->lane[lane], &w->next[lane]))
        return;
    w->more &= ~((uint64_t)1 << lane);
    w->bad |= w->lane[lane].bad;
}

void record_warp_start(struct record_warp *w, const struct bytes *lane, unsigned lanes)
{
    memset(w, 0, sizeof *w);
    for (unsigned l = 0; l < lanes; l++) {
        w->lane[l] = (struct bytes_in){lane[l].at, lane[l].at + lane[l].size, false};
        w->more |= (uint64_t)1 << l;
        advance(w, l);
    }
}

/* Lanes that are at the smallest key. One instruction makes accesses of one kind and size. */
static uint64_t first_lanes(const struct record_warp *w)
{
    unsigned least = (unsigned)__builtin_ctzll(w->more);
    uint64_t mask = 0;

    for (uint64_t m = w->more; m; m &= m - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(m);
        int order = record_access_compare(&w->next[lane], &w->next[least]);

        if (order < 0) {
            least = lane;
            mask = 0;
        }
        if (order <= 0)
            mask |= (uint64_t)1 << lane;
    }
    return mask;
}

bool record_warp_next(struct record_warp *w, struct record_op *op)
{
    const struct record_access *first;

    if (!w->more || w->bad)
        return false;
    op->mask = first_lanes(w);
    first = &w->next[__builtin_ctzll(op->mask)];
    op->kind = first->kind;
    op->pc = record_access_pc(first);
    w->bad |= !op->pc;
    op->bytes = first->bytes;
    op->gap = UINT64_MAX;
    for (uint64_t m = op->mask; m; m &= m - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(m);
        const struct record_access *a = &w->next[lane];

        op->address[lane] = a->address;
        op->gap = a->gap < op->gap ? a->gap : op->gap;
        w->bad |= a->kind != op->kind || a->bytes != op->bytes;
        advance(w, lane);
    }
    return !w->bad;
}

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
