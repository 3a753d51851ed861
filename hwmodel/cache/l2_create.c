#include "cache/l2_bank.h"
#include "cache/l2.h"
#include "engine/gpu.h"
#include "engine/arith.h"
#include "engine/bytes.h"
#include "pages/page_table.h"

static int init_bank(struct mh_l2 *l2, struct mh_l2_bank *b, const struct mh_config *cfg)
{
    b->mshr = calloc(l2->mshrs, sizeof *b->mshr);
    if (!b->mshr)
        return -1;
    for (uint32_t i = 0; i < l2->mshrs; i++)
        b->mshr[i].next_free = i + 1 < l2->mshrs ? i + 1 : MH_NONE;
    /* Whatever is stalled has a credit of the bank, or is a walker's only read: there are so many of them. */
    return mh_index_init(&b->index, l2->mshrs) || mh_ring_init(&b->stalled, mh_config_bank_places(cfg)) ||
           (cfg->l2.bypass_wires && mh_ring_init(&b->passing, mh_config_walkers(cfg) * mh_config_walk_sets(cfg)));
}

/* The cache and requests past it share the MSHRs of a bank, in any proportion: each index has room for all. */
static int init_bypass(struct mh_l2 *l2, const struct mh_config *cfg)
{
    l2->sample = cfg->l2.sample;
    l2->bypass = calloc(l2->banks, sizeof *l2->bypass);
    for (uint32_t b = 0; l2->bypass && b < l2->banks; b++)
        if (mh_index_init(&l2->bypass[b], l2->mshrs))
            return -1;
    return l2->bypass ? 0 : -1;
}

static int init(struct mh_gpu *g)
{
    const struct mh_config *cfg = &g->cfg;
    struct mh_l2 *l2 = g->l2;

    l2->by_mshrs = mh_divisor(cfg->l2.mshrs);
    l2->banks = cfg->l2.banks;
    mh_interleave_tenants(l2->interleave, cfg);
    l2->sets = cfg->l2.bytes / l2->banks / cfg->l2.ways / cfg->memory.line_bytes;
    l2->index = mh_sets(l2->sets, MH_SETS_FOLD);
    l2->wide = mh_tag_aliases(cfg->memory.bytes / cfg->memory.line_bytes) > 1;
    l2->apart = l2->wide || cfg->l2.sector_bytes;
    l2->ports = cfg->l2.ports;
    l2->clock = mh_clock(cfg->clock.noc_hz, cfg->clock.gpu_hz);
    l2->answers = cfg->l1d.store_buffer || cfg->l2.atomics == MH_ATOMICS_BANK;
    l2->bypass_wires = cfg->l2.bypass_wires && cfg->noc.queues != MH_QUEUES_INPUT;
    l2->latency = cfg->l2.latency;
    l2->through = cfg->l2.stores == MH_STORES_THROUGH;
    l2->partition = cfg->l2.partition;
    l2->mshrs = cfg->l2.mshrs;
    l2->bank = mh_aligned_zeros(l2->banks * sizeof *l2->bank);
    for (uint32_t b = 0; l2->bank && b < l2->banks; b++)
        if (init_bank(l2, &l2->bank[b], cfg))
            return -1;
    return !l2->bank || mh_tags_init(&l2->tags, l2->banks * l2->sets, cfg->l2.ways) || init_bypass(l2, cfg) ||
                   mh_l2_sectors_init(l2, cfg) || mh_l2_atomics_init(l2, cfg) || mh_l2_copies_init(l2, cfg)
               ? -1
               : 0;
}

/* With dram.partition the bank says whose line it is, and so which of its banks' lines. */
uint32_t mh_l2_wide_line(const struct mh_l2 *l2, const uint32_t *set, uint32_t entry)
{
    const uint32_t number = mh_tags_number(&l2->tags, set), bank = number / l2->sets, tag = entry >> MH_TAG_BITS;
    const struct mh_interleave *x = l2->interleave;

    while (bank - x->first >= x->banks.by)
        x++;
    return mh_set_wide_line(&l2->index, number % l2->sets, mh_set_folded(&l2->index, mh_interleave_local(x, tag)), tag);
}

static void free_all(struct mh_gpu *g)
{
    struct mh_l2 *l2 = g->l2;

    for (uint32_t b = 0; l2->bank && b < l2->banks; b++) {
        mh_index_free(&l2->bank[b].index);
        mh_ring_free(&l2->bank[b].stalled);
        mh_ring_free(&l2->bank[b].passing);
        free(l2->bank[b].mshr);
    }
    for (uint32_t b = 0; l2->bypass && b < l2->banks; b++)
        mh_index_free(&l2->bypass[b]);
    free(l2->bypass);
    free(l2->bank);
    mh_tags_free(&l2->tags);
    mh_l2_sectors_free(l2);
    mh_l2_atomics_free(l2);
    mh_l2_copies_free(l2);
}

const struct mh_block mh_block_l2 = {MH_BLOCK_STATE(l2, 1), .init = init, .free = free_all, .check = mh_l2_check,
                                     .oldest = mh_l2_oldest};

#ifdef MH_DEBUG

uint32_t mh_l2_waiting(const struct mh_gpu *g, uint32_t bank)
{
    uint32_t n = mh_l2_atomics_waiting(g->l2, bank);

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
            lines[mh_line_tenant(g, mh_l2_line(g->l2, set, set[w]))]++;
        for (uint32_t t = 0; t < g->tenants; t++)
            MH_CHECK(lines[t] <= mh_config_part(tags->ways, g->tenants, t));
    }
}

void mh_l2_check(const struct mh_gpu *g)
{
    for (uint32_t b = 0; b < g->l2->banks; b++) {
        MH_CHECK(g->l2->stops[b] == (g->l2->bank[b].stalled.count || mh_l2_forwarded_waits(g->l2, b)));
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
    int mshr = mh_index_find(&l2->bank[set / l2->sets].index, mh_l2_line(l2, mh_tags_set(&l2->tags, set), tag));

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

/* Sectors on their way to the MSHR. Every request that waits there needs one of them. */
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
