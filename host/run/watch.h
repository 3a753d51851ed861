/* A running simulation seen from outside: is it over its time, is it stopped, has its debugger gone away? */
#ifndef HOST_RUN_WATCH_H
#define HOST_RUN_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

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

#endif
