/* A sweep as a job array of Slurm: a task for each shard, and one that takes their stores together. */
#ifndef HOST_SWEEP_SLURM_H
#define HOST_SWEEP_SLURM_H

#include "base/file.h"
#include "sweep.h"

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
