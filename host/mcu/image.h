/* Firmware images: the table of those in the tree; one from a name or path to a checked, hashed file; its parameters.
 */
#ifndef HOST_MCU_IMAGE_H
#define HOST_MCU_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/file.h"
#include "base/hash.h"
#include "elf_file.h"
#include "memhelm/error.h"

/* The table of images, firmware/images.def, and their former names. */

/** A row; its columns are explained in the table. `policies`: names, a blank behind each. */
struct image_row {
    const char *name, *paper, *preset, *steers, *needs, *sentence, *policies;
};

/** A paper: its study, its own image and what that is compared with, and an example; explained in the table. */
struct paper_row {
    const char *name, *study, *title, *baseline, *image, *settings, *workload, *cycles, *preset;
};

/** Preset of its example. */
const char *paper_preset(const struct paper_row *p);

/** Prints the command that repeats a paper's example, from the program's name to --cycles, without a line's end. */
void paper_command(const struct paper_row *p, const char *program, FILE *out);

/** All rows; `name` is NULL behind the last. */
extern const struct image_row image_rows[];
extern const struct paper_row paper_rows[];

/** NULL: the table has no such image. */
const struct image_row *image_row(const char *name);

/** What image `old` is now, such as `etc:throttle.degree=4`; NULL: nothing was called so. */
const char *image_formerly(const char *old);

/* A word that stands in another's place: what it is, and the option that takes it. */

/** Where a word stands; MEANT_FILE: where a file's name should. */
enum meant_place { MEANT_IMAGE, MEANT_WORKLOAD, MEANT_PRESET, MEANT_DESIGN, MEANT_CORE, MEANT_FILE, MEANT_OTHER };

struct meant {
    char text[320]; /**< "; mask is an image: -i mask", to be put behind what is wrong; "": nothing is known of it */
};

/** "" also where the word is what belongs there. Of a workload A+B its first wrong part is looked at. */
struct meant meant_by(const char *word, enum meant_place place);

/** How the command takes an option, such as "-i" of "image"; NULL: not at all. Until it is told, none is named. */
void meant_options(const char *(*how)(const char *option));

/*
 * Parameters of an image: words that its policies read and that the host sets before boot (firmware/policy/param.h). A
 * word on the command line sets them behind the image's name: `etc:throttle.degree=4:throttle.release=2`.
 */

enum { PARAM_NAME = 40, PARAM_TEXT = 160, PARAMS_MOST = 32, SETTINGS_MOST = 16 };

/** Key of an assignment that sets a parameter instead of the GPU: `--set param.throttle.degree=4`. */
#define PARAM_KEY "param."

struct param {
    char name[PARAM_NAME]; /**< "throttle.degree" */
    uint32_t standard, least, most;
    char text[PARAM_TEXT]; /**< "UNIT: MEANING (SOURCE)" */
};

/** Those of a file, in its order. */
struct params {
    struct param list[PARAMS_MOST];
    unsigned count;
};

struct setting {
    char name[PARAM_NAME];
    uint32_t value, standard;
};

/** What a word sets, by name. */
struct settings {
    struct setting list[SETTINGS_MOST];
    unsigned count;
};

/** Finds the rows in a file's bytes, an ELF for the core or a twin's; rows that are damaged are left out. */
void params_find(struct params *p, const char *data, size_t length);

/** Name of the parameter's word: "throttle_degree". */
void param_symbol(const char *name, char symbol[PARAM_NAME]);

/** Where an image's word begins to set parameters: at a ':', or at its end. */
const char *settings_begin(const char *word);

/** Reads `text`, from settings_begin() on. -1 and `err`: `image` lacks the name, or the value is out of range. */
int settings_read(struct settings *s, const char *text, const struct params *p, const char *image,
                  struct mh_error *err);

/** Writes `image` and what the assignments among `sets` that begin with PARAM_KEY set into `word`; -1: it is too long.
 */
int settings_word(char *word, size_t size, const char *image, const char *const sets[], unsigned count,
                  struct mh_error *err);

/** Is the assignment one of a parameter? */
bool is_param_set(const char *assignment);

/* A firmware image: from a name or path on the command line to a checked, hashed file. */

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
 * behind it are set. An unknown name is an error that lists the names there are; a file that the core cannot
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
