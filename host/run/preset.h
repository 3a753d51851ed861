/* Built-in configurations by the names that users give: an unknown one is an error with the nearest that there is. */
#ifndef HOST_RUN_PRESET_H
#define HOST_RUN_PRESET_H

#include "memhelm/config_file.h"

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

#endif
