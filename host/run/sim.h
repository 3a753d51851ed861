/* One simulation: an image on a configuration, in a directory and a process of its own. */
#ifndef HOST_RUN_SIM_H
#define HOST_RUN_SIM_H

#include <stdbool.h>
#include <sys/types.h>

#include "bursts.h"
#include "mcu/image.h"
#include "memhelm/record.h"
#include "watch.h"

enum sim_state {
    SIM_WAITING,
    SIM_RUNNING,
    SIM_DONE,   /**< `result` is valid, whatever its end */
    SIM_LOST,   /**< no result: `error` says why */
    SIM_STOPPED /**< interrupted before it was finished */
};

/** For the eyes of a person; none of it changes a result of a run that ends by itself. */
struct sim_view {
    bool console;
    unsigned gdb;      /**< port, 0 = none */
    const char *trace; /**< pattern of QEMU trace events, NULL = none */
    bool counts;       /**< core.json, whatever the core */
};

/** The firmware's console on its way to a terminal. */
struct console {
    bool open;
    int from;           /**< end of a pipe, if open */
    unsigned char last; /**< byte that came from it */
};

/** An image that takes over while the GPU works. */
struct sim_swap {
    struct mh_swap_when when;
    const struct image *image;
};

struct boot;

struct sim {
    const struct image *image; /**< that the run is named after */
    const struct image *first; /**< boots in its place, until the first swap; NULL: `image` boots */
    const struct boot *boot;   /**< verified boot (boot.h); NULL: QEMU loads the image */
    struct sim_swap swaps[MH_SWAPS];
    unsigned swap_count;
    unsigned probation;   /**< epochs that an image which took over has to answer before it is confirmed */
    struct mh_config cfg; /**< resolved */
    struct sim_view view;
    double cost;   /**< processor seconds that it may take, for progress; 0, of all runs of a call: unknown */
    unsigned kind; /**< those of one take about as long as each other, for progress; 0: it has none */
    struct mh_workload *const *work; /**< a twin's: of its tenants, made before; NULL: it makes them */
    char dir[HOST_PATH];             /**< exists while the simulation runs; holds config.yaml, logs, result.json */
    enum sim_state state;
    bool prepared; /**< the directory has what the child reads */
    pid_t pid;
    double started, seconds; /**< wall time */
    struct watch watch;
    bool given_up; /**< `error` says why it is being ended */
    double ended;  /**< when, in seconds of `watch` */
    struct console console;
    struct mh_result result;
    struct bursts bursts; /**< if they were asked for */
    struct mh_error error;
};

/** Makes the directory and writes what the child reads. Once: again, it does nothing. */
int sim_prepare(struct sim *s, struct mh_error *err);

/** Prepares it and starts the child process. */
int sim_start(struct sim *s, struct mh_error *err);

/** Reads what the child left; `status` is from waitpid(). Sets `state` to SIM_DONE, or SIM_LOST and `error`. */
void sim_finish(struct sim *s, int status);

/** The image that boots at cycle 0. */
static inline const struct image *sim_boots(const struct sim *s)
{
    return s->first ? s->first : s->image;
}

/** The image that the mcu had at a GPU cycle, of a run with a result; UINT64_MAX: at its end. */
const struct image *sim_image_at(const struct sim *s, uint64_t cycle);

/** Has it a result, of a run that passed? NULL has none. */
static inline bool sim_passed(const struct sim *s)
{
    return s && s->state == SIM_DONE && s->result.end == MH_END_PASS;
}

/** Path of QEMU: $MEMHELM_QEMU, or the first line of `qemu.path` beside this executable. */
int sim_qemu(char path[HOST_PATH], struct mh_error *err);

#endif
