/* A new policy out of the template: `memhelm init`. */
#ifndef HOST_INIT_INIT_H
#define HOST_INIT_INIT_H

#include <stdio.h>

#include "base/file.h"
#include "base/words.h"
#include "memhelm/error.h"

enum { INIT_NAME = 40 /**< characters that a policy's name may have */ };

/**
 * Makes policy `name` in the source tree that this process stands at the top of: policy/NAME.c and .h, their unit test,
 * and a row of firmware/images.def: an image with the policy. The image's name has `-` for each `_`. Tells `out` what
 * was made and the three commands that follow.
 *
 * -1 and `err` when `name` is no C identifier that begins with a letter, or too long, when one of the files is there
 * already, when there is no source tree here, or when a file cannot be written; nothing is left behind then.
 */
int init_policy(const char *name, FILE *out, struct mh_error *err);

/**
 * Makes NAME.c in the folder that this process stands in: the policy alone, one file, for `memhelm build`. Tells `out`
 * the two commands that follow. -1 and `err` as init_policy(), but any folder will do.
 */
int init_policy_here(const char *name, FILE *out, struct mh_error *err);

/* An image of policies that lie anywhere: `memhelm build`. */

struct build_request {
    struct words sources; /**< .c files and folders of them */
    struct words with;    /**< images whose policies decide before */
    const char *out;      /**< NAME.elf; NULL: in this folder, named after the first source */
};

/**
 * Compiles and links the image, writes it and, next to it, the linker's map (.map). Standard output says how much of
 * the memories it takes. 1: it is not built, and standard error says why; -1 and `err`: bad input, or nothing to build
 * with.
 */
int build_image(const struct build_request *q, struct mh_error *err);

/* --- Its sources: what a command line names, file by file. */

enum { SOURCE_NAME = 64 };

/**
 * Adds to `files` the .c files among `given`, and those of its folders, by name. -1 and `err`: one is missing or no C
 * source, a folder has none, a name has a control character, or two names are equal but for the folder.
 */
int sources_find(struct words *files, const struct words *given, struct mh_error *err);

/** The file's name without folder and suffix, `_` for all that is no letter, digit or one of `also`: for make. */
void source_name(const char *path, const char *also, char name[SOURCE_NAME]);

/* --- firmware/build.mk: the rules by which an image is compiled and linked, run by make. */

/** Places that make gets: their names have no character that it or a shell reads. */
struct rules {
    char out[HOST_PATH];   /**< folder of the image, the caller's */
    char tree[HOST_PATH];  /**< headers and rules */
    char build[HOST_PATH]; /**< what is built: objects, newlib */
};

/** Where headers, rules and the template are. */
int rules_tree(char tree[HOST_PATH], struct mh_error *err);

/** Are make, the compiler and the rules there? -1 and `err`: it names the Debian package. `out` is set already. */
int rules_find(struct rules *r, struct mh_error *err);

/**
 * Makes out/IMAGE.elf of the sources that out/obj/policy/NAME.path name, and of policies of the archive: `with`, names
 * separated by blanks. 1: it is not made, and standard error has what the compiler says; -1 and `err`: make did not
 * run.
 */
int rules_run(const struct rules *r, const char *image, const char *with, struct mh_error *err);

/** Can make and a shell take the path as it is? */
bool rules_take(const char *path);

#endif
