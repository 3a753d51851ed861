/*
 * Configurations as YAML. Keys are the field names of struct mh_config, nested as the structs are; every key is
 * optional in a user's file (`preset: NAME` first chooses the base), all are present in a resolved one.
 */
#ifndef MEMHELM_CONFIG_FILE_H
#define MEMHELM_CONFIG_FILE_H

#include <stdbool.h>
#include <stdio.h>

#include "memhelm/config.h"
#include "memhelm/error.h"

/** Names of the built-in presets, NULL-terminated. */
const char *const *mh_preset_names(void);

/** One line that says what the preset models; NULL for an unknown name. */
const char *mh_preset_summary(const char *name);

/** Fills *cfg from a built-in preset; -1 and the list of names when there is none such. */
int mh_config_preset(struct mh_config *cfg, const char *name, struct mh_error *err);

/** Names of the built-in designs, NULL-terminated, and what each is; NULL for an unknown name. */
const char *const *mh_design_names(void);
const char *mh_design_summary(const char *name);

/**
 * Applies a built-in design, a set of changes, over what *cfg holds, which is a preset and no more; -1 and the list of
 * names when there is none such, or when *cfg has another one already: two would mix.
 */
int mh_config_design(struct mh_config *cfg, const char *name, struct mh_error *err);

/** Names of the built-in parameter sets of one DRAM channel, NULL-terminated, and what each is; NULL for an unknown
 * name. */
const char *const *mh_dram_preset_names(void);
const char *mh_dram_preset_summary(const char *name);

/**
 * Applies a parameter set (clock.dram_hz and all of `dram` but the number of channels) over what *cfg holds; -1 and the
 * list of names when there is none such.
 */
int mh_config_dram_preset(struct mh_config *cfg, const char *name, struct mh_error *err);

/**
 * Reads FILE over what *cfg holds (a `preset:` key in it replaces that first, then comes
 * its `design:`, or the one that *cfg has (two different ones are refused), then what `base:` names, built-in presets
 * or DRAM sets, as if their keys stood in FILE, then its own keys). An unknown key, a wrong type or a value out of
 * range is an error naming file, line and what is allowed.
 */
int mh_config_load(struct mh_config *cfg, const char *path, struct mh_error *err);

/**
 * Line (from 1) of `key`, such as `l2.bytes` or `tenants[1].kernel`, in a YAML file, or of the innermost part of it
 * that is there; 0 when none is. For errors of mh_config_resolve(), which begin with the key.
 */
unsigned mh_config_line(const char *path, const char *key);

/** Applies one `key.sub=value`. */
int mh_config_set(struct mh_config *cfg, const char *assignment, struct mh_error *err);

/**
 * Replaces the tenants by those of `A+B[+C..]`, a part being KERNEL[@VARIANT][:SIZE], KERNEL:FILE or trace:FILE, with
 * @launch=N or @launches=A-B behind KERNEL[@VARIANT] or FILE. The longest name of a kernel that a part can begin with
 * is taken: `B+Tree+MVT` is two tenants.
 */
int mh_config_workload(struct mh_config *cfg, const char *spec, struct mh_error *err);

/** Fills defaults that depend on others (SM partition, ASIDs), then checks every range and every cross-field rule. */
int mh_config_resolve(struct mh_config *cfg, struct mh_error *err);

/** Checks one DRAM channel alone: ranges of `dram.*` and the rules between them. mh_config_resolve() includes it. */
int mh_config_check_dram(const struct mh_dram_cfg *dram, struct mh_error *err);

/** Writes all of *cfg as YAML that mh_config_load() reads back to the same bytes. */
int mh_config_write(const struct mh_config *cfg, FILE *out, struct mh_error *err);

/**
 * Calls `value` for every key in the order of the file, tenants last as `tenants[N].key`; `text` is the value as it
 * stands in YAML, `number` whether it is one (then it may also be a word for 0: `inf`, `unlimited`). Both strings last
 * for the call only.
 */
void mh_config_visit(const struct mh_config *cfg,
                     void (*value)(void *ctx, const char *key, const char *text, bool number), void *ctx);

/** Prints every key with its value in `values`, its range, unit and meaning. */
void mh_config_describe(const struct mh_config *values, FILE *out);

/**
 * Prints every key with its value in a preset, changed by a design unless that is NULL, its unit, and where the value
 * stands: file below hwmodel/config, line, and what the comment there says of its source. -1: no such preset or design.
 */
int mh_config_describe_sources(const char *preset, const char *design, FILE *out, struct mh_error *err);

/**
 * A value that no source gives, or that sources give in more than one way: its comment has the mark [ours], or a bar,
 * or both. What else is plausible stands behind the bar: `lsu_queue: 4 # [ours] no paper says | 1, 2, 8`, with the keys
 * that go with it: `| 64 with dram.write_high=16 and dram.write_low=4, 128`. Texts are parts of built-in files and
 * stay.
 */
struct mh_assumption {
    const char *key;             /**< dotted path */
    char value[MH_PATH_MAX + 8]; /**< as it stands in YAML */
    const char *file;            /**< below hwmodel/config */
    unsigned line;
    const char *why, *others;      /**< the comment without [ours]; behind the bar. Not ended by a 0 */
    int why_length, others_length; /**< 0: nothing else is plausible, or the value is an axis of its own */
};

/**
 * The assumptions in a preset, changed by a design unless that is NULL, in the order of config.def: `*count` of them,
 * which the caller frees. NULL and `err`: no such preset or design, or no memory.
 */
struct mh_assumption *mh_config_assumptions(const char *preset, const char *design, size_t *count,
                                            struct mh_error *err);

#endif
