#include "cache/l2_check.h"

#ifdef MH_DEBUG
#include "cache/l2.h"
#include "engine/gpu.h"
#include "pages/page_table.h"

uint32_t mh_l2_waiting(const struct mh_gpu *g, uint32_t bank)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < g->l2->mshrs; i++)
        if (mh_l2_mshr_used(g->l2, bank, i))
            for (uint32_t req = g->l2->bank[bank].mshr[i].head; req != MH_NONE; req = g->req[req].next)
                n++;
    return n;
}

/* An MSHR is free or waits for DRAM; of those that bypass the cache none has a dirty line. */
static void check_l2_mshrs(const struct mh_gpu *g, uint32_t bank)
{
    const struct mh_l2_bank *b = &g->l2->bank[bank];
    uint32_t known = 0;

    for (uint32_t m = b->free_mshr; m != MH_NONE; m = b->mshr[m].next_free)
        known++;
    for (uint32_t m = 0; m < g->l2->mshrs; m++) {
        bool used = mh_l2_mshr_used(g->l2, bank, m);

        known += used;
        MH_CHECK(!used || !b->mshr[m].bypass || (b->mshr[m].walk && !b->mshr[m].dirty));
    }
    MH_CHECK(known == g->l2->mshrs);
}

/* With l2.partition no tenant has more lines in a set than its part. */
static void check_partition(const struct mh_gpu *g)
{
    const struct mh_tags *tags = &g->l2->tags;

    for (uint32_t s = 0; g->l2->partition && s < tags->sets; s++) {
        const uint32_t *set = mh_tags_set(tags, s);
        uint32_t lines[MH_MAX_TENANTS] = {0};

        for (uint32_t w = 0; w < tags->ways && set[w]; w++)
            lines[mh_line_tenant(g, set[w] >> MH_TAG_BITS)]++;
        for (uint32_t t = 0; t < g->tenants; t++)
            MH_CHECK(lines[t] <= mh_config_part(tags->ways, g->tenants, t));
    }
}

void mh_l2_check(const struct mh_gpu *g)
{
    for (uint32_t b = 0; b < g->l2->banks; b++) {
        MH_CHECK(g->l2->stops[b] == (g->l2->bank[b].stalled.count != 0));
        check_l2_mshrs(g, b);
    }
    check_partition(g);
    mh_l2_check_sectors(g);
}

#endif
