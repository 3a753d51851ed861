/*
 * host/RESULTS.md: the recorded results in short, the table of the README, and the means beside the examples of
 * `memhelm demo`. All are made whole from the recordings: no number is typed.
 */
#ifndef TESTS_RECORDED_RESULTS_H
#define TESTS_RECORDED_RESULTS_H

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

#endif
