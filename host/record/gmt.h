/*
 * The parts of a GMT1 file (tests/data/README.md), plain and without checksums: what a recording is made of until
 * `memhelm record` reads it back, checks it and writes the file that the user asked for (memhelm/trace.h).
 */
#ifndef HOST_RECORD_GMT_H
#define HOST_RECORD_GMT_H

#include "places.h"
#include "warp.h"

struct record_launch_head {
    const char *name;
    uint32_t grid[3], block[3];
    uint64_t ctas; /**< at most so many follow */
};

/** Last address of each static instruction in the warp that is being written. All zeroes is an empty one. */
struct record_gmt_last {
    struct record_gmt_address {
        uint64_t warp, address;
    } * at; /**< by pc */
    uint32_t count;
    uint64_t warp; /**< serial number */
};

void record_gmt_head(struct bytes *out, unsigned lanes);

/** With all buffers that live. */
void record_gmt_launch(struct bytes *out, const struct record_launch_head *l, const struct record_places *buffers);
void record_gmt_cta(struct bytes *out, uint64_t cta, unsigned warps);

/** The head of a warp; its records follow, which are made first. */
void record_gmt_warp(struct bytes *out, unsigned warp, uint64_t records);

/** Another warp's records begin. */
void record_gmt_warp_start(struct record_gmt_last *last);

/** A record of the warp; `all`: its lanes. False: out of memory. */
bool record_gmt_op(struct bytes *out, struct record_gmt_last *last, const struct record_op *op, uint64_t all,
                   unsigned lanes);
void record_gmt_end(struct bytes *out);

#endif
