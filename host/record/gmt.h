/*
 * Where the device's buffers lie in the trace's address space, as an allocator on a GPU would place them: from 4 GiB
 * upwards, buffers of 1 MiB and more at 2 MiB boundaries, smaller ones at 512-byte ones inside of 2 MiB slabs. A place
 * is not used again: the same order of allocations gives the same addresses.
 */
#ifndef HOST_RECORD_GMT_H
#define HOST_RECORD_GMT_H

#include <stdbool.h>
#include <stdint.h>

#include "access.h"
#include "memhelm/error.h"

struct record_place {
    uint64_t context, device; /**< the device's address, which is unique in an OpenCL context */
    uint64_t base, bytes;     /**< in the trace */
};

/** All zeroes is an empty one. */
struct record_places {
    struct record_place *place; /**< buffers that live, in the order of allocation */
    unsigned count, room, last; /**< `last`: where an address was found */
    unsigned late;              /**< the newest: the launch that runs does not list them, and nothing is found there */
    uint64_t next, slab, slab_end;
};

/** -1 and `err`: the address space is used up. */
int record_places_add(struct record_places *p, uint64_t context, uint64_t device, uint64_t bytes, struct mh_error *err);

/** The buffer is gone. One that is not known is none. */
void record_places_remove(struct record_places *p, uint64_t context, uint64_t device);

/** From the device's address to the trace's; false when not all of `bytes` lie in one buffer. */
bool record_places_find(struct record_places *p, uint64_t context, uint64_t device, uint32_t bytes, uint64_t *address);

void record_places_free(struct record_places *p);

/*
 * A warp from its work items: they issue together what they do at the same place of the program (access.h). A warp
 * issues the smallest key of those that its lanes have next, for all lanes that have it. So paths of a branch follow
 * each other, and lanes meet again at the end of each if and of each iteration of a loop.
 */

enum { RECORD_LANES = 64 };

struct record_op {
    uint8_t kind; /**< enum record_kind */
    uint32_t pc, bytes;
    uint64_t gap;  /**< the least of its lanes: what the warp needs at least */
    uint64_t mask; /**< active lanes */
    uint64_t address[RECORD_LANES];
};

struct record_warp {
    struct bytes_in lane[RECORD_LANES];
    struct record_access next[RECORD_LANES];
    uint64_t more; /**< lanes that have a next access */
    bool bad;      /**< a lane's bytes are not what record_access_put() wrote */
};

/** `lane[0 .. lanes - 1]` have the accesses of a work item each; they are read while the warp is. */
void record_warp_start(struct record_warp *w, const struct bytes *lane, unsigned lanes);

/** The next instruction of the warp; false when there is none, or `bad`. */
bool record_warp_next(struct record_warp *w, struct record_op *op);

/*
 * The parts of a GMT1 file (tests/data/README.md), plain and without checksums: what a recording is made of until
 * `memhelm record` reads it back, checks it and writes the file that the user asked for (memhelm/trace.h).
 */

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
