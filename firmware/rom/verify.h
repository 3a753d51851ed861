/* Is a slot's image one that may run? Loads it and verifies what was loaded. For ROM and host; cryptography: BearSSL.
 */
#ifndef FIRMWARE_ROM_VERIFY_H
#define FIRMWARE_ROM_VERIFY_H

#include <stdbool.h>
#include <stdint.h>

#include "header.h"

/** What an image is compared with. */
struct boot_trust {
    const uint8_t *key; /**< public key on P-256: X, Y; MH_BOOT_KEY_BYTES */
    uint32_t counter;   /**< lowest version that may run */
    uint32_t registers; /**< version of this machine's register table */
};

/** The mcu's memories: on the mcu its own, on a host arrays of their sizes, for words. */
struct boot_memory {
    uint32_t *itcm, *dtcm;
};

/** The first bytes of the SHA-256 of a public key. */
void boot_key_id(const uint8_t *key, uint8_t id[MH_BOOT_KEY_ID_BYTES]);

/** A header that header_read() has accepted: may this machine run it? BOOT_UNTRIED: yes, if its signature matches. */
enum mh_boot boot_allowed(const struct boot_trust *trust, const struct boot_header *h);

/** Zeroes both memories. */
void boot_clear(const struct boot_memory *m);

/**
 * Copies the segments of a slot into zeroed memories, then hashes the header's bytes and the copies, so that what is
 * verified is what runs, whoever writes the slot meanwhile. Returns whether the signature matches; if it does not, the
 * memories are zero again.
 */
bool boot_load(const struct boot_trust *trust, const struct boot_memory *m, const uint8_t *header,
               const struct boot_header *h, const uint32_t *slot, uint8_t hash[MH_BOOT_HASH_BYTES]);

#endif
