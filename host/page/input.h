/* A file that a page is made of. What it is says its content, not its name. */
#ifndef HOST_PAGE_INPUT_H
#define HOST_PAGE_INPUT_H

#include <jansson.h>

#include "base/file.h"

enum input_kind {
    INPUT_RUNS,    /**< memhelm-result-1 or memhelm-compare-1: `json` */
    INPUT_STUDY,   /**< memhelm-reproduce-1: `json` */
    INPUT_LATENCY, /**< memhelm-latency-2: `json` */
    INPUT_OTHER,   /**< another schema of memhelm: `json` */
    INPUT_POINTS,  /**< SQLite: a sweep's */
    INPUT_EPOCHS   /**< CSV: an epoch log */
};

struct input {
    const char *path;
    char name[HOST_PATH]; /**< of the file, without directory and suffix */
    enum input_kind kind;
    json_t *json; /**< NULL: it is none */
};

/** -1 and `err`: it cannot be read, or a page cannot be made of it. */
int input_open(struct input *in, const char *path, struct mh_error *err);
void input_close(struct input *in);

/** A text of a JSON object; "" where there is none. */
const char *input_text(const json_t *o, const char *key);

/** A number; NaN where there is none. */
double input_number(const json_t *o, const char *key);

#endif
