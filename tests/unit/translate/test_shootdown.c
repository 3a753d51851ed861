/*
 * PTE_CHANGED: pages move to other frames while loads, stores, walks and answers are under way, at every phase of them.
 * A use of the old frame after the shootdown ends the program (MH_CHECK: the frame is freed by then).
 */
#include "unit/test.h"
#include "chain.h"

enum { PAGES = 8 };

static uint32_t vpn_of(uint32_t page)
{
    return (uint32_t)(in_page(page, 0) / SCRIPT_PAGE);
}

static void move_pages(struct mh_gpu *g, uint32_t tenant)
{
    for (uint32_t page = 0; page < PAGES; page++)
        assert_int_equal(mh_gpu_remap(g, tenant, vpn_of(page)), 0);
}

/* One load of the same line every 2000 cycles. */
static bool same_line(void *ctx, const struct mh_cursor *c, uint64_t i, struct mh_op *op, uint64_t *addr)
{
    (void)ctx, (void)c, (void)addr;
    *op = op_wait(op_after(i ? 1999 : 0, op_load(in_page(3, 0))));
    return true;
}

static struct mh_gpu *same_line_gpu(struct mh_config *cfg)
{
    struct script *s = script_paged(CHAIN_PAGES, 1);
    script_generate(s, same_line, NULL);
    return script_gpu(cfg, &s);
}

/* The old frame, and its line in the L1D, until PTE_CHANGED; then a walk, the new frame, a line not cached. */
TEST(test_old_frame_until_told)
{
    struct mh_config cfg = script_config(1, 1);
    LOCAL_GPU(g) = same_line_gpu(&cfg);
    const struct mh_counters *c = &g->tenant[0].count;
    mh_gpu_advance(g, 1500);
    uint32_t old = script_line(g, 0, in_page(3, 0)) / 32;
    move_pages(g, 0);
    uint32_t new = script_line(g, 0, in_page(3, 0)) / 32;
    assert_int_not_equal(new, old);
    mh_gpu_advance(g, 3500);
    assert_int_equal(c->l1tlb_hit, 1);
    assert_int_equal(c->l1d_hit, 1);
    assert_int_equal(c->walks, 1);
    assert_int_equal(g->pages->state[old], MH_PT_LEFT);
    script_write(g, MH_REG_PTE_CHANGED, 0);
    assert_int_equal(g->pages->state[old], MH_PT_FREED);
    assert_int_equal(mh_assoc_used(&g->sm[0].tlb), 0);
    mh_gpu_advance(g, 5500);
    assert_int_equal(c->l1tlb_access, 3);
    assert_int_equal(c->l1tlb_hit, 1);
    assert_int_equal(c->l2tlb_hit + c->bypass_hit, 0);
    assert_int_equal(c->l1d_hit, 1);
    assert_int_equal(c->walks, 2);
    assert_int_equal(g->sm[0].tlb.entry[0].ppn, new);
}

TEST(test_remap_fails)
{
    struct mh_config cfg = script_config(1, 1);
    cfg.memory.bytes = 16 << 20, cfg.dram.row_bytes = 256; /* 512 frames of 4 KiB for an address space */
    struct script *s = script_paged(500, 1);
    LOCAL_GPU(g) = script_gpu(&cfg, &s);
    assert_int_equal(mh_gpu_remap(g, 0, vpn_of(500)), -1);      /* beside the buffer */
    assert_int_equal(mh_gpu_remap(g, 0, vpn_of(0) + 9999), -1); /* under no node */
    for (uint32_t i = 0; i < 512 - 500 - 4; i++)
        assert_int_equal(mh_gpu_remap(g, 0, vpn_of(i)), 0);
    uint32_t line = script_line(g, 0, in_page(0, 0));
    assert_int_equal(mh_gpu_remap(g, 0, vpn_of(0)), -1);
    assert_int_equal(script_line(g, 0, in_page(0, 0)), line);
}

/*
 * A walk of four reads, 27 each when the L2 has their lines, is told in the middle: it waits for the read that it has
 * asked for, and begins again. The load takes n reads more.
 */
static uint64_t walk_told_at(uint64_t after)
{
    struct mh_config cfg = script_config(1, 1);
    cfg.l1tlb.entries = 1;
    cfg.l2tlb.entries = cfg.l2tlb.ways = 1;
    cfg.l2tlb.bypass_entries = 0;
    struct script *s;
    /* Page 1's table lines are there after page 0's, and its line after the second load. */
    const uint64_t addr[] = {in_page(0, 0), in_page(1, 128), in_page(0, 0), in_page(1, 128)};
    LOCAL_GPU(g) = chain_gpu(&cfg, 4, addr, &s);
    while (script_issued(s, 0, 0, 0, 3) == SCRIPT_NEVER)
        mh_gpu_advance(g, mh_gpu_now(g) + 1);
    if (after)
        mh_gpu_advance(g, mh_gpu_now(g) + after);
    if (after)
        script_write(g, MH_REG_PTE_CHANGED, 0);
    chain_run(g);
    uint64_t cycles = chain_cycles(s, 3);
    return cycles;
}

/* The first read is asked for 20 cycles after the issue (LSU 1, L1 TLB 1, wire 8, L2 TLB 10), the others 27 apart. */
TEST(test_walks_start_again)
{
    uint64_t plain = walk_told_at(0);
    assert_int_equal(plain, 1 + 1 + 8 + 10 + 4 * 27 + 8 + 2);
    assert_int_equal(walk_told_at(5), plain);       /* on its way to the L2 TLB */
    assert_int_equal(walk_told_at(19), plain);      /* in the look-up */
    assert_int_equal(walk_told_at(20), plain + 27); /* first read, */
    assert_int_equal(walk_told_at(46), plain + 27);
    assert_int_equal(walk_told_at(47), plain + 2 * 27); /* second, */
    assert_int_equal(walk_told_at(127), plain + 4 * 27);
    assert_int_equal(walk_told_at(128), plain + 1 + 8 + 10 + 4 * 27 + 8); /* the answer on its way: all again */
}

/* The page walk cache is empty, too: four reads, where one would do. */
TEST(test_page_walk_cache)
{
    struct mh_config cfg = script_config(1, 1);
    cfg.walk.pwc_bytes = 1024;
    LOCAL_GPU(g) = same_line_gpu(&cfg);
    const struct mh_counters *c = &g->tenant[0].count;
    mh_gpu_advance(g, 1500);
    script_write(g, MH_REG_TLB_FLUSH, 0);
    mh_gpu_advance(g, 3500);
    assert_int_equal(c->pte1_access, 1);
    assert_int_equal(c->pte4_access, 2);
    script_write(g, MH_REG_PTE_CHANGED, 0);
    mh_gpu_advance(g, 5500);
    assert_int_equal(c->pte1_access, 2);
    assert_int_equal(c->pte4_access, 3);
}

/* Two pages in turn, a load every 2000 cycles. */
static bool two_pages(void *ctx, const struct mh_cursor *c, uint64_t i, struct mh_op *op, uint64_t *addr)
{
    (void)ctx, (void)c, (void)addr;
    *op = op_wait(op_after(i ? 1999 : 0, op_load(in_page(i % 2, 0))));
    return true;
}

/* Each of two tenants, on an SM of its own, with room for one page in the L1 TLB: every load asks further. */
static struct mh_gpu *two_tenants(bool private, uint32_t tokens)
{
    struct mh_config cfg = script_config(2, 2);
    struct script *s[2];
    cfg.l1tlb.entries = 1;
    cfg.l2tlb.private = private;
    for (uint32_t t = 0; t < 2; t++) {
        s[t] = script_paged(PAGES, 1);
        script_generate(s[t], two_pages, NULL);
    }
    struct mh_gpu *g = script_gpu(&cfg, s);
    script_write(g, MH_REG_TOKENS + MH_REG_TOKENS_STRIDE, tokens);
    script_write(g, MH_REG_COMMIT, 1);
    return g;
}

/*
 * Of six loads of tenant 1 two walk. Tenant 0's page table changes: of four more, two walk again, unless they found the
 * translations in a TLB of their own. What is in the L1 TLB stays.
 */
static void check_others(bool private, uint32_t tokens, uint64_t walks)
{
    LOCAL_GPU(g) = two_tenants(private, tokens);
    const struct mh_counters *c = &g->tenant[1].count;
    mh_gpu_advance(g, 11900);
    assert_int_equal(c->l2tlb_access, 6);
    assert_int_equal(c->walks, 2);
    assert_int_equal(tokens ? c->l2tlb_hit : c->bypass_hit, 4);
    script_write(g, MH_REG_PTE_CHANGED, 0);
    assert_int_equal(mh_assoc_used(&g->sm[0].tlb), 0);
    assert_int_equal(mh_assoc_used(&g->sm[1].tlb), 1);
    mh_gpu_advance(g, 19900);
    assert_int_equal(c->l2tlb_access, 10);
    assert_int_equal(c->walks, walks);
    assert_int_equal(tokens ? c->l2tlb_hit : c->bypass_hit, 10 - walks);
}

TEST(test_shared_ones_are_emptied)
{
    check_others(false, 1, 4);
    check_others(false, 0, 4); /* in the bypass cache */
    check_others(true, 1, 2);
    check_others(true, 0, 2);
}

/* Eight lines of each of the pages, in turn as loads, stores and atomics. */
static bool all_pages(void *ctx, const struct mh_cursor *c, uint64_t i, struct mh_op *op, uint64_t *addr)
{
    static const enum mh_op_kind kinds[] = {MH_OP_LOAD, MH_OP_STORE, MH_OP_LOAD, MH_OP_ATOMIC};
    *op = op_lanes(kinds[(i + c->warp) % 4], 4, UINT64_MAX, 0, 0);
    op->list = true;
    op->wait = 1;
    op->gap = i % 3 * 20;
    for (uint32_t l = 0; l < MH_MAX_LANES; l++)
        addr[l] = in_page(l / 8, (l % 8 + i % 4 * 8) * MH_LINE_BYTES);
    return true;
}

static void assert_clean(const struct mh_assoc *a, uint32_t tenant)
{
    for (uint32_t i = 0; i < mh_assoc_used(a); i++)
        assert_int_not_equal(mh_tenant_of_key(a->entry[i].key), tenant);
}

static uint32_t count_tlb(const struct mh_tlb *t, uint32_t tenant)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < t->sets * t->stride; i++)
        n += t->key[i] != MH_TLB_EMPTY && mh_tenant_of_key(t->key[i]) == tenant;
    return n;
}

static void assert_flushed(const struct mh_gpu *g, uint32_t tenant)
{
    for (uint32_t s = 0; s < g->cfg.sm.count; s++)
        assert_clean(&g->sm[s].tlb, tenant);
    assert_clean(&g->iommu->l1, tenant);
    assert_int_equal(count_tlb(&g->iommu->l2, tenant), 0);
    assert_int_equal(mh_assoc_used(&g->l2tlb->copy[0].bypass), 0);
    for (uint32_t t = 0; t < g->tenants; t++)
        assert_int_equal(count_tlb(&g->l2tlb->copy[0].tlb, t), 0);
}

static uint32_t assert_current(const struct mh_gpu *g, const struct mh_assoc *a)
{
    for (uint32_t i = 0; i < mh_assoc_used(a); i++)
        assert_int_equal(a->entry[i].ppn,
                         mh_pt_translate(g->pages, g->tenant[mh_tenant_of_key(a->entry[i].key)].page_root,
                                         mh_page_of_key(a->entry[i].key)));
    return mh_assoc_used(a);
}

/* Tenant 0 is told again and again; tenant 1, on the same SMs, keeps what it has in L1 TLBs and IOMMU. */
static void every_phase(struct mh_config *cfg, uint64_t period, uint32_t rounds)
{
    struct script *s[2];
    uint64_t kept = 0, lost = 0;
    script_share_sms(cfg);
    for (uint32_t t = 0; t < 2; t++) {
        cfg->tenants[t].leave = period * (rounds + 1);
        s[t] = script_new();
        script_buffer(s[t], SCRIPT_BASE, PAGES * SCRIPT_PAGE);
        script_launch(s[t], (struct mh_launch){.ctas = 2, .threads = 2 * cfg->sm.lanes});
        script_generate(s[t], all_pages, NULL);
    }
    struct mh_gpu *g = script_gpu(cfg, s);
    for (uint32_t i = 1; i <= rounds; i++) {
        mh_gpu_advance(g, period * i);
        for (uint32_t sm = 0; sm < 2; sm++)
            kept += assert_current(g, &g->sm[sm].tlb);
        lost += count_tlb(&g->l2tlb->copy[0].tlb, 1);
        uint32_t iommu = count_tlb(&g->iommu->l2, 1);
        move_pages(g, 0);
        script_write(g, MH_REG_PTE_CHANGED, 0);
        assert_flushed(g, 0);
        assert_int_equal(count_tlb(&g->iommu->l2, 1), iommu);
        mh_gpu_check(g);
    }
    assert_true(kept > rounds);
    assert_true(lost > 0);
    assert_true(g->tenant[0].count.mem_instr > rounds);
    mh_gpu_advance(g, period * (rounds + 100));
    script_end(g);
}

TEST(test_every_phase)
{
    struct mh_config cfg = script_config(2, 2);
    every_phase(&cfg, 701, 500);
    cfg.walk.pwc_bytes = 1024;
    every_phase(&cfg, 501, 400);
    cfg.l2tlb.mshrs = 4, cfg.walk.walkers = 2, cfg.l1tlb.mshrs = 2, cfg.l1d.mshrs = 2; /* stalls everywhere */
    every_phase(&cfg, 2503, 150);
    cfg.iommu = (struct mh_iommu_cfg){
        .latency = 30, .l1_entries = 4, .l1_latency = 1, .l2_entries = 8, .l2_ways = 2, .l2_latency = 5};
    every_phase(&cfg, 4001, 100);
    cfg.l1tlb.mshrs = 32, cfg.l2tlb.mshrs = 128;
    every_phase(&cfg, 1501, 200);
    cfg.l1tlb.entries = 4; /* of 16 pages: the L2 TLB is in use all the time */
    every_phase(&cfg, 1501, 200);
}

TEST_GROUP(.slow = true);
