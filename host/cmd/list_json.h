/* What `memhelm list` shows, for programs: a JSON array with an object for each line. */
#ifndef HOST_CMD_LIST_JSON_H
#define HOST_CMD_LIST_JSON_H

#include <stdio.h>

#include "memhelm/error.h"

/** Of papers, images, presets, designs, kernels, cores. -1 and `err`: it is another word, or cannot be listed. */
int list_json(const char *what, FILE *out, struct mh_error *err);

#endif
