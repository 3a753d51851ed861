/* Which slot runs: the newest that may. For ROM and host. */
#ifndef FIRMWARE_ROM_CHOOSE_H
#define FIRMWARE_ROM_CHOOSE_H

#include "verify.h"

#define BOOT_NO_SLOT MH_BOOT_SLOTS

/** A slot's header, copied once: a slot may change while it is looked at. */
struct boot_candidate {
    uint8_t bytes[MH_BOOT_HEADER_BYTES];
    struct boot_header header; /**< valid while header_read() accepts `bytes` */
};

struct boot_choice {
    struct boot_candidate candidate[MH_BOOT_SLOTS];
    enum mh_boot found[MH_BOOT_SLOTS]; /**< of each slot */
    uint32_t runs;                     /**< the slot that was loaded, or BOOT_NO_SLOT */
    uint32_t entry, version;           /**< of that */
    uint8_t hash[MH_BOOT_HASH_BYTES];  /**< of its header and segments */
};

/**
 * Tries the slots of MH_SLOT_BYTES, the higher version first, of two alike slot A. The one that runs lies in the
 * memories, and all else in them is zero.
 */
void boot_choose(const struct boot_trust *trust, const struct boot_memory *m, const uint32_t *const slot[MH_BOOT_SLOTS],
                 struct boot_choice *c);

/** BOOT_STATUS for a choice. */
uint32_t boot_status(const struct boot_choice *c);

#endif
