#include "workload/input/scan.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* CR LF ends a line, and so does CR alone, as on old Macs. Of several CRs before an LF only the LF counts. */
static int text_byte(struct mh_scan *s)
{
    int c;

    if (s->ends && s->ends--)
        return '\n';
    c = s->holds ? s->held : mh_stream_byte(&s->in);
    for (s->holds = false; c == '\r'; c = mh_stream_byte(&s->in))
        s->ends++;
    if (!s->ends || c == '\n') {
        s->ends = 0;
        return c;
    }
    s->holds = true;
    s->held = c;
    s->ends--;
    return '\n';
}

/* The last line's end is seen as one, whether or not the file has it. No text has a NUL byte; a device has no end. */
void mh_scan_step(struct mh_scan *s)
{
    s->line += s->next == '\n';
    s->next = text_byte(s);
    if (s->next)
        return;
    s->in.failure = "a NUL byte, which no text has";
    s->next = -1;
}

static bool is_blank(int c)
{
    return c == ' ' || c == '\t';
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

bool mh_scan_real(struct mh_scan *s, const char *what)
{
    const char *w = mh_scan_word(s);
    char *end;

    (void)strtod(w, &end);
    return !*end || mh_scan_fail(s, "%s is '%.40s'; a number, or nothing, is expected", what, w);
}

size_t mh_scan_one_of(struct mh_scan *s, const char *what, const char *const words[], size_t count)
{
    const char *w = mh_scan_word(s);
    char list[128] = "";
    size_t used = 0;

    for (size_t i = 0; i < count; i++) {
        if (strcasecmp(w, words[i]) == 0)
            return i;
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", words[i]);
    }
    (void)mh_scan_fail(s, "%s '%.40s'; allowed: %s", what, w, list);
    return count;
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
    (void)mh_fail(s->err, "%.384s:%llu: %s%s%s%s", s->in.source.path, (unsigned long long)s->line,
                  s->format && !why ? s->format : "", s->format && !why ? ": " : "", why ? why : text,
                  why ? ": get the file again" : "");
    return false;
}
