/* Verified boot: keys, and signed images (memhelm/boot.h). */
#ifndef HOST_MCU_SIGNED_H
#define HOST_MCU_SIGNED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/file.h"
#include "image.h"
#include "memhelm/boot.h"

/* Keys of verified boot: ECDSA on P-256, in PEM files. Cryptography and encodings are BearSSL's. */

enum { KEY_PRIVATE_BYTES = 32 };

struct key {
    uint8_t public[MH_BOOT_KEY_BYTES]; /**< X, Y */
    uint8_t private[KEY_PRIVATE_BYTES];
    bool can_sign; /**< `private` is there */
};

/** Path of the key that `make` creates, next to this executable. */
int key_development(char path[HOST_PATH], struct mh_error *err);

/** Reads a private key (PRIVATE KEY, EC PRIVATE KEY) or a public one (PUBLIC KEY). -1 and `err`: it is no key on P-256.
 */
int key_read(struct key *k, const char *path, struct mh_error *err);

/** Makes a private key of the system's randomness and writes it, for its owner alone; a file that is there stays. */
int key_make(const char *path, struct mh_error *err);

/* Signed images (memhelm/boot.h): made of a firmware file, and compared with it. */

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
