/*
 * The CTAs of a trace that are running: their ops as bytes. A CTA is read when its first warp starts and
 * let go when all its warps have ended, so what is kept is what runs at once, whatever the length of the trace.
 */
#ifndef MEMHELM_WORKLOAD_TRACE_CACHE_H
#define MEMHELM_WORKLOAD_TRACE_CACHE_H

#include <stddef.h>

#include "workload/trace/trace.h"
#include "workload/workload.h"

/*
 * Ops of a warp as bytes: what a trace that is being replayed keeps in memory. Six to ten bytes for an op with a
 * stride, or with tiles of a few rows; two to four bytes a lane for random ones. Differences, as LEB128 numbers.
 */
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

/** More CTAs than any GPU runs: beyond that, the one that was started longest ago is let go, and read again if needed.
 */
enum { MH_TRACE_MAX_CTAS = MH_MAX_SMS * MH_MAX_WARPS };

struct mh_trace_cta {
    uint32_t launch, cta;
    uint32_t generation; /**< counts what this entry held */
    bool used;
    uint64_t done;    /**< warps that have ended */
    uint64_t started; /**< when, for MH_TRACE_MAX_CTAS */
    uint64_t number;  /**< in the grid, as recorded */
    uint32_t warps;
    size_t warp[MH_MAX_WARPS]; /**< where each begins in `code` */
    struct mh_code code;
};

struct mh_trace_cache {
    struct mh_trace_cta *entry;
    uint32_t count, capacity, last; /**< last: index of the entry found last */
    uint64_t clock;
};

/** Puts the ops of one CTA into an entry. */
struct mh_trace_cta_sink {
    struct mh_trace_sink sink; /**< first */
    struct mh_trace_cta *cta;
    struct mh_code_state state;
    bool in_warp;
    bool works; /**< there was an instruction */
};

/** A sink that empties `cta` and fills it. */
struct mh_trace_cta_sink mh_trace_cta_sink(struct mh_trace_cta *cta);

/** The entry of a CTA, NULL when it is not here. Pointers hold until the next mh_trace_cache_add(). */
struct mh_trace_cta *mh_trace_cache_find(struct mh_trace_cache *c, uint32_t launch, uint32_t cta);

/** An entry for a CTA, to be filled; NULL when memory is short. */
struct mh_trace_cta *mh_trace_cache_add(struct mh_trace_cache *c, uint32_t launch, uint32_t cta);

/** A warp has ended. */
void mh_trace_cache_done(struct mh_trace_cta *cta, uint32_t warp);

void mh_trace_cache_free(struct mh_trace_cache *c);

#endif
