/* What made a recording: the JSON file and the Markdown beside it say so. */
#ifndef TESTS_RECORDED_MADE_H
#define TESTS_RECORDED_MADE_H

#include "memhelm/error.h"

/** Does the Markdown beside the JSON file, if there is one, say that the same made it? -1 and `err`: it does not. */
int made_same(const char *path, struct mh_error *err);

#endif
