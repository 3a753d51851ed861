/* Reading GMT1: header, then launches, CTAs and warps until 'E'. Everything is checked before anything is simulated. */
#include "workload/trace_store.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "workload/trace_stream.h"

enum {
    MAX_BUFFERS = 1024,
    MAX_NAME = 255,
    MAX_PCS = 1 << 16,
    MAX_GAP = 1 << 30,
    MAX_ACCESS = 32, /* bytes per lane, as in struct mh_op */
};

#define MAX_FILE_BYTES ((size_t)1 << 30)
#define VA_END         ((uint64_t)1 << 39)

/* Flags of a record. */
enum { KIND = 3, HAS_MASK = 4, IS_LIST = 8, SIZE_SHIFT = 4, SIZE_FOLLOWS = 7, RESERVED = 0x80 };

/* Last address of a static instruction in the current warp. */
struct last_address {
    uint32_t pc; /* 0 = free */
    uint64_t warp, address;
};

struct parser {
    struct mh_stream in;
    struct mh_trace *t;
    const char *name;
    struct mh_error *err;
    uint32_t lanes;
    uint64_t item; /* offset of the item being read */
    /* of the current launch */
    struct mh_buffer buffers[MAX_BUFFERS];
    uint32_t buffer_count, last_buffer, cta_warps, threads;
    uint64_t grid, planned;
    /* of the current CTA */
    uint32_t warp, barriers, first_barriers;
    /* last addresses, open addressing */
    struct last_address *last;
    uint32_t last_size, last_count;
};

static bool __attribute__((format(printf, 3, 4))) fail_at(struct parser *p, uint64_t offset, const char *format, ...)
{
    char what[512];
    va_list ap;

    va_start(ap, format);
    vsnprintf(what, sizeof what, format, ap);
    va_end(ap);
    (void)mh_fail(p->err, "%.384s: offset %llu%s: %s", p->name, (unsigned long long)offset,
                  p->in.zstd ? " of the decompressed stream" : "", what);
    return false;
}

static bool fail_end(struct parser *p, const char *expected)
{
    return fail_at(p, mh_stream_offset(&p->in), "expected %s, but %s: the trace is incomplete, get it again", expected,
                   p->in.failure ? p->in.failure : "the file ends");
}

static bool get_byte(struct parser *p, unsigned *byte, const char *expected)
{
    int b = mh_stream_byte(&p->in);

    if (b < 0)
        return fail_end(p, expected);
    *byte = (unsigned)b;
    return true;
}

/* A varint in min..max. */
static bool get_number(struct parser *p, uint64_t *value, uint64_t min, uint64_t max, const char *expected)
{
    uint64_t offset = mh_stream_offset(&p->in);
    unsigned byte = 0x80;

    *value = 0;
    for (unsigned shift = 0; byte & 0x80; shift += 7) {
        if (!get_byte(p, &byte, expected))
            return false;
        if (shift > 63 || (shift == 63 && byte > 1))
            return fail_at(p, offset, "expected %s, found a number of more than 64 bits", expected);
        *value |= (uint64_t)(byte & 0x7f) << shift;
    }
    if (*value < min || *value > max)
        return fail_at(p, offset, "expected %s from %llu to %llu, found %llu", expected, (unsigned long long)min,
                       (unsigned long long)max, (unsigned long long)*value);
    return true;
}

static bool get_signed(struct parser *p, uint64_t *value, const char *expected)
{
    if (!get_number(p, value, 0, UINT64_MAX, expected))
        return false;
    *value = (*value >> 1) ^ (0 - (*value & 1));
    return true;
}

/* ---- launches ---- */

static bool get_name(struct parser *p, char name[MAX_NAME + 1])
{
    uint64_t length;
    unsigned byte;

    if (!get_number(p, &length, 0, MAX_NAME, "the length of a kernel's name"))
        return false;
    for (uint64_t i = 0; i < length; i++) {
        if (!get_byte(p, &byte, "a kernel's name"))
            return false;
        name[i] = (char)(byte < 0x20 || byte > 0x7e ? '?' : byte);
    }
    name[length] = 0;
    return true;
}

/* Three dimensions, multiplied. */
static bool get_shape(struct parser *p, uint64_t *product, uint64_t max, const char *expected)
{
    uint64_t offset = mh_stream_offset(&p->in), d;

    *product = 1;
    for (int i = 0; i < 3; i++) {
        if (!get_number(p, &d, 1, max, expected))
            return false;
        *product *= d;
        if (*product > max)
            return fail_at(p, offset, "expected %s with a product of at most %llu, found more", expected,
                           (unsigned long long)max);
    }
    return true;
}

static bool get_buffers(struct parser *p)
{
    uint64_t count;

    if (!get_number(p, &count, 0, MAX_BUFFERS, "the number of buffers"))
        return false;
    p->buffer_count = (uint32_t)count;
    p->last_buffer = 0;
    for (uint32_t i = 0; i < p->buffer_count; i++) {
        struct mh_buffer *b = &p->buffers[i];

        if (!get_number(p, &b->base, 0, VA_END - 1, "a buffer's address") ||
            !get_number(p, &b->bytes, 1, VA_END - b->base, "a buffer's size"))
            return false;
        if (!mh_trace_add_buffer(p->t, *b))
            return fail_at(p, p->item, "out of memory for buffers");
    }
    return true;
}

static bool get_launch(struct parser *p)
{
    char name[MAX_NAME + 1];
    uint64_t threads;

    if (!get_name(p, name) || !get_shape(p, &p->grid, UINT32_MAX, "grid dimensions") ||
        !get_shape(p, &threads, (uint64_t)MH_MAX_WARPS * p->lanes, "block dimensions") ||
        !get_number(p, &p->planned, 0, p->grid, "the number of recorded CTAs") || !get_buffers(p))
        return false;
    if (!mh_trace_add_launch(p->t, name, (uint32_t)threads, p->lanes))
        return fail_at(p, p->item, "more than %d launches, or out of memory", MH_TRACE_MAX_LAUNCHES);
    p->threads = (uint32_t)threads;
    p->cta_warps = ((uint32_t)threads + p->lanes - 1) / p->lanes;
    p->warp = p->cta_warps; /* no CTA is open */
    return true;
}

/* The recorded number of a CTA is not used: the order of the file is the order of dispatch. */
static bool get_cta(struct parser *p)
{
    const struct mh_launch *launch = &p->t->launches[p->t->w.launch_count - 1];
    uint64_t id, warps;

    if (launch->ctas >= p->planned)
        return fail_at(p, p->item, "expected at most the %llu CTAs that the launch announces, found another",
                       (unsigned long long)p->planned);
    if (!get_number(p, &id, 0, p->grid - 1, "the number of a CTA") ||
        !get_number(p, &warps, p->cta_warps, p->cta_warps, "the number of warps of a CTA"))
        return false;
    mh_trace_add_cta(p->t);
    p->warp = 0;
    return true;
}

/* ---- records ---- */

static struct last_address *find_last(struct parser *p, uint32_t pc)
{
    uint32_t i = pc * 0x9e3779b1u >> 7;

    for (;; i++) {
        struct last_address *l = &p->last[i & (p->last_size - 1)];

        if (l->pc == pc || l->pc == 0)
            return l;
    }
}

static bool grow_last(struct parser *p)
{
    struct last_address *old = p->last;
    uint32_t old_size = p->last_size;

    p->last_size = old_size ? old_size * 2 : 64;
    p->last = calloc(p->last_size, sizeof *p->last);
    if (!p->last) {
        p->last = old;
        p->last_size = old_size;
        return fail_at(p, p->item, "out of memory for instructions");
    }
    for (uint32_t i = 0; i < old_size; i++)
        if (old[i].pc)
            *find_last(p, old[i].pc) = old[i];
    free(old);
    return true;
}

/* The slot of `pc`, with address 0 at the start of each warp; NULL on failure. */
static struct last_address *last_of(struct parser *p, uint32_t pc)
{
    struct last_address *l;

    if (p->last_count * 2 >= p->last_size && !grow_last(p))
        return NULL;
    l = find_last(p, pc);
    if (l->pc == 0) {
        if (++p->last_count > MAX_PCS) {
            fail_at(p, p->item, "more than %d different instructions", MAX_PCS);
            return NULL;
        }
        l->pc = pc;
        l->warp = UINT64_MAX;
    }
    if (l->warp != p->t->warps) {
        l->warp = p->t->warps;
        l->address = 0;
    }
    return l;
}

static bool in_buffer(const struct mh_buffer *b, uint64_t address, uint32_t bytes)
{
    return address >= b->base && address - b->base < b->bytes && b->bytes - (address - b->base) >= bytes;
}

static bool in_buffers(struct parser *p, uint64_t address, uint32_t bytes)
{
    if (p->buffer_count && in_buffer(&p->buffers[p->last_buffer], address, bytes))
        return true;
    for (uint32_t i = 0; i < p->buffer_count; i++)
        if (in_buffer(&p->buffers[i], address, bytes)) {
            p->last_buffer = i;
            return true;
        }
    return false;
}

static bool check_address(struct parser *p, uint64_t address, uint32_t bytes)
{
    if (in_buffers(p, address, bytes))
        return true;
    return fail_at(p, p->item, "expected addresses inside the launch's buffers, found 0x%llx (%u bytes)",
                   (unsigned long long)address, bytes);
}

static bool add_record(struct parser *p, struct mh_trace_shape s, uint64_t base, const uint64_t *offsets)
{
    if (mh_trace_add_record(p->t, s, base, offsets))
        return true;
    return fail_at(p, p->item, "the trace is too large: more than %d records, or out of memory", MH_TRACE_MAX_RECORDS);
}

/* Wrapping arithmetic is harmless here: an address that wrapped lies in no buffer, and every lane is looked up. */
static bool get_strided(struct parser *p, struct mh_trace_shape s, uint64_t first_address)
{
    unsigned first = (unsigned)__builtin_ctzll(s.mask);
    uint64_t stride;

    if (!get_signed(p, &stride, "a stride"))
        return false;
    for (uint64_t m = s.mask; m; m &= m - 1)
        if (!check_address(p, first_address + stride * ((unsigned)__builtin_ctzll(m) - first), s.bytes))
            return false;
    s.stride = (int64_t)stride;
    return add_record(p, s, first_address - stride * first, NULL);
}

static bool get_list(struct parser *p, struct mh_trace_shape s, uint64_t first_address)
{
    uint64_t offsets[MH_MAX_LANES] = {0}, delta;
    unsigned count = (unsigned)__builtin_popcountll(s.mask);

    if (!check_address(p, first_address, s.bytes))
        return false;
    for (unsigned i = 1; i < count; i++) {
        if (!get_signed(p, &delta, "the distance to the next lane's address"))
            return false;
        offsets[i] = offsets[i - 1] + delta;
        if (!check_address(p, first_address + offsets[i], s.bytes))
            return false;
    }
    return add_record(p, s, first_address, offsets);
}

static bool get_addresses(struct parser *p, struct mh_trace_shape s, unsigned flags)
{
    unsigned code = flags >> SIZE_SHIFT & 7;
    uint64_t bytes = (uint64_t)1 << code, delta;
    struct last_address *last = last_of(p, s.pc);

    if (!last)
        return false;
    if (code == 6)
        return fail_at(p, p->item, "expected an access size code of 0..5 or 7, found 6");
    if (code == SIZE_FOLLOWS && !get_number(p, &bytes, 1, MAX_ACCESS, "the bytes of one lane's access"))
        return false;
    if (!get_signed(p, &delta, "an address"))
        return false;
    s.bytes = (uint8_t)bytes;
    last->address += delta;
    return flags & IS_LIST ? get_list(p, s, last->address) : get_strided(p, s, last->address);
}

static bool get_mask(struct parser *p, uint64_t *mask, uint64_t all)
{
    uint64_t offset = mh_stream_offset(&p->in);
    unsigned byte;

    *mask = 0;
    for (unsigned i = 0; i < p->lanes / 8; i++) {
        if (!get_byte(p, &byte, "a mask of lanes"))
            return false;
        *mask |= (uint64_t)byte << (8 * i);
    }
    if (*mask == 0 || *mask & ~all)
        return fail_at(p, offset, "expected a mask of some of the lanes 0x%llx, found 0x%llx", (unsigned long long)all,
                       (unsigned long long)*mask);
    return true;
}

static bool get_record(struct parser *p, uint64_t all)
{
    static const uint8_t kinds[] = {MH_OP_LOAD, MH_OP_STORE, MH_OP_ATOMIC, MH_OP_BARRIER};
    struct mh_trace_shape s = {.mask = all};
    uint64_t gap, pc;
    unsigned flags;

    p->item = mh_stream_offset(&p->in);
    if (!get_byte(p, &flags, "a record"))
        return false;
    if (flags & RESERVED)
        return fail_at(p, p->item, "expected a record, found flags 0x%02x with a reserved bit", flags);
    if (!get_number(p, &gap, 0, MAX_GAP, "an instruction count") ||
        !get_number(p, &pc, 1, UINT32_MAX, "an instruction's id") || (flags & HAS_MASK && !get_mask(p, &s.mask, all)))
        return false;
    s.gap = (uint32_t)gap;
    s.pc = (uint32_t)pc;
    s.kind = kinds[flags & KIND];
    if (s.kind != MH_OP_BARRIER)
        return get_addresses(p, s, flags);
    p->barriers++;
    return add_record(p, s, 0, NULL);
}

static bool get_warp(struct parser *p)
{
    uint32_t threads = p->threads - p->warp * p->lanes;
    uint64_t all = threads >= 64 ? UINT64_MAX : ((uint64_t)1 << threads) - 1, warp, records;

    if (p->lanes < 64)
        all &= ((uint64_t)1 << p->lanes) - 1;
    if (!get_number(p, &warp, p->warp, p->warp, "the number of the CTA's next warp") ||
        !get_number(p, &records, 0, MH_TRACE_MAX_RECORDS, "the number of records"))
        return false;
    if (!mh_trace_add_warp(p->t))
        return fail_at(p, p->item, "out of memory for warps");
    p->barriers = 0;
    for (uint64_t i = 0; i < records; i++)
        if (!get_record(p, all))
            return false;
    if (p->warp++ == 0)
        p->first_barriers = p->barriers;
    if (p->barriers != p->first_barriers)
        return fail_at(p, p->item, "expected %u barriers as in the CTA's first warp, found %u", p->first_barriers,
                       p->barriers);
    return true;
}

/* ---- the file ---- */

static bool fail_width(struct parser *p, unsigned width)
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

static bool get_header(struct parser *p)
{
    static const char start[] = "GMT1 warp=", expected[] = "the line 'GMT1 warp=32' or 'GMT1 warp=64'";
    unsigned byte, width = 0;

    for (size_t i = 0; i < strlen(start); i++) {
        if (!get_byte(p, &byte, expected))
            return false;
        if (byte != (unsigned char)start[i])
            return fail_at(p, i, "expected %s: not a GMT1 trace", expected);
    }
    for (;;) {
        if (!get_byte(p, &byte, expected))
            return false;
        if (byte == '\n')
            break;
        if (byte < '0' || byte > '9' || width > 99)
            return fail_at(p, strlen(start), "expected %s", expected);
        width = width * 10 + byte - '0';
    }
    if (width != 32 && width != 64)
        return fail_at(p, strlen(start), "expected %s, found warp=%u", expected, width);
    return width == p->lanes || fail_width(p, width);
}

static bool get_item(struct parser *p, unsigned tag)
{
    bool open = p->warp<p->cta_warps, in_launch = p->t->w.launch_count> 0;

    if (open ? tag == 'W' : tag == 'L' || (tag == 'C' && in_launch))
        return tag == 'W' ? get_warp(p) : tag == 'C' ? get_cta(p) : get_launch(p);
    return fail_at(p, p->item, "expected %s, found byte 0x%02x",
                   open        ? "the CTA's next warp ('W')"
                   : in_launch ? "a CTA ('C'), a launch ('L') or the end ('E')"
                               : "a launch ('L') or the end ('E')",
                   tag);
}

static bool get_end(struct parser *p)
{
    uint64_t offset = mh_stream_offset(&p->in);

    if (mh_stream_byte(&p->in) >= 0)
        return fail_at(p, offset, "expected the end of the file after 'E', found more data");
    if (p->in.failure)
        return fail_at(p, offset, "expected the end of the file after 'E', but %s", p->in.failure);
    if (!mh_trace_finish(p->t))
        return fail_at(p, p->item, "the trace ends without a single recorded CTA");
    return true;
}

static bool get_file(struct parser *p)
{
    unsigned tag;

    if (!get_header(p))
        return false;
    for (;;) {
        p->item = mh_stream_offset(&p->in);
        if (!get_byte(p, &tag, "a launch, a CTA, a warp or the end"))
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
    struct parser *p = calloc(1, sizeof *p);
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
