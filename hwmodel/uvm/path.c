#include "sm/sm.h"
#include "uvm/internal.h"
#include "cache/l2.h"
#include "noc/noc.h"
#include "pages/page_table.h"

#include <inttypes.h>
#include <stdlib.h>

/* Where a parked request is, and what it waits for: for a report of a deadlock. */

static uint32_t place_in(const struct mh_uvm *m, const struct mh_unit_queue *q, uint32_t unit)
{
    uint32_t at = q->head, n = 1;

    for (uint32_t left = q->count; left && at != unit; left--, n++)
        at = m->unit[at].next;
    return q->count && at == unit ? n : 0;
}

static bool is_parked(const struct mh_gpu *g, const struct mh_unit *u, uint32_t mshr)
{
    for (uint32_t id = u->head; id != MH_NONE; id = mh_tlb_mshr(g, id)->next_waiter)
        if (id == mshr)
            return true;
    return false;
}

/* Where the unit is, and which of those that are there it is. */
static void tell_place(const struct mh_uvm *m, uint32_t unit, FILE *out)
{
    const struct {
        const struct mh_unit_queue *queue;
        const char *name;
    } places[] = {{&m->overflow, "waits for an entry of the fault buffer"},
                  {&m->buffer, "is in the fault buffer"},
                  {&m->batch, "is with the handler (EV_UVM_HANDLED)"},
                  {&m->placed, "is handled, and waits for frames"},
                  {&m->in.waiting, "is on the link (EV_UVM_IN)"},
                  {&m->draining, "leaves, and drains (EV_UVM_DRAIN)"},
                  {&m->out.waiting, "leaves over the link"}};

    for (uint32_t i = 0; i < sizeof places / sizeof *places; i++)
        if (place_in(m, places[i].queue, unit)) {
            fprintf(out, "which %s, in place %u", places[i].name, place_in(m, places[i].queue, unit));
            return;
        }
    fprintf(out, "which is %s", m->unit[unit].state == MH_UNIT_HERE ? "here" : "in host memory, and nobody fetches it");
}

/* What moves before those that wait for frames, come or leave can. */
static void tell_links(const struct mh_uvm *m, uint8_t state, FILE *out)
{
    if (state < MH_UNIT_PLACED || state == MH_UNIT_HERE)
        return;
    if (state <= MH_UNIT_COMING && m->in.waiting.count)
        fprintf(out, ", at line %u of the unit that comes", m->in.line);
    if (state == MH_UNIT_COMING)
        return;
    if (m->draining.count)
        fprintf(out, ", %u units drain (EV_UVM_DRAIN)", m->draining.count);
    if (m->out.waiting.count)
        fprintf(out,
                ", at line %u of the unit that leaves (EV_UVM_OUT), %u to write, %u read (EV_UVM_READ, EV_UVM_LEFT)",
                m->out.line, m->out.dirty_count, m->out.done);
}

bool mh_uvm_tell(const struct mh_gpu *g, uint32_t mshr, FILE *out)
{
    const struct mh_uvm *m = g->uvm;
    const struct mh_tlb_mshr *e = mh_tlb_mshr(g, mshr);
    uint32_t unit = m->on ? mh_unit_of(m, e->tenant, e->vpn) : MH_NONE;

    if (unit == MH_NONE || !is_parked(g, &m->unit[unit], mshr))
        return false;
    fprintf(out, ", parked since cycle %" PRIu64 " with unit %u of tenant %u, ", m->unit[unit].since, unit, e->tenant);
    tell_place(m, unit, out);
    tell_links(m, m->unit[unit].state, out);
    if (m->unit[unit].state == MH_UNIT_PLACED)
        mh_uvm_tell_room(g, out);
    return true;
}

#ifdef MH_DEBUG

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
            MH_CHECK(!owners[u->frames]++ && mh_unit_of_frame(m, *mh_unit_frames(m, u)) == i);
    }
    MH_CHECK(owned == m->sets);
    free(owners);
}

/* Memory in use is what its units take. It exceeds the capacity only while an eviction makes room for pages that
 * overflowed. */
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

/* A unit in GPU memory has all translations and no parked request; any other unit has no translation. */
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

static void check_l1d(const struct mh_gpu *g, const struct mh_tags *t)
{
    for (uint32_t s = 0; s < t->sets; s++)
        for (uint32_t w = 0; w < t->ways; w++)
            MH_CHECK(!mh_tags_set(t, s)[w] || !is_freed(g, mh_tags_line(t, s, mh_tags_set(t, s)[w])));
}

static void check_l2(const struct mh_gpu *g, const struct mh_tags *t)
{
    for (uint32_t s = 0; s < t->sets; s++) {
        const uint32_t *set = mh_tags_set(t, s);

        for (uint32_t w = 0; w < t->ways; w++)
            MH_CHECK(!set[w] || !is_freed(g, mh_l2_line(g->l2, set, set[w])));
    }
}

/* No request, MSHR or cache holds a line of a free frame. */
static void check_freed(const struct mh_gpu *g)
{
    MH_CHECK(!mh_noc_carries(g->noc, is_freed, g));
    MH_CHECK(!mh_l2_waits(g, is_freed, g));
    check_l2(g, &g->l2->tags);
    for (uint32_t s = 0; s < g->cfg.sm.count; s++) {
        MH_CHECK(!mh_l1d_waits(g, &g->sm[s], is_freed, g));
        check_l1d(g, &g->sm[s].l1d);
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
