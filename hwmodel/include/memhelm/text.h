/* Text from outside: UTF-8, in which configurations and results are kept, and YAML that is nested too deep. */
#ifndef MEMHELM_TEXT_H
#define MEMHELM_TEXT_H

#include <stddef.h>

#include "memhelm/error.h"

/** Bytes of the whole character that `text` begins with, 0 when it begins with none; 1 for the 0 at its end. */
size_t mh_utf8_length(const char *text);

/** The first byte of `text` that is of no whole character; NULL when there is none. */
const char *mh_utf8_broken(const char *text);

enum { MH_YAML_DEPTH = 64 /**< of lists and mappings in each other; libyaml takes quadratic time */ };

/** -1 and `err`, with `name` and the line, when `text` goes deeper. What is no YAML is right here. */
int mh_yaml_depth(const char *text, size_t length, const char *name, struct mh_error *err);

#endif
