/*
 * Traces and inputs are read more than once: to be checked, to be named by their hash, and by each run. What comes
 * through a pipe can be read once, and standard input is closed for a run. Such a file is copied to one without a name
 * that lasts as long as this process and those that it starts.
 */
#ifndef HOST_RUN_PIPED_H
#define HOST_RUN_PIPED_H

#include <stddef.h>

#include "memhelm/config.h"
#include "memhelm/error.h"

/**
 * The path to read instead of `path`, which is `path` itself for most; the same at each call, and valid to the
 * program's end. NULL and `err`: it cannot be read or copied. A file that is not there is left to its reader.
 */
const char *piped_path(const char *path, struct mh_error *err);

/** `cfg` with those of its tenants' files. -1 and `err`. */
int piped_config(const struct mh_config *cfg, struct mh_config *out, struct mh_error *err);

/** Names files in a message as the user did. */
void piped_names(char *text, size_t size);

/** Names one of them so: `real` becomes `path`. */
void piped_rename(char *text, size_t size, const char *real, const char *path);

#endif
