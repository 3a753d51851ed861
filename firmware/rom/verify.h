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

/** Where signed images lie. */
struct boot_slots {
    const uint32_t *at[MH_BOOT_SLOTS]; /**< MH_SLOT_BYTES each */
    uint32_t (*fills)(uint32_t slot);  /**< SLOT_A_FILLS, SLOT_B_FILLS: of the content now */
};

/** What was verified in a slot, for as long as the slot's content is the same. */
struct boot_measured {
    uint32_t fills; /**< of that content; 0: there is none */
    uint8_t hash[MH_BOOT_HASH_BYTES];
};

/**
 * What the ROM remembers of its earlier boots, in a memory that is zero at power-on and that nothing else reaches. A
 * reset in the middle of a change loses at most what it would have added.
 */
struct boot_kept {
    uint32_t known; /**< hashes, of header and segments, whose signature matched */
    uint8_t hash[MH_BOOT_KNOWN][MH_BOOT_HASH_BYTES];
    struct boot_measured slot[MH_BOOT_SLOTS];
};

/** All that the boot ROM works with. */
struct boot_context {
    struct boot_trust trust;
    struct boot_memory memory;
    struct boot_slots slots;
    struct boot_kept *kept;
};

/** A slot's header, copied once: a slot may change while it is looked at. */
struct boot_candidate {
    uint32_t slot;
    uint32_t fills; /**< before it was copied */
    uint8_t bytes[MH_BOOT_HEADER_BYTES];
    struct boot_header header; /**< valid while header_read() accepts `bytes` */
};

/** The first bytes of the SHA-256 of a public key. */
void boot_key_id(const uint8_t *key, uint8_t id[MH_BOOT_KEY_ID_BYTES]);

/** A header that header_read() has accepted: may this machine run it? BOOT_UNTRIED: yes, if its signature matches. */
enum mh_boot boot_allowed(const struct boot_trust *trust, const struct boot_header *h);

/** Zeroes both memories. */
void boot_clear(const struct boot_memory *m);

/**
 * Copies the segments of a candidate into zeroed memories, then hashes the header's bytes and the copies, so that what
 * is verified is what runs, whoever writes the slot meanwhile. Returns whether the signature matches; if it does not,
 * the memories are zero again. The signature of a known hash is not looked at again, and content that was verified in
 * that slot, and has not changed since, is not hashed again.
 */
bool boot_load(const struct boot_context *b, const struct boot_candidate *c, uint8_t hash[MH_BOOT_HASH_BYTES]);

#endif
