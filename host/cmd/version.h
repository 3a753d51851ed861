/* What `memhelm --version` says. */
#ifndef HOST_CMD_VERSION_H
#define HOST_CMD_VERSION_H

#include <stdio.h>

/** Of the program; firmware has the same. */
#define MEMHELM_VERSION "0.1"

/** Program, register table and commit; the hashes of model and machine, a line each (provenance.h). */
void version_print(FILE *out);

#endif
