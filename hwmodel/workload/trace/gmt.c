/* Reading GMT1 and GMT2: header, then launches, CTAs and warps until 'E'. */
#include "workload/trace/gmt.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_NAME = 1023 };

bool mh_gmt_fail(struct mh_gmt *p, uint64_t offset, const char *format, ...)
{
    char what[512];
    va_list ap;

    va_start(ap, format);
    vsnprintf(what, sizeof what, format, ap);
    va_end(ap);
    (void)mh_fail(p->err, "%.384s: offset %llu%s: %s", p->name, (unsigned long long)offset,
                  p->in.coding != MH_CODING_PLAIN ? " of the decompressed stream" : "", what);
    return false;
}

static bool fail_end(struct mh_gmt *p, const char *expected)
{
    return mh_gmt_fail(p, mh_stream_offset(&p->in), "expected %s, but %s: the trace is incomplete, get it again",
                       expected, p->in.failure ? p->in.failure : "the file ends");
}

bool mh_gmt_byte(struct mh_gmt *p, unsigned *byte, const char *expected)
{
    int b = mh_stream_byte(&p->in);

    *byte = b < 0 ? 0 : (unsigned)b;
    return b >= 0 || fail_end(p, expected);
}

bool mh_gmt_number(struct mh_gmt *p, uint64_t *value, uint64_t min, uint64_t max, const char *expected)
{
    uint64_t offset = mh_stream_offset(&p->in);
    unsigned byte = 0x80;

    *value = 0;
    for (unsigned shift = 0; byte & 0x80; shift += 7) {
        if (!mh_gmt_byte(p, &byte, expected))
            return false;
        if (shift > 63 || (shift == 63 && byte > 1))
            return mh_gmt_fail(p, offset, "expected %s, found a number of more than 64 bits", expected);
        *value |= (uint64_t)(byte & 0x7f) << shift;
    }
    if (*value < min || *value > max)
        return mh_gmt_fail(p, offset, "expected %s from %llu to %llu, found %llu", expected, (unsigned long long)min,
                           (unsigned long long)max, (unsigned long long)*value);
    return true;
}

bool mh_gmt_signed(struct mh_gmt *p, uint64_t *value, const char *expected)
{
    if (!mh_gmt_number(p, value, 0, UINT64_MAX, expected))
        return false;
    *value = (*value >> 1) ^ (0 - (*value & 1));
    return true;
}

bool mh_gmt_emit(struct mh_gmt *p, const struct mh_op *op, const uint64_t *addr)
{
    if (p->sink->op(p->sink, op, addr))
        return true;
    return mh_gmt_fail(p, p->item, "the CTA's operations take more than 1 GiB, or out of memory");
}

bool mh_gmt_check(struct mh_gmt *p)
{
    uint64_t offset = mh_stream_offset(&p->in);
    uint32_t found = p->summed ? mh_stream_sum(&p->in) : 0, said = 0;
    unsigned byte;

    if (!p->summed)
        return true;
    for (unsigned i = 0; i < 5; i++) {
        if (!mh_gmt_byte(p, &byte, "a checksum ('K' and four bytes)"))
            return false;
        if (i == 0 && byte != 'K')
            return mh_gmt_fail(p, offset, "expected a checksum ('K'), found byte 0x%02x: the trace is damaged", byte);
        said = said >> 8 | byte << 24;
    }
    (void)mh_stream_sum(&p->in);
    return said == found || mh_gmt_fail(p, offset,
                                        "expected checksum %08x of what is before it, found %08x: the trace is "
                                        "damaged, get it again",
                                        said, found);
}

static bool get_name(struct mh_gmt *p, char name[MAX_NAME + 1])
{
    uint64_t length;
    unsigned byte;

    if (!mh_gmt_number(p, &length, 0, MAX_NAME, "the length of a kernel's name"))
        return false;
    for (uint64_t i = 0; i < length; i++) {
        if (!mh_gmt_byte(p, &byte, "a kernel's name"))
            return false;
        name[i] = (char)(byte < 0x20 || byte > 0x7e ? '?' : byte);
    }
    name[length] = 0;
    return true;
}

/* Three dimensions, multiplied. */
static bool get_shape(struct mh_gmt *p, uint32_t dim[3], uint64_t *product, uint64_t max, const char *expected)
{
    uint64_t offset = mh_stream_offset(&p->in), d;

    *product = 1;
    for (int i = 0; i < 3; i++) {
        if (!mh_gmt_number(p, &d, 1, max, expected))
            return false;
        dim[i] = (uint32_t)d;
        *product *= d;
        if (*product > max)
            return mh_gmt_fail(p, offset, "expected %s with a product of at most %llu, found more", expected,
                               (unsigned long long)max);
    }
    return true;
}

static bool get_resources(struct mh_gmt *p)
{
    uint64_t registers = MH_TRACE_REGISTERS, shared = 0;

    if (p->second && (!mh_gmt_number(p, &registers, 0, 1024, "registers per thread") ||
                      !mh_gmt_number(p, &shared, 0, UINT32_MAX, "bytes of shared memory")))
        return false;
    p->r.head.registers = (uint32_t)registers;
    p->r.head.shared_bytes = (uint32_t)shared;
    return true;
}

static bool get_launch(struct mh_gmt *p)
{
    struct mh_trace_head *h = &p->r.head;
    uint64_t threads;

    if (!get_name(p, h->name) || !get_shape(p, h->shape.grid, &h->ctas, UINT32_MAX, "grid dimensions") ||
        !get_shape(p, h->shape.block, &threads, (uint64_t)MH_MAX_WARPS * p->lanes, "block dimensions") ||
        !get_resources(p) || !mh_gmt_number(p, &p->planned, 0, h->ctas, "the number of recorded CTAs") ||
        !mh_gmt_get_buffers(p))
        return false;
    h->threads = (uint32_t)threads;
    p->cta_warps = ((uint32_t)threads + p->lanes - 1) / p->lanes;
    p->ctas = 0;
    p->r.at++;
    return mh_gmt_check(p);
}

static bool get_cta(struct mh_gmt *p)
{
    uint64_t warps;

    if (p->ctas++ >= p->planned)
        return mh_gmt_fail(p, p->item, "expected at most the %llu CTAs that the launch announces, found another",
                           (unsigned long long)p->planned);
    p->any_cta = true;
    return mh_gmt_number(p, &p->r.cta, 0, p->r.head.ctas - 1, "the number of a CTA") &&
           mh_gmt_number(p, &warps, p->cta_warps, p->cta_warps, "the number of warps of a CTA");
}

/* Lanes that exist in a warp of the launch. */
static uint64_t lanes_of(const struct mh_gmt *p, uint32_t warp)
{
    uint32_t threads = p->r.head.threads - warp * p->lanes;

    return UINT64_MAX >> (64 - (threads < p->lanes ? threads : p->lanes));
}

static bool get_exit(struct mh_gmt *p)
{
    struct mh_op op = {.kind = MH_OP_EXIT};

    if (!p->second)
        mh_gmt_uses_apply(&p->uses, &p->warp, &op);
    else if (!mh_gmt_gap(p, &op.gap) || !mh_gmt_need(p, &op, true))
        return false;
    return mh_gmt_emit(p, &op, NULL);
}

static bool get_warp(struct mh_gmt *p, uint32_t index)
{
    uint64_t warp, records;
    unsigned tag;

    p->item = mh_stream_offset(&p->in);
    if (!mh_gmt_byte(p, &tag, "the CTA's next warp ('W')"))
        return false;
    if (tag != 'W')
        return mh_gmt_fail(p, p->item, "expected the CTA's next warp ('W'), found byte 0x%02x", tag);
    if (!mh_gmt_number(p, &warp, index, index, "the number of the CTA's next warp") ||
        !mh_gmt_number(p, &records, 0, MH_GMT_MAX_RECORDS, "the number of records"))
        return false;
    p->serial++;
    p->warp = (struct mh_gmt_warp){.count = 0};
    for (uint64_t i = 0; i < records; i++)
        if (!mh_gmt_record(p, lanes_of(p, index)))
            return false;
    return get_exit(p);
}

static bool read_cta(struct mh_trace_reader *r, struct mh_trace_sink *sink, struct mh_error *err)
{
    struct mh_gmt *p = (struct mh_gmt *)r;

    p->sink = sink;
    p->err = err;
    for (uint32_t i = 0; i < p->cta_warps; i++)
        if (!get_warp(p, i))
            return false;
    return mh_gmt_check(p);
}

static bool get_end(struct mh_gmt *p)
{
    uint64_t offset;

    if (!mh_gmt_check(p))
        return false;
    offset = mh_stream_offset(&p->in);
    if (mh_stream_byte(&p->in) >= 0)
        return mh_gmt_fail(p, offset, "expected the end of the file after 'E', found more data");
    if (p->in.failure)
        return mh_gmt_fail(p, offset, "expected the end of the file after 'E', but %s", p->in.failure);
    if (!p->any_cta)
        return mh_gmt_fail(p, p->item, "the trace ends without a single recorded CTA");
    return true;
}

static enum mh_trace_item next(struct mh_trace_reader *r, struct mh_error *err)
{
    struct mh_gmt *p = (struct mh_gmt *)r;
    unsigned tag;

    p->err = err;
    p->item = mh_stream_offset(&p->in);
    if (!mh_gmt_byte(p, &tag, "a launch, a CTA, a warp or the end"))
        return MH_TRACE_FAILED;
    if (tag == 'E')
        return get_end(p) ? MH_TRACE_END : MH_TRACE_FAILED;
    if (tag == 'L')
        return get_launch(p) ? MH_TRACE_LAUNCH : MH_TRACE_FAILED;
    if (tag == 'C' && r->at >= 0)
        return get_cta(p) ? MH_TRACE_CTA : MH_TRACE_FAILED;
    (void)mh_gmt_fail(p, p->item, "expected %s, found byte 0x%02x",
                      r->at >= 0 ? "a CTA ('C'), a launch ('L') or the end ('E')" : "a launch ('L') or the end ('E')",
                      tag);
    return MH_TRACE_FAILED;
}

/* The launches before it are read again: nothing says where they end. */
static bool rewind_gmt(struct mh_trace_reader *r, uint32_t launch, struct mh_error *err)
{
    struct mh_gmt *p = (struct mh_gmt *)r;

    (void)launch;
    p->err = err;
    r->at = -1;
    p->serial = 0;
    mh_gmt_table_reset(&p->table);
    return mh_stream_rewind(&p->in, err) == 0 && mh_gmt_header(p, p->lanes);
}

static bool finish(struct mh_trace_reader *r, struct mh_workload *w, struct mh_error *err)
{
    struct mh_gmt *p = (struct mh_gmt *)r;

    (void)err;
    mh_gmt_merge_buffers(&p->all);
    w->buffers = p->all.b;
    w->buffer_count = p->all.count;
    p->all = (struct mh_gmt_buffers){0};
    p->checked = true;
    return true;
}

static void destroy(struct mh_trace_reader *r)
{
    struct mh_gmt *p = (struct mh_gmt *)r;

    mh_stream_end(&p->in);
    free(p->all.b);
    free(p->buffers.b);
    mh_gmt_table_free(&p->table);
    mh_gmt_uses_free(&p->uses);
    free(p->uses_name);
    free(p);
}

/* A trace in memory has no other files. */
static bool get_uses(struct mh_gmt *p)
{
    return p->second || p->in.source.data || mh_gmt_uses_read(&p->uses, p->name, &p->uses_name, p->err);
}

struct mh_trace_reader *mh_gmt_reader(struct mh_stream *in, struct mh_trace_how how, struct mh_error *err)
{
    struct mh_gmt *p = calloc(1, sizeof *p);

    if (!p) {
        (void)mh_fail(err, "%.384s: out of memory", in->source.path);
        mh_stream_end(in);
        return NULL;
    }
    p->r = (struct mh_trace_reader){next, read_cta, rewind_gmt, finish, destroy, .at = -1};
    p->in = *in;
    p->name = in->source.path;
    p->lenient = how.lenient;
    p->err = err;
    if (!mh_gmt_header(p, how.lanes) || !get_uses(p)) {
        destroy(&p->r);
        return NULL;
    }
    p->r.about = (struct mh_trace_about){.format = p->second ? "GMT2" : "GMT1",
                                         .lanes = p->lanes,
                                         .dependences = p->second || p->uses_name,
                                         .companion = p->uses_name};
    return &p->r;
}
