/* Instruction mix: what was executed in a run, in the decisions for a source, or in the calls of a hook. */
#ifndef HOST_BUDGET_PROFILE_MIX_H
#define HOST_BUDGET_PROFILE_MIX_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "mcu/timing.h"

/** Loads, stores and branches that are taken are classes. */
struct mix {
    uint64_t classes[CORE_CLASS_ROWS];
    uint64_t unknown; /**< instructions of no function of the image */
    uint64_t mmio;    /**< accesses beyond the mcu's own memory: of the loads and stores */
    uint64_t traps;   /**< interrupts that were taken */
};

/** Reads the mix of a core.json (qemu/plugin/out.h); false: it is none. */
bool mix_read(struct mix *m, const json_t *o);

/** All classes and what is unknown. */
uint64_t mix_instructions(const struct mix *m);

/** Instructions of the classes that were executed, by name. */
json_t *mix_classes_json(const uint64_t classes[CORE_CLASS_ROWS]);

/** `classes` (what is unknown among them, if there is any), `mmio`, `interrupts`. */
json_t *mix_json(const struct mix *m);

#endif
