/* The buffers of a GMT trace, and where addresses lie in them. */
#include <stdlib.h>

#include "workload/trace/gmt.h"

#define VA_END ((uint64_t)1 << 39)

static bool add_buffer(struct mh_gmt *p, struct mh_gmt_buffers *l, struct mh_buffer b)
{
    uint32_t capacity = l->capacity ? l->capacity * 2 : 64;
    struct mh_buffer *grown;

    if (l->count == l->capacity) {
        grown = realloc(l->b, capacity * sizeof *grown);
        if (!grown)
            return mh_gmt_fail(p, p->item, "out of memory for buffers");
        l->b = grown;
        l->capacity = capacity;
    }
    l->b[l->count++] = b;
    return true;
}

static int by_base(const void *a, const void *b)
{
    const struct mh_buffer *x = a, *y = b;

    return (x->base > y->base) - (x->base < y->base);
}

void mh_gmt_merge_buffers(struct mh_gmt_buffers *l)
{
    uint32_t kept = 0;

    if (l->count)
        qsort(l->b, l->count, sizeof *l->b, by_base);
    for (uint32_t i = 0; i < l->count; i++) {
        struct mh_buffer b = l->b[i], *last = kept ? &l->b[kept - 1] : NULL;

        if (last && b.base < last->base + last->bytes) {
            if (b.base + b.bytes > last->base + last->bytes)
                last->bytes = b.base + b.bytes - last->base;
        } else {
            l->b[kept++] = b;
        }
    }
    l->count = kept;
}

bool mh_gmt_get_buffers(struct mh_gmt *p)
{
    struct mh_buffer b;
    uint64_t count;

    if (!mh_gmt_number(p, &count, 0, MH_GMT_MAX_BUFFERS, "the number of buffers"))
        return false;
    p->buffers.count = 0;
    p->last_buffer = 0;
    for (uint64_t i = 0; i < count; i++)
        if (!mh_gmt_number(p, &b.base, 0, VA_END - 1, "a buffer's address") ||
            !mh_gmt_number(p, &b.bytes, 1, VA_END - b.base, "a buffer's size") || !add_buffer(p, &p->buffers, b))
            return false;
    mh_gmt_merge_buffers(&p->buffers);
    for (uint32_t i = 0; i < p->buffers.count && !p->checked; i++)
        if (!add_buffer(p, &p->all, p->buffers.b[i]))
            return false;
    if (p->all.count > MH_GMT_MAX_BUFFERS) /* launches list the same ones again */
        mh_gmt_merge_buffers(&p->all);
    return true;
}

static bool in_buffer(const struct mh_buffer *b, uint64_t address, uint32_t bytes)
{
    return address >= b->base && address - b->base < b->bytes && b->bytes - (address - b->base) >= bytes;
}

/* The first buffer above the address. */
static uint32_t above(const struct mh_gmt_buffers *l, uint64_t address)
{
    uint32_t low = 0, high = l->count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (l->b[middle].base <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool in_buffers(struct mh_gmt *p, uint64_t address, uint32_t bytes)
{
    uint32_t i;

    if (p->buffers.count && in_buffer(&p->buffers.b[p->last_buffer], address, bytes))
        return true;
    i = above(&p->buffers, address);
    if (i == 0 || !in_buffer(&p->buffers.b[i - 1], address, bytes))
        return false;
    p->last_buffer = i - 1;
    return true;
}

/* The nearest address at which `bytes` lie in a buffer; of two as near the lower one. False: no buffer is so large. */
static bool nearest(const struct mh_gmt_buffers *l, uint64_t *address, uint32_t bytes)
{
    uint32_t next = above(l, *address), before = next;
    bool below;

    while (before && l->b[before - 1].bytes < bytes)
        before--;
    while (next < l->count && l->b[next].bytes < bytes)
        next++;
    if (!before && next == l->count)
        return false;
    below = before && (next == l->count || *address - (l->b[before - 1].base + l->b[before - 1].bytes - bytes) <=
                                               l->b[next].base - *address);
    *address = below ? l->b[before - 1].base + l->b[before - 1].bytes - bytes : l->b[next].base;
    return true;
}

bool mh_gmt_address(struct mh_gmt *p, uint64_t *address, uint32_t bytes)
{
    uint64_t moved = *address;

    if (in_buffers(p, *address, bytes))
        return true;
    if (!p->lenient || !nearest(&p->buffers, &moved, bytes))
        return mh_gmt_fail(p, p->item, "expected addresses inside the launch's buffers, found 0x%llx (%u bytes)%s",
                           (unsigned long long)*address, bytes,
                           p->lenient
                               ? "; no buffer is so large"
                               : "; --trace-lenient moves such to the nearest place in a buffer, and counts them");
    *address = moved;
    p->r.about.moved += !p->checked;
    return true;
}

bool mh_gmt_in_one_buffer(struct mh_gmt *p, uint64_t first, uint64_t last, uint32_t bytes)
{
    return in_buffers(p, first, bytes) && in_buffer(&p->buffers.b[p->last_buffer], last, bytes);
}
