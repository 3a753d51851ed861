#include "escape.h"

#include <stdbool.h>
#include <string.h>

/* Control characters of ASCII, and those that Unicode has beside them: U+0080 to U+009F, of UTF-8 0xc2 0x80 .. */
static bool is_control(unsigned char byte, unsigned char last)
{
    if (byte < 0x20)
        return byte != '\n' && byte != '\t';
    return byte == 0x7f || (byte >= 0x80 && byte < 0xa0 && (last < 0x80 || last == 0xc2));
}

static size_t put_escaped(char *out, unsigned char byte)
{
    static const char digits[] = "0123456789abcdef";
    const char text[] = {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
    memcpy(out, text, sizeof text);
    return sizeof text;
}

size_t escape_byte(char out[ESCAPE_MOST], unsigned char byte, unsigned char *last)
{
    size_t n = *last == '\r' && byte != '\n' ? put_escaped(out, '\r') : 0;
    bool control = is_control(byte, *last);
    *last = byte;
    if (byte == '\r')
        return n;
    if (control)
        return n + put_escaped(out + n, byte);
    out[n] = (char)byte;
    return n + 1;
}

size_t escape_end(char out[ESCAPE_MOST], unsigned char last)
{
    return last == '\r' ? put_escaped(out, '\r') : 0;
}

static bool append(char *out, size_t size, size_t *used, const char *part, size_t n)
{
    if (*used + n >= size)
        return false;
    memcpy(out + *used, part, n);
    out[ *used += n] = 0;
    return true;
}

char *escape_text(char *out, size_t size, const char *text)
{
    char part[ESCAPE_MOST] = "";
    unsigned char last = 0;
    size_t used = 0;
    bool room = true;
    *out = 0;
    for (; *text && room; text++)
        room = append(out, size, &used, part, escape_byte(part, (unsigned char)*text, &last));
    if (room)
        append(out, size, &used, part, escape_end(part, last));
    return out;
}

void escape_print(FILE *f, const char *text)
{
    char part[ESCAPE_MOST] = "";
    unsigned char last = 0;
    for (; *text; text++)
        fwrite(part, 1, escape_byte(part, (unsigned char)*text, &last), f);
    fwrite(part, 1, escape_end(part, last), f);
}
