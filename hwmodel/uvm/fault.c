/*
 * Faults: from the walk that ends at a page which is not there to the answer to the loads that wait for it.
 *
 * Nothing here can stand in each other's way. A faulted walk holds neither walker nor MSHR of the L2 TLB. Without a
 * free entry of the buffer the unit waits for one, in order. Entries are free as soon as the handler has fetched them.
 */
#include "control/control.h"
#include "sm/sm.h"
#include "translate/gpctlb.h"
#include "translate/l2tlb.h"
#include "uvm/internal.h"

static void fill_buffer(struct mh_gpu *g)
{
    struct mh_uvm *m = g->uvm;

    while (m->overflow.count && m->buffer.count < g->cfg.uvm.buffer)
        mh_unit_push(m, &m->buffer, mh_unit_pop(m, &m->overflow));
}

/* Blocks of 2 MB that the batch has faults in: the driver locks and services them one by one. */
static uint32_t blocks_of_batch(struct mh_uvm *m)
{
    uint32_t unit = m->batch.head, blocks = 0;

    m->batches++;
    for (uint32_t n = m->batch.count; n; n--, unit = m->unit[unit].next) {
        struct mh_uvm_region *r = mh_uvm_region_of(m, unit);

        blocks += r->batch != m->batches;
        r->batch = m->batches;
    }
    return blocks;
}

static uint64_t handler_cycles(struct mh_gpu *g)
{
    const struct mh_uvm_cfg *c = &g->cfg.uvm;
    uint64_t ns = c->fault_ns + (uint64_t)g->uvm->batch.count * c->fault_each_ns;

    if (c->block_ns)
        ns += (uint64_t)blocks_of_batch(g->uvm) * c->block_ns;
    return mh_uvm_cycles(&g->cfg, ns);
}

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
        mh_uvm_evict_ahead(g, unit);
    }
    fill_buffer(g);
    mh_wheel_add(&g->wheel, g->wheel.now + handler_cycles(g), MH_EVENT(EV_UVM_HANDLED, 0));
}

/* Tells firmware, if it enabled the event. A load is parked with the unit. */
static void tell_firmware(struct mh_gpu *g, const struct mh_unit *u, bool come)
{
    mh_control_page_fault(g->control, g->wheel.now, come, u->tenant, mh_quotient(&g->l1tlb_mshrs, u->head));
}

void mh_uvm_raise(struct mh_gpu *g, uint32_t unit)
{
    struct mh_uvm *m = g->uvm;
    struct mh_unit *u = &m->unit[unit];

    u->state = MH_UNIT_FAULTED;
    m->queued[u->tenant]++;
    mh_unit_push(m, m->buffer.count < g->cfg.uvm.buffer ? &m->buffer : &m->overflow, unit);
    fetch_batch(g);
}

static void cancel(struct mh_gpu *g, uint32_t head)
{
    for (uint32_t id = head, next; id != MH_NONE; id = next) {
        next = mh_tlb_mshr(g, id)->next_waiter;
        mh_lsu_cancel(g, id);
    }
}

/* Units that the handler has, or that are on the link, arrive without a waiter. */
void mh_uvm_cancel(struct mh_gpu *g, uint32_t tenant)
{
    struct mh_uvm *m = g->uvm;

    if (!m->on)
        return;
    m->queued[tenant] -= mh_unit_forget(m, &m->overflow, tenant) + mh_unit_forget(m, &m->buffer, tenant);
    mh_unit_forget(m, &m->placed, tenant);
    mh_uvm_forget_regions(m, tenant);
    fill_buffer(g);
    for (uint32_t i = 0; i < m->units; i++) {
        struct mh_unit *u = &m->unit[i];
        uint32_t head = u->head;

        if (u->tenant != tenant)
            continue;
        u->prefetched = false;
        u->evicted = u->brought = 0;
        u->head = MH_NONE;
        cancel(g, head);
    }
}

/* Also the other SMs of the GPC: their requests may stand behind this one's in its TLB. */
static void fault_last(struct mh_gpu *g, uint32_t mshr)
{
    const struct mh_gpctlb *t = g->gpctlb;
    uint32_t sm = mh_quotient(&g->l1tlb_mshrs, mshr);

    if (!t->gpcs) {
        mh_sm_fault_last(g, &g->sm[sm]);
        return;
    }
    for (uint32_t s = 0; s < g->cfg.sm.count; s++)
        if (t->of_sm[s] == t->of_sm[sm])
            mh_sm_fault_last(g, &g->sm[s]);
}

void mh_uvm_fault(struct mh_gpu *g, uint32_t walk)
{
    struct mh_uvm *m = g->uvm;
    const struct mh_walk *w = &g->l2tlb->walk[walk];
    uint32_t unit = mh_unit_of(m, w->tenant, w->vpn);
    struct mh_unit *u = &m->unit[unit];

    MH_CHECK(unit != MH_NONE && u->state != MH_UNIT_HERE);
    if (mh_unit_is_gone(g, u)) {
        cancel(g, w->head);
        return;
    }
    g->tenant[u->tenant].count.uvm_prefetches_used += u->prefetched;
    u->prefetched = false;
    if (u->head == MH_NONE) {
        u->head = w->head;
        u->since = g->wheel.now;
        g->tenant[u->tenant].count.uvm_faults++;
        tell_firmware(g, u, false);
    } else {
        mh_tlb_mshr(g, u->tail)->next_waiter = w->head;
        g->tenant[u->tenant].count.uvm_merged++;
    }
    u->tail = w->tail;
    for (uint32_t id = w->head; id != MH_NONE; id = mh_tlb_mshr(g, id)->next_waiter)
        fault_last(g, id);
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
    mh_uvm_plan_batch(g);
    while (m->batch.count) {
        uint32_t unit = mh_unit_pop(m, &m->batch);

        m->queued[m->unit[unit].tenant]--;
        if (mh_unit_is_gone(g, &m->unit[unit])) {
            m->unit[unit].state = MH_UNIT_HOST;
            continue;
        }
        mh_uvm_place(g, unit);
        mh_uvm_prefetch(g, unit);
    }
    mh_uvm_hand_out(g);
    mh_uvm_prefetch_next(g);
    fetch_batch(g);
}

static void end_fault(struct mh_gpu *g, struct mh_unit *u)
{
    const struct mh_uvm *m = g->uvm;
    const struct mh_page_fault f = {.cycle = u->since,
                                    .latency = g->wheel.now - u->since,
                                    .address = (uint64_t)u->vpn * g->cfg.memory.page_bytes,
                                    .tenant = u->tenant,
                                    .sm = mh_quotient(&g->l1tlb_mshrs, u->head),
                                    .evicted = u->evicted,
                                    .prefetched = u->brought};

    tell_firmware(g, u, true);
    g->tenant[u->tenant].count.uvm_fault_cycles += f.latency;
    if (m->obs.fault)
        m->obs.fault(m->obs.ctx, &f);
}

void mh_uvm_replay(struct mh_gpu *g, uint32_t unit)
{
    struct mh_unit *u = &g->uvm->unit[unit];

    if (u->head != MH_NONE)
        end_fault(g, u);
    u->evicted = u->brought = 0;

    for (uint32_t id = u->head, next; id != MH_NONE; id = next) {
        struct mh_tlb_mshr *e = mh_tlb_mshr(g, id);

        next = e->next_waiter;
        mh_lsu_answer_pinned(g, id, e, mh_unit_frames(g->uvm, u)[e->vpn - u->vpn],
                             g->wheel.now + g->cfg.noc.tlb_latency);
        fault_last(g, id);
    }
    u->head = MH_NONE;
}
