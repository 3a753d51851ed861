/* Arrays whose elements fill whole cache lines of the host. */
#ifndef MEMHELM_ENGINE_ALIGN_H
#define MEMHELM_ENGINE_ALIGN_H

#include <stdlib.h>
#include <string.h>

enum { MH_HOST_LINE = 64 };

/** `bytes` of zeros, at least one, at the start of a cache line; for free(). NULL when memory ran out. */
static inline void *mh_aligned_zeros(size_t bytes)
{
    size_t whole = (bytes + MH_HOST_LINE) / MH_HOST_LINE * MH_HOST_LINE;

    void *p = aligned_alloc(MH_HOST_LINE, whole);

    return p ? memset(p, 0, whole) : NULL;
}

#endif
