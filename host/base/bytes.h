/*
 * Bytes that grow, and reading them back: numbers as LEB128, unsigned or with the sign in the lowest bit (zigzag), as
 * GMT traces have them.
 */
#ifndef HOST_BASE_BYTES_H
#define HOST_BASE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
