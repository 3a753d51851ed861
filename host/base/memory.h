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

#endif
