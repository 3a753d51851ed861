#include "workload/trace_parser.h"

#include <stdarg.h>

bool mh_tp_fail(struct mh_trace_parser *p, uint64_t offset, const char *format, ...)
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

static bool fail_end(struct mh_trace_parser *p, const char *expected)
{
    return mh_tp_fail(p, mh_stream_offset(&p->in), "expected %s, but %s: the trace is incomplete, get it again",
                      expected, p->in.failure ? p->in.failure : "the file ends");
}

bool mh_tp_byte(struct mh_trace_parser *p, unsigned *byte, const char *expected)
{
    int b = mh_stream_byte(&p->in);

    *byte = b < 0 ? 0 : (unsigned)b;
    return b >= 0 || fail_end(p, expected);
}

bool mh_tp_number(struct mh_trace_parser *p, uint64_t *value, uint64_t min, uint64_t max, const char *expected)
{
    uint64_t offset = mh_stream_offset(&p->in);
    unsigned byte = 0x80;

    *value = 0;
    for (unsigned shift = 0; byte & 0x80; shift += 7) {
        if (!mh_tp_byte(p, &byte, expected))
            return false;
        if (shift > 63 || (shift == 63 && byte > 1))
            return mh_tp_fail(p, offset, "expected %s, found a number of more than 64 bits", expected);
        *value |= (uint64_t)(byte & 0x7f) << shift;
    }
    if (*value < min || *value > max)
        return mh_tp_fail(p, offset, "expected %s from %llu to %llu, found %llu", expected, (unsigned long long)min,
                          (unsigned long long)max, (unsigned long long)*value);
    return true;
}

bool mh_tp_signed(struct mh_trace_parser *p, uint64_t *value, const char *expected)
{
    if (!mh_tp_number(p, value, 0, UINT64_MAX, expected))
        return false;
    *value = (*value >> 1) ^ (0 - (*value & 1));
    return true;
}
