/* Conservation: every request that a channel has taken is in one place, and no place is taken twice. */
#include "dram/tiers.h"

static uint32_t count_group(const struct mh_dq *q, uint32_t g)
{
    uint32_t n = 1;
    for (uint32_t e = q->group[g].head; e != q->group[g].tail; e = q->entry[e].next)
        n++;
    return n;
}

static uint32_t count_queued(const struct mh_dram *d, const struct mh_dq *q)
{
    uint32_t n = 0;
    for (uint32_t b = 0; b < d->banks; b++)
        for (uint32_t w = 0; w < 2; w++)
            for (uint32_t g = q->list[b][w].first; g != MH_DQ_NIL; g = q->group[g].next)
                n += count_group(q, g);
    return n;
}

/* Places that the tier's requests have. */
static uint32_t count_places(struct mh_dram *d, enum mh_tier tier)
{
    uint32_t n = count_queued(d, mh_tiers_queue(d, tier));
    for (uint32_t i = 0; i < d->inbox_count; i++)
        n += d->inbox[(d->inbox_head + i) % d->inbox_size].tier == tier;
    return n;
}

static bool tiers_conserve(struct mh_dram *d)
{
    const struct mh_tiers *t = d->tiers;
    uint32_t counted = 0, all = 0;
    for (enum mh_tier tier = MH_GOLDEN; tier < MH_TIERS; tier++) {
        if (t->taken[tier] != count_places(d, tier))
            return false;
        all += t->taken[tier];
    }
    /* Turns count data reads that came while there were three queues, no others: at most all. */
    for (uint32_t i = 0; i < MH_MAX_TENANTS; i++)
        counted += t->turn.waiting[i];
    return all == mh_dram_waiting(d) && counted <= all && d->free == mh_tiers_free(d) &&
           d->golden == count_queued(d, &t->queue[MH_GOLDEN]);
}

bool mh_dram_check(struct mh_dram *d)
{
    if (d->tiered)
        return tiers_conserve(d);
    return !d->golden && count_places(d, MH_NORMAL) == mh_dram_waiting(d) && d->free + mh_dram_waiting(d) == d->t.queue;
}
