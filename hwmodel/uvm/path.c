/* Where a parked request is, and what it waits for: for a report of a deadlock. */
#include <inttypes.h>

#include "sm/sm.h"
#include "uvm/internal.h"

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
