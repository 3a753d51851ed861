/* Directories that runs have to themselves, under $TMPDIR or where the user keeps them. */
#ifndef HOST_RUN_RUN_DIR_H
#define HOST_RUN_RUN_DIR_H

#include <stdbool.h>

#include "base/file.h"

/**
 * `keep`, made if need be (it must be empty), or without it (NULL) a new directory under $TMPDIR, which the caller
 * removes. Before it makes one there, it removes those that processes of this user have left which were killed: theirs
 * is the lock in them, and no process holds it. `out` is empty when there is none to remove.
 */
int make_run_dir(char out[HOST_PATH], const char *keep, struct mh_error *err);

/** Whether the disk of `dir` is full, or a limit forbids to write there: then `err` names it and the remedy. */
bool run_dir_full(const char *dir, struct mh_error *err);

#endif
