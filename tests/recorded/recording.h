/* Recorded results as files of the source tree: host/FOLDER/results/NAME.json.zst, each with NAME.md. */
#ifndef TESTS_RECORDED_RECORDING_H
#define TESTS_RECORDED_RECORDING_H

#include <jansson.h>

#include "memhelm/error.h"

/** The recording NAME of a folder of host/. The caller releases it; NULL and `err`: there is none such. */
json_t *recording_read(const char *folder, const char *name, struct mh_error *err);

/** Does the Markdown file of the recording, if any, have the same `made_by`? -1 and `err`: it does not. */
int recording_same(const char *path, struct mh_error *err);

#endif
