/*
 * Ops of a warp as bytes: what a trace that is being replayed keeps in memory. Six to ten bytes for an op with a
 * stride, or with tiles of a few rows; two to four bytes a lane for random ones. Differences, as LEB128 numbers.
 */
#ifndef MEMHELM_WORKLOAD_TRACE_CODE_H
#define MEMHELM_WORKLOAD_TRACE_CODE_H

#include <stddef.h>

#include "workload/workload.h"

struct mh_code {
    uint8_t *bytes;
    size_t size, capacity;
};

enum { MH_CODE_STREAMS = 3 };

/**
 * What the next op is relative to; all zeroes at the start of a warp. An address is stored as the distance to the
 * nearest of these, and takes its place: so loops over three arrays have three short distances.
 */
struct mh_code_state {
    uint64_t address[MH_CODE_STREAMS], mask;
};

/** A CTA's ops may take this much. */
#define MH_CODE_MAX ((size_t)1 << 30)

/** Adds an op of any kind. False when memory is short or MH_CODE_MAX is reached. */
bool mh_code_put(struct mh_code *c, struct mh_code_state *s, const struct mh_op *op, const uint64_t *addr);

/** Gives back memory that is not used. */
void mh_code_trim(struct mh_code *c);

/** Reads what mh_code_put() wrote; returns the number of bytes. */
size_t mh_code_get(const uint8_t *at, struct mh_code_state *s, struct mh_op *op, uint64_t *addr);

/** LEB128, and with the sign in the lowest bit; `to` has room for 10 bytes. They return the end. */
uint8_t *mh_put_number(uint8_t *to, uint64_t v);
uint8_t *mh_put_signed(uint8_t *to, uint64_t v);

#endif
