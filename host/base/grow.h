/* Arrays that grow by one. */
#ifndef HOST_BASE_GROW_H
#define HOST_BASE_GROW_H

#include <stdlib.h>

/** Makes room for one more than `count` items; `items` or its new place, NULL (and `items` as it was) without memory.
 */
static inline void *grow(void *items, unsigned count, unsigned *room, size_t size)
{
    if (count < *room)
        return items;
    unsigned wanted = *room ? 2 * *room : 16;
    void *more = realloc(items, wanted * size);
    if (more)
        *room = wanted;
    return more;
}

#endif
