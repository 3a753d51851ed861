/* The reference set: what images are run on, so that budgets are measured the same way each time. */
#ifndef HOST_BUDGET_REFERENCE_H
#define HOST_BUDGET_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <yaml.h>

#include "memhelm/error.h"

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

/** The same from text. */
int reference_load(struct reference *r, const char *name, const char *text, size_t length, struct mh_error *err);
void reference_close(struct reference *r);

/** Row of `presets` that an image has; NULL when no pattern fits. */
const struct reference_preset *reference_preset(const struct reference *r, const char *image);

#endif
