/* A firmware image: from a name or path on the command line to a checked, hashed file. */
#ifndef HOST_MCU_IMAGE_H
#define HOST_MCU_IMAGE_H

#include <stdbool.h>

#include "elf_file.h"
#include "base/file.h"
#include "base/hash.h"
#include "params.h"

enum { IMAGE_BASE = 64, IMAGE_NAME = 112 };

struct image {
    char name[IMAGE_NAME]; /**< as tables show it: `base`, and the parameters that are set */
    char base[IMAGE_BASE]; /**< of the file, without directory and suffix */
    char path[HOST_PATH];
    char sha256[HASH_TEXT]; /**< of the file: with its own values of parameters */
    struct settings settings;
    bool twin;              /**< a shared object for the native twin, not an ELF for the core */
    struct elf *elf;        /**< NULL for a twin */
    struct elf_sizes sizes; /**< zero for a twin */
};

/**
 * `what` is a name (built images next to this executable) or, with a '/' or a suffix, the path of any file; parameters
 * behind it (params.h) are set. An unknown name is an error that lists the names there are; a file that the core cannot
 * boot is refused here. A former name is said on standard error with what it is now, and opened.
 */
int image_open(struct image *image, const char *what, bool twin, struct mh_error *err);
void image_close(struct image *image);

/** Parameters of the image that `what` names, the twin's. */
int image_params(const char *what, bool twin, struct params *p, struct mh_error *err);

/** Writes the ELF with the parameters that are set. */
int image_save(const struct image *image, const char *path, struct mh_error *err);

/** "name" of the function at `pc`, or "no function". */
const char *image_function(const struct image *image, uint32_t pc);

/** "name (file:line)" of the instruction at `pc`, as far as they are known. Returns `text`. */
const char *image_place(const struct image *image, uint32_t pc, char *text, size_t size);

/** Calls `each` with every built image's name, sorted, and whether its twin is built too. -1 when there are none. */
int image_list(void (*each)(const char *name, bool twin), struct mh_error *err);

#endif
