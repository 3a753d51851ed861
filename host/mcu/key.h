/* Keys of verified boot: ECDSA on P-256, in PEM files. Cryptography and encodings are BearSSL's. */
#ifndef HOST_MCU_KEY_H
#define HOST_MCU_KEY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/file.h"
#include "memhelm/boot.h"

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

#endif
