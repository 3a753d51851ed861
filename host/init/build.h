/* An image of policies that lie anywhere: `memhelm build`. */
#ifndef HOST_INIT_BUILD_H
#define HOST_INIT_BUILD_H

#include "base/words.h"

struct build_request {
    struct words sources; /**< .c files and folders of them */
    struct words with;    /**< images whose policies decide before */
    const char *out;      /**< NAME.elf; NULL: in this folder, named after the first source */
};

/**
 * Compiles and links the image, writes it and the linker's map (.map) beside it, and says on standard output how much
 * of the memories it takes. 1: it is not built, and standard error says why; -1 and `err`: bad input, or nothing to
 * build with.
 */
int build_image(const struct build_request *q, struct mh_error *err);

#endif
