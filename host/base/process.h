/* This process: Ctrl-C and its like, standard output and its colours, the wall clock. */
#ifndef HOST_BASE_PROCESS_H
#define HOST_BASE_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "memhelm/error.h"

/*
 * Ctrl-C and its like. Before anything runs they end the program at once, whatever it waits for; while simulations run
 * they wait until jobs.c takes them; afterwards they end a write that waits, so that what is finished is still told.
 */

/**
 * From now on SIGINT, SIGTERM and SIGHUP (unless it is ignored, as by nohup) end the program with 128 + signal and
 * call what signals_at_end() names. A reader that goes away and a limit on the size of files are no
 * signals but errors. Once, at the start.
 */
void signals_catch(void);

/** What such an end calls first: only what a signal handler may. */
void signals_at_end(void (*f)(void));

/** Holds them back, and SIGCHLD: nothing is interrupted until signals_wait(). */
void signals_hold(void);

/** Waits for one that is held, at most so many nanoseconds. Its number, or 0. */
int signals_wait(long nanoseconds);

/** From now on they interrupt what waits and are remembered; SIGCHLD stays held back. */
void signals_release(void);

/** Returns a pending termination signal, or 0. Poll it in long loops. */
int signals_pending(void);

/** Has there been one, also one that signals_wait() took? Then what is written does not wait for anybody. */
bool signals_told_to_end(void);

/** In a child: as in a program that knows nothing of this. */
void signals_default(void);

/* Wall time, for progress and timings; no result depends on it. */

/** Seconds of a clock that only goes forward. */
double wall_seconds(void);

/** An estimate in words, "about 3.4 hours if 2 processors are free", with a newline. */
void wall_say(double seconds, unsigned jobs, FILE *out);

/* `-` in the place of an output file's name: standard output, which then has that result alone. */

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

/** What follows on `out` has that colour; nothing where there are none, and of COLOUR_NONE. */
void colour_begin(enum colour colour, FILE *out);

/** And from here on it has none. */
void colour_end(enum colour colour, FILE *out);

/** A word in that colour. */
void colour_word(enum colour colour, const char *word, FILE *out);

#endif
