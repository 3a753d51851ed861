/* `memhelm record`: a program's accesses to global memory as a GMT1 trace. */
#ifndef HOST_RECORD_RECORD_H
#define HOST_RECORD_RECORD_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#include "access.h"
#include "gmt.h"
#include "memhelm/error.h"

/*
 * A recording: takes the plugin's messages (access.h) and writes what is wanted of them as GMT1 (gmt.h). Work items
 * may be told in any order; each CTA is written whole or not at all, in the order in which they end.
 */

struct recorded_launch {
    char name[RECORD_NAME + 1];
    uint32_t number, block[3], grid[3];
    uint64_t total, ctas; /**< CTAs of its grid, and in the recording */
};

struct recording {
    FILE *out;
    unsigned lanes;
    uint64_t max_bytes;             /**< of `out`; the CTA that would pass it ends the recording */
    struct recorded_launch *launch; /**< those with CTAs in the recording */
    unsigned launches, launch_room;
    struct record_code *code;
    unsigned codes, code_room;
    unsigned seen;    /**< launches of the program, wanted or not */
    bool full;        /**< max_bytes was reached */
    uint64_t outside; /**< accesses of work items outside of buffers: not recorded */
    uint64_t copied;  /**< bytes of asynchronous copies: not recorded */
    /* The rest is its own. */
    struct record_places places;
    struct recorded_launch now;
    bool running;        /**< `now` is wanted and has not ended */
    uint64_t cta_behind; /**< of `now`: behind the last CTA that has ended; 0: none has */
    uint64_t process, context, cta, size, launch_start;
    struct bytes *item; /**< accesses of each work item of the CTA */
    uint32_t items, item_room;
    struct bytes records, text;
    struct record_gmt_last last;
    struct record_warp warp;
};

/** Starts one; `out` is empty and can be read and cut. -1 and `err` when it cannot be written. */
int recording_start(struct recording *r, FILE *out, unsigned lanes, uint64_t max_bytes, struct mh_error *err);

/** Takes a message. -1 and `err`: it says what makes the recording useless, or the file cannot be written. */
int recording_message(struct recording *r, char type, const uint8_t *payload, size_t size, struct mh_error *err);

/**
 * Ends the file: with `whole`, a launch that has not ended is taken out again. -1 and `err` when it cannot be written.
 */
int recording_end(struct recording *r, bool whole, struct mh_error *err);

/** NAME.pcs.json, of the code that the launches ran. */
int recording_write_codes(const struct recording *r, const char *path, struct mh_error *err);

void recording_free(struct recording *r);

/*
 * The program that is recorded: it runs under Oclgrind with our plugin, on its own standard input and output, and its
 * accesses come to us over a socket.
 */

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

/**
 * Runs the program, writes q->out and NAME.pcs.json, and says on standard error what they hold and what was left out.
 * Returns 0 when the program passed, 1 when it did not or was interrupted but what was recorded is written; -1 and
 * `err`: nothing is written.
 */
int record(const struct record_request *q, struct mh_error *err);

#endif
