#include "dram/priority.h"

#include <stdlib.h>

struct mh_priority *mh_priority_create(const struct mh_dram_cfg *cfg, const uint32_t entries[MH_TIERS])
{
    struct mh_priority *p = calloc(1, sizeof *p);

    if (!p)
        return NULL;
    p->passes = (uint64_t)MH_PRIORITY_PASSES * (cfg->queue + cfg->write_queue);
    for (enum mh_tier tier = MH_GOLDEN; tier < MH_TIERS; tier++) {
        p->tenant[tier] = calloc(entries[tier], 1);
        if (!p->tenant[tier]) {
            mh_priority_destroy(p);
            return NULL;
        }
    }
    return p;
}

void mh_priority_destroy(struct mh_priority *p)
{
    if (!p)
        return;
    for (enum mh_tier tier = MH_GOLDEN; tier < MH_TIERS; tier++)
        free(p->tenant[tier]);
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

/* The hits of the open row, of priority `own`, go before the best of the other rows. */
static bool row_stays(const struct mh_dram *d, uint32_t b, const struct mh_dq *q, uint32_t hits, uint32_t own,
                      const struct standing *other)
{
    bool begun = q->entry[q->group[hits].head].hit != MH_DQ_WHOLE;

    return begun || own < other->priority || (own == other->priority && d->bank[b].passed < d->t.hit_cap);
}

static void ranked_candidate(struct mh_dram *d, uint32_t b, enum mh_tier tier)
{
    const struct mh_dq *q = mh_tiers_queue(d, tier);
    uint32_t hits = mh_tiers_hits(d, b);
    struct standing own = {MH_DQ_NIL, UINT32_MAX, 0}, best = best_of_bank(d, b, tier);

    if (hits != MH_DQ_NIL)
        consider_group(d, tier, hits, &own);
    if (hits != MH_DQ_NIL && row_stays(d, b, q, hits, own.priority, &best)) {
        mh_pick_column(d, b, q, hits);
        best = own;
    } else {
        mh_pick_row(d, b, q, best.group);
    }
    d->tiers->priority->of_bank[b] = (uint8_t)best.priority;
}

void mh_priority_candidate(struct mh_dram *d, uint32_t b, enum mh_tier tier)
{
    const struct mh_dq *q = mh_tiers_queue(d, tier);
    uint32_t hits = mh_tiers_hits(d, b);

    if (d->tiers->priority->ranked) {
        ranked_candidate(d, b, tier);
        return;
    }
    /* Hits of a row go in order of arrival, across tenants: the oldest one's priority counts. */
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

/* Priority stands between class and age, where the key has no bits for it; a rank between cycle, of two ticks, and
 * class. */
struct mh_found mh_priority_among(const struct mh_dram *d, uint64_t banks, uint64_t floor)
{
    const uint32_t above = d->tiers->priority->ranked ? MH_KEY_SHIFT + 1 : MH_KEY_CLASS_SHIFT;
    struct mh_found all = {UINT64_MAX, MH_DRAM_NEVER};
    uint32_t first = UINT32_MAX;

    for (uint64_t m = banks; m; m &= m - 1) {
        uint32_t b = (uint32_t)__builtin_ctzll(m), priority = of_candidate(d, b);
        struct mh_found f = {UINT64_MAX, MH_DRAM_NEVER};

        mh_pick_consider(d, b, floor, &f);
        all.serve = mh_min64(all.serve, f.serve);
        bool equal = f.best >> above == all.best >> above;

        if (equal && priority != first ? priority < first : f.best < all.best) {
            all.best = f.best;
            first = priority;
        }
    }
    return all;
}
