/*
 * The knee of a curve of gains: how much can be taken from the core before the gain goes? Pure functions; a gain is
 * weighted speedup over that of no policy, less 1.
 */
#ifndef HOST_LATENCY_KNEE_H
#define HOST_LATENCY_KNEE_H

#define KNEE_KEEPS 0.95 /**< part of the gain that a core keeps at and above the knee */

/** What there is to keep. */
enum gain_verdict {
    GAIN_UNKNOWN, /**< a run is missing */
    GAIN_REAL,
    GAIN_NOISE, /**< within the spread over seeds, either way */
    GAIN_LOSS   /**< the policy loses more than that */
};

/** `noise` is at least 0; a gain as large as it is none. */
enum gain_verdict gain_judge(double gain, double noise);

/** Part of the gain `full` that `gain` keeps; NaN when there is nothing to keep. */
double knee_kept(double gain, double full);

/** Least gain that counts as kept: a KNEE_KEEPS part of `full`. */
double knee_floor(double full);

/** The same where losses within `noise` count as none. */
double knee_floor_noise(double full, double noise);

/**
 * How many of `gains`, from the first (the fastest core) on, are at least `floor`: it and all faster ones keep. The
 * knee is the last of those; 0: not even the fastest keeps. -1 when a NaN comes before the first that does not.
 */
int knee_find(const double *gains, unsigned count, double floor);

#endif
