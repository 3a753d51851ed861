/* Which files a command reads and which it writes: no result may destroy an input or another result. */
#ifndef HOST_CMD_FILES_H
#define HOST_CMD_FILES_H

#include "memhelm/error.h"

/** Takes note of one; `path` must last. */
void files_output(const char *path);
void files_input(const char *path);

/** A recording and, of a list, its kernels' files; a pipe is not looked into. */
void files_trace(const char *path);

/** The recording or input of a tenant's kernel, if it has one. */
void files_kernel(const char *kernel);

/** Those of a workload A+B; one that cannot be read as such has none. */
void files_workload(const char *workload);

/** -1 and `err` when an output is an input or another output, by whatever names and links. A device takes both. */
int files_check(struct mh_error *err);

/** Gives standard output to the result that is named `-`, if there is one. -1 and `err` as files_check(). */
int files_take(struct mh_error *err);

#endif
