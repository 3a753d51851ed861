/*
 * The CTAs of a trace that are running: their ops as bytes (trace_code.h). A CTA is read when its first warp starts and
 * let go when all its warps have ended, so what is kept is what runs at once, whatever the length of the trace.
 */
#ifndef MEMHELM_WORKLOAD_TRACE_CACHE_H
#define MEMHELM_WORKLOAD_TRACE_CACHE_H

#include "workload/trace/trace_code.h"
#include "workload/trace/trace_reader.h"

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
