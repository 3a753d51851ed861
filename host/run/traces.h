/* Traces and other files that a run reads: what they are, copies that are kept, and pipes. */
#ifndef HOST_RUN_TRACES_H
#define HOST_RUN_TRACES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/hash.h"
#include "memhelm/config.h"
#include "memhelm/error.h"

/* Recorded traces in a directory. */

/** True if it is one of Accel-Sim's, by its name. */
bool trace_is_text(const char *path);

/** SHA-256 of a trace's file; of a list of files, of the digests of the list and of each file in it. */
int trace_hash(const char *path, char text[HASH_TEXT], struct mh_error *err);

/** Prints a line per trace in `dir`, sorted; returns how many there were. */
unsigned traces_list(const char *dir);

/*
 * Accel-Sim's traces are text, xz and lines, which takes longer to read than most runs take. A run reads what they mean
 * in GMT2 instead, which is the same run (hwmodel/workload/trace/README.md), from ~/.cache/memhelm/traces, where it is
 * kept under the hash of the trace and of the model that read it. Whatever goes wrong there costs time only.
 */

/**
 * `cfg` with each trace of Accel-Sim that can be kept replaced by its copy, which is made if it is not there, and with
 * files that can be read again and again.
 */
void trace_kept_config(const struct mh_config *cfg, struct mh_config *kept);

/** Names files in a message about such a configuration as the user did. */
void trace_kept_names(char *text, size_t size);

/*
 * Traces and inputs are read more than once: to be checked, to be named by their hash, and by each run. What comes
 * through a pipe can be read once, and standard input is closed for a run. Such a file is copied to one without a name
 * that lasts as long as this process and those that it starts.
 */

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
