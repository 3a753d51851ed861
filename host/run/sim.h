/* One simulation: an image on a configuration, in a directory and a process of its own. */
#ifndef HOST_RUN_SIM_H
#define HOST_RUN_SIM_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/file.h"
#include "bursts.h"
#include "mcu/image.h"
#include "memhelm/record.h"

/* A running simulation seen from outside: is it over its time, is it stopped, has its debugger gone away? */

/** What is known of one; all 0 at its start. Seconds are those in which memhelm itself was not stopped. */
struct watch {
    double seconds;         /**< since its start */
    double stopped, halted; /**< for how long it has been so */
    double busy;            /**< processor seconds at the last look */
    bool attached;          /**< a debugger has been there */
    bool said;              /**< what is wrong now */
};

/** What one look shows. */
struct watch_sight {
    bool stopped;  /**< the process, as by SIGSTOP */
    bool debugged; /**< a debugger has a connection */
    double busy;   /**< processor seconds that the process has used */
};

enum watch_verdict {
    WATCH_WELL,
    WATCH_WARN, /**< something is wrong that somebody can mend; said once */
    WATCH_END,  /**< it has to be ended */
};

/** Of what a message speaks. */
struct watch_subject {
    const char *image;
    bool twin;
    pid_t pid;
    unsigned gdb;     /**< port, 0 = no debugger is expected */
    unsigned timeout; /**< seconds it may take, 0 = any */
};

/** Looks at process `pid`; `gdb` as above. */
struct watch_sight watch_look(pid_t pid, unsigned gdb);

/** Takes in what was seen `seconds` after the last look. `text` is the message, unless the verdict is WATCH_WELL. */
enum watch_verdict watch_step(struct watch *w, const struct watch_subject *of, const struct watch_sight *seen,
                              double seconds, char *text, size_t size);

/* One simulation: an image on a configuration, in a directory and a process of its own. */

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
    const struct boot *boot;   /**< verified boot (machine.h); NULL: QEMU loads the image */
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

/* Directories that runs have to themselves, under $TMPDIR or where the user keeps them. */

/**
 * `keep`, made if need be (it must be empty), or without it (NULL) a new directory under $TMPDIR, which the caller
 * removes. Before it makes one there, it removes those that processes of this user have left which were killed: theirs
 * is the lock in them, and no process holds it. `out` is empty when there is none to remove.
 */
int make_run_dir(char out[HOST_PATH], const char *keep, struct mh_error *err);

/** Whether the disk of `dir` is full, or a limit forbids to write there: then `err` names it and the remedy. */
bool run_dir_full(const char *dir, struct mh_error *err);

/* What to tell about a simulation that did not pass. */

/**
 * One paragraph without a trailing newline: how it ended, where (pc, function, caller), why, and the console's last
 * line. Empty for a simulation that passed.
 */
void diagnose(const struct sim *s, char *text, size_t size);

#endif
