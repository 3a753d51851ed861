/*
 * Recorded results, host/FOLDER/results/NAME.json.zst, each with NAME.md: their files, the pages made of them, and
 * whether some of their cells, run again, are still what they were.
 *
 * Pages are host/RESULTS.md (the results in short), the table of the README, and the means beside the examples of
 * `memhelm demo`. All are made whole from the recordings: no number is typed.
 */
#ifndef TESTS_RECORDED_RECORDED_H
#define TESTS_RECORDED_RECORDED_H

#include <stdio.h>

#include "memhelm/error.h"

/** Prints the page. -1 and `err`: a recording is missing or damaged. The working directory is the source tree's. */
int results_page(FILE *out, struct mh_error *err);

/** Prints host/cmd/headlines.def: each paper's value and the recorded one. -1 and `err` as results_page(). */
int results_headlines(FILE *out, struct mh_error *err);

/**
 * Prints `text` with its table of the papers made anew, which ends at an empty line. -1 and `err`: it has none.
 */
int results_into(const char *text, FILE *out, struct mh_error *err);

struct recheck_options {
    const char *seed;    /**< any text; with the file it decides what is drawn */
    const char *results; /**< where finished runs are kept; the caller's file */
    unsigned each;       /**< cells of each file; 0: one of each of some files, in `seconds` together */
    unsigned seconds;    /**< of a processor, estimated: what a cell may take; 0: any */
    unsigned jobs;
};

/**
 * Runs cells drawn from the NULL-terminated `paths` and prints what moved, with the call that records it anew. The exit
 * code: 0 all as recorded, 1 some moved or none was run, 2 bad input, 128 + signal.
 */
int recheck(char **paths, const struct recheck_options *o);

#endif
