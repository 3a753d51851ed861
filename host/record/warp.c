#include "warp.h"

#include <string.h>

static void advance(struct record_warp *w, unsigned lane)
{
    if (record_access_get(&w->lane[lane], &w->next[lane]))
        return;
    w->more &= ~((uint64_t)1 << lane);
    w->bad |= w->lane[lane].bad;
}

void record_warp_start(struct record_warp *w, const struct bytes *lane, unsigned lanes)
{
    memset(w, 0, sizeof *w);
    for (unsigned l = 0; l < lanes; l++) {
        w->lane[l] = (struct bytes_in){lane[l].at, lane[l].at + lane[l].size, false};
        w->more |= (uint64_t)1 << l;
        advance(w, l);
    }
}

/* Lanes that are at the smallest key. One instruction makes accesses of one kind and size. */
static uint64_t first_lanes(const struct record_warp *w)
{
    unsigned least = (unsigned)__builtin_ctzll(w->more);
    uint64_t mask = 0;

    for (uint64_t m = w->more; m; m &= m - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(m);
        int order = record_access_compare(&w->next[lane], &w->next[least]);

        if (order < 0) {
            least = lane;
            mask = 0;
        }
        if (order <= 0)
            mask |= (uint64_t)1 << lane;
    }
    return mask;
}

bool record_warp_next(struct record_warp *w, struct record_op *op)
{
    const struct record_access *first;

    if (!w->more || w->bad)
        return false;
    op->mask = first_lanes(w);
    first = &w->next[__builtin_ctzll(op->mask)];
    op->kind = first->kind;
    op->pc = record_access_pc(first);
    w->bad |= !op->pc;
    op->bytes = first->bytes;
    op->gap = UINT64_MAX;
    for (uint64_t m = op->mask; m; m &= m - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(m);
        const struct record_access *a = &w->next[lane];

        op->address[lane] = a->address;
        op->gap = a->gap < op->gap ? a->gap : op->gap;
        w->bad |= a->kind != op->kind || a->bytes != op->bytes;
        advance(w, lane);
    }
    return !w->bad;
}
