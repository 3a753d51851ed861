/* SHA-256, as 64 hexadecimal digits. */
#ifndef HOST_BASE_HASH_H
#define HOST_BASE_HASH_H

#include <stddef.h>

#include "memhelm/error.h"

enum { HASH_TEXT = 65 };

struct hash;

struct hash *hash_begin(void);
void hash_add(struct hash *h, const void *data, size_t length);

/** Writes the digits and frees `h`. */
void hash_end(struct hash *h, char text[HASH_TEXT]);

/** Of `length` bytes. */
void hash_text(const char *data, size_t length, char text[HASH_TEXT]);

/** Of a whole file. */
int hash_file(const char *path, char text[HASH_TEXT], struct mh_error *err);

#endif
