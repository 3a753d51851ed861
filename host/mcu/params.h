/*
 * Parameters of an image: words that its policies read and that the host sets before boot (firmware/policy/param.h). A
 * word on the command line sets them behind the image's name: `etc:throttle.degree=4:throttle.release=2`.
 */
#ifndef HOST_MCU_PARAMS_H
#define HOST_MCU_PARAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "memhelm/error.h"

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

#endif
