#include "memhelm/utf8.h"

#include <stdbool.h>
#include <stdint.h>

static size_t length_by_first(unsigned char first)
{
    return first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
}

size_t mh_utf8_length(const char *text)
{
    const unsigned char *c = (const unsigned char *)text;
    size_t length = length_by_first(*c);
    uint32_t code = length > 1 ? *c & (0x7fu >> length) : 0;

    for (size_t i = 1; i < length; i++) {
        if ((c[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (c[i] & 0x3f);
    }
    /* Written longer than need be; half of a pair of UTF-16; behind the last. */
    bool wrong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000) || code >> 11 == 0xd800 >> 11 ||
                 code > 0x10ffff;

    return wrong ? 0 : length;
}

const char *mh_utf8_broken(const char *text)
{
    for (size_t n; *text; text += n) {
        n = mh_utf8_length(text);
        if (!n)
            return text;
    }
    return NULL;
}
