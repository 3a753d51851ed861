/*
 * A recording: takes the plugin's messages (message.h) and writes what is wanted of them as GMT1 (gmt.h). Work items
 * may be told in any order; each CTA is written whole or not at all, in the order in which they end.
 */
#ifndef HOST_RECORD_RECORDING_H
#define HOST_RECORD_RECORDING_H

#include <stdio.h>

#include "gmt.h"
#include "memhelm/error.h"
#include "access.h"

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

#endif
