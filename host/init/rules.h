/* firmware/build.mk: the rules by which an image is compiled and linked, run by make. */
#ifndef HOST_INIT_RULES_H
#define HOST_INIT_RULES_H

#include "base/file.h"

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
