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

/** Where headers, rules and the template are. */
int rules_tree(char tree[HOST_PATH], struct mh_error *err);

#endif
