#include "cache/l2_report.h"

#ifdef MH_DEBUG
#include "cache/l2.h"
#include "cache/l2_sectors.h"
#include "engine/arith.h"
#include "engine/bytes.h"
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

/* --- Sectors: what a line has, what its MSHR waits for, and that nothing is lost between. */

/* Whole sectors of l2.sector_bytes, within the line. */
static void check_mask(const struct mh_l2_sectors *s, uint32_t mask)
{
    MH_CHECK(mask <= s->line && s->units[mask] == mask);
}

/* Those stored in part, and not on their way, have some of their bytes and not all. */
static void check_written(const struct mh_l2_sectors *s, const struct mh_bytes *written, uint32_t part)
{
    MH_CHECK(!part || s->lazy);
    for (uint32_t rest = part; rest;) {
        uint32_t unit = s->units[rest & -rest];

        MH_CHECK(mh_bytes_touched(written) & unit);
        MH_CHECK(~mh_bytes_whole(written) & unit);
        rest &= ~unit;
    }
}

/* Dirty sectors of the line. */
static uint32_t check_way(const struct mh_gpu *g, uint32_t set, uint32_t way)
{
    const struct mh_l2 *l2 = g->l2;
    const struct mh_l2_sectors *s = l2->sectors;
    uint32_t tag = mh_tags_set(&l2->tags, set)[way], state = mh_tags_set(&s->state, set)[way];
    uint32_t valid = mh_l2_state_valid(state), dirty = mh_l2_state_dirty(state), coming = 0;
    int mshr = mh_index_find(&l2->bank[set / l2->sets].index, tag >> MH_TAG_BITS);

    if (!tag) {
        MH_CHECK(!valid && !dirty);
        return 0;
    }
    MH_CHECK((mshr >= 0) == ((tag & MH_TAG_PENDING) != 0));
    if (mshr >= 0)
        coming = s->asked[set / l2->sets * l2->mshrs + (uint32_t)mshr].sectors;
    check_mask(s, valid);
    check_mask(s, dirty);
    MH_CHECK(!(tag & MH_TAG_DIRTY) == !dirty && (valid | dirty | coming) != 0);
    if (s->lazy)
        check_written(s, &s->written[set * l2->tags.stride + (state >> MH_L2_FRAME)], dirty & ~valid & ~coming);
    else
        MH_CHECK(!(dirty & ~valid & ~coming));
    return mh_bits(dirty);
}

/* Each way has a frame of its own. */
static uint32_t check_set(const struct mh_gpu *g, uint32_t set)
{
    const struct mh_tags *state = &g->l2->sectors->state;
    uint64_t frames = 0;
    uint32_t dirty = 0;

    for (uint32_t w = 0; w < state->ways; w++) {
        frames |= 1ull << (mh_tags_set(state, set)[w] >> MH_L2_FRAME);
        dirty += check_way(g, set, w);
    }
    MH_CHECK(frames == ~0ull >> (64 - state->ways));
    return dirty;
}

/* Sectors on their way to the MSHR. Whoever waits there waits for some of them. */
static uint32_t check_asked(const struct mh_gpu *g, uint32_t bank, uint32_t mshr)
{
    const struct mh_l2 *l2 = g->l2;
    uint32_t coming = l2->sectors->asked[bank * l2->mshrs + mshr].sectors;

    MH_CHECK(mh_l2_mshr_used(l2, bank, mshr) == (coming != 0));
    check_mask(l2->sectors, coming);
    if (!coming)
        return 0;
    for (uint32_t r = l2->bank[bank].mshr[mshr].head; r != MH_NONE; r = g->req[r].next)
        MH_CHECK(l2->sectors->units[g->req[r].sectors] & coming);
    return mh_bits(coming);
}

void mh_l2_check_sectors(const struct mh_gpu *g)
{
    const struct mh_l2_sectors *s = g->l2->sectors;
    uint64_t coming = 0, dirty = 0;

    if (!s)
        return;
    for (uint32_t b = 0; b < g->l2->banks; b++)
        for (uint32_t m = 0; m < g->l2->mshrs; m++)
            coming += check_asked(g, b, m);
    for (uint32_t i = 0; i < s->state.sets; i++)
        dirty += check_set(g, i);
    MH_CHECK(s->asked_for - s->filled == coming);
    MH_CHECK(s->soiled - s->cleaned == dirty);
}

#endif
