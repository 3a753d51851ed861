#include "engine/gpu.h"
#include "sm/coalesce.h"
#include "sm/lsu.h"
#include "translate/instruction.h"

/* A memory instruction enters the LSU. */

/*
 * TLB-fill tokens (MASK sec. 5.2): the n lowest warps of the tenant on this SM hold one each. Below slot w there are at
 * most w warps, so the first n slots need no count.
 */
static bool has_token(const struct mh_gpu *g, const struct mh_sm *sm, uint32_t tenant, uint32_t warp)
{
    uint32_t tokens = g->knobs.tokens[tenant];

    if (warp < tokens)
        return true;
    return mh_bits(sm->tenant_warps[tenant] & ((1ull << warp) - 1)) < tokens;
}

void mh_lsu_accept(struct mh_gpu *g, struct mh_sm *sm, uint32_t warp, uint32_t slot)
{
    struct mh_warp *w = &sm->warp[warp];
    struct mh_lsu_op *op = mh_lsu_at(sm, sm->lsu_count++);

    mh_coalesce(&w->op, w->addr, g->line_shift, g->page_shift, &op->lines);
    if (__builtin_expect(sm->written != NULL, 0) && w->op.kind == MH_OP_STORE)
        mh_written_lines(&w->op, w->addr, g->line_shift, &op->lines, mh_lsu_written(sm, op));
    g->tenant[w->tenant].count.mem_lines += op->lines.count;
    op->next = 0;
    op->page = MH_NO_PAGE;
    op->use = (struct mh_use){.warp = (uint8_t)warp, .tenant = w->tenant, .slot = slot, .kind = w->op.kind};
    op->instruction = mh_instruction_next(g->instructions);
    op->token = has_token(g, sm, w->tenant, warp);
    if (w->op.kind == MH_OP_LOAD) {
        w->load[slot].lines = (uint16_t)op->lines.count;
        w->load[slot].hit_at = 0;
        if (__builtin_expect(w->op.pc & MH_PC_RESULT, 0))
            op->use.kind = MH_USE_ATOMIC_READ;
    }
    /* Issue takes a cycle; the LSU sees the instruction in the next. */
    sm->lsu_free = sm->lsu_free > g->wheel.now ? sm->lsu_free : g->wheel.now + 1;
    if (__builtin_expect(sm->lsu_apart, 0))
        mh_lsu_order_enter(g, sm, w->tenant);
    if (!sm->lsu_stalled)
        mh_lsu_soon(g, sm);
}
