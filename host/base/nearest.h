/* What somebody may have meant: of the names that there are, the one that is nearest to a word that is none. */
#ifndef HOST_BASE_NEAREST_H
#define HOST_BASE_NEAREST_H

#include <stddef.h>

enum { NEAREST_TEXT = 96 };

/**
 * A search for it: of a third of the letters at most may differ (left out, put in, another, or two that changed places;
 * small and large ones are the same), or the name goes on where the word ends. Of equally near names the first counts.
 */
struct nearest {
    const char *word;
    size_t length;           /**< letters of `word` that count */
    size_t distance;         /**< of the nearest so far */
    char text[NEAREST_TEXT]; /**< "; nearest: NAME", to be put behind the word in an error; "" when nothing is near */
};

/** Nothing looked at yet. Of `word` only what is before the first of `ends` counts; "" for all of it. */
struct nearest nearest_begin(const char *word, const char *ends);

/** Looks at one name. */
void nearest_try(struct nearest *n, const char *name);

/** All at once: of a list that ends with NULL; of one text, separated by blanks or commas. */
struct nearest nearest_name(const char *word, const char *const *names);
struct nearest nearest_word(const char *word, const char *words);

#endif
