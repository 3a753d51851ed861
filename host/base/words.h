/* Lists in options and files: texts, shell patterns, ranges of seeds. */
#ifndef HOST_BASE_WORDS_H
#define HOST_BASE_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "memhelm/error.h"

/** All 0: empty. */
struct words {
    char **text;
    unsigned count, room;
};

/** Adds a copy of `text`, or of its first `length` bytes. */
void words_add(struct words *w, const char *text);
void words_add_part(struct words *w, const char *text, size_t length);

/** Adds the parts of `text` between commas, without the blanks around them; an empty part is added, too. */
void words_split(struct words *w, const char *text);

bool words_have(const struct words *w, const char *text);

/** Of equal ones the first stays. */
void words_unique(struct words *w);

/** Frees what it holds; it is empty then. */
void words_free(struct words *w);

/* Shell patterns: of images' names in data files, separated by blanks; of files. */

/** Does one of the patterns of `patterns` fit all of `name`? Patterns longer than 63 bytes fit nothing. */
bool patterns_fit(const char *patterns, const char *name);

/** Writes to `out` the pattern that fits `text` alone, cut off where `size` ends: for glob() in a folder of any name.
 */
void patterns_quote(char *out, size_t size, const char *text);

/* Ranges of seeds, as options and files write them. */

enum { SEEDS_MOST = 1000, SEEDS_GREATEST = 1000000 };

/** "1", or "1-5"; at most SEEDS_MOST of them. -1 and `err`: what is wrong with it, and how it is written. */
int seeds_parse(const char *text, unsigned *first, unsigned *last, struct mh_error *err);

/** "seed 1", or "seeds 1-5": `count` of them. */
enum { SEEDS_TEXT = 40 };
void seeds_words(unsigned first, unsigned count, char text[SEEDS_TEXT]);

#endif
