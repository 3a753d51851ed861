/* invariants: of the debug build alone */
/* A debug build stops when something is translated to a frame that is not its own, wherever that comes from. */
#include "unit/test.h"
#include "broken_gpu.h"

/*
 * Tenant 0 loads page 0 and page 1, and page 0 again long after the fault. TLBs of one entry forget page 0 meanwhile:
 * the other tenant's frames are there to be mistaken for its own.
 */
static struct mh_gpu *reader_gpu(const struct mh_config *cfg)
{
    struct script *s[2];
    for (uint32_t t = 0; t < 2; t++) {
        s[t] = script_paged(256, 1);
    }
    script_ops(s[0], 0, 0, 0, op_load(in_page(0, 0)), op_wait(op_load(in_page(1, 0))),
               op_after(2 * FAULT_AT, op_wait(op_load(in_page(0, 0)))));
    return script_gpu(cfg, s);
}

static struct mh_gpu *reads_by_l1tlb(void)
{
    struct mh_config cfg = shared_config(2);
    return reader_gpu(&cfg);
}

static struct mh_gpu *reads_by_l2tlb(void)
{
    struct mh_config cfg = shared_config(2);
    cfg.l1tlb.entries = 1;
    return reader_gpu(&cfg);
}

static struct mh_gpu *reads_by_iommu(void)
{
    struct mh_config cfg = shared_config(2);
    cfg.l1tlb.entries = cfg.l2tlb.entries = cfg.l2tlb.ways = 1;
    cfg.l2tlb.bypass_entries = 0;
    cfg.iommu.l1_entries = 1;
    cfg.iommu.l2_entries = 16;
    cfg.iommu.l2_ways = 16;
    return reader_gpu(&cfg);
}

/* No warp has a token: walks fill the bypass cache. */
static struct mh_gpu *reads_by_bypass(void)
{
    struct mh_config cfg = shared_config(2);
    cfg.l1tlb.entries = 1;
    struct mh_gpu *g = reader_gpu(&cfg);
    script_knob(g, MH_REG_TOKENS, 0);
    return g;
}

static struct mh_gpu *reads_by_iommu_l1(void)
{
    struct mh_config cfg = shared_config(2);
    cfg.l1tlb.entries = cfg.l2tlb.entries = cfg.l2tlb.ways = 1;
    cfg.l2tlb.bypass_entries = 0;
    cfg.iommu.l1_entries = 2;
    return reader_gpu(&cfg);
}

static struct mh_gpu *reads_by_walk(void)
{
    struct mh_config cfg = shared_config(2);
    cfg.l1tlb.entries = cfg.l2tlb.entries = cfg.l2tlb.ways = 1;
    cfg.l2tlb.bypass_entries = 0;
    return reader_gpu(&cfg);
}

/* The last load finds page 0 just where the fault will be. */
TEST(test_readers_find_it_there)
{
    static const struct {
        running *start;
        uint64_t l1, l2, bypass, iommu_l1, iommu_l2, walks;
    } rows[] = {{reads_by_l1tlb, 1, 0, 0, 0, 0, 2},    {reads_by_l2tlb, 0, 1, 0, 0, 0, 2},
                {reads_by_bypass, 0, 0, 1, 0, 0, 2},   {reads_by_iommu, 0, 0, 0, 0, 1, 2},
                {reads_by_iommu_l1, 0, 0, 0, 1, 0, 2}, {reads_by_walk, 0, 0, 0, 0, 0, 3}};
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        LOCAL_GPU(g) = rows[i].start();
        const struct mh_counters *c = &g->tenant[0].count;
        mh_gpu_advance(g, FAULT_AT);
        assert_int_equal(c->l1d_access, 2);
        script_assert_idle(g);
        mh_gpu_advance(g, 5 * FAULT_AT);
        assert_int_equal(c->l1d_access, 3);
        assert_int_equal(c->l1tlb_hit, rows[i].l1);
        assert_int_equal(c->l2tlb_hit, rows[i].l2);
        assert_int_equal(c->bypass_hit, rows[i].bypass);
        assert_int_equal(c->iommu_l1_hit, rows[i].iommu_l1);
        assert_int_equal(c->iommu_l2_hit, rows[i].iommu_l2);
        assert_int_equal(c->walks, rows[i].walks);
    }
}

/* All L1 TLB entries of the tenant lead to frames of the other one. */
static void foreign_l1tlb(struct mh_gpu *g)
{
    struct mh_assoc *a = &g->sm[0].tlb;
    for (uint32_t i = 0; i < mh_assoc_used(a); i++)
        a->entry[i].ppn = script_line(g, !(a->entry[i].key >> 27), in_page(0, 0)) / 32;
}

static void foreign_l2tlb(struct mh_gpu *g)
{
    for (uint32_t i = 0; i < g->cfg.l2tlb.entries; i++)
        g->l2tlb->copy[0].tlb.ppn[i] = script_line(g, !(g->l2tlb->copy[0].tlb.key[i] >> 27), in_page(0, 0)) / 32;
}

static void foreign_bypass(struct mh_gpu *g)
{
    struct mh_assoc *a = &g->l2tlb->copy[0].bypass;
    for (uint32_t i = 0; i < mh_assoc_used(a); i++)
        a->entry[i].ppn = script_line(g, !(a->entry[i].key >> 27), in_page(0, 0)) / 32;
}

static void foreign_iommu_l1(struct mh_gpu *g)
{
    for (uint32_t i = 0; i < mh_assoc_used(&g->iommu->l1); i++)
        g->iommu->l1.entry[i].ppn = script_line(g, !(g->iommu->l1.entry[i].key >> 27), in_page(0, 0)) / 32;
}

static void foreign_iommu(struct mh_gpu *g)
{
    for (uint32_t i = 0; i < g->cfg.iommu.l2_entries; i++)
        g->iommu->l2.ppn[i] = script_line(g, !(g->iommu->l2.key[i] >> 27), in_page(0, 0)) / 32;
}

/* The page tables of one tenant hold the other's frames. */
static void foreign_page_table(struct mh_gpu *g)
{
    for (uint32_t page = 0; page < 256; page++)
        g->pages->owner[script_line(g, 0, in_page(page, 0)) / 32] = 2;
}

/* A page table entry of tenant 0 leads to the other's frame, as if written into the wrong table. */
static void foreign_entry(struct mh_gpu *g)
{
    uint32_t vpn = (uint32_t)(in_page(0, 0) / SCRIPT_PAGE), leaf = g->pages->levels;
    uint32_t node = mh_pt_at(g->pages, g->tenant[0].page_root, vpn, leaf);
    g->pages->node[node].entry[mh_pt_index(g->pages, vpn, leaf)] = MH_PT_PAGE | script_line(g, 1, in_page(0, 0)) / 32;
}

/* A walk that has read its first entry goes on in the other's page table. */
static void foreign_walk(struct mh_gpu *g)
{
    struct mh_walk *w = g->l2tlb->walk;
    while (!w->runs || w->depth < 2)
        mh_gpu_advance(g, mh_gpu_now(g) + 1);
    w->node = mh_pt_at(g->pages, g->tenant[1].page_root, w->vpn, w->depth);
}

/* The entry is the tenant's own, of another page. */
static void other_page_l1tlb(struct mh_gpu *g)
{
    struct mh_assoc *a = &g->sm[0].tlb;
    for (uint32_t i = 0; i < mh_assoc_used(a); i++)
        a->entry[i].ppn = script_line(g, 0, in_page(9, 0)) / 32;
}

/* Beyond the end of memory. */
static void no_frame_l1tlb(struct mh_gpu *g)
{
    for (uint32_t i = 0; i < mh_assoc_used(&g->sm[0].tlb); i++)
        g->sm[0].tlb.entry[i].ppn = 1u << g->pages->frame_bits;
}

/* Pages have moved, and what they left is free, but no TLB was told. */
static void untold_move(struct mh_gpu *g)
{
    for (uint32_t page = 0; page < 16; page++)
        (void)mh_gpu_remap(g, 0, (uint32_t)(in_page(page, 0) / SCRIPT_PAGE));
    mh_pt_free_left(g->pages, g->tenant[0].asid);
}

/* Pages have moved, and the TLBs were told. */
static void told_move(struct mh_gpu *g)
{
    for (uint32_t page = 0; page < 16; page++)
        (void)mh_gpu_remap(g, 0, (uint32_t)(in_page(page, 0) / SCRIPT_PAGE));
    script_write(g, MH_REG_PTE_CHANGED, 0);
}

static const char to_frame[] = "translates virtual page 0x100000 to frame 0x";

static const struct {
    running *start;
    fault *break_it;
    const char *does, *owner;
} faults[] = {
    {reads_by_l1tlb, foreign_l1tlb, to_frame, "which is tenant 1's (asid 2); its page"},
    {reads_by_l1tlb, foreign_page_table, to_frame, "which is tenant 1's (asid 2)"},
    {reads_by_l1tlb, other_page_l1tlb, to_frame, "which is its own; its page table"},
    {reads_by_l1tlb, no_frame_l1tlb, to_frame, "which memory does not have; its page"},
    {reads_by_l2tlb, foreign_l2tlb, to_frame, "which is tenant 1's (asid 2)"},
    {reads_by_bypass, foreign_bypass, to_frame, "which is tenant 1's (asid 2)"},
    {reads_by_iommu, foreign_iommu, to_frame, "which is tenant 1's (asid 2)"},
    {reads_by_iommu_l1, foreign_iommu_l1, to_frame, "which is tenant 1's (asid 2)"},
    {reads_by_walk, foreign_entry, to_frame, "which is tenant 1's (asid 2)"},
    {reads_by_walk, foreign_walk, "walks at depth 3 to virtual page 0x100000 in frame 0x",
     "which is tenant 1's (asid 2)"},
};

/* Wherever the translation comes from, it is found when it is used, and the message says whose the frame is. */
TEST(test_foreign_translations_are_found)
{
    for (uint32_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        assert_false(child_aborts(faults[i].start, no_fault));
        assert_string_equal(said, "");
        assert_true(child_aborts(faults[i].start, faults[i].break_it));
        if (!strstr(said, "tenant 0 (asid 1)") || !strstr(said, faults[i].does) || !strstr(said, faults[i].owner))
            fail_msg("fault %u says: %s", i, said);
    }
}

TEST(test_stale_translations_are_found)
{
    static running *const readers[] = {reads_by_l1tlb, reads_by_l2tlb, reads_by_iommu};
    for (uint32_t i = 0; i < 3; i++) {
        assert_true(child_aborts(readers[i], untold_move));
        assert_non_null(strstr(said, "which is its own and was freed; its page table says frame 0x"));
        assert_false(child_aborts(readers[i], told_move));
    }
}
