/* A list of texts that grows and owns them. */
#ifndef HOST_BASE_WORDS_H
#define HOST_BASE_WORDS_H

#include <stdbool.h>
#include <stddef.h>

/** All 0: empty. */
struct words {
    char **text;
    unsigned count, room;
};

/** Adds a copy of the first `length` bytes of `text`; -1 without memory. */
int words_add(struct words *w, const char *text, size_t length);

/** Adds the parts of `text` between commas, without the blanks around them; an empty part is added, too. */
int words_split(struct words *w, const char *text);

bool words_have(const struct words *w, const char *text);

/** Of equal ones the first stays. */
void words_unique(struct words *w);

/** Frees what it holds; it is empty then. */
void words_free(struct words *w);

#endif
