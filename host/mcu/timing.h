/*
 * Timing of a management core as data: a YAML file whose rows are values.def, each value with its source. The README
 * has the format and what the method leaves out.
 */
#ifndef HOST_MCU_TIMING_H
#define HOST_MCU_TIMING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <yaml.h>

#include "base/hash.h"
#include "image.h"
#include "values.h"

/** `key` names it in the values. Either repository, path and commit, or a document. */
struct core_source {
    const char *key, *repo, *path, *commit, *document;
};

/** Published counters; a table that does not give them exactly is refused. */
struct core_check {
    const char *name, *source;
    uint64_t counts[CORE_ROWS], instructions, cycles;
};

enum { CORE_SOURCES = 16, CORE_CHECKS = 8, CORE_NAME = 32 };

struct core {
    const char *name, *title, *isa, *config, *assumes;
    struct core_value values[CORE_ROWS];
    struct core_source sources[CORE_SOURCES];
    struct core_check checks[CORE_CHECKS];
    unsigned source_count, check_count;
    char sha256[HASH_TEXT]; /**< of the YAML's bytes */
    yaml_document_t *doc;   /**< owner of all strings */
};

/** Is it the path of a table (with a '/' or the suffix .yaml), no name of a built-in one? */
bool core_is_file(const char *what);

/**
 * A built-in table by name, or any YAML file by its path. -1 and `err` (file, line,
 * what is wrong and how to mend it) otherwise; `c` then needs no core_close().
 */
int core_open(struct core *c, const char *what, struct mh_error *err);

/** Parses the text of such a file; `file` stands in errors. */
int core_load(struct core *c, const char *file, const char *text, size_t length, struct mh_error *err);
void core_close(struct core *c);

/** Names of the built-in tables, NULL behind the last. */
const char *const *core_names(void);

/** Name and meaning of a row, name of a kind. */
const char *core_row_name(enum core_row row);
const char *core_row_meaning(enum core_row row);
const char *core_kind_name(enum core_kind kind);

/** Cycles of the counted classes and events of a check. */
uint64_t core_check_cycles(const struct core *c, const struct core_check *check);

/* A timing table for people: each value with its bounds, where it is from and why. */

/** What the core is, its classes and events, the published counters that the table gives, the sources. */
void core_show(const struct core *c, FILE *out);

/*
 * What the plugin in QEMU needs to know of an image and a core, as text; the same image and core give the same bytes.
 *
 *     memhelm-core-table 3
 *     core NAME
 *     stack BOTTOM TOP
 *     irq ENTRY WAKE
 *     k ID NAME CYCLES
 *     f ID ADDRESS SIZE NAME
 *     h ID ADDRESS POLICY HOOK
 *
 * stack: the image's (0 0: not known).
 * irq: cycles in front of a handler's first instruction when an interrupt comes while the core runs, and when it ends a
 * wfi.
 * k: a row of values.def. The plugin costs what QEMU translates, so code needs no line here (cost.h).
 * f: a function; IDs count from 0, by address. What executes outside of all of them is costed as well.
 * h: a hook: the function that a policy of fw_image has there.
 *
 * Lines are in this order, those of a kind by ID or address. Addresses are hexadecimal, the rest is decimal. Readers
 * must ignore what stands behind the words that they know.
 */

/**
 * Writes the table of an image for the core (not of a twin), without f and h if there are to be no `names`: another
 * image takes over in mid-run. -1 and `err`: the image has no symbols or is damaged.
 */
int core_table_write(const struct image *image, const struct core *c, bool names, FILE *out, struct mh_error *err);

/** Cycles in front of an interrupt handler's first instruction: CORE_IRQ_ENTRY; CORE_IRQ_WAKE: when it ends a wfi. */
unsigned core_table_entry(const struct core *c, enum core_row row);

#endif
