/* Numbers of the configuration, by their keys, such as `sm.count`. */
#ifndef HOST_PLAN_CONFIG_KEY_H
#define HOST_PLAN_CONFIG_KEY_H

#include <stdbool.h>

#include "base/nearest.h"
#include "memhelm/config.h"

/** NaN: there is no such key, or it is no number. */
double config_key_value(const struct mh_config *cfg, const char *key);

/** Is there such a key, and is it a number? */
bool config_key_is(const char *key);

/** The one that is nearest to `key`. */
struct nearest config_key_near(const char *key);

#endif
