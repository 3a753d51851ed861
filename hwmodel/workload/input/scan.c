#include "workload/input/scan.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* The last line's end is seen as one, whether or not the file has it. No text has a NUL byte; a device has no end. */
void mh_scan_step(struct mh_scan *s)
{
    s->line += s->next == '\n';
    s->next = mh_stream_byte(&s->in);
    if (s->next)
        return;
    s->in.failure = "a NUL byte, which no text has";
    s->next = -1;
}

static bool is_blank(int c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

bool mh_scan_more(struct mh_scan *s)
{
    while (is_blank(s->next))
        mh_scan_step(s);
    return s->next >= 0 && s->next != '\n';
}

bool mh_scan_line(struct mh_scan *s)
{
    while (s->next >= 0 && s->next != '\n')
        mh_scan_step(s);
    if (s->next == '\n')
        mh_scan_step(s);
    return s->next >= 0;
}

bool mh_scan_content(struct mh_scan *s, const char *marks)
{
    while (s->next >= 0 && (!mh_scan_more(s) || (s->next && strchr(marks, s->next))))
        (void)mh_scan_line(s);
    return s->next >= 0;
}

const char *mh_scan_word(struct mh_scan *s)
{
    size_t n = 0;

    for (bool more = mh_scan_more(s); more && s->next >= 0 && s->next != '\n' && !is_blank(s->next); mh_scan_step(s))
        if (n < sizeof s->word - 1)
            s->word[n++] = (char)(s->next > ' ' && s->next < 0x7f ? s->next : '?');
    s->word[n] = 0;
    return s->word;
}

bool mh_scan_number(struct mh_scan *s, const char *what, uint64_t low, uint64_t high, uint64_t *value)
{
    const char *w = mh_scan_word(s);
    uint64_t v = 0;
    bool number = *w != 0;

    if (!*w)
        return mh_scan_fail(s, "the line ends where %s was expected, a number from %llu to %llu", what,
                            (unsigned long long)low, (unsigned long long)high);
    for (; *w && number; w++) {
        number = *w >= '0' && *w <= '9';
        v = v < UINT64_MAX / 16 ? v * 10 + (uint64_t)(*w - '0') : v; /* saturates far above any limit */
    }
    if (!number || v < low || v > high)
        return mh_scan_fail(s, "%s is '%.40s'; allowed: %llu to %llu", what, s->word, (unsigned long long)low,
                            (unsigned long long)high);
    *value = v;
    return true;
}

bool mh_scan_end(struct mh_scan *s)
{
    return !mh_scan_more(s) || mh_scan_fail(s, "'%.40s' behind the end of what the line should have", mh_scan_word(s));
}

bool mh_scan_add(struct mh_scan *s, uint64_t from, uint64_t to)
{
    struct mh_input *in = s->to;

    if (in->count == MH_INPUT_ENTRIES)
        return mh_scan_fail(s, "more than the %d entries that are allowed: use a part of it", MH_INPUT_ENTRIES);
    if (in->count == s->room) {
        const size_t room = s->room ? 2 * s->room : 1 << 12;
        struct mh_arc *grown = realloc(in->entries, room * sizeof *grown);

        if (!grown)
            return mh_scan_fail(s, "out of memory for %u entries", in->count);
        in->entries = grown;
        s->room = room;
    }
    in->entries[in->count++] = (struct mh_arc){(uint32_t)from, (uint32_t)to};
    return true;
}

bool mh_scan_fail(struct mh_scan *s, const char *format, ...)
{
    const char *why = s->in.failure;
    char text[400];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    (void)mh_fail(s->err, "%.384s:%llu: %s%s", s->in.source.path, (unsigned long long)s->line, why ? why : text,
                  why ? ": get the file again" : "");
    return false;
}

static bool has_end(const char *path, const char *end)
{
    const size_t length = strlen(path), n = strlen(end);

    return length >= n && strcmp(path + length - n, end) == 0;
}

static bool is_metis(const char *path)
{
    return has_end(path, ".graph") || has_end(path, ".graph.zst") || has_end(path, ".graph.xz");
}

static bool is_market(const struct mh_stream *in)
{
    static const char mark[] = "%%MatrixMarket";

    return in->out_size >= strlen(mark) && memcmp(in->out, mark, strlen(mark)) == 0;
}

static int read_source(const struct mh_source *source, struct mh_input *in, struct mh_error *err)
{
    struct mh_scan s = {.to = in, .err = err, .line = 1};
    bool good;

    *in = (struct mh_input){.path = source->path};
    if (mh_stream_open(&s.in, source, err))
        return -1;
    good = is_market(&s.in);
    mh_scan_step(&s);
    good = good ? mh_input_market(&s) : is_metis(source->path) ? mh_input_metis(&s) : mh_input_edges(&s);
    if (good && s.in.failure)
        good = mh_scan_fail(&s, " ");
    mh_stream_end(&s.in);
    return good ? 0 : -1;
}

int mh_input_read(const char *path, struct mh_input *in, struct mh_error *err)
{
    return read_source(&(struct mh_source){.path = path}, in, err);
}

int mh_input_parse(const void *data, size_t size, const char *path, struct mh_input *in, struct mh_error *err)
{
    return read_source(&(struct mh_source){path, data, size}, in, err);
}

void mh_input_free(struct mh_input *in)
{
    free(in->entries);
    in->entries = NULL;
}
