/* YAML that is nested so deep that reading it would not end. */
#ifndef MEMHELM_YAML_DEPTH_H
#define MEMHELM_YAML_DEPTH_H

#include <stddef.h>

#include "memhelm/error.h"

enum { MH_YAML_DEPTH = 64 /**< of lists and mappings in each other; libyaml takes quadratic time */ };

/** -1 and `err`, with `name` and the line, when `text` goes deeper. What is no YAML is right here. */
int mh_yaml_depth(const char *text, size_t length, const char *name, struct mh_error *err);

#endif
