/* Recordings, checked by running some of their cells again: which have moved? */
#ifndef TESTS_RECORDED_RECHECK_H
#define TESTS_RECORDED_RECHECK_H

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
