/* What each row hangs on, in one table: the answer, before the tables that show how far everything moves it. */
#ifndef HOST_ASSUMPTIONS_SUMMARY_H
#define HOST_ASSUMPTIONS_SUMMARY_H

#include "assumptions.h"

/**
 * The row's assumptions that have a value on which it hangs, those that move it most first, and what is said of them
 * where `why` is set: "noc.latency (no source), sm.lsu_queue (no paper says)". "nothing": none of them. The caller
 * frees it.
 */
char *summary_words(const struct assumptions *a, unsigned row, bool why);

/** How many these are; `*of`: of how many with values that could be run. */
unsigned summary_count(const struct assumptions *a, unsigned row, unsigned *of);

void summary_show(const struct assumptions *a, bool markdown, FILE *out);

#endif
