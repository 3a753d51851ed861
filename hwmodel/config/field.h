/* The configuration table (memhelm/config.def) as data: find a key, read and print one value, say what is allowed. */
#ifndef MEMHELM_CONFIG_FIELD_H
#define MEMHELM_CONFIG_FIELD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "memhelm/config.h"
#include "memhelm/error.h"

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

#endif
