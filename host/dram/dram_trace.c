#include "dram_trace.h"

#include <stdlib.h>
#include <string.h>

#include "base/byte_stream.h"

enum { ROOM = 1 << 18, LINE_MAX_BYTES = 256, SHOWN = 40 };

struct dram_trace {
    struct byte_stream *stream;
    const char *path;
    uint64_t line; /* number of the one read last */
    size_t at, used;
    bool ended;
    char text[ROOM + 1];
};

struct dram_trace *dram_trace_open(const char *path, struct mh_error *err)
{
    struct dram_trace *t = malloc(sizeof *t);
    if (!t) {
        (void)mh_fail(err, "%s: out of memory", path);
        return NULL;
    }
    memset(t, 0, offsetof(struct dram_trace, text));
    t->path = path;
    t->stream = byte_stream_open(path, err);
    if (t->stream)
        return t;
    free(t);
    return NULL;
}

void dram_trace_close(struct dram_trace *t)
{
    if (t)
        byte_stream_close(t->stream);
    free(t);
}

double dram_trace_share(const struct dram_trace *t)
{
    return byte_stream_share(t->stream);
}

/* Moves what is left to the front and reads on behind it. */
static int refill(struct dram_trace *t, struct mh_error *err)
{
    const char *why;
    memmove(t->text, t->text + t->at, t->used - t->at);
    t->used -= t->at;
    t->at = 0;
    long got = byte_stream_read(t->stream, t->text + t->used, ROOM - t->used, &why);
    if (got < 0)
        return mh_fail(err, "%s:%llu: cannot read: %s", t->path, (unsigned long long)t->line + 1, why);
    t->used += (size_t)got;
    t->ended = got == 0;
    return 0;
}

/* The next line, its end replaced by 0; *line is NULL at the end. */
static int next_line(struct dram_trace *t, char **line, struct mh_error *err)
{
    char *end;
    while (!(end = memchr(t->text + t->at, '\n', t->used - t->at)) && !t->ended) {
        if (t->used - t->at > LINE_MAX_BYTES)
            break;
        if (refill(t, err))
            return -1;
    }
    *line = NULL;
    if (!end && t->at == t->used)
        return 0;
    t->line++;
    if (!end && t->used - t->at > LINE_MAX_BYTES)
        return mh_fail(err, "%s:%llu: more than %d bytes in a line: not a trace of DRAM requests", t->path,
                       (unsigned long long)t->line, LINE_MAX_BYTES);
    if (!end)
        end = t->text + t->used;
    *line = t->text + t->at;
    t->at = (size_t)(end - t->text) + (end < t->text + t->used);
    *end = 0;
    return 0;
}

static int bad_line(const struct dram_trace *t, const char *line, const char *what, struct mh_error *err)
{
    char shown[SHOWN + 1];
    snprintf(shown, sizeof shown, "%s", line);
    for (char *p = shown; *p; p++)
        if (*p < ' ' || *p > '~')
            *p = '?';
    return mh_fail(err, "%s:%llu: '%s': %s; a request looks like `0x1f80 READ 120`: address, READ or WRITE, cycle",
                   t->path, (unsigned long long)t->line, shown, what);
}

static const char *skip_blanks(const char *p)
{
    while (*p == ' ' || *p == '\t' || *p == '\r')
        p++;
    return p;
}

static inline unsigned digit_of(char c)
{
    if (c >= '0' && c <= '9')
        return (unsigned)(c - '0');
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10 : 16;
}

/* After the last digit; NULL when there is none, or more than 64 bits. */
static const char *parse_hex(const char *p, uint64_t *v)
{
    if (p[0] != '0' || (p[1] | 0x20) != 'x')
        return NULL;
    const char *start = p += 2;
    for (*v = 0; digit_of(*p) < 16; p++) {
        if (*v >> 60)
            return NULL;
        *v = *v << 4 | digit_of(*p);
    }
    return p == start ? NULL : p;
}

static const char *parse_cycle(const char *p, uint64_t *v)
{
    const char *start = p;
    for (*v = 0; *p >= '0' && *p <= '9'; p++) {
        *v = *v * 10 + digit_of(*p);
        if (*v > DRAM_TRACE_LAST)
            return NULL;
    }
    return p == start ? NULL : p;
}

static const char *parse_kind(const char *p, bool *write)
{
    *write = *p == 'W' || *p == 'w';
    size_t n = *write ? strlen("WRITE") : strlen("READ");
    return strncmp(p, *write ? "WRITE" : "READ", n) && strncmp(p, *write ? "write" : "read", n) ? NULL : p + n;
}

static bool blank(const char *p)
{
    return *p == ' ' || *p == '\t';
}

static int parse(const struct dram_trace *t, const char *line, const char *p, struct dram_access *a,
                 struct mh_error *err)
{
    p = parse_hex(p, &a->addr);
    if (!p || !blank(p))
        return bad_line(t, line, "the address is not 0x and up to 16 hexadecimal digits", err);
    p = parse_kind(skip_blanks(p), &a->write);
    if (!p || !blank(p))
        return bad_line(t, line, "neither READ nor WRITE after the address", err);
    p = parse_cycle(skip_blanks(p), &a->cycle);
    if (!p)
        return bad_line(t, line, "the cycle is not a number from 0 to 100000000000", err);
    if (*skip_blanks(p))
        return bad_line(t, line, "something follows the cycle", err);
    return 1;
}

int dram_trace_next(struct dram_trace *t, struct dram_access *a, struct mh_error *err)
{
    for (;;) {
        char *line;
        if (next_line(t, &line, err))
            return -1;
        if (!line)
            return 0;
        const char *p = skip_blanks(line);
        if (*p && *p != '#')
            return parse(t, line, p, a, err);
    }
}
