/* Conservation: every request that a channel has taken is in one place, and no place is taken twice. */
#include "dram/writes.h"
#include "dram/tiers.h"

static uint32_t count_group(const struct mh_dq *q, uint32_t g)
{
    uint32_t n = 1;

    for (uint32_t e = q->group[g].head; e != q->group[g].tail; e = q->entry[e].next)
        n++;
    return n;
}

static uint32_t count_queued(const struct mh_dram *d, const struct mh_dq *q, uint32_t write)
{
    uint32_t n = 0;

    for (uint32_t b = 0; b < d->banks; b++)
        for (uint32_t g = q->list[b][write].first; g != MH_DQ_NIL; g = q->group[g].next)
            n += count_group(q, g);
    return n;
}

/* Places that the tier's reads or writes have. */
static uint32_t count_places(struct mh_dram *d, enum mh_tier tier, uint32_t write)
{
    uint32_t n = count_queued(d, mh_tiers_queue(d, tier), write);

    for (uint32_t i = 0; i < d->inbox_count; i++) {
        const struct mh_arrival *a = &d->inbox[(d->inbox_head + i) % d->inbox_size];

        n += a->tier == tier && a->req.write == write;
    }
    return n + (d->writes ? mh_writes_count(d->writes, tier, write) : 0);
}

/* Of a queue of their own, no more than it has; the shared one has them all. */
static bool writes_conserve(struct mh_dram *d)
{
    const struct mh_writes *w = d->writes;
    uint32_t reads = 0, writes = count_places(d, MH_NORMAL, 1);

    for (enum mh_tier tier = MH_GOLDEN; tier < MH_TIERS; tier++)
        reads += count_places(d, tier, 0);
    if (reads + writes != mh_dram_waiting(d) || d->waiting[1] != count_queued(d, &d->queue, 1))
        return false;
    return !w || (w->taken[0] == reads && w->taken[1] == writes && writes <= w->places[1]);
}

static bool tiers_conserve(struct mh_dram *d)
{
    const struct mh_tiers *t = d->tiers;
    uint32_t counted = 0, all = 0;

    for (enum mh_tier tier = MH_GOLDEN; tier < MH_TIERS; tier++) {
        uint32_t places = count_places(d, tier, 0) + (d->writes ? 0 : count_places(d, tier, 1));

        if (t->taken[tier] != places)
            return false;
        all += places;
    }
    /* Turns count data reads that came while there were three queues, no others: at most all. */
    for (uint32_t i = 0; i < MH_MAX_TENANTS; i++)
        counted += t->turn.waiting[i];
    return counted <= all && d->free == mh_tiers_free(d) && d->golden == count_queued(d, &t->queue[MH_GOLDEN], 0);
}

bool mh_dram_check(struct mh_dram *d)
{
    if (!writes_conserve(d) || (d->turning && (d->tiered || !mh_direction_owes(d))))
        return false;
    if (d->tiered)
        return tiers_conserve(d);
    return !d->golden &&
           (d->writes ? d->free == mh_writes_free(d->writes) : d->free + mh_dram_waiting(d) == d->t.queue);
}
