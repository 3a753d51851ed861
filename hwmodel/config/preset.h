/* Built-in presets: YAML files made part of the library. */
#ifndef MEMHELM_CONFIG_PRESET_H
#define MEMHELM_CONFIG_PRESET_H

struct mh_preset {
    const char *name, *summary;
    const char *text, *end; /**< YAML, `end` is one past its last byte */
};

/** NULL if there is none. */
const struct mh_preset *mh_preset_find(const char *name);

/** A parameter set of one DRAM channel; NULL if there is none. */
const struct mh_preset *mh_dram_preset_find(const char *name);

/** A design: changes to a preset; NULL if there is none. */
const struct mh_preset *mh_design_find(const char *name);

#endif
