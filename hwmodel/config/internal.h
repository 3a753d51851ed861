/*
 * What the files of config/ share: the configuration table (memhelm/config.def) as data, files that are read over it,
 * and rules between its values.
 */
#ifndef MEMHELM_CONFIG_INTERNAL_H
#define MEMHELM_CONFIG_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "memhelm/config.h"
#include "memhelm/error.h"

/* ---- The table: find a key, read and print one value, say what is allowed. */

enum mh_field_type { MH_FIELD_U32, MH_FIELD_U64, MH_FIELD_TEXT, MH_FIELD_WORD };

/** One key. `name` of a tenant's field is the bare member, else the whole dotted path. */
struct mh_field {
    const char *name;
    enum mh_field_type type;
    size_t offset, size; /**< in struct mh_config or struct mh_tenant_cfg; size of the member in bytes */
    uint64_t min,
        max; /**< of numbers as they are written; not used for texts and words. A key with a word for 0 holds 0, too */
    const char *unit, *doc;
    const char *words;       /**< of a word, in the order of its enum, "first, second"; the first may be empty */
    const char *zero;        /**< word for 0; NULL: 0 is 0 */
    const char *zero_number; /**< what is wrong with the number 0 where only the word is taken, or NULL */
};

/** A table of fields and the struct they live in. */
struct mh_field_table {
    const struct mh_field *field;
    size_t count;
};

extern const struct mh_field_table mh_config_fields, mh_tenant_fields;

enum { MH_VALUE_MAX = MH_PATH_MAX + 8, MH_KEY_MAX = 96, MH_RANGE_MAX = 64 };

/** By name; NULL if there is none. */
const struct mh_field *mh_field_find(const struct mh_field_table *table, const char *name);

/** True if `name` is a section: a prefix of fields up to a dot. */
bool mh_field_is_section(const struct mh_field_table *table, const char *name);

/** Reads `text` into the member in `base`. An error starts with `where` and names `key`, which may be longer than
 * f->name. */
int mh_field_parse(const struct mh_field *f, void *base, const char *key, const char *text, const char *where,
                   struct mh_error *err);

static inline bool mh_power_of_two(uint64_t v)
{
    return v && !(v & (v - 1));
}

static inline bool mh_field_is_number(const struct mh_field *f)
{
    return f->type == MH_FIELD_U32 || f->type == MH_FIELD_U64;
}

/** What may be written, without the unit: "1..64", "1..1024 or unlimited", "on, off"; of a text "text". */
void mh_field_range(const struct mh_field *f, char text[MH_RANGE_MAX]);

/** Range check of the member in `base`, where 0 is also the word for 0; the error as above. */
int mh_field_check(const struct mh_field *f, const void *base, const char *key, const char *where,
                   struct mh_error *err);

/** Writes the value as text (never longer than MH_VALUE_MAX). */
void mh_field_print(const struct mh_field *f, const void *base, char text[MH_VALUE_MAX]);

/** Error for the unknown key `name` in `section` ("" = top level): the nearest key, and all that are allowed there. */
int mh_field_unknown(const struct mh_field_table *table, const char *section, const char *name, const char *where,
                     struct mh_error *err);

/* ---- Files into a configuration: what both built-in ones and a user's own are read by. */

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
struct mh_key_source {
    const struct mh_preset *file;
    unsigned line;
};

/** One file that is read, and the file that names it as its base. */
struct mh_load {
    const struct mh_preset *file;      /**< of a user's file `file` is its path */
    const struct mh_preset_set *bases; /**< where its `base:` is looked up */
    struct mh_key_source *sources;     /**< filled in, one for each of mh_config_fields; or NULL */
    const struct mh_load *by;          /**< file whose base it is; NULL: none */
};

/** Reads a file over *cfg: its preset, design and bases, then its other keys. -1 and *cfg as it was. */
int mh_load(struct mh_config *cfg, const struct mh_load *load, struct mh_error *err);

/** The text of a user's file; the caller frees it. NULL and `err`: it cannot be read, or is too large or too deep. */
char *mh_load_text(const char *path, size_t *length, struct mh_error *err);

/** Reads `name` of `set` over *cfg; -1, also when there is none such: then the error lists them. */
int mh_load_named(struct mh_config *cfg, const struct mh_preset_set *set, const char *name,
                  struct mh_key_source *sources, struct mh_error *err);

/**
 * A preset and a design over it (NULL: none) into *cfg, and where each value of mh_config_fields stands: an array that
 * the caller frees. NULL and `err`: no such preset or design, or no memory.
 */
struct mh_key_source *mh_load_sources(struct mh_config *cfg, const char *preset, const char *design,
                                      struct mh_error *err);

/** The comment of that line, `*length` long: what stands behind its #. A value with a # in it would need quotes, and
 * none has. */
const char *mh_source_comment(const struct mh_key_source *s, int *length);

/** The error "WHEREunknown preset 'name'", or design, or base, and the names that there are. Returns -1. */
int mh_load_unknown(const char *where, const struct mh_preset_set *set, bool base, const char *name,
                    struct mh_error *err);

/* ---- Rules between values (resolve_*.c): 0, or -1 and an error with key, value and remedy. */

/** Page sizes, and the format and levels of the page table that they take. */
int mh_resolve_pages(const struct mh_config *cfg, struct mh_error *err);

/** Of section `sm`, but for what tenants have of it. */
int mh_resolve_sm(const struct mh_config *cfg, struct mh_error *err);

/** l2.halves and what hangs on it. */
int mh_resolve_halves(const struct mh_config *cfg, struct mh_error *err);

/** TLBs, page walk cache, walkers, IOMMU. */
int mh_resolve_translation(const struct mh_config *cfg, struct mh_error *err);

/** Size of memory: channels, banks, pages, and lines that the caches tell apart. */
int mh_resolve_memory(const struct mh_config *cfg, struct mh_error *err);

/** l1d.store_miss beside l1d.store_hit. */
int mh_resolve_stores(const struct mh_config *cfg, struct mh_error *err);

/** l2.atomics and what hangs on it. */
int mh_resolve_atomics(const struct mh_config *cfg, struct mh_error *err);

#endif
