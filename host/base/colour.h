/* Colour of verdicts and errors on a terminal. Files and pipes have none unless --color=always. */
#ifndef HOST_BASE_COLOUR_H
#define HOST_BASE_COLOUR_H

#include <stdbool.h>
#include <stdio.h>

enum colour { COLOUR_NONE, COLOUR_GOOD, COLOUR_BAD, COLOUR_DOUBT /**< neither, or not known */ };

enum colour_when { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER };

/** What --color says. Before: auto. */
void colour_set(enum colour_when when);

/**
 * Has `out` colours? Of auto: a terminal, unless $NO_COLOR is set to anything or $TERM is dumb. $NO_COLOR does not
 * change what --color=always asks for.
 */
bool colour_on(FILE *out);

/** What follows on `out` has that colour; nothing where there are none, and of COLOUR_NONE. */
void colour_begin(enum colour colour, FILE *out);

/** And from here on it has none. */
void colour_end(enum colour colour, FILE *out);

/** A word in that colour. */
void colour_word(enum colour colour, const char *word, FILE *out);

#endif
