/* Memory for small things, without which nothing makes sense: there is some, or the program ends. */
#ifndef HOST_BASE_MEMORY_H
#define HOST_BASE_MEMORY_H

#include <stdlib.h>

/** `memory`, which was just asked for. */
static inline void *must(void *memory)
{
    if (!memory)
        abort();
    return memory;
}

/** `count` items of `size` bytes, all 0; of none a place, too. */
static inline void *must_have(size_t count, size_t size)
{
    return must(calloc(count + 1, size));
}

/* Arrays that grow by one. */

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
