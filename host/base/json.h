/* JSON out: objects by key, files with 6 significant digits. */
#ifndef HOST_BASE_JSON_H
#define HOST_BASE_JSON_H

#include <jansson.h>
#include <stdint.h>
#include <stdio.h>

#include "memhelm/error.h"

/** Sets a key; takes `v` over. */
void json_put(json_t *object, const char *key, json_t *v);

/** Sets a key to a count. */
void json_put_count(json_t *object, const char *key, uint64_t v);

/** A number; null for NaN and infinities, which JSON has not. */
json_t *json_number(double v);
void json_put_real(json_t *object, const char *key, double v);

/** A list of texts. */
json_t *json_texts(const char *const *texts, unsigned count);

/** Prints the value with a new line at its end, and releases it. */
int json_print(json_t *o, FILE *out, struct mh_error *err);

/** Writes the value as write_file() does, with a new line at its end, and releases it; packed if the name ends in .zst.
 */
int json_write(json_t *o, const char *path, struct mh_error *err);

/** Reads a file, plain or packed. The caller releases the value; NULL and `err`: unreadable, or no JSON. */
json_t *json_read(const char *path, struct mh_error *err);

#endif
