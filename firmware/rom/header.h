/* The header of a signed image: words and their meaning are in memhelm/boot.h. Pure C, for ROM and host. */
#ifndef FIRMWARE_ROM_HEADER_H
#define FIRMWARE_ROM_HEADER_H

#include <stdint.h>

#include "memhelm/boot.h"

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

#endif
