#include "engine/gpu.h"
#include "sm/lsu.h"
#include "waits/waits.h"

/*
 * l1tlb.on_miss hold: a line whose page misses the L1 TLB is refused, and stops the LSU as any refused line does; with
 * sm.lsu_order per-kernel, for its tenant. When the page is there the same line is tried again, in the answer's cycle,
 * and hits. It has looked the page up once: later tries count nothing, and take no place among the pending lines.
 *
 * The instruction knows its MSHR. It keeps no list: nobody else can wait for that page, as no other line of the tenant
 * is looked up meanwhile.
 */
struct mh_lsu_op *mh_lsu_held(const struct mh_gpu *g, const struct mh_sm *sm, uint32_t mshr)
{
    for (uint32_t i = 0; g->misses_hold && i < sm->lsu_count; i++) {
        struct mh_lsu_op *op = mh_lsu_at(sm, i);

        if (op->page != MH_NO_PAGE && op->ppn < 0 && op->tlb_mshr == mshr)
            return op;
    }
    return NULL;
}

enum mh_taken mh_lsu_hold(struct mh_gpu *g, struct mh_sm *sm, struct mh_use use, uint32_t mshr)
{
    if (mshr != MH_NONE) {
        mh_waits_refused(g, sm->id, MH_STOP_PAGE + mshr);
        return MH_REFUSED;
    }
    if (use.kind == MH_OP_LOAD)
        mh_l1d_give_up(g, sm, use);
    return MH_TAKEN;
}

/* Not from the L1 TLB: a flush in this cycle may have emptied that, as it may a page's replays. */
void mh_lsu_unhold(const struct mh_gpu *g, struct mh_sm *sm, uint32_t mshr)
{
    struct mh_lsu_op *op = mh_lsu_held(g, sm, mshr);

    if (op)
        op->ppn = sm->tlb_mshr[mshr].ppn;
}

void mh_lsu_hold_cancel(const struct mh_gpu *g, struct mh_sm *sm, uint32_t mshr)
{
    struct mh_lsu_op *op = mh_lsu_held(g, sm, mshr);

    if (op)
        op->tlb_mshr = MH_NONE;
}

bool mh_lsu_hold_pins(const struct mh_gpu *g, const struct mh_sm *sm, uint32_t tenant, uint32_t vpn, uint32_t pages)
{
    for (uint32_t i = 0; g->misses_hold && i < sm->lsu_count; i++) {
        const struct mh_lsu_op *op = mh_lsu_at(sm, i);

        if (mh_lsu_has_page(op) && op->use.tenant == tenant && op->page - vpn < pages)
            return true;
    }
    return false;
}
