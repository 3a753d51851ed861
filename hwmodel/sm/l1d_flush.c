/* L1D: lines that leave it as a whole or by their page, and what is on its way there. */
#include "engine/gpu.h"
#include "sm/l1d.h"
#include "sm/umon.h"

void mh_l1d_flush(struct mh_sm *sm)
{
    memset(sm->l1d.entry, 0, (size_t)sm->l1d.sets * sm->l1d.stride * sizeof *sm->l1d.entry);
    mh_umon_clear(sm->umon);
}

bool mh_l1d_waits(const struct mh_gpu *g, const struct mh_sm *sm, mh_line_test *test, const void *ctx)
{
    for (uint32_t m = 0; m < g->cfg.l1d.mshrs; m++)
        if (mh_index_find(&sm->l1_index, sm->l1_mshr[m].line) == (int)m && test(ctx, sm->l1_mshr[m].line))
            return true;
    return false;
}

void mh_l1d_drop_page(struct mh_sm *sm, uint32_t ppn, uint32_t page_shift)
{
    const struct mh_tags *tags = &sm->l1d;

    for (uint32_t i = 0; i < tags->sets; i++) {
        uint32_t *set = mh_tags_set(tags, i);

        for (uint32_t w = tags->ways; w--;)
            if (set[w] && mh_tags_line(tags, i, set[w]) >> page_shift == ppn)
                mh_tags_drop(tags, set, w);
    }
    if (sm->monitored)
        mh_umon_drop_page(sm->umon, ppn, page_shift);
}
