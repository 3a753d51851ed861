/* `-` in the place of an output file's name: standard output, which then has that result alone. */
#ifndef HOST_BASE_STANDARD_OUTPUT_H
#define HOST_BASE_STANDARD_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "memhelm/error.h"

/** Is it `-`? ./- is a file of that name. */
bool standard_output_named(const char *path);

/**
 * From now on stdout, which has text for people, goes to standard error, and a result named `-` to the former stdout.
 * -1 and `err` when stdout is closed.
 */
int standard_output_take(struct mh_error *err);

/** Writes a whole result. A reader that has seen enough is no failure. -1 and `err`. */
int standard_output_write(const char *data, size_t length, struct mh_error *err);

/** fopen(path, "w"), or for `-` standard output; to be closed by fclose(). NULL and errno. */
FILE *standard_output_or_file(const char *path);

/* Colour of verdicts and errors on a terminal. Files and pipes have none unless --color=always. */

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
