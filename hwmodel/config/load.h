/* Files into a configuration: what both built-in ones and a user's own are read by. */
#ifndef MEMHELM_CONFIG_LOAD_H
#define MEMHELM_CONFIG_LOAD_H

#include <stdbool.h>
#include <stddef.h>

#include "memhelm/config.h"
#include "memhelm/error.h"

/* Built-in configurations: YAML files made part of the library. */
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

/** The line of a built-in file that gives a key its value; `file` NULL: none does. */
struct mh_source {
    const struct mh_preset *file;
    unsigned line;
};

/** One file that is read, and the file that names it as its base. */
struct mh_load {
    const struct mh_preset *file;      /**< of a user's file `file` is its path */
    const struct mh_preset_set *bases; /**< where its `base:` is looked up */
    struct mh_source *sources;         /**< filled in, one for each of mh_config_fields; or NULL */
    const struct mh_load *by;          /**< file whose base it is; NULL: none */
};

/** Reads a file over *cfg: its preset, design and bases, then its other keys. -1 and *cfg as it was. */
int mh_load(struct mh_config *cfg, const struct mh_load *load, struct mh_error *err);

/** The text of a user's file; the caller frees it. NULL and `err`: it cannot be read, or is too large or too deep. */
char *mh_load_text(const char *path, size_t *length, struct mh_error *err);

/** Reads `name` of `set` over *cfg; -1, also when there is none such: then the error lists them. */
int mh_load_named(struct mh_config *cfg, const struct mh_preset_set *set, const char *name, struct mh_source *sources,
                  struct mh_error *err);

/**
 * A preset and a design over it (NULL: none) into *cfg, and where each value of mh_config_fields stands: an array that
 * the caller frees. NULL and `err`: no such preset or design, or no memory.
 */
struct mh_source *mh_load_sources(struct mh_config *cfg, const char *preset, const char *design, struct mh_error *err);

/** The comment of that line, `*length` long: what stands behind its #. A value with a # in it would need quotes, and
 * none has. */
const char *mh_source_comment(const struct mh_source *s, int *length);

/** The error "WHEREunknown preset 'name'", or design, or base, and the names that there are. Returns -1. */
int mh_load_unknown(const char *where, const struct mh_preset_set *set, bool base, const char *name,
                    struct mh_error *err);

#endif
