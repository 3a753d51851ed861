/* Verified boot of a run: what the machine is given, and what its boot ROM reports. */
#ifndef HOST_RUN_BOOT_H
#define HOST_RUN_BOOT_H

#include <jansson.h>

#include "base/hash.h"
#include "mcu/key.h"
#include "options.h"
#include "sim.h"

struct boot {
    char slot[HOST_PATH];           /**< the signed image */
    char swap[MH_SWAPS][HOST_PATH]; /**< those that take over, in their order */
    unsigned swap_count;
    char rom[HOST_PATH];
    struct key key;
    uint32_t counter; /**< lowest version that may run */
};

/**
 * What `o` says of the boot of `image`, and of o->swap_count others that take over. -1 and `err`: no key, no signed
 * image, or one of another build.
 */
int boot_open(struct boot *b, const struct options *o, const struct image *image, const struct image *const *swapped,
              struct mh_error *err);

/** Adds what determines results: signed images, ROM, key and counter. */
int boot_add(const struct boot *b, struct hash *h, struct mh_error *err);

/** Writes the key's file, fuses.bin, and the images that take over into the run's directory. */
int boot_prepare(const struct sim *s, struct mh_error *err);

/**
 * What the ROM did, of a simulation with one: {slot, sha256, version, counter, boots, rom_cycles, rom_cycles_again,
 * rom_sha256}; slot and sha256 are null when no image ran. NULL: there was no ROM, or it left nothing.
 */
json_t *boot_json(const struct sim *s);

#endif
