/* Sources of an image: what a command line names, file by file. */
#ifndef HOST_INIT_SOURCES_H
#define HOST_INIT_SOURCES_H

#include "base/words.h"

enum { SOURCE_NAME = 64 };

/**
 * Adds to `files` the .c files among `given`, and those of its folders, by name. -1 and `err`: one is missing or no C
 * source, a folder has none, a name has a control character, or two names are equal but for the folder.
 */
int sources_find(struct words *files, const struct words *given, struct mh_error *err);

/** The file's name without folder and suffix, `_` for all that is no letter, digit or one of `also`: for make. */
void source_name(const char *path, const char *also, char name[SOURCE_NAME]);

#endif
