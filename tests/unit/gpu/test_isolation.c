/* Nothing is translated across address spaces. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "shared_sms.h"

/* A translation belongs to the tenant of its key and is the one that the page table holds. */
static uint32_t check_translation(const struct mh_gpu *g, uint32_t key, uint32_t ppn)
{
    uint32_t tenant = key >> 27, vpn = key & ((1u << 27) - 1);
    assert_true(tenant < g->tenants);
    assert_int_equal(g->pages->owner[ppn], g->tenant[tenant].asid);
    assert_int_equal(script_line(g, tenant, (uint64_t)vpn * SCRIPT_PAGE), ppn * 32);
    return 1;
}

static uint32_t check_assoc(const struct mh_gpu *g, const struct mh_assoc *a)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < mh_assoc_used(a); i++)
        n += check_translation(g, a->entry[i].key, a->entry[i].ppn);
    return n;
}

/* Four tenants, few warps with tokens: all TLBs are full of everybody's pages, again and again. */
static void test_every_entry_belongs_to_its_tenant(void **state)
{
    (void)state;
    struct mh_config cfg;
    struct mix mix[4];
    shared_config(&cfg, 4);
    cfg.l2tlb.entries = 64;
    struct mh_gpu *g = mixed_gpu(&cfg, mix);
    for (uint32_t t = 0; t < 4; t++)
        script_write(g, MH_REG_TOKENS + t * MH_REG_TOKENS_STRIDE, t);
    script_commit(g);
    uint32_t l1 = 0, l2 = 0, bypass = 0;
    for (uint32_t round = 1; round <= 20; round++) {
        mh_gpu_advance(g, round * 1500);
        for (uint32_t i = 0; i < 2; i++)
            l1 += check_assoc(g, &g->sm[i].tlb);
        bypass += check_assoc(g, &g->l2tlb->copy[0].bypass);
        for (uint32_t i = 0; i < cfg.l2tlb.entries; i++)
            l2 += g->l2tlb->copy[0].tlb.key[i] != UINT32_MAX &&
                  check_translation(g, g->l2tlb->copy[0].tlb.key[i], g->l2tlb->copy[0].tlb.ppn[i]);
        mh_gpu_check(g);
    }
    assert_true(l1 > 1000 && l2 > 500 && bypass > 300);
    mh_gpu_destroy(g);
}

/* Both tenants load the same virtual line on the same SM: the second finds nothing of the first, at any level. */
static void test_same_address_is_another_line(void **state)
{
    (void)state;
    struct mh_config cfg;
    struct script *s[2];
    shared_config(&cfg, 2);
    cfg.tenants[0].sm_count = cfg.tenants[1].sm_count = 1;
    for (uint32_t t = 0; t < 2; t++) {
        s[t] = script_new();
        script_buffer(s[t], SCRIPT_BASE, 16 * SCRIPT_PAGE);
        script_warps(s[t], 1);
        /* The second waits its turn on the issue port, and then until the first has long been served. */
        script_add(s[t], 0, 0, 0, op_after(t ? 3000 : 0, op_load(in_page(3, 0))));
        script_add(s[t], 0, 0, 0, op_wait(op_load(in_page(3, 0))));
    }
    struct mh_gpu *g = script_gpu(&cfg, s);
    script_until(g, &g->tenant[1].count.completions, 1);
    assert_int_not_equal(script_line(g, 0, in_page(3, 0)), script_line(g, 1, in_page(3, 0)));
    for (uint32_t t = 0; t < 2; t++) {
        const struct mh_counters *c = &g->tenant[t].count;
        assert_int_equal(c->l1tlb_access, 2);
        assert_int_equal(c->l1tlb_hit, 1);
        assert_int_equal(c->l2tlb_access, 1);
        assert_int_equal(c->l2tlb_hit + c->bypass_hit, 0);
        assert_int_equal(c->walks, 1);
        assert_int_equal(c->l1d_hit, 1);
        assert_int_equal(c->l2_access, 1);
        assert_int_equal(c->l2_hit, 0);
        assert_int_equal(c->pte1_access + c->pte2_access + c->pte3_access + c->pte4_access, 4);
        assert_int_equal(c->pte1_hit + c->pte2_hit + c->pte3_hit + c->pte4_hit, 0); /* page tables of their own */
    }
    mh_gpu_destroy(g);
}

/* Two tenants that miss the same virtual page at the same time are not merged into one walk. */
static void test_walks_are_not_merged(void **state)
{
    (void)state;
    struct mh_config cfg;
    struct script *s[2];
    script_config(&cfg, 2, 2); /* an SM each: both look up in the same cycle */
    for (uint32_t t = 0; t < 2; t++) {
        s[t] = script_new();
        script_buffer(s[t], SCRIPT_BASE, 16 * SCRIPT_PAGE);
        script_warps(s[t], 1);
        script_add(s[t], 0, 0, 0, op_load(in_page(3, 0)));
    }
    struct mh_gpu *g = script_gpu(&cfg, s);
    mh_gpu_advance(g, 30);
    assert_int_equal(g->tenant[0].count.walks_live, 1);
    assert_int_equal(g->tenant[1].count.walks_live, 1);
    mh_gpu_advance(g, 2000);
    assert_int_equal(g->tenant[0].count.walks, 1);
    assert_int_equal(g->tenant[1].count.walks, 1);
    mh_gpu_destroy(g);
}

/* The frames of a tenant are those of its alone run, whatever tenant it is and whoever else is there. */
static void test_placement_alone_and_shared(void **state)
{
    (void)state;
    struct mh_config cfg;
    struct mix mix[4];
    shared_config(&cfg, 4);
    struct mh_gpu *shared = mixed_gpu(&cfg, mix);
    for (uint32_t t = 0; t < 4; t++) {
        struct mix one;
        shared_config(&cfg, 1);
        cfg.tenants[0].asid = t + 1;
        struct mh_gpu *alone = mixed_gpu(&cfg, &one);
        for (uint64_t page = 0; page < 256; page++)
            assert_int_equal(script_line(alone, 0, in_page(page, 0)), script_line(shared, t, in_page(page, 0)));
        mh_gpu_destroy(alone);
    }
    mh_gpu_destroy(shared);
}

int test_isolation(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_entry_belongs_to_its_tenant),
        cmocka_unit_test(test_same_address_is_another_line),
        cmocka_unit_test(test_walks_are_not_merged),
        cmocka_unit_test(test_placement_alone_and_shared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
