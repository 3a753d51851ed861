/* Built-in configurations: YAML files made part of the library. */
#ifndef MEMHELM_CONFIG_PRESET_H
#define MEMHELM_CONFIG_PRESET_H

#include <stddef.h>

struct mh_preset {
    const char *name, *summary;
    const char *file;       /**< below hwmodel/config, for messages */
    const char *text, *end; /**< YAML, `end` is one past its last byte, and a 0 */
};

/** The built-in files of one kind. */
struct mh_preset_set {
    const char *kind; /**< what one of them is called */
    const struct mh_preset *preset;
    size_t count;
    const struct mh_preset_set *more; /**< where the `base:` of one of them may stand, too; or NULL */
};

/** Presets, parameter sets of one DRAM channel, designs. */
extern const struct mh_preset_set mh_presets, mh_dram_presets, mh_designs;

/** NULL if there is none. */
const struct mh_preset *mh_preset_find(const struct mh_preset_set *set, const char *name);

#endif
