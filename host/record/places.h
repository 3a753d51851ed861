/*
 * Where the device's buffers lie in the trace's address space, as an allocator on a GPU would place them: from 4 GiB
 * upwards, buffers of 1 MiB and more at 2 MiB boundaries, smaller ones at 512-byte ones inside of 2 MiB slabs. A place
 * is not used again: the same order of allocations gives the same addresses.
 */
#ifndef HOST_RECORD_PLACES_H
#define HOST_RECORD_PLACES_H

#include <stdbool.h>
#include <stdint.h>

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

/** -1 and `err`: the address space is used up, or memory is short. */
int record_places_add(struct record_places *p, uint64_t context, uint64_t device, uint64_t bytes, struct mh_error *err);

/** The buffer is gone. One that is not known is none. */
void record_places_remove(struct record_places *p, uint64_t context, uint64_t device);

/** From the device's address to the trace's; false when not all of `bytes` lie in one buffer. */
bool record_places_find(struct record_places *p, uint64_t context, uint64_t device, uint32_t bytes, uint64_t *address);

void record_places_free(struct record_places *p);

#endif
