/*
 * The program that is recorded: it runs under Oclgrind with our plugin, on its own standard input and output, and its
 * accesses come to us over a socket.
 */
#ifndef HOST_RECORD_PROGRAM_H
#define HOST_RECORD_PROGRAM_H

#include <stdbool.h>
#include <sys/types.h>

#include "recording.h"

struct record_range {
    uint64_t first, end; /**< end: excluded */
};

struct record_request {
    const char *out;     /**< NAME.gmt, NAME.gmt.zst; NAME.pcs.json lies next to it */
    char *const *argv;   /**< the program and its arguments, NULL at the end */
    const char *options; /**< of the OpenCL compiler, besides the program's own */
    unsigned lanes;
    uint64_t max_bytes; /**< of the recording, before it is packed */
    struct record_range launches, ctas;
    bool stop; /**< end the program when the last launch that is wanted has ended */
};

/** How the program ended. */
struct record_end {
    int status;      /**< of waitpid() */
    bool stopped;    /**< by us, since nothing more was wanted */
    int interrupted; /**< by a signal to us; its number */
};

/**
 * Is all there that is needed, `program` too? -1 and `err`: it names the Debian package that is missing, or says that
 * `make` is to be run again with it.
 */
int program_check(const char *program, struct mh_error *err);

/**
 * Runs it to its end and takes what it does into `r`. -1 and `err`: it could not be started, or what it told is of no
 * use; it has been ended then.
 */
int program_run(const struct record_request *q, struct recording *r, struct record_end *end, struct mh_error *err);

#endif
