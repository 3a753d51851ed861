/* What the machine of a run is given beside its image: a boot ROM with what it boots, the plugin that times the mcu. */
#ifndef HOST_RUN_MACHINE_H
#define HOST_RUN_MACHINE_H

#include <jansson.h>

#include "base/hash.h"
#include "mcu/signed.h"
#include "setup.h"
#include "sim.h"

/* Verified boot of a run: what the machine is given, and what its boot ROM reports. */

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

/* The plugin that counts what the mcu executes and knows its cycles: when a run needs it, and what it is given. */

/** Not with a twin; else when counts are asked for, or for a core of which some instruction takes more than a cycle. */
bool core_plugin_needed(const struct sim *s);

/** Is there such a core (mcu.core), and is its table right? Also of a twin, whose results name it. */
int core_name_check(const char *core, struct mh_error *err);

/** core_name_check(), and is the plugin there if the core needs one? */
int core_plugin_check(const char *core, struct mh_error *err);

/** The core that times the run's instructions: {name, sha256 of its table}; null of a twin, which has none. */
json_t *core_plugin_json(const struct sim *s);

/** Path of the plugin: $MEMHELM_CORE_PLUGIN, or the first line of `core-plugin.path` next to this executable. */
int core_plugin_path(char path[HOST_PATH], struct mh_error *err);

/** Writes core.table into the run's directory: the core's times, the image's functions and hooks. */
int core_plugin_prepare(const struct sim *s, struct mh_error *err);

/** Adds the table, of which the plugin's part of the result is made; the plugin is in the machine's hash
 * (hash.h). */
int core_plugin_hash(const struct sim *s, struct hash *h, struct mh_error *err);

#endif
