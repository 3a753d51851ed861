/* Wall time, for progress and timings; no result depends on it. */
#ifndef HOST_BASE_WALL_H
#define HOST_BASE_WALL_H

#include <stdio.h>

/** Seconds of a clock that only goes forward. */
double wall_seconds(void);

/** An estimate in words, "about 3.4 hours if 2 processors are free", with a newline. */
void wall_say(double seconds, unsigned jobs, FILE *out);

#endif
