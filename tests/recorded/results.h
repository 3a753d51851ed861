/*
 * host/RESULTS.md: the recorded results in short, and the table of the README. Both are made whole from the recordings,
 * so that no number stands in a text that somebody typed.
 */
#ifndef TESTS_RECORDED_RESULTS_H
#define TESTS_RECORDED_RESULTS_H

#include <stdio.h>

#include "memhelm/error.h"

/** Prints the page. -1 and `err`: a recording is missing or damaged. The working directory is the source tree's. */
int results_page(FILE *out, struct mh_error *err);

/**
 * Prints `text` with the table of the papers between its two lines RESULTS_BEGIN and RESULTS_END, which stay. -1 and
 * `err`: the text lacks them.
 */
int results_into(const char *text, FILE *out, struct mh_error *err);

#define RESULTS_BEGIN "<!-- results: made by `make readme` -->\n"
#define RESULTS_END   "<!-- end of results -->\n"

#endif
