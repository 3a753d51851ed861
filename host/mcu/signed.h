/* Signed images (memhelm/boot.h): made of a firmware file, and compared with it. */
#ifndef HOST_MCU_SIGNED_H
#define HOST_MCU_SIGNED_H

#include "image.h"
#include "key.h"

/** Path of an image's signed file, in the same folder: NAME.signed for NAME.elf. */
int signed_path(const struct image *image, char path[HOST_PATH], struct mh_error *err);

/** Does the word end in .signed? */
bool signed_named(const char *word);

/** Is there one? */
bool signed_exists(const struct image *image);

/**
 * Signs what the image loads, with the parameters that are set, and writes it to `path`. Deterministic (RFC 6979): the
 * same image, key and version give the same bytes. Its SHA-256, which the boot ROM publishes, goes to `hash`.
 */
int signed_write(const struct image *image, const struct key *key, uint32_t version, const char *path,
                 char hash[HASH_TEXT], struct mh_error *err);

/**
 * -1 and `err` if the signed file is missing, too large for a slot, or good, but of another build of the image than its
 * ELF file, whose symbols would be wrong. The boot ROM refuses a file that is not good.
 */
int signed_check(const struct image *image, const char *path, const struct key *key, struct mh_error *err);

#endif
