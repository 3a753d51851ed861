/* Reading GMT1: header, then launches, CTAs and warps until 'E'. Everything is checked before anything is simulated. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "workload/trace_parser.h"

enum { MAX_NAME = 255 };

#define MAX_FILE_BYTES ((size_t)1 << 30)
#define VA_END         ((uint64_t)1 << 39)

static bool get_name(struct mh_trace_parser *p, char name[MAX_NAME + 1])
{
    uint64_t length;
    unsigned byte;

    if (!mh_tp_number(p, &length, 0, MAX_NAME, "the length of a kernel's name"))
        return false;
    for (uint64_t i = 0; i < length; i++) {
        if (!mh_tp_byte(p, &byte, "a kernel's name"))
            return false;
        name[i] = (char)(byte < 0x20 || byte > 0x7e ? '?' : byte);
    }
    name[length] = 0;
    return true;
}

/* Three dimensions, multiplied. */
static bool get_shape(struct mh_trace_parser *p, uint64_t *product, uint64_t max, const char *expected)
{
    uint64_t offset = mh_stream_offset(&p->in), d;

    *product = 1;
    for (int i = 0; i < 3; i++) {
        if (!mh_tp_number(p, &d, 1, max, expected))
            return false;
        *product *= d;
        if (*product > max)
            return mh_tp_fail(p, offset, "expected %s with a product of at most %llu, found more", expected,
                              (unsigned long long)max);
    }
    return true;
}

static bool get_buffers(struct mh_trace_parser *p)
{
    uint64_t count;

    if (!mh_tp_number(p, &count, 0, MH_TRACE_MAX_BUFFERS, "the number of buffers"))
        return false;
    p->buffer_count = (uint32_t)count;
    p->last_buffer = 0;
    for (uint32_t i = 0; i < p->buffer_count; i++) {
        struct mh_buffer *b = &p->buffers[i];

        if (!mh_tp_number(p, &b->base, 0, VA_END - 1, "a buffer's address") ||
            !mh_tp_number(p, &b->bytes, 1, VA_END - b->base, "a buffer's size"))
            return false;
        if (!mh_trace_add_buffer(p->t, *b))
            return mh_tp_fail(p, p->item, "out of memory for buffers");
    }
    return true;
}

static bool get_launch(struct mh_trace_parser *p)
{
    char name[MAX_NAME + 1];
    uint64_t threads;

    if (!get_name(p, name) || !get_shape(p, &p->grid, UINT32_MAX, "grid dimensions") ||
        !get_shape(p, &threads, (uint64_t)MH_MAX_WARPS * p->lanes, "block dimensions") ||
        !mh_tp_number(p, &p->planned, 0, p->grid, "the number of recorded CTAs") || !get_buffers(p))
        return false;
    if (!mh_trace_add_launch(p->t, name, (uint32_t)threads, p->lanes))
        return mh_tp_fail(p, p->item, "more than %d launches, or out of memory", MH_TRACE_MAX_LAUNCHES);
    p->threads = (uint32_t)threads;
    p->cta_warps = ((uint32_t)threads + p->lanes - 1) / p->lanes;
    p->warp = p->cta_warps; /* no CTA is open */
    return true;
}

/* The recorded number of a CTA is not used: the order of the file is the order of dispatch. */
static bool get_cta(struct mh_trace_parser *p)
{
    const struct mh_launch *launch = &p->t->launches[p->t->w.launch_count - 1];
    uint64_t id, warps;

    if (launch->ctas >= p->planned)
        return mh_tp_fail(p, p->item, "expected at most the %llu CTAs that the launch announces, found another",
                          (unsigned long long)p->planned);
    if (!mh_tp_number(p, &id, 0, p->grid - 1, "the number of a CTA") ||
        !mh_tp_number(p, &warps, p->cta_warps, p->cta_warps, "the number of warps of a CTA"))
        return false;
    mh_trace_add_cta(p->t);
    p->warp = 0;
    return true;
}

static bool get_warp(struct mh_trace_parser *p)
{
    uint32_t threads = p->threads - p->warp * p->lanes;
    uint64_t all = threads >= 64 ? UINT64_MAX : ((uint64_t)1 << threads) - 1, warp, records;

    if (p->lanes < 64)
        all &= ((uint64_t)1 << p->lanes) - 1;
    if (!mh_tp_number(p, &warp, p->warp, p->warp, "the number of the CTA's next warp") ||
        !mh_tp_number(p, &records, 0, MH_TRACE_MAX_RECORDS, "the number of records"))
        return false;
    if (!mh_trace_add_warp(p->t))
        return mh_tp_fail(p, p->item, "out of memory for warps");
    p->barriers = 0;
    for (uint64_t i = 0; i < records; i++)
        if (!mh_tp_record(p, all))
            return false;
    if (p->warp++ == 0)
        p->first_barriers = p->barriers;
    if (p->barriers != p->first_barriers)
        return mh_tp_fail(p, p->item, "expected %u barriers as in the CTA's first warp, found %u", p->first_barriers,
                          p->barriers);
    return true;
}

static bool fail_width(struct mh_trace_parser *p, unsigned width)
{
    char other[4096], tag[8];
    const char *at = NULL;

    snprintf(tag, sizeof tag, ".w%u.", width);
    for (const char *s = strstr(p->name, tag); s; s = strstr(s + 1, tag))
        at = s;
    if (at) {
        snprintf(other, sizeof other, "%.*s.w%u.%s", (int)(at - p->name), p->name, p->lanes, at + strlen(tag));
        if (access(other, R_OK) == 0) {
            (void)mh_fail(p->err, "trace %.300s has %u-lane warps, this configuration has %u: use %.300s", p->name,
                          width, p->lanes, other);
            return false;
        }
    }
    (void)mh_fail(p->err,
                  "trace %.300s has %u-lane warps, this configuration has %u: use a trace recorded with %u, or a "
                  "configuration with sm.lanes = %u",
                  p->name, width, p->lanes, p->lanes, width);
    return false;
}

static bool get_header(struct mh_trace_parser *p)
{
    static const char start[] = "GMT1 warp=", expected[] = "the line 'GMT1 warp=32' or 'GMT1 warp=64'";
    unsigned byte, width = 0;

    for (size_t i = 0; i < strlen(start); i++) {
        if (!mh_tp_byte(p, &byte, expected))
            return false;
        if (byte != (unsigned char)start[i])
            return mh_tp_fail(p, i, "expected %s: not a GMT1 trace", expected);
    }
    for (;;) {
        if (!mh_tp_byte(p, &byte, expected))
            return false;
        if (byte == '\n')
            break;
        if (byte < '0' || byte > '9' || width > 99)
            return mh_tp_fail(p, strlen(start), "expected %s", expected);
        width = width * 10 + byte - '0';
    }
    if (width != 32 && width != 64)
        return mh_tp_fail(p, strlen(start), "expected %s, found warp=%u", expected, width);
    return width == p->lanes || fail_width(p, width);
}

static bool get_item(struct mh_trace_parser *p, unsigned tag)
{
    bool open = p->warp<p->cta_warps, in_launch = p->t->w.launch_count> 0;

    if (open ? tag == 'W' : tag == 'L' || (tag == 'C' && in_launch))
        return tag == 'W' ? get_warp(p) : tag == 'C' ? get_cta(p) : get_launch(p);
    return mh_tp_fail(p, p->item, "expected %s, found byte 0x%02x",
                      open        ? "the CTA's next warp ('W')"
                      : in_launch ? "a CTA ('C'), a launch ('L') or the end ('E')"
                                  : "a launch ('L') or the end ('E')",
                      tag);
}

static bool get_end(struct mh_trace_parser *p)
{
    uint64_t offset = mh_stream_offset(&p->in);

    if (mh_stream_byte(&p->in) >= 0)
        return mh_tp_fail(p, offset, "expected the end of the file after 'E', found more data");
    if (p->in.failure)
        return mh_tp_fail(p, offset, "expected the end of the file after 'E', but %s", p->in.failure);
    if (!mh_trace_finish(p->t))
        return mh_tp_fail(p, p->item, "the trace ends without a single recorded CTA");
    return true;
}

static bool get_file(struct mh_trace_parser *p)
{
    unsigned tag;

    if (!get_header(p))
        return false;
    for (;;) {
        p->item = mh_stream_offset(&p->in);
        if (!mh_tp_byte(p, &tag, "a launch, a CTA, a warp or the end"))
            return false;
        if (tag == 'E' && p->warp == p->cta_warps)
            return get_end(p);
        if (!get_item(p, tag))
            return false;
    }
}

struct mh_workload *mh_trace_parse(const void *data, size_t size, const char *name, uint32_t lanes,
                                   struct mh_error *err)
{
    struct mh_trace_parser *p = calloc(1, sizeof *p);
    struct mh_workload *w = NULL;

    if (!p || !(p->t = mh_trace_new())) {
        free(p);
        (void)mh_fail(err, "%.384s: out of memory", name);
        return NULL;
    }
    p->name = name;
    p->err = err;
    p->lanes = lanes;
    if (mh_stream_init(&p->in, data, size, err) == 0 && get_file(p))
        w = &p->t->w;
    if (!w)
        p->t->w.destroy(&p->t->w);
    mh_stream_end(&p->in);
    free(p->last);
    free(p);
    return w;
}

/* The whole file; NULL on failure. */
static uint8_t *read_all(FILE *f, const char *path, size_t *size, struct mh_error *err)
{
    size_t capacity = 1 << 16, got;
    uint8_t *data = NULL, *grown;

    *size = 0;
    do {
        capacity *= 2;
        grown = capacity > MAX_FILE_BYTES ? NULL : realloc(data, capacity);
        if (!grown) {
            (void)mh_fail(err, "%.384s: larger than 1 GiB, or out of memory", path);
            free(data);
            return NULL;
        }
        data = grown;
        got = fread(data + *size, 1, capacity - *size, f);
        *size += got;
    } while (*size == capacity);
    if (!ferror(f))
        return data;
    (void)mh_fail(err, "%.384s: cannot read: %s", path, strerror(errno));
    free(data);
    return NULL;
}

struct mh_workload *mh_trace_open(const char *path, uint32_t lanes, struct mh_error *err)
{
    struct mh_workload *w = NULL;
    FILE *f = fopen(path, "rb");
    uint8_t *data;
    size_t size;

    if (!f) {
        (void)mh_fail(err, "%.384s: cannot open the trace: %s", path, strerror(errno));
        return NULL;
    }
    data = read_all(f, path, &size, err);
    fclose(f);
    if (data)
        w = mh_trace_parse(data, size, path, lanes, err);
    free(data);
    return w;
}
