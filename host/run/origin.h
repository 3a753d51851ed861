/* The origin of a value that a configuration error is about: an assignment, the file, the workload or the design. */
#ifndef HOST_RUN_ORIGIN_H
#define HOST_RUN_ORIGIN_H

#include "memhelm/config_file.h"
#include "options.h"

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
