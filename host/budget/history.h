/*
 * What was accepted of an image before: `memhelm-baseline-1`, a small file per image that is checked in. It
 * shows which figure grew, and which function. It holds sizes, so that equal inputs give equal bytes; no dates.
 */
#ifndef HOST_BUDGET_HISTORY_H
#define HOST_BUDGET_HISTORY_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "limits.h"

/** What a function has, and what it takes. */
enum baseline_part {
    BASELINE_BYTES,  /**< of code */
    BASELINE_FRAME,  /**< bytes of its stack frame */
    BASELINE_CYCLES, /**< of the mcu, in the longest decision in which it is (callees apart) */
    BASELINE_PARTS
};

struct baseline_function {
    const char *name;
    uint64_t parts[BASELINE_PARTS];
};

/** What an image needed when it was accepted last. Figures are in the units of their limits; 0: none then. */
struct baseline {
    bool present;
    uint64_t needs[LIMITS];
    const char *core; /**< whose cycles */
    struct baseline_function *functions;
    unsigned count;
    json_t *file; /**< owner of the texts */
};

/** Entries that the file keeps, the oldest first. */
enum { BASELINE_HISTORY = 20 };

/** FOLDER/IMAGE.json; `present` is false without such a file. -1 and `err` when it is damaged. */
int baseline_read(struct baseline *b, const char *folder, const char *image, struct mh_error *err);

/** Parses the text of such a file; `name` stands in errors. */
int baseline_parse(struct baseline *b, const char *name, const char *text, struct mh_error *err);

/** Writes it, with `now` as the newest entry and the entries of `before`; the same figures again add none. */
int baseline_write(const struct baseline *now, const struct baseline *before, const char *folder, const char *image,
                   const char *sha256, struct mh_error *err);
void baseline_free(struct baseline *b);

/** NULL when there was none. */
const struct baseline_function *baseline_function(const struct baseline *b, const char *name);

#endif
