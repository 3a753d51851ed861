/* Page walks past the cache (MASK sec. 5.3): from the bank straight to its channel and back. */
#include "cache/l2_bank.h"

enum mh_l2_need mh_l2_bypass_need(const struct mh_gpu *g, uint32_t bank, const struct mh_req *r)
{
    int m = mh_l2_mshr_of(g->l2, bank, r->line, true);

    if (m >= 0 && !(g->l2->sectors && mh_l2_sector_asks(g->l2, bank, (uint32_t)m, r)))
        return MH_L2_NEEDS_NOTHING;
    if (m < 0 && g->l2->bank[bank].free_mshr == MH_NONE)
        return MH_L2_NEEDS_MSHR;
    return mh_mem_takes(g, bank, true, true, r->tenant, 0) ? MH_L2_NEEDS_NOTHING : MH_L2_NEEDS_DRAM;
}

/*
 * Each bank samples other sets. A node of a page table has lines in all banks, but in two sets of each. With the same
 * sets everywhere a small page table would have 16 of its lines in the sample, or more often none. A depth of few
 * lines, such as the root's, may have none all the same.
 */
static bool sampled(const struct mh_l2 *l2, uint32_t bank, uint32_t set)
{
    uint32_t step = l2->sample / l2->banks;

    return (set + bank * (step ? step : 1)) % l2->sample == 0;
}

bool mh_l2_bypasses(const struct mh_gpu *g, const struct mh_req *r)
{
    if (g->cfg.walk.uncached) /* no knob decides, so no set need be sampled */
        return true;
    if (!(g->knobs.l2_bypass >> (r->depth - 1) & 1))
        return false;
    return !sampled(g->l2, mh_interleave_bank(&g->l2->interleave[r->tenant], r->line),
                    mh_l2_any_number(g->l2, r->tenant, r->line));
}

/* Neither probes nor fills, so it counts in PTE_BYPASS: PTEd_ACCESS and HIT are left to the sample. */
bool mh_l2_pass(struct mh_gpu *g, uint32_t bank, uint32_t req)
{
    const struct mh_req *r = &g->req[req];
    int m = mh_l2_mshr_of(g->l2, bank, r->line, true);

    if (mh_l2_bypass_need(g, bank, r) != MH_L2_NEEDS_NOTHING)
        return false;
    g->tenant[r->tenant].count.pte_bypass++;
    if (g->l2->sectors)
        mh_l2_sector_pass(g, bank, req, m);
    else if (m >= 0)
        mh_l2_wait(g, bank, &g->l2->bank[bank].mshr[m], req);
    else
        mh_l2_ask(g, bank, req, &g->l2->bypass[bank]);
    return true;
}

/*
 * It does not wait behind what is stalled in the bank. That waits for the cache, or goes past it, too, and found no
 * MSHR or no place in the channel. If it finds none itself, it waits in order with the others, or with wires of its own
 * with those that have them.
 */
void mh_l2_bypass_access(struct mh_gpu *g, uint32_t req)
{
    const struct mh_req *r = &g->req[req];
    struct mh_l2_bank *b = &g->l2->bank[r->bank];

    if (mh_l2_has_wires(g->l2, r) ? !b->passing.count && mh_l2_pass(g, r->bank, req) : mh_l2_pass(g, r->bank, req)) {
        mh_noc_passed(g, r);
    } else if (mh_l2_has_wires(g->l2, r)) {
        mh_ring_push(&b->passing, req);
    } else {
        mh_ring_push(&b->stalled, req);
        g->l2->stops[r->bank] = true;
    }
}

/* They take no look-up: as many go on as the channel takes. */
void mh_l2_bypass_retry(struct mh_gpu *g, uint32_t bank)
{
    struct mh_ring *passing = &g->l2->bank[bank].passing;

    while (passing->count && mh_l2_pass(g, bank, mh_ring_peek(passing)))
        mh_noc_passed(g, &g->req[mh_ring_pop(passing)]);
}

void mh_l2_bypass_fill(struct mh_gpu *g, uint32_t mshr)
{
    if (__builtin_expect(g->l2->sectors != NULL, 0)) {
        mh_l2_sector_passed(g, mshr);
        return;
    }
    uint32_t bank = mh_quotient(&g->l2->by_mshrs, mshr);

    mh_l2_deliver(g, bank, mshr - bank * g->l2->mshrs, &g->l2->bypass[bank]);
}
