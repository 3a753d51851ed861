#include "record/thinned.h"

#include <stdlib.h>
#include <string.h>

int mh_thinned_init(struct mh_thinned *t, size_t bytes, uint32_t room)
{
    *t = (struct mh_thinned){.bytes = bytes, .room = room, .every = 1};
    t->item = calloc(room, bytes);
    t->group = calloc(room, sizeof *t->group);
    return t->item && t->group ? 0 : -1;
}

void mh_thinned_free(struct mh_thinned *t)
{
    free(t->item);
    free(t->group);
}

/* false: all belong to groups that stay, one that has filled it alone. */
static bool thin(struct mh_thinned *t)
{
    const uint32_t before = t->count;
    uint32_t kept = 0;

    for (uint32_t i = 0; i < before; i++) {
        if (t->group[i] % (2 * t->every))
            continue;
        memmove(t->item + kept * t->bytes, t->item + i * t->bytes, t->bytes);
        t->group[kept++] = t->group[i];
    }
    t->count = kept;
    t->every *= kept < before ? 2 : 1;
    return kept < before;
}

void mh_thinned_add(struct mh_thinned *t, uint64_t group, const void *item)
{
    t->all++;
    while (t->count == t->room && group % t->every == 0)
        if (!thin(t))
            return;
    if (group % t->every)
        return;
    memcpy(t->item + t->count * t->bytes, item, t->bytes);
    t->group[t->count++] = group;
}
