/*
 * A sweep: the points that a spec asks for, their runs through the one store, and what came out of them in a file of
 * points (report/points.h). Points are taken up in lots, so that a hundred thousand of them need no more memory than
 * some hundreds, and the file grows while they run.
 */
#ifndef HOST_SWEEP_SWEEP_H
#define HOST_SWEEP_SWEEP_H

#include "plan/plan.h"
#include "report/points.h"
#include "run/store.h"
#include "spec.h"

struct sweep_request {
    struct sweep_spec spec; /**< complete */
    const char *output;     /**< file of points; NULL: NAME.sqlite */
    const char *results;    /**< the store; NULL: the user's */
    unsigned jobs;
    unsigned shard, shards; /**< this one's part, 1..shards, of all runs; shards 0: all, and the points */
};

/** How far it is. */
struct sweep_tally {
    uint64_t points, done; /**< all; those that have run, or of a shard that were looked at */
    uint64_t runs, kept;   /**< different ones of those looked at; from the store */
    double cycles;         /**< GPU cycles of those that are not kept */
    uint64_t refused;      /**< points that cannot be run */
    uint64_t failed;       /**< points with a run that did not pass */
    uint64_t valueless;    /**< points that have run, with a metric that has no value there */
    char reason[512];      /**< of the first point without values; empty: all have them */
};

struct sweep;

/** Nothing is run yet. NULL and `err`: bad input. The request must stay. */
struct sweep *sweep_open(const struct sweep_request *r, struct mh_error *err);

/**
 * Takes over what the points need from the store `path`, if a sample that is run again says the same
 * (run/store.h); with `dry` only counts. As sweep_run() returns; -1 also when the store is refused.
 */
int sweep_merge(struct sweep *s, const char *path, bool dry, struct mh_error *err);

/**
 * Runs what the store has not, and writes the points; with `dry` only counts. 0, or the number of the signal that
 * ended it; -1 and `err`: a file could not be written.
 */
int sweep_run(struct sweep *s, bool dry, struct mh_error *err);

const struct sweep_tally *sweep_tally(const struct sweep *s);

/** A few lines: what there is, what is missing and why, how to look at it; with `dry` what would run, and how long. */
void sweep_report(const struct sweep *s, bool dry, FILE *out);

void sweep_close(struct sweep *s);

/* --- A sweep as a job array of Slurm: a task for each shard, and one that takes their stores together. */

struct slurm_request {
    const struct sweep_request *sweep; /**< its spec complete; output and results are the last job's */
    unsigned tasks;                    /**< 1..1000 */
    const char *options;               /**< of sbatch, for all jobs; NULL: none */
    bool submit;                       /**< else only the folder is made */
};

/** What was made. */
struct slurm_jobs {
    char folder[HOST_PATH];
    unsigned long tasks, merge; /**< numbers of the jobs; 0: not submitted */
};

/**
 * Makes the folder NAME.slurm with the sweep as it is now, the scripts task.sh and merge.sh, and later the tasks'
 * stores and logs; then submits both. A task that is requeued goes on with its store; the tasks that did not finish are
 * submitted again, twice at most; what is missing then the last job runs itself. -1 and `err`: the folder is there
 * already, cannot be made, or sbatch refused.
 */
int slurm_submit(const struct slurm_request *r, struct slurm_jobs *jobs, struct mh_error *err);

#endif
