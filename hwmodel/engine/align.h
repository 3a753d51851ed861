/* Arrays whose elements fill whole cache lines of the host. */
#ifndef MEMHELM_ENGINE_ALIGN_H
#define MEMHELM_ENGINE_ALIGN_H

#include <stdlib.h>
#include <string.h>

enum { MH_HOST_LINE = 64 };

static inline size_t mh_whole_lines(size_t bytes)
{
    return (bytes + MH_HOST_LINE) / MH_HOST_LINE * MH_HOST_LINE;
}

/** `bytes`, at least one, at the start of a cache line, for a caller that sets them; for free(). NULL when memory ran
 * out. */
static inline void *mh_aligned(size_t bytes)
{
    return aligned_alloc(MH_HOST_LINE, mh_whole_lines(bytes));
}

/** mh_aligned() of zeros. */
static inline void *mh_aligned_zeros(size_t bytes)
{
    void *p = mh_aligned(bytes);

    return p ? memset(p, 0, mh_whole_lines(bytes)) : NULL;
}

#endif
