#include "uvm/internal.h"

#ifdef MH_DEBUG
#include <stdlib.h>

#include "cache/l2.h"
#include "noc/noc.h"
#include "sm/sm.h"
#include "pages/page_table.h"

static uint32_t in_queue(const struct mh_uvm *m, const struct mh_unit_queue *q, uint8_t state)
{
    uint32_t at = q->head;

    for (uint32_t n = q->count; n; n--, at = m->unit[at].next)
        MH_CHECK(m->unit[at].state == state);
    return q->count;
}

/* Every unit is in one place. */
static void check_places(const struct mh_uvm *m)
{
    uint32_t host = 0, here = 0, listed = 0;

    for (uint32_t i = 0; i < m->units; i++) {
        host += m->unit[i].state == MH_UNIT_HOST;
        here += m->unit[i].state == MH_UNIT_HERE;
    }
    uint32_t moving = in_queue(m, &m->overflow, MH_UNIT_FAULTED) + in_queue(m, &m->buffer, MH_UNIT_FAULTED) +
                      in_queue(m, &m->batch, MH_UNIT_HANDLED) + in_queue(m, &m->placed, MH_UNIT_PLACED) +
                      in_queue(m, &m->in.waiting, MH_UNIT_COMING) + in_queue(m, &m->draining, MH_UNIT_DRAINING) +
                      in_queue(m, &m->out.waiting, MH_UNIT_LEAVING);

    for (uint32_t at = m->oldest; at != MH_NONE; at = m->unit[at].newer, listed++)
        MH_CHECK(m->unit[at].state == MH_UNIT_HERE);
    MH_CHECK(host + here + moving == m->units && here == m->here && here == listed);
    MH_CHECK(m->leaving == m->draining.count + m->out.waiting.count && m->needed <= m->leaving);
}

/* What registers say of tenants adds up. */
static void check_gauges(const struct mh_uvm *m, uint32_t tenants)
{
    uint32_t resident = 0, queued = 0;

    for (uint32_t t = 0; t < tenants; t++) {
        resident += m->resident[t];
        queued += m->queued[t];
    }
    MH_CHECK(resident == m->here + m->in.waiting.count);
    MH_CHECK(queued == m->overflow.count + m->buffer.count + m->batch.count);
}

/* Every set of frames is free or one unit's. */
static void check_sets(const struct mh_uvm *m)
{
    uint8_t *owners = calloc(m->sets, 1);
    uint32_t owned = m->free_count;

    MH_CHECK(owners);
    for (uint32_t i = 0; i < m->free_count; i++)
        MH_CHECK(!owners[m->free_sets[i]]++);
    for (uint32_t i = 0; i < m->units; i++) {
        const struct mh_unit *u = &m->unit[i];

        MH_CHECK((u->frames != MH_NONE) == (u->state >= MH_UNIT_COMING));
        owned += u->frames != MH_NONE;
        if (u->frames != MH_NONE)
            MH_CHECK(!owners[u->frames]++ && m->unit_of[*mh_unit_frames(m, u)] == i);
    }
    MH_CHECK(owned == m->sets);
    free(owners);
}

/* Memory is what its units take. Pages that overflow may take more than there is while somebody makes room. */
static void check_memory(const struct mh_gpu *g)
{
    const struct mh_uvm *m = g->uvm;
    uint64_t taken = 0, leaving = 0, held = 0;

    for (uint32_t i = 0; i < m->units; i++) {
        const struct mh_unit *u = &m->unit[i];

        taken += u->frames != MH_NONE ? u->bytes : 0;
        leaving += u->state >= MH_UNIT_DRAINING ? u->bytes : 0;
        MH_CHECK(u->compressed ? u->bytes <= m->bytes : !u->bytes || u->bytes == m->bytes);
        if (u->compressed)
            mh_uvm_check_packing(g, i);
    }
    for (uint32_t t = 0; t < MH_MAX_TENANTS; t++)
        held += m->held[t];
    MH_CHECK(taken == m->taken && leaving == m->leaving_bytes && held == taken - leaving);
    MH_CHECK(taken <= m->memory || m->leaving || m->drain_event);
}

/* Only what is here has translations, all of it, and nobody is parked with it. */
static void check_unit(const struct mh_gpu *g, const struct mh_unit *u)
{
    const struct mh_uvm *m = g->uvm;
    bool here = u->state == MH_UNIT_HERE;

    for (uint32_t p = 0; p < m->pages; p++) {
        uint32_t frame = mh_pt_translate(g->pages, g->tenant[u->tenant].page_root, u->vpn + p);

        MH_CHECK(here ? frame == mh_unit_frames(m, u)[p] : frame == MH_PT_NONE);
    }
    MH_CHECK(u->head == MH_NONE || (!here && u->state != MH_UNIT_HOST));
    for (uint32_t id = u->head; id != MH_NONE; id = mh_tlb_mshr(g, id)->next_waiter)
        MH_CHECK(mh_tlb_mshr(g, id)->tenant == u->tenant && mh_tlb_mshr(g, id)->vpn - u->vpn < m->pages);
}

static bool is_freed(const void *ctx, uint32_t line)
{
    const struct mh_gpu *g = ctx;

    return g->pages->state[line >> g->page_shift] == MH_PT_FREED;
}

static void check_tags(const struct mh_gpu *g, const struct mh_tags *t)
{
    for (size_t i = 0; i < (size_t)t->sets * t->stride; i++)
        MH_CHECK(!t->entry[i] || !is_freed(g, t->entry[i] >> MH_TAG_BITS));
}

/* Nobody reads, writes or keeps a line of a frame that is nobody's. */
static void check_freed(const struct mh_gpu *g)
{
    MH_CHECK(!mh_noc_carries(g->noc, is_freed, g));
    MH_CHECK(!mh_l2_waits(g, is_freed, g));
    check_tags(g, &g->l2->tags);
    for (uint32_t s = 0; s < g->cfg.sm.count; s++) {
        MH_CHECK(!mh_l1d_waits(g, &g->sm[s], is_freed, g));
        check_tags(g, &g->sm[s].l1d);
    }
}

void mh_uvm_check(const struct mh_gpu *g)
{
    if (!g->uvm->on)
        return;
    check_places(g->uvm);
    check_gauges(g->uvm, g->tenants);
    check_sets(g->uvm);
    check_memory(g);
    for (uint32_t i = 0; i < g->uvm->units; i++)
        check_unit(g, &g->uvm->unit[i]);
    check_freed(g);
}
#endif
