/* The clock of the benchmarks. */
#ifndef TESTS_SECONDS_H
#define TESTS_SECONDS_H

#include <time.h>

/** Of the processor: wall time where nothing else runs, and less disturbed where something does. */
static inline double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif
