/* Recorded results beside the build: which are older than what they describe? */
#ifndef TESTS_RECORDED_AGE_H
#define TESTS_RECORDED_AGE_H

#include <stdio.h>

#include "memhelm/error.h"

/**
 * Says on `out`, a line, when the recorded JSON file was made by another model or machine than this build's, or an
 * image of the build is another now. -1 and `err` for a file that is none.
 */
int age_say(const char *path, FILE *out, struct mh_error *err);

/** Does the Markdown beside the JSON file, if there is one, say that the same made it? -1 and `err`: it does not. */
int age_same(const char *path, struct mh_error *err);

#endif
