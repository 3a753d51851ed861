/*
 * What a sweep asks for. A file of one is YAML:
 *
 *     preset image     names, one or a list; image has no default, preset has `mask`; a preset may be FILE.yaml, a
 *                      configuration of the user's own
 *     design           names, `none` among them; without it none
 *     workload         as --workload takes them, and @NAME: a list under `lists`, or STUDY:LIST of a rows file of
 *                      `reproduce` (of study NAME if that is the preset's name: @pairs with preset mask is @mask:pairs)
 *     lists            names of lists of workloads
 *     seeds            1, or 1-5 (default 1)
 *     cycles           the window (2M; default 1M)
 *     set              key=value of all runs, alone runs included
 *     vary             keys of the configuration, or param.NAME of the images, each with its values: a list, or ranges
 *                      (axis_parse())
 *     sample           {random: N} or {latin: N}, with `seed`: so many combinations of `vary` instead of all
 *     points           instead of `vary`: a list of {key: value}; a key that one leaves out has the preset's value
 *     metrics          names and expressions (plan/quantity.h), one or a list, or {name: expression}
 *     alone            `same` SMs as in the shared run (default), or the `whole` GPU
 *     why              true: sm.wait_reasons in all runs; each point says why it differs from that of the first image
 *     twin             true: policies as native twins
 *
 * Every combination of preset, design, vary, workload, seed and image is a point. They are numbered in this order, the
 * image changes fastest: what a base image and the others have in common runs close together.
 */
#ifndef HOST_SWEEP_SPEC_H
#define HOST_SWEEP_SPEC_H

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

#include "base/words.h"
#include "memhelm/error.h"

enum { SPEC_AXES = 16, SPEC_SETS = 24, SPEC_LISTS = 32 };

#define SPEC_PRESET "mask"

enum { SPEC_VALUES = 10000, CHOICE_MOST = 10000000 /**< combinations */ };

/** How combinations of the varied keys are chosen. */
enum spec_sampling {
    SPEC_GRID,   /**< all */
    SPEC_RANDOM, /**< so many different ones, each as likely as any other */
    SPEC_LATIN,  /**< a Latin hypercube: each axis is cut into as many parts as there are samples, each part once */
    SPEC_ZIP     /**< the n-th values of all axes together: `points` */
};

struct spec_axis {
    char *key;
    struct words values; /**< of SPEC_ZIP one for each point, empty: the preset's own */
};

/** Workloads of a list. */
struct spec_list {
    char *name;
    struct words workloads;
};

struct sweep_spec {
    char *name; /**< of the file, without directory and suffix; `sweep` without one */
    struct words presets, designs, images, workloads, sets;
    struct words metrics, metric_names; /**< as many of both */
    struct spec_list lists[SPEC_LISTS];
    unsigned list_count;
    struct spec_axis axes[SPEC_AXES];
    unsigned axis_count;
    enum spec_sampling sampling;
    unsigned samples;
    uint64_t sample_seed;
    unsigned seed_first, seed_last;
    uint64_t cycles;
    bool alone_whole, twin;
    bool why; /**< each point has words on what made it (explain/explain.h) */
};

/** Adds the workloads of a list that the spec has not; -1 and `err` (what there is) without it. */
typedef int spec_lists(const char *name, struct words *out, struct mh_error *err);

/** Nothing asked for, and the defaults above. */
void spec_init(struct sweep_spec *s);
void spec_free(struct sweep_spec *s);

/** Adds what a file says. -1 and `err` with file and line. */
int spec_load(struct sweep_spec *s, const char *path, struct mh_error *err);

/** spec_load() from memory; `name` is the file's name in errors. */
int spec_parse(struct sweep_spec *s, const char *name, const char *text, size_t length, struct mh_error *err);

/** KEY=VALUES: adds an axis, or gives the one of that key these values instead. */
int spec_vary(struct sweep_spec *s, const char *assignment, struct mh_error *err);

/** NAME=EXPRESSION, or an expression that is its own name. */
int spec_metric(struct sweep_spec *s, const char *text, struct mh_error *err);

/** 1, or 1-5. */
int spec_seeds(struct sweep_spec *s, const char *text, struct mh_error *err);

/** Is there such a key, and can it have that value? Those of tenants are known when a workload is. */
int spec_check_set(const char *assignment, struct mh_error *err);

/** The same of a key and a value. */
int spec_check_value(const char *key, const char *value, struct mh_error *err);

/** The axis of that key, a new one if there is none yet; NULL: there are SPEC_AXES already. */
struct spec_axis *spec_axis_of(struct sweep_spec *s, const char *key);

/**
 * To be called last: defaults, @NAME by `lists`, whether there is an image and a workload, and whether keys, images,
 * designs and metrics exist.
 */
int spec_complete(struct sweep_spec *s, spec_lists *lists, struct mh_error *err);

/** All of it but its name, as a file says it (JSON is YAML), without lists: equal texts are equal sweeps. */
json_t *spec_json(const struct sweep_spec *s);

/**
 * Adds the values of `text`: parts between commas, each a value of its own or a range:
 *
 *     1..8       whole numbers, both ends included
 *     1..64*2    1, 2, 4, .. 64: each times the factor
 *     0..100+25  0, 25, .. 100: each plus the step; 0..1+0.25 has decimals as the step has
 *
 * -1 and `err`: what is wrong, and what is allowed.
 */
int axis_parse(struct words *values, const char *text, struct mh_error *err);

/** Which combinations of the varied keys a sweep has. */
struct choices {
    uint64_t count;
    unsigned *table; /**< [combination][axis]; NULL: computed */
    const struct sweep_spec *spec;
};

/** -1 and `err`: there are too many, or fewer than are to be drawn. The same for the same spec, everywhere. */
int choices_make(struct choices *c, const struct sweep_spec *s, struct mh_error *err);
void choices_free(struct choices *c);

/** Index of the value that axis `axis` has in combination `i`; the last axis changes fastest. */
unsigned choices_value(const struct choices *c, uint64_t i, unsigned axis);

#endif
