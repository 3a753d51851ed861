/*
 * Verified boot: where the boot ROM and its slots lie, and what a signed image is. For ROM, machine and host alike.
 * Freestanding C; macros of addresses also for linker scripts.
 *
 * A signed image is a header, its segments one behind the other, and an ECDSA P-256 signature (r, s; 32 bytes each,
 * big-endian) of the SHA-256 of all before it. The header is words, little-endian:
 *
 *     0      MH_BOOT_MAGIC
 *     1      MH_BOOT_FORMAT
 *     2      length of the signed image in bytes, signature included
 *     3      entry point
 *     4      version of the image, compared with BOOT_COUNTER
 *     5      version of the register table, MH_REGISTERS_VERSION, that it was built for
 *     6, 7   key ID: first 8 bytes of the SHA-256 of the public key (X, Y)
 *     8      segments, 1 to MH_BOOT_SEGMENTS
 *     9..    address and length in bytes of each, both multiples of 4; 0 behind the last
 */
#ifndef MEMHELM_BOOT_H
#define MEMHELM_BOOT_H

#include "registers.h"

/* Memory map of a machine with a boot ROM, beside that of registers.h. */
#define MH_ROM_BASE             0x00010000u
#define MH_ROM_BYTES            0x6000u
#define MH_FUSES_BASE           0x00018000u /**< the public key, X and Y; read-only */
#define MH_FUSES_BYTES          0x1000u
#define MH_ROM_RAM_BASE         0x00300000u /**< stack and data of the ROM; zero at power-on; out of an image's reach */
#define MH_ROM_RAM_BYTES        0x2000u
#define MH_SLOT_BASE            0x00400000u /**< of slot A; slot B is behind it; read-only for the mcu */
#define MH_SLOT_BYTES           0x10000u

#define MH_BOOT_SLOTS           2
#define MH_BOOT_KNOWN           9u          /**< verified images that the ROM remembers */
#define MH_BOOT_MAGIC           0x4253484du /**< ASCII MHSB, byte by byte */
#define MH_BOOT_FORMAT          1u
#define MH_BOOT_SEGMENTS        4u
#define MH_BOOT_KEY_BYTES       64u
#define MH_BOOT_KEY_ID_BYTES    8u
#define MH_BOOT_HASH_BYTES      32u
#define MH_BOOT_SIGNATURE_BYTES 64u
#define MH_BOOT_HEADER_BYTES    (4u * (9u + 2u * MH_BOOT_SEGMENTS))

/** What the ROM says of a slot; texts are in boot.def. */
enum mh_boot {
#define MH_BOOT(name, text) BOOT_##name,
#include "boot.def"
    BOOT_ROWS
};

/* Fields of BOOT_STATUS. */
#define MH_BOOT_STATUS_SLOT 8  /**< bits of each slot's enum mh_boot, slot A lowest */
#define MH_BOOT_STATUS_RUNS 24 /**< shift: 1 + the slot that runs; 0: none does */

#endif
