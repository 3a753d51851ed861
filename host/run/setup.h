/* What a run is told, and the resolved configuration that follows from it. */
#ifndef HOST_RUN_SETUP_H
#define HOST_RUN_SETUP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"
#include "memhelm/config_file.h"
#include "memhelm/record.h"

/* What a run is told: which image on which GPU, and what comes out. A command line fills it in (cmd/shared.h). */

enum { MAX_IMAGES = 16, MAX_SETS = 64, OWN_SETS = 2, MAX_SHORTS = 25 };

/** Options that are an assignment by another name: --cycles 5 is --set run.cycles=5, and one place checks ranges. */
enum option_short {
    SHORT_CYCLES,
    SHORT_WARMUP,
    SHORT_SEED,
    SHORT_STATUS,
    SHORT_MCU_HZ,
    SHORT_CORE,
    SHORT_ON_FAULT,
    SHORT_TRACE_LENIENT,
    SHORT_DRAM_CHANNEL,
    SHORT_SERIES,
    SHORTS
};

/** `image`, a word, takes over. */
struct option_swap {
    struct mh_swap_when when;
    const char *image;
    const char *signed_file; /**< as that of struct options */
};

/** Pointers are into argv. NULL, 0 or false = not given, but where said otherwise. */
struct options {
    const char *images[MAX_IMAGES];
    unsigned image_count;
    struct option_swap swaps[MH_SWAPS]; /**< of a single image */
    unsigned swap_count;
    unsigned probation; /**< epochs; 0: the default */
    uint64_t warm; /**< GPU cycle up to which the first image runs in all runs; 0: each image runs from the start */
    const char *preset, *design, *config, *workload;
    const char *of_core; /**< an option that was given and says something of the mcu, which a twin has not */
    /** key=value, in order; --cycles and the like are such, and a command may put OWN_SETS before the user's own */
    const char *sets[MAX_SETS + OWN_SETS];
    unsigned set_count;
    unsigned jobs; /**< at least 1 */
    bool twin, no_alone, tell_alone, console;
    bool verify;                    /**< the boot ROM boots the image from a slot, signed */
    const char *signed_file;        /**< of that slot; NULL: beside the image */
    const char *key;                /**< that it is verified with; NULL: the development key */
    uint32_t counter;               /**< lowest version that may run */
    bool wide;                      /**< all columns of the table */
    bool per_launch;                /**< figures of each launch, from the run's timeline */
    unsigned seed_first, seed_last; /**< instead of run.seed; last 0: not given */
    unsigned gdb;                   /**< port */
    const char *epochs_dir;         /**< a folder for the epoch logs of several images */
    const char *epochs, *registers, *counts, *dram_trace, *faults, *series, *series_plot, *timeline, *json, *timing,
        *keep, *trace;
    char text[MAX_SHORTS][600]; /**< room for assignments made from --cycles and the like */
    unsigned texts;
};

/** Defaults: as many jobs as processors this process may use. */
void options_init(struct options *o);

/** Adds an assignment. -1 when there are too many. */
int options_add(struct options *o, const char *set);

/** Adds key=value of such an option. -1 when there are too many, or when the value is too long for one. */
int options_add_short(struct options *o, enum option_short which, const char *value);

/** Adds the assignment of a parameter, NAME=VALUE. -1 when there are too many, or when it is too long. */
int options_add_param(struct options *o, const char *setting);

/** Name of the option on the command line, such as `--cycles`. */
const char *options_short_name(enum option_short which);

/* Built-in configurations by the names that users give: an unknown one is an error with the nearest that there is. */

/** A configuration of the user's own in the place of a name: it has a slash in it, or ends in .yaml. */
bool preset_is_file(const char *name);

/** mh_config_preset(), mh_config_design() and mh_config_describe_sources() (`design` may be NULL). */
int preset_load(struct mh_config *cfg, const char *name, struct mh_error *err);
int preset_design(struct mh_config *cfg, const char *name, struct mh_error *err);
int preset_sources(const char *preset, const char *design, FILE *out, struct mh_error *err);

/** -1 and `err` when `config`, the path of the file read into *cfg, has another preset than `preset` (NULL: any). */
int preset_agrees(const struct mh_config *cfg, const char *preset, const char *config, struct mh_error *err);

/** Of a DRAM channel alone: a parameter set, or else the channel of a whole preset. */
int preset_dram(struct mh_config *cfg, const char *name, struct mh_error *err);

/* From options to the resolved configuration of the shared run, and what identifies it. */

/**
 * Preset, design, file, workload, assignments, in this order; then kernels are looked up and everything is checked.
 * -1 and `err`: what is wrong, and where that was set.
 */
int setup_config(const struct options *o, struct mh_config *cfg, struct mh_error *err);

/** setup_config() without building the GPU: does not find a damaged trace or a kernel that does not fit. */
int setup_words(const struct options *o, struct mh_config *cfg, struct mh_error *err);

/** Builds the GPU of a complete configuration once, and so reads its recordings to the end. It takes a while. */
int setup_build(const struct mh_config *cfg, struct mh_error *err);

/**
 * The configuration of tenant `t` running alone: same SMs, address space and everything else, but no other tenant, no
 * CTA limit and no `alone_ipc`.
 */
void setup_alone(const struct mh_config *cfg, uint32_t t, struct mh_config *alone);

/**
 * What of `cfg` determines results: a trace or an input is named by its hash instead of its path, and logs are off.
 * Also used as the configuration that results show.
 */
int setup_identity(const struct mh_config *cfg, struct mh_config *identity, struct mh_error *err);

/** Adds the configuration's YAML to `h`. */
int setup_hash(const struct mh_config *identity, struct hash *h, struct mh_error *err);

/** Into `file` the path of the trace or input in a complete tenant's `kernel`; false when it has none. */
bool setup_file(const char *kernel, char file[MH_PATH_MAX]);

/** Short name of a tenant's workload: the kernel, or the trace's or the input's file name without directories. */
const char *setup_kernel_name(const struct mh_tenant_cfg *tenant);

/* The origin of a value that a configuration error is about: an assignment, the file, the workload or the design. */

/** Makes the configuration that the options say and checks it; 0, or -1 and `err`, whose text begins with the key. */
typedef int origin_make(const struct options *o, struct mh_config *cfg, struct mh_error *err);

/**
 * `make` has refused what `o` says, with `cfg` as far as it came and `err`. Puts the origin in front of the text:
 * the last assignment without which `make` succeeds (`--set l2tlb.ways=17`, `--cycles 5`), else the last that gives the
 * key; `--workload`; the design if it is refused on the preset alone; the line of the configuration file.
 * Nothing where it is none of them. Returns -1.
 */
int origin_name(const struct options *o, origin_make *make, const struct mh_config *cfg, struct mh_error *err);

/** mh_config_set() of what `--set` gave: its error begins so. */
int origin_set(struct mh_config *cfg, const char *set, struct mh_error *err);

#endif
