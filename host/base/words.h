/* Words of options and files: lists, shell patterns, ranges of seeds, and the name nearest to one that is unknown. */
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

/**
 * Adds to `text`, which has `size` bytes, `between` unless it is empty, and what `format` says. False: it is cut off,
 * as there was no room.
 */
bool text_add(char *text, size_t size, const char *between, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Texts that are kept to the program's end, each under a key. */

struct memo {
    struct memo *next;
    char *key, *text; /**< text: NULL at first; malloc()ed */
};

/** The one of `key`, a new one if there is none. */
struct memo *memo_of(struct memo **list, const char *key);

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

/* What somebody may have meant: of the names that there are, the one that is nearest to a word that is none. */

enum { NEAREST_TEXT = 96, NEAREST_NAMES = 700 };

/**
 * A search for it: of a third of the letters at most may differ (left out, put in, another, or two that changed places;
 * small and large ones are the same), or the name goes on where the word ends. Of equally near names the first counts.
 */
struct nearest {
    const char *word;
    size_t length;             /**< letters of `word` that count */
    size_t distance;           /**< of the nearest so far */
    char text[NEAREST_TEXT];   /**< "; nearest: NAME", to be put behind the word in an error; "" when nothing is near */
    char names[NEAREST_NAMES]; /**< all that were looked at by name, each behind a blank, as far as there is room */
};

/** Nothing looked at yet. Of `word` only what is before the first of `ends` counts; "" for all of it. */
struct nearest nearest_begin(const char *word, const char *ends);

/** Looks at one name. */
void nearest_try(struct nearest *n, const char *name);

/** All at once: of a list that ends with NULL; of one text, separated by blanks or commas. */
struct nearest nearest_name(const char *word, const char *const *names);
struct nearest nearest_word(const char *word, const char *words);

#endif
