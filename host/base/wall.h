/* Wall time, for progress and timings; no result depends on it. */
#ifndef HOST_BASE_WALL_H
#define HOST_BASE_WALL_H

/** Seconds of a clock that only goes forward. */
double wall_seconds(void);

#endif
