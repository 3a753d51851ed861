#include "dram/priority.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct mh_priority *mh_priority_create(const struct mh_dram_cfg *cfg)
{
    struct mh_priority *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    p->passes = (uint64_t)MH_PRIORITY_PASSES * cfg->queue;
    p->tenant[MH_SILVER] = calloc(cfg->silver, 1);
    p->tenant[MH_NORMAL] = calloc(cfg->queue > cfg->normal ? cfg->queue : cfg->normal, 1);
    if (!p->tenant[MH_SILVER] || !p->tenant[MH_NORMAL]) {
        mh_priority_destroy(p);
        return NULL;
    }
    return p;
}

void mh_priority_destroy(struct mh_priority *p)
{
    if (!p)
        return;
    free(p->tenant[MH_SILVER]);
    free(p->tenant[MH_NORMAL]);
    free(p);
}

/* More than `passes` requests have come after it. */
static bool starved(const struct mh_dram *d, uint64_t age)
{
    return d->age - age > d->tiers->priority->passes;
}

static uint32_t of_entry(struct mh_dram *d, enum mh_tier tier, uint32_t entry)
{
    const struct mh_priority *p = d->tiers->priority;
    return starved(d, mh_tiers_queue(d, tier)->entry[entry].age) ? 0 : p->of[p->tenant[tier][entry]];
}

/* A request of some group, and how it stands. */
struct standing {
    uint32_t group, priority;
    uint64_t age;
};

static bool goes_before(const struct standing *a, const struct standing *b)
{
    return a->priority != b->priority ? a->priority < b->priority : a->age < b->age;
}

/* Replaces `best` by a request of the group that goes before it. */
static void consider_group(struct mh_dram *d, enum mh_tier tier, uint32_t g, struct standing *best)
{
    const struct mh_dq *q = mh_tiers_queue(d, tier);
    for (uint32_t e = q->group[g].head;; e = q->entry[e].next) {
        struct standing s = {g, of_entry(d, tier, e), q->entry[e].age};
        if (goes_before(&s, best))
            *best = s;
        if (e == q->group[g].tail)
            return;
    }
}

/* Of the requests for other rows than the open one. It looks at all: the lists are in order of age, not of priority. */
static struct standing best_of_bank(struct mh_dram *d, uint32_t b, enum mh_tier tier)
{
    const struct mh_dq *q = mh_tiers_queue(d, tier);
    struct standing best = {MH_DQ_NIL, UINT32_MAX, 0};
    for (uint32_t g = q->list[b][mh_tiers_write(d, tier)].first; g != MH_DQ_NIL; g = q->group[g].next)
        if (q->group[g].row != d->bank[b].row)
            consider_group(d, tier, g, &best);
    return best;
}

uint32_t mh_priority_group(struct mh_dram *d, uint32_t b, enum mh_tier tier)
{
    return best_of_bank(d, b, tier).group;
}

void mh_priority_candidate(struct mh_dram *d, uint32_t b, enum mh_tier tier)
{
    const struct mh_dq *q = mh_tiers_queue(d, tier);
    uint32_t hits = mh_tiers_hits(d, b);
    /* Hits of a row go in order of arrival, whoever's they are: the oldest one's priority counts. */
    if (mh_pick_hit(d, b, q, mh_tiers_write(d, tier), hits)) {
        d->tiers->priority->of_bank[b] = (uint8_t)of_entry(d, tier, q->group[hits].head);
        return;
    }
    struct standing best = best_of_bank(d, b, tier);
    mh_pick_row(d, b, q, best.group);
    d->tiers->priority->of_bank[b] = (uint8_t)best.priority;
}

/* The bank's candidate may have starved since it was found. */
static uint32_t of_candidate(const struct mh_dram *d, uint32_t b)
{
    uint64_t age = (d->order[b] & ((1ull << MH_KEY_CLASS_SHIFT) - 1)) >> MH_KEY_AGE_SHIFT;
    return starved(d, age) ? 0 : d->tiers->priority->of_bank[b];
}

/* Priority stands between class and age, where the key has no bits for it. */
struct mh_found mh_priority_among(const struct mh_dram *d, uint32_t banks, uint64_t floor)
{
    struct mh_found all = {UINT64_MAX, MH_DRAM_NEVER};
    uint32_t first = UINT32_MAX;
    for (uint32_t m = banks; m; m &= m - 1) {
        uint32_t b = (uint32_t)__builtin_ctz(m), priority = of_candidate(d, b);
        struct mh_found f = {UINT64_MAX, MH_DRAM_NEVER};
        mh_pick_consider(d, b, floor, &f);
        all.serve = mh_min64(all.serve, f.serve);
        bool equal = f.best >> MH_KEY_CLASS_SHIFT == all.best >> MH_KEY_CLASS_SHIFT;
        if (equal && priority != first ? priority < first : f.best < all.best) {
            all.best = f.best;
            first = priority;
        }
    }
    return all;
}

uint64_t mh_dram_set_priorities(struct mh_dram *d, uint64_t now, const uint8_t priority[MH_MAX_TENANTS])
{
    assert(d->tiers && d->tiers->priority);
    mh_dram_step(d, now); /* what is due goes in the order of before */
    memcpy(d->tiers->priority->of, priority, sizeof d->tiers->priority->of);
    mh_dram_all_candidates(d);
    mh_dram_scan(d);
    return mh_dram_step(d, now);
}
