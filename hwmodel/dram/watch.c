#include "dram/watch.h"

#include <stdlib.h>
#include <string.h>

#include "dram/tiers.h"

struct mh_watch *mh_watch_create(const uint32_t entries[MH_TIERS])
{
    struct mh_watch *w = calloc(1, sizeof *w);

    if (!w)
        return NULL;
    for (enum mh_tier tier = MH_GOLDEN; tier < MH_TIERS; tier++) {
        w->entries[tier] = entries[tier];
        w->whose[tier] = malloc(entries[tier]);
        if (!w->whose[tier]) {
            mh_watch_destroy(w);
            return NULL;
        }
    }
    return w;
}

void mh_watch_destroy(struct mh_watch *w)
{
    if (!w)
        return;
    for (enum mh_tier tier = MH_GOLDEN; tier < MH_TIERS; tier++)
        free(w->whose[tier]);
    free(w);
}

/* A column command that gets out of the way of an ACT is a cycle later than an arrival behind it: no time passes. */
static void settle(struct mh_watch_tenant *t, uint64_t now)
{
    uint64_t cycles = now > t->since ? now - t->since : 0;

    t->sum.area += cycles * t->banks;
    t->sum.cycles += t->banks ? cycles : 0;
    t->since += cycles;
}

void mh_watch_set(struct mh_watch *w, uint64_t now, bool on)
{
    w->on = on;
    for (enum mh_tier tier = MH_GOLDEN; tier < MH_TIERS; tier++)
        memset(w->whose[tier], MH_WATCH_NOBODY, w->entries[tier]);
    for (uint32_t i = 0; i < MH_MAX_TENANTS; i++) {
        struct mh_watch_tenant *t = &w->tenant[i];

        settle(t, now);
        t->banks = 0;
        memset(t->waiting, 0, sizeof t->waiting);
        for (uint32_t b = 0; b < MH_MAX_DRAM_BANKS; b++)
            t->row[b] = MH_NO_ROW;
    }
}

void mh_watch_enter(struct mh_watch *w, enum mh_tier tier, uint32_t entry, uint32_t bank,
                    const struct mh_dram_request *req)
{
    struct mh_watch_tenant *t = &w->tenant[req->tenant];

    w->whose[tier][entry] = req->write ? MH_WATCH_NOBODY : req->tenant;
    if (req->write || t->waiting[bank]++)
        return;
    settle(t, w->now);
    t->banks++;
}

void mh_watch_leave(struct mh_watch *w, enum mh_tier tier, uint32_t entry, uint32_t bank, uint32_t row, uint64_t at)
{
    uint8_t whose = w->whose[tier][entry];

    if (whose == MH_WATCH_NOBODY)
        return;
    struct mh_watch_tenant *t = &w->tenant[whose];

    t->sum.reads++;
    t->sum.hits += t->row[bank] == row;
    t->row[bank] = row;
    if (--t->waiting[bank])
        return;
    settle(t, at);
    t->banks--;
}

struct mh_dram_watched mh_dram_watched(const struct mh_dram *d, uint64_t now, uint32_t tenant)
{
    const struct mh_watch_tenant *t = &d->tiers->watch->tenant[tenant];
    struct mh_dram_watched sum = t->sum;
    uint64_t cycles = now > t->since ? now - t->since : 0;

    sum.area += cycles * t->banks;
    sum.cycles += t->banks ? cycles : 0;
    return sum;
}
