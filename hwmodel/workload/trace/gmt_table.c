#include "workload/trace/gmt_table.h"

#include <stdbool.h>
#include <stdlib.h>

#include "workload/trace/trace_reader.h"

static struct mh_gmt_last *find(struct mh_gmt_table *t, uint32_t pc)
{
    uint32_t i = pc * 0x9e3779b1u >> 7;

    for (;; i++) {
        struct mh_gmt_last *l = &t->last[i & (t->size - 1)];

        if (l->pc == pc || l->pc == 0)
            return l;
    }
}

static bool grow(struct mh_gmt_table *t)
{
    struct mh_gmt_table old = *t;

    t->size = old.size ? old.size * 2 : 64;
    t->last = calloc(t->size, sizeof *t->last);
    if (!t->last) {
        *t = old;
        return false;
    }
    for (uint32_t i = 0; i < old.size; i++)
        if (old.last[i].pc)
            *find(t, old.last[i].pc) = old.last[i];
    free(old.last);
    return true;
}

struct mh_gmt_last *mh_gmt_table_get(struct mh_gmt_table *t, uint32_t pc, uint64_t warp)
{
    struct mh_gmt_last *l;

    if (t->count * 2 >= t->size && !grow(t))
        return NULL;
    l = find(t, pc);
    if (l->pc == 0) {
        if (t->count == MH_TRACE_MAX_PCS)
            return NULL;
        t->count++;
        *l = (struct mh_gmt_last){.pc = pc, .warp = warp};
    }
    if (l->warp != warp) {
        l->warp = warp;
        l->address = 0;
    }
    return l;
}

void mh_gmt_table_reset(struct mh_gmt_table *t)
{
    for (uint32_t i = 0; i < t->size; i++)
        t->last[i].warp = UINT64_MAX;
}

void mh_gmt_table_free(struct mh_gmt_table *t)
{
    free(t->last);
    *t = (struct mh_gmt_table){0};
}
