/* Which slot runs: the one that is wanted, else the newest that may. For ROM and host. */
#ifndef FIRMWARE_ROM_CHOOSE_H
#define FIRMWARE_ROM_CHOOSE_H

#include "verify.h"

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
