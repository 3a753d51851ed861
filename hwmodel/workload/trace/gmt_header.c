#include "workload/trace/gmt.h"
#include "workload/trace/trace.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The first line of a GMT file: GMT1 or GMT2, the version of what GMT2 holds, the warp width. */

static const char expected[] = "the line 'GMT1 warp=W' or 'GMT2.V warp=W' with W 32 or 64";

static bool fail_line(struct mh_gmt *p)
{
    return mh_gmt_fail(p, mh_stream_offset(&p->in) - 1, "expected %s: not a GMT trace, nor Accel-Sim's", expected);
}

static bool get_literal(struct mh_gmt *p, const char *text)
{
    unsigned byte;

    for (; *text; text++) {
        if (!mh_gmt_byte(p, &byte, expected))
            return false;
        if (byte != (unsigned char)*text)
            return fail_line(p);
    }
    return true;
}

/* A number of at most three digits, and the byte behind it: a blank or the line's end. */
static bool get_decimal(struct mh_gmt *p, unsigned *value, unsigned *end)
{
    for (*value = 0;; *value = *value * 10 + *end - '0') {
        if (!mh_gmt_byte(p, end, expected))
            return false;
        if (*end == ' ' || *end == '\n')
            return true;
        if (*end < '0' || *end > '9' || *value > 99)
            return fail_line(p);
    }
}

static bool fail_content(struct mh_gmt *p, const char *found)
{
    return mh_gmt_fail(p, 4,
                       "expected version %d of what a GMT2 file holds, found %s: make it again from the original trace "
                       "with 'memhelm trace convert --full'",
                       MH_GMT2_CONTENT, found);
}

/* Behind `GMT2`. Files of before there was a version have none. */
static bool get_content(struct mh_gmt *p)
{
    unsigned byte, version, end;
    char found[16];

    if (!mh_gmt_byte(p, &byte, expected))
        return false;
    if (byte == ' ')
        return fail_content(p, "none");
    if (byte != '.')
        return fail_line(p);
    if (!get_decimal(p, &version, &end))
        return false;
    if (end != ' ')
        return fail_line(p);
    snprintf(found, sizeof found, "%u", version);
    return version == MH_GMT2_CONTENT || fail_content(p, found);
}

/* The recording in the other width, if it is in the same folder. */
static bool fail_width(struct mh_gmt *p, unsigned width, unsigned wanted)
{
    char other[4096], tag[8];
    const char *at = NULL;

    snprintf(tag, sizeof tag, ".w%u.", width);
    for (const char *s = strstr(p->name, tag); s; s = strstr(s + 1, tag))
        at = s;
    if (at) {
        snprintf(other, sizeof other, "%.*s.w%u.%s", (int)(at - p->name), p->name, wanted, at + strlen(tag));
        if (access(other, R_OK) == 0) {
            mh_trace_fail_width(p->name, width, wanted, other, p->err);
            return false;
        }
    }
    snprintf(other, sizeof other, "a trace recorded with %u, or a configuration with sm.lanes = %u", wanted, width);
    mh_trace_fail_width(p->name, width, wanted, other, p->err);
    return false;
}

/* Behind the width: nothing, or ` check=crc32`. */
static bool get_check(struct mh_gmt *p, unsigned end)
{
    p->summed = end == ' ';
    if (p->summed && !get_literal(p, "check=crc32\n"))
        return false;
    if (p->summed)
        mh_stream_sum(&p->in);
    return true;
}

bool mh_gmt_header(struct mh_gmt *p, uint32_t lanes)
{
    unsigned format, width, end;

    if (!get_literal(p, "GMT") || !mh_gmt_byte(p, &format, expected))
        return false;
    if (format != '1' && format != '2')
        return fail_line(p);
    p->second = format == '2';
    if (!(p->second ? get_content(p) : get_literal(p, " ")) || !get_literal(p, "warp=") ||
        !get_decimal(p, &width, &end) || !get_check(p, end))
        return false;
    if (width != 32 && width != 64)
        return mh_gmt_fail(p, 0, "expected %s, found warp=%u", expected, width);
    p->lanes = width;
    return !lanes || width == lanes || fail_width(p, width, lanes);
}

/* The buffers of a GMT trace, and where addresses lie in them. */

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
