/* TLB-fill tokens and the bypass cache (MASK sec. 5.2). Knobs are set as firmware does it. */
#include "unit/test.h"
#include "chain.h"

static void set_tokens(struct mh_gpu *g, uint32_t tenant, uint32_t tokens)
{
    script_knob(g, MH_REG_TOKENS + tenant * MH_REG_TOKENS_STRIDE, tokens);
}

static void finish(struct mh_gpu *g, uint32_t tenant)
{
    script_until(g, &g->tenant[tenant].count.completions, 1);
}

/* `warps` warps; warp w loads page base + w and ends. */
static struct script *page_per_warp(uint32_t warps, uint64_t base)
{
    struct script *s = script_paged(64, warps);
    for (uint32_t w = 0; w < warps; w++)
        script_add(s, 0, 0, w, op_load(in_page(base + w, 0)));
    return s;
}

static bool in_l2tlb(const struct mh_gpu *g, uint32_t tenant, uint64_t page)
{
    uint32_t key = mh_page_key(tenant, (uint32_t)(in_page(page, 0) / SCRIPT_PAGE));
    for (uint32_t i = 0; i < g->cfg.l2tlb.entries; i++)
        if (g->l2tlb->copy[0].tlb.key[i] == key)
            return true;
    return false;
}

/* With n tokens warps 0 .. n-1 fill the L2 TLB, the others the bypass cache. */
TEST(test_n_tokens)
{
    static const uint32_t tokens[] = {0, 1, 3, 8, 32};
    for (uint32_t i = 0; i < 5; i++) {
        struct mh_config cfg = script_config(1, 1);
        struct script *s = page_per_warp(8, 0);
        LOCAL_GPU(g) = script_gpu(&cfg, &s);
        set_tokens(g, 0, tokens[i]);
        finish(g, 0);
        uint32_t fill = tokens[i] < 8 ? tokens[i] : 8;
        assert_int_equal(g->tenant[0].count.walks, 8);
        assert_int_equal(g->tenant[0].count.l2tlb_fill, fill);
        assert_int_equal(g->tenant[0].count.bypass_fill, 8 - fill);
        for (uint32_t w = 0; w < 8; w++)
            assert_int_equal(in_l2tlb(g, 0, w), w < fill);
    }
}

/* Without a bypass cache there is nowhere else to go: tokens do nothing. */
TEST(test_no_bypass_cache)
{
    struct mh_config cfg = script_config(1, 1);
    cfg.l2tlb.bypass_entries = 0;
    struct script *s = page_per_warp(8, 0);
    LOCAL_GPU(g) = script_gpu(&cfg, &s);
    assert_int_equal(script_read(g, MH_REG_CAP_FEATURES) & MH_FEATURE_TOKENS, 0);
    set_tokens(g, 0, 0);
    finish(g, 0);
    assert_int_equal(g->tenant[0].count.l2tlb_fill, 8);
    assert_int_equal(g->tenant[0].count.bypass_fill, 0);
}

/* Warp 0 ends at once: the token goes to the lowest warp that is left. */
TEST(test_token_moves_on)
{
    struct mh_config cfg = script_config(1, 1);
    struct script *s = script_paged(64, 3);
    script_add(s, 0, 0, 1, op_after(100, op_load(in_page(1, 0))));
    script_add(s, 0, 0, 2, op_after(100, op_load(in_page(2, 0))));
    LOCAL_GPU(g) = script_gpu(&cfg, &s);
    set_tokens(g, 0, 1);
    finish(g, 0);
    assert_true(in_l2tlb(g, 0, 1));
    assert_false(in_l2tlb(g, 0, 2));
}

/* Two tenants on the same SM, warps 0..3 and 4..7: each has its own lowest warps and its own count of tokens. */
TEST(test_tenants_on_one_sm)
{
    struct mh_config cfg = script_config(2, 2);
    cfg.tenants[0].sm_first = cfg.tenants[1].sm_first = 1;
    cfg.tenants[0].sm_count = cfg.tenants[1].sm_count = 1;
    struct script *s[] = {page_per_warp(4, 0), page_per_warp(4, 0)};
    LOCAL_GPU(g) = script_gpu(&cfg, s);
    set_tokens(g, 0, 1);
    set_tokens(g, 1, 3);
    finish(g, 0);
    finish(g, 1);
    for (uint32_t w = 0; w < 4; w++) {
        assert_int_equal(in_l2tlb(g, 0, w), w < 1);
        assert_int_equal(in_l2tlb(g, 1, w), w < 3);
    }
}

/*
 * On one SM: warp 0 has the token and is busy with page 9; warp 1 misses page 5, and 50 cycles later, during that walk,
 * so does warp 0.
 */
static struct mh_gpu *late_token(uint32_t gap, struct script **s)
{
    struct mh_config cfg = script_config(1, 1);
    *s = script_paged(64, 2);
    script_ops(*s, 0, 0, 0, op_load(in_page(9, 0)), op_wait(op_load(in_page(5, 0))));
    script_add(*s, 0, 0, 1, gap ? op_after(gap, op_load(in_page(5, 128))) : op_exit());
    struct mh_gpu *g = script_gpu(&cfg, s);
    set_tokens(g, 0, 1);
    finish(g, 0);
    return g;
}

TEST(test_token_joins_a_walk)
{
    struct script *s;
    struct mh_gpu *g = late_token(0, &s);
    uint64_t alone = script_issued(s, 0, 0, 0, 1);
    mh_gpu_destroy(g);
    g = late_token((uint32_t)alone - 51, &s); /* warp 1 begins at cycle 1 */
    assert_int_equal(script_issued(s, 0, 0, 1, 0), alone - 50);
    assert_int_equal(script_issued(s, 0, 0, 0, 1), alone);
    assert_int_equal(g->tenant[0].count.walks, 2);
    assert_int_equal(g->tenant[0].count.l2tlb_fill, 2);
    assert_int_equal(g->tenant[0].count.bypass_fill, 0);
    mh_gpu_destroy(g);
}

/*
 * On two SMs: warp 1 of the first has no token, as warp 0 there is still busy (with page 9); warp 0 of the second has
 * one. Both miss page 5. Whichever comes first, one walk fills the L2 TLB.
 */
TEST(test_merged_walk_with_a_token)
{
    for (uint32_t first = 0; first < 2; first++) {
        struct mh_config cfg = script_config(2, 1);
        struct script *s = script_new();
        script_buffer(s, SCRIPT_BASE, 64 * SCRIPT_PAGE);
        script_launch(s, (struct mh_launch){.ctas = 2, .threads = 128});
        script_add(s, 0, 0, 0, op_load(in_page(9, 0)));
        script_add(s, 0, 0, 1, op_after(first ? 1 : 30, op_load(in_page(5, 0))));
        script_add(s, 0, 1, 0, op_after(first ? 30 : 1, op_load(in_page(5, 128))));
        LOCAL_GPU(g) = script_gpu(&cfg, &s);
        set_tokens(g, 0, 1);
        finish(g, 0);
        assert_int_equal(g->tenant[0].count.walks, 2);
        assert_int_equal(g->tenant[0].count.l2tlb_fill, 2);
        assert_int_equal(g->tenant[0].count.bypass_fill, 0);
    }
}

/* A hit in the bypass cache costs what a hit in the L2 TLB costs, and is counted apart. */
TEST(test_bypass_hit)
{
    for (uint32_t tokens = 0; tokens < 2; tokens++) {
        struct mh_config cfg = script_config(1, 1);
        struct script *s;
        const uint64_t addr[] = {in_page(0, 0), in_page(1, 128), in_page(0, 0), in_page(1, 128)};
        cfg.l1tlb.entries = 1;
        LOCAL_GPU(g) = chain_gpu(&cfg, 4, addr, &s);
        set_tokens(g, 0, tokens);
        chain_run(g);
        const struct mh_counters *c = &g->tenant[0].count;
        assert_int_equal(chain_cycles(s, 2), 1 + 1 + 8 + 10 + 8 + 2);
        assert_int_equal(chain_cycles(s, 3), 1 + 1 + 8 + 10 + 8 + 2);
        assert_int_equal(c->l2tlb_access, 4);
        assert_int_equal(c->l2tlb_hit, tokens ? 2 : 0);
        assert_int_equal(c->bypass_hit, tokens ? 0 : 2);
        assert_int_equal(c->walks, 2);
    }
}

/*
 * 32 entries, LRU: pages 0 .. 31 fill it, page 0 is used again, page 32 replaces page 1. Of 0, 31 and 1 only the last
 * one walks.
 */
TEST(test_bypass_capacity)
{
    struct mh_config cfg;
    struct script *s;
    uint64_t addr[37];
    for (uint32_t i = 0; i < 37; i++)
        addr[i] = in_page(i < 32 ? i : (uint32_t[]){0, 32, 0, 31, 1}[i - 32], 128 * (i % 32));
    cfg = script_config(1, 1);
    assert_int_equal(cfg.l2tlb.bypass_entries, 32);
    cfg.l1tlb.entries = 1;
    LOCAL_GPU(g) = chain_gpu(&cfg, 37, addr, &s);
    set_tokens(g, 0, 0);
    while (script_issued(s, 0, 0, 0, 36) == SCRIPT_NEVER)
        mh_gpu_advance(g, mh_gpu_now(g) + 1);
    const struct mh_counters *c = &g->tenant[0].count;
    assert_int_equal(c->walks, 33);
    assert_int_equal(c->bypass_hit, 3);
    chain_run(g);
    assert_int_equal(c->walks, 34);
    assert_int_equal(c->bypass_fill, 34);
    assert_int_equal(c->l2tlb_fill, 0);
}

/* A token counts at the issue of the instruction: a COMMIT acts from its own cycle on. */
TEST(test_commit_acts_at_its_cycle)
{
    struct mh_config cfg = script_config(1, 1);
    struct script *s = script_paged(64, 1);
    script_add(s, 0, 0, 0, op_after(50, op_load(in_page(1, 0))));
    script_add(s, 0, 0, 0, op_after(50, op_load(in_page(2, 0)))); /* issues at 50 + 1 + 50 */
    LOCAL_GPU(g) = script_gpu(&cfg, &s);
    mh_gpu_advance(g, 100);
    set_tokens(g, 0, 0);
    finish(g, 0);
    assert_int_equal(script_issued(s, 0, 0, 0, 1), 101);
    assert_true(in_l2tlb(g, 0, 1));
    assert_false(in_l2tlb(g, 0, 2));
}

/* Each warp of `ctas` CTAs loads a page of its own, and ends when its walk does. */
static struct script *page_each(uint32_t ctas, uint32_t warps)
{
    struct script *s = script_new();
    script_buffer(s, SCRIPT_BASE, 64 * SCRIPT_PAGE);
    script_launch(s, (struct mh_launch){.ctas = ctas, .threads = 64 * warps});
    for (uint32_t cta = 0; cta < ctas; cta++)
        for (uint32_t w = 0; w < warps; w++)
            script_add(s, 0, cta, w, op_load(in_page(cta * warps + w, 0)));
    return s;
}

/* Sum over the SMs of the tokens that a tenant's warps can hold there: no more than it has warps. */
static uint32_t tokens_held(const struct mh_gpu *g, uint32_t tenant, uint32_t tokens)
{
    uint32_t held = 0;
    for (uint32_t i = 0; i < g->cfg.sm.count; i++) {
        uint32_t warps = mh_bits(g->sm[i].tenant_warps[tenant]);
        held += warps < tokens ? warps : tokens;
    }
    return held;
}

/* However many tenants share however many SMs: what fills the L2 TLB is the sum of the tokens that are held. */
TEST(test_sum_of_tokens)
{
    uint64_t rng = 1;
    uint32_t bypassed = 0;
    for (uint32_t round = 0; round < 60; round++) {
        struct mh_config cfg = script_config(pick(&rng, 2, 5), 2);
        struct script *s[2];
        uint32_t tokens[2], all[2];
        script_share_sms(&cfg);
        cfg.sm.lsu_queue = cfg.sm.warps; /* no warp issues late, when others have handed on their tokens */
        for (uint32_t t = 0; t < 2; t++) {
            uint32_t ctas = pick(&rng, 1, 8), warps = pick(&rng, 1, 4);
            s[t] = page_each(ctas, warps);
            all[t] = ctas * warps;
            tokens[t] = pick(&rng, 0, 5);
        }
        LOCAL_GPU(g) = script_gpu(&cfg, s);
        for (uint32_t t = 0; t < 2; t++)
            set_tokens(g, t, tokens[t]);
        mh_gpu_advance(g, 40); /* all are placed and have issued, none has ended */
        uint32_t held[] = {tokens_held(g, 0, tokens[0]), tokens_held(g, 1, tokens[1])};
        for (uint32_t t = 0; t < 2; t++) {
            finish(g, t);
            assert_int_equal(g->tenant[t].count.walks, all[t]);
            assert_int_equal(g->tenant[t].count.l2tlb_fill, held[t]);
            assert_int_equal(g->tenant[t].count.bypass_fill, all[t] - held[t]);
            bypassed += all[t] - held[t];
        }
    }
    assert_true(bypassed > 100);
}
