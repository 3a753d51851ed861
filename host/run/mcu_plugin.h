/* The plugin that counts what the mcu executes and knows its cycles: when a run needs it, and what it is given. */
#ifndef HOST_RUN_MCU_PLUGIN_H
#define HOST_RUN_MCU_PLUGIN_H

#include <jansson.h>

#include "base/hash.h"
#include "sim.h"

/** Not with a twin; else when counts are asked for, or for a core of which some instruction takes more than a cycle. */
bool core_plugin_needed(const struct sim *s);

/** Is there such a core (mcu.core), and is its table right? Also of a twin, whose results name it. */
int core_name_check(const char *core, struct mh_error *err);

/** core_name_check(), and is the plugin there if the core needs one? */
int core_plugin_check(const char *core, struct mh_error *err);

/** The core that times the run's instructions: {name, sha256 of its table}; null of a twin, which has none. */
json_t *core_plugin_json(const struct sim *s);

/** Path of the plugin: $MEMHELM_CORE_PLUGIN, or the first line of `core-plugin.path` next to this executable. */
int core_plugin_path(char path[HOST_PATH], struct mh_error *err);

/** Writes core.table into the run's directory: the core's times, the image's functions and hooks. */
int core_plugin_prepare(const struct sim *s, struct mh_error *err);

/** Adds the table, of which the plugin's part of the result is made; the plugin is in the machine's hash
 * (provenance.h). */
int core_plugin_hash(const struct sim *s, struct hash *h, struct mh_error *err);

#endif
