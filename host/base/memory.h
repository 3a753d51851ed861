/* Memory: for small things, without which nothing makes sense; for arrays that grow; for bytes as GMT has them. */
#ifndef HOST_BASE_MEMORY_H
#define HOST_BASE_MEMORY_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/** Says that there is none, and ends the program with exit code 2. */
__attribute__((noreturn)) void memory_gone(void);

/** `memory`, which was just asked for. */
static inline void *must(void *memory)
{
    if (!memory)
        memory_gone();
    return memory;
}

/** `count` items of `size` bytes, all 0; of none a place, too. */
static inline void *must_have(size_t count, size_t size)
{
    return must(calloc(count + 1, size));
}

/** A new text. */
char *must_print(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *must_vprint(const char *format, va_list args);

/* Arrays that grow by one. */

/** Makes room for one more than `count` items; `items` or its new place. */
static inline void *grow(void *items, unsigned count, unsigned *room, size_t size)
{
    if (count < *room)
        return items;
    *room = *room ? 2 * *room : 16;
    return must(realloc(items, *room * size));
}

/*
 * Bytes that grow, and reading them back: numbers as LEB128, unsigned or with the sign in the lowest bit (zigzag), as
 * GMT traces have them.
 */

/** All zeroes is an empty one. The owner frees `at`. */
struct bytes {
    uint8_t *at;
    size_t size, room;
    bool failed; /**< memory was short: what was added since is lost */
};

void bytes_add(struct bytes *b, const void *data, size_t size);
void bytes_byte(struct bytes *b, uint8_t value);
void bytes_number(struct bytes *b, uint64_t value);

/** `value` as a signed one. */
void bytes_signed(struct bytes *b, uint64_t value);

/** A text: its length, then its characters. */
void bytes_text(struct bytes *b, const char *text);

void bytes_free(struct bytes *b);

/** What is left to read. */
struct bytes_in {
    const uint8_t *at, *end;
    bool bad; /**< it ended too early, or a number has more than 64 bits; then all that is read is 0 */
};

uint8_t bytes_get_byte(struct bytes_in *in);
uint64_t bytes_get_number(struct bytes_in *in);

/** A signed number, to be added or cast. */
uint64_t bytes_get_signed(struct bytes_in *in);

/** A text, with a 0 behind it; what does not fit is left out. */
void bytes_get_text(struct bytes_in *in, char *text, size_t size);

#endif
