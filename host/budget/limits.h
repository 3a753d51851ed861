/* What images may need, as data. */
#ifndef HOST_BUDGET_LIMITS_H
#define HOST_BUDGET_LIMITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <yaml.h>

#include "mcu/code.h"
#include "memhelm/error.h"
#include "profile/profile.h"

enum limit {
    LIMIT_CODE,       /**< bytes of code, constants and image of .data */
    LIMIT_DATA,       /**< bytes of .data and .bss */
    LIMIT_STACK,      /**< bytes, worst case */
    LIMIT_EPOCH,      /**< mcu cycles of a decision at the end of an epoch */
    LIMIT_WALK_EPOCH, /**< .. of a walk epoch */
    LIMIT_ARRIVAL,    /**< .. for the walk arrivals of an interrupt */
    LIMIT_TENANT,     /**< .. for a tenant that comes or goes */
    LIMIT_PAGE_FAULT, /**< .. for the page faults of an interrupt */
    LIMIT_TIMER,      /**< .. for an expiry of timer 1 */
    LIMIT_TIMER_2,    /**< .. for one of timer 2 */
    LIMITS
};

/** As they stand in the file. */
extern const char *const limit_names[LIMITS];

/** Images that need more than others, with what it takes to run them all the same. */
struct exception {
    const char *images;   /**< patterns */
    const char *workload; /**< patterns of the reference set's names; NULL: all */
    unsigned limit;
    uint64_t value;
    const char *core, *reason;
};

enum { EXCEPTIONS = 32 };

/** Strings belong to the document. */
struct limits {
    uint64_t values[LIMITS];
    const char *core; /**< whose cycles are limited */
    struct exception exceptions[EXCEPTIONS];
    unsigned exception_count;
    yaml_document_t *doc;
};

/** The built-in ones (firmware/budget/limits.yaml), or those of the YAML file `path` (not NULL). -1 and `err`. */
int limits_open(struct limits *l, const char *path, struct mh_error *err);

/** Parses the text of such a file; `name` stands in errors. */
int limits_load(struct limits *l, const char *name, const char *text, size_t length, struct mh_error *err);
void limits_close(struct limits *l);

/**
 * Most that `image` may need, on `workload` (NULL: of what does not depend on one); `*why` is the first exception that
 * fits, or NULL.
 */
uint64_t limits_of(const struct limits *l, const char *image, const char *workload, enum limit limit,
                   const struct exception **why);

/* What wakes the mcu. Event sources are the MH_SOURCE rows of the register table. */

struct source_info {
    const char *name;   /**< as in results */
    const char *hook;   /**< of policies; NULL for a source whose hook is not known here */
    const char *missed; /**< when its deadline is missed */
    bool limited;
    enum limit limit; /**< of its mcu cycles, if limited */
};

/** Of source 0 .. MH_SOURCES - 1. */
struct source_info source_info(unsigned source);

/* The reference set: what images are run on, so that budgets are measured the same way each time. */

enum { REFERENCE_WORKLOADS = 8, REFERENCE_PRESETS = 16, REFERENCE_SETS = 8 };

struct reference_workload {
    const char *name, *tenants; /**< `tenants` as --workload takes it */
    const char *sets[REFERENCE_SETS];
    unsigned set_count;
    bool check; /**< one of `--check` and `--accept` */
};

struct reference_preset {
    const char *images, *preset; /**< `images`: patterns */
    const char *sets[REFERENCE_SETS];
    unsigned set_count;
};

/** Strings belong to the document. */
struct reference {
    struct reference_workload workloads[REFERENCE_WORKLOADS];
    struct reference_preset presets[REFERENCE_PRESETS];
    unsigned workload_count, preset_count;
    uint64_t cycles;
    yaml_document_t *doc;
};

/** The built-in one, or that of the YAML file `path` (not NULL). -1 and `err` with file and line. */
int reference_open(struct reference *r, const char *path, struct mh_error *err);

/** Parses the text of such a file; `name` stands in errors. */
int reference_load(struct reference *r, const char *name, const char *text, size_t length, struct mh_error *err);
void reference_close(struct reference *r);

/** Row of `presets` that an image has; NULL when no pattern fits. */
const struct reference_preset *reference_preset(const struct reference *r, const char *image);

/*
 * What the compiler's checks for a division by zero cost (-fsanitize=integer-divide-by-zero): each is a branch around
 * or to an ebreak. What a check keeps the compiler from doing elsewhere is not counted, nor how it makes one word of a
 * 64-bit divisor.
 */

/** Of an image. */
struct checks {
    unsigned sites;
    uint32_t bytes; /**< of branches and ebreaks */
};

struct checks checks_of(const struct code *code);

struct check_cost {
    uint64_t instructions, cycles;
};

/** In all of a run. A check counts for a source if its function ran for nothing else; else, and in boot, for none. */
struct checks_run {
    struct check_cost all, sources[MH_SOURCES];
};

struct checks_run checks_executed(const struct code *code, const struct profile *p, const struct functions *f,
                                  const struct hooks *h);

#endif
