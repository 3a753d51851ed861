/* The first line of a GMT file: GMT1 or GMT2, the version of what GMT2 holds, the warp width. */
#include <string.h>
#include <unistd.h>

#include "workload/trace/gmt.h"
#include "workload/trace/trace.h"

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

/* The same recording in the other width, if it lies beside this one. */
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
