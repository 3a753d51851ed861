#define _GNU_SOURCE /* vasprintf */
#include "memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void memory_gone(void)
{
    fputs("memhelm: out of memory\n", stderr);
    exit(2);
}

char *must_vprint(const char *format, va_list args)
{
    char *text;
    return must(vasprintf(&text, format, args) < 0 ? NULL : text);
}

char *must_print(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = must_vprint(format, args);
    va_end(args);
    return text;
}

enum { FIRST_ROOM = 256, NUMBER = 10 /* bytes of the longest */ };

static bool reserve(struct bytes *b, size_t size)
{
    size_t room = b->room ? b->room : FIRST_ROOM;
    uint8_t *more;

    if (b->room - b->size >= size)
        return !b->failed;
    while (room - b->size < size)
        room *= 2;
    more = realloc(b->at, room);
    if (!more) {
        b->failed = true;
        return false;
    }
    b->at = more;
    b->room = room;
    return !b->failed;
}

void bytes_add(struct bytes *b, const void *data, size_t size)
{
    if (!size || !reserve(b, size))
        return;
    memcpy(b->at + b->size, data, size);
    b->size += size;
}

void bytes_byte(struct bytes *b, uint8_t value)
{
    bytes_add(b, &value, 1);
}

void bytes_number(struct bytes *b, uint64_t value)
{
    if (!reserve(b, NUMBER))
        return;
    for (; value > 0x7f; value >>= 7)
        b->at[b->size++] = (uint8_t)(value | 0x80);
    b->at[b->size++] = (uint8_t)value;
}

void bytes_signed(struct bytes *b, uint64_t value)
{
    bytes_number(b, value << 1 ^ -(value >> 63));
}

void bytes_text(struct bytes *b, const char *text)
{
    bytes_number(b, strlen(text));
    bytes_add(b, text, strlen(text));
}

void bytes_free(struct bytes *b)
{
    free(b->at);
    *b = (struct bytes){0};
}

uint8_t bytes_get_byte(struct bytes_in *in)
{
    if (in->bad || in->at == in->end) {
        in->bad = true;
        return 0;
    }
    return *in->at++;
}

uint64_t bytes_get_number(struct bytes_in *in)
{
    uint64_t value = 0;
    uint8_t byte;

    for (unsigned shift = 0; shift < 64; shift += 7) {
        byte = bytes_get_byte(in);
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return in->bad ? 0 : value;
    }
    in->bad = true;
    return 0;
}

uint64_t bytes_get_signed(struct bytes_in *in)
{
    uint64_t value = bytes_get_number(in);

    return value >> 1 ^ -(value & 1);
}

void bytes_get_text(struct bytes_in *in, char *text, size_t size)
{
    uint64_t length = bytes_get_number(in);

    if (length > (uint64_t)(in->end - in->at)) {
        in->bad = true;
        length = 0;
    }
    snprintf(text, size, "%.*s", (int)length, (const char *)in->at);
    in->at += length;
}
