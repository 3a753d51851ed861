/* The queues of the DRAM channels, for the observer. */
#include "dram/tiers.h"
#include "validate/observer.h"

/* Reads are known by their tag, which names an MSHR; writes have none of their own, but an age. */
static void look_at_queue(const struct mh_dram *d, const struct mh_dq *dq, uint32_t channel, uint32_t write,
                          struct pool *p)
{
    uint32_t entries = d->t.queue > d->t.normal ? d->t.queue : d->t.normal;

    for (uint32_t b = 0; b < d->banks; b++)
        for (uint32_t g = dq->list[b][write].first; g != MH_DQ_NIL; g = dq->group[g].next)
            for (uint32_t e = dq->group[g].head;; e = dq->entry[e].next) {
                const struct mh_dq_entry *q = &dq->entry[e];
                pool_see(p, write ? channel * entries + e : q->tag, write ? q->age : 0);
                if (e == dq->group[g].tail)
                    break;
            }
}

static void look_at_channel(const struct mh_dram *d, uint32_t channel, struct pool *reads, struct pool *writes)
{
    look_at_queue(d, &d->queue, channel, 0, reads);
    look_at_queue(d, &d->queue, channel, 1, writes);
    for (enum mh_tier t = MH_GOLDEN; d->tiers && t < MH_NORMAL; t++)
        look_at_queue(d, &d->tiers->queue[t], channel, 0, reads);
}

/* Arrivals that the channel has not looked at yet wait in front of its queue. */
static uint32_t reads_in_inbox(const struct mh_dram *d, struct pool *reads)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < d->inbox_count; i++) {
        const struct mh_dram_request *r = &d->inbox[(d->inbox_head + i) % d->inbox_size].req;

        if (r->write)
            continue;
        pool_see(reads, r->tag, 0);
        n++;
    }
    return n;
}

void observer_look_at_dram(const struct mh_gpu *g, struct pool *reads, struct pool *writes)
{
    uint64_t waiting[2] = {0};

    pool_begin(reads, mh_gpu_now(g));
    pool_begin(writes, mh_gpu_now(g));
    for (uint32_t c = 0; c < g->memory->channels; c++) {
        const struct mh_dram *d = g->memory->channel[c].dram;

        look_at_channel(d, c, reads, writes);
        waiting[0] += d->waiting[0] + reads_in_inbox(d, reads);
        waiting[1] += d->waiting[1];
    }
    pool_end(reads, waiting[0]);
    pool_end(writes, waiting[1]);
}
