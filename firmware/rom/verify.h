/* Signed images, for ROM and host: the header, whether an image may run, and which slot does. */
#ifndef FIRMWARE_ROM_VERIFY_H
#define FIRMWARE_ROM_VERIFY_H

#include <stdbool.h>
#include <stdint.h>

#include "memhelm/boot.h"

/* The header of a signed image: words and their meaning are in memhelm/boot.h. Pure C, for ROM and host. */

/** `length` bytes of the file that are loaded to `address`. */
struct boot_segment {
    uint32_t address, length;
};

struct boot_header {
    uint32_t length;    /**< of the signed image, bytes */
    uint32_t entry;     /**< address */
    uint32_t version;   /**< of the image */
    uint32_t registers; /**< version of the register table */
    uint8_t key_id[MH_BOOT_KEY_ID_BYTES];
    uint32_t segments;
    struct boot_segment segment[MH_BOOT_SEGMENTS];
};

/**
 * Reads a header from MH_BOOT_HEADER_BYTES of `bytes`, in a slot of `room` bytes. BOOT_UNTRIED: all that the header
 * says of itself holds, every segment lies in the slot and in ITCM or DTCM, apart from the others. Else what does not.
 */
enum mh_boot header_read(const uint8_t *bytes, uint32_t room, struct boot_header *h);

/** Writes the MH_BOOT_HEADER_BYTES of `h`. */
void header_write(const struct boot_header *h, uint8_t *bytes);

/** Bytes of all segments. */
uint32_t header_payload(const struct boot_header *h);

/* Is a slot's image one that may run? Loads it and verifies what was loaded. For ROM and host; cryptography: BearSSL.
 */

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

/* Which slot runs: the one that is wanted, else the newest that may. For ROM and host. */

#define BOOT_NO_SLOT MH_BOOT_SLOTS

struct boot_choice {
    struct boot_candidate candidate[MH_BOOT_SLOTS];
    enum mh_boot found[MH_BOOT_SLOTS]; /**< of each slot */
    uint32_t runs;                     /**< the slot that was loaded, or BOOT_NO_SLOT */
    uint32_t entry, version;           /**< of that */
    uint8_t hash[MH_BOOT_HASH_BYTES];  /**< of its header and segments */
};

/**
 * Tries the slots of MH_SLOT_BYTES: `wanted` first, unless it is BOOT_NO_SLOT, then the higher version first, of two
 * alike slot A. The one that runs lies in the memories, and all else in them is zero.
 */
void boot_choose(const struct boot_context *b, uint32_t wanted, struct boot_choice *c);

/** Verifies a slot for later, BOOT_VERIFIED, or says why not. The memories are zero. */
enum mh_boot boot_try(const struct boot_context *b, uint32_t slot);

/** BOOT_STATUS for a choice. */
uint32_t boot_status(const struct boot_choice *c);

#endif
