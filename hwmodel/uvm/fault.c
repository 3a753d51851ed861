/*
 * Faults: from the walk that ends at a page which is not there to the answer to whoever waits for it.
 *
 * Nothing here can stand in each other's way. A faulted walk holds neither walker nor MSHR of the L2 TLB. Without a
 * free entry of the buffer the unit waits for one, in order. Entries are free as soon as the handler has fetched them.
 */
#include <inttypes.h>

#include "sm/sm.h"
#include "translate/l2tlb.h"
#include "uvm/internal.h"

static void fetch_batch(struct mh_gpu *g)
{
    struct mh_uvm *m = g->uvm;

    if (m->busy || !m->buffer.count)
        return;
    m->busy = true;
    while (m->buffer.count && m->batch.count < g->cfg.uvm.batch) {
        uint32_t unit = mh_unit_pop(m, &m->buffer);

        m->unit[unit].state = MH_UNIT_HANDLED;
        mh_unit_push(m, &m->batch, unit);
    }
    while (m->overflow.count && m->buffer.count < g->cfg.uvm.buffer)
        mh_unit_push(m, &m->buffer, mh_unit_pop(m, &m->overflow));
    mh_wheel_add(&g->wheel, g->wheel.now + m->fault_cycles, MH_EVENT(EV_UVM_HANDLED, 0));
}

void mh_uvm_raise(struct mh_gpu *g, uint32_t unit)
{
    struct mh_uvm *m = g->uvm;
    struct mh_unit *u = &m->unit[unit];

    u->state = MH_UNIT_FAULTED;
    g->tenant[u->tenant].count.uvm_faults++;
    mh_unit_push(m, m->buffer.count < g->cfg.uvm.buffer ? &m->buffer : &m->overflow, unit);
    fetch_batch(g);
}

void mh_uvm_fault(struct mh_gpu *g, uint32_t walk)
{
    struct mh_uvm *m = g->uvm;
    const struct mh_walk *w = &g->l2tlb->walk[walk];
    uint32_t unit = mh_unit_of(m, w->tenant, w->vpn);
    struct mh_unit *u = &m->unit[unit];

    MH_CHECK(unit != MH_NONE && u->state != MH_UNIT_HERE);
    u->prefetched = false;
    if (u->head == MH_NONE) {
        u->head = w->head;
        u->since = g->wheel.now;
    } else {
        mh_tlb_mshr(g, u->tail)->next_waiter = w->head;
        g->tenant[u->tenant].count.uvm_merged++;
    }
    u->tail = w->tail;
    for (uint32_t id = w->head; id != MH_NONE; id = mh_tlb_mshr(g, id)->next_waiter)
        mh_sm_fault_last(g, &g->sm[mh_quotient(&g->l1tlb_mshrs, id)]);
    /* One that leaves is asked for again when it has left. */
    if (u->state == MH_UNIT_HOST)
        mh_uvm_raise(g, unit);
}

/* One fault latency for all that were fetched (Zheng et al., HPCA 2016: 20 us). The next batch need not wait for their
 * migration (ours). */
void mh_uvm_handled(struct mh_gpu *g, uint32_t none)
{
    struct mh_uvm *m = g->uvm;

    (void)none;
    m->busy = false;
    while (m->batch.count) {
        uint32_t unit = mh_unit_pop(m, &m->batch);

        mh_uvm_place(g, unit);
        if (g->cfg.uvm.prefetch[0] == 't')
            mh_uvm_prefetch(g, unit);
    }
    fetch_batch(g);
}

void mh_uvm_replay(struct mh_gpu *g, uint32_t unit)
{
    struct mh_unit *u = &g->uvm->unit[unit];

    for (uint32_t id = u->head, next; id != MH_NONE; id = next) {
        struct mh_tlb_mshr *e = mh_tlb_mshr(g, id);

        next = e->next_waiter;
        mh_lsu_answer_pinned(g, id, e, mh_unit_frames(g->uvm, u)[e->vpn - u->vpn],
                             g->wheel.now + g->cfg.noc.tlb_latency);
        mh_sm_fault_last(g, &g->sm[mh_quotient(&g->l1tlb_mshrs, id)]);
    }
    if (u->head != MH_NONE)
        g->tenant[u->tenant].count.uvm_fault_cycles += g->wheel.now - u->since;
    u->head = MH_NONE;
}

/* --- For reports. */

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

bool mh_uvm_tell(const struct mh_gpu *g, uint32_t mshr, FILE *out)
{
    static const char *const states[] = {"in host memory, though it was asked for",
                                         "in the fault buffer",
                                         "with the handler (EV_UVM_HANDLED)",
                                         "handled, and waits for frames",
                                         "on the link (EV_UVM_IN)",
                                         "here, though its waiters were not told",
                                         "leaving, and drains (EV_UVM_DRAIN)",
                                         "leaving over the link (EV_UVM_OUT, EV_UVM_READ)"};
    const struct mh_uvm *m = g->uvm;
    const struct mh_tlb_mshr *e = mh_tlb_mshr(g, mshr);
    uint32_t unit = m->on ? mh_unit_of(m, e->tenant, e->vpn) : MH_NONE;

    if (unit == MH_NONE || !is_parked(g, &m->unit[unit], mshr))
        return false;
    const struct mh_unit_queue *const queues[] = {&m->buffer, &m->overflow, &m->batch, &m->placed, &m->in.waiting};

    fprintf(out, ", parked since cycle %" PRIu64 " with unit %u of tenant %u, which is %s", m->unit[unit].since, unit,
            e->tenant, states[m->unit[unit].state]);
    for (uint32_t q = 0; q < sizeof queues / sizeof *queues; q++)
        if (place_in(m, queues[q], unit))
            fprintf(out, ", in place %u", place_in(m, queues[q], unit));
    fprintf(out, ", line %u of the unit on the link", m->in.line);
    return true;
}
