/* invariants: of the debug build alone */
/* l1tlb.on_miss: whether anything passes a line whose page misses the L1 TLB. Cycles by hand. */
#include "unit/test.h"
#include "broken_gpu.h"
#include "sm_fixture.h"
#include "translate_fixture.h"
#include "script.h"

/* From the LSU's cycle of a miss to that in which its page is there, when the L2 has the page table. */
enum { MISSING = L1TLB + WIRE + L2TLB + WALK + WIRE };

static struct mh_config hold_config(const char *on_miss)
{
    struct mh_config cfg = script_config(1, 1);

    set_word(&cfg, "l1tlb.on_miss", on_miss);
    return cfg;
}

/* Two warps that have loaded a line of page 0: then warp 0 loads from page 1, and warp 1 soon after that line again. */
static struct mh_gpu *miss_then_hit(const struct mh_config *cfg, struct script **s)
{
    *s = script_paged(CHAIN_PAGES, 2);
    for (uint32_t w = 0; w < 2; w++)
        script_ops(*s, 0, 0, w, op_load(in_page(0, 0)), op_wait(op_after(20 * w, op_load(in_page(1 - w, 0)))),
                   op_wait(op_barrier()));
    struct mh_gpu *g = script_gpu(cfg, s);
    chain_run(g);
    return g;
}

/* The hit comes to the LSU while the page is on its way. It passes, and is there as if nothing had missed; or it is
 * looked up a cycle after the page has come. */
TEST(test_hit_behind_a_miss)
{
    static const char *const ways[] = {"pass", "hold"};
    for (uint32_t hold = 0; hold < 2; hold++)
        for (uint32_t mshrs = 1; mshrs < 3; mshrs++) {
            struct mh_config cfg = hold_config(ways[hold]);
            struct script *s;
            cfg.l1tlb.mshrs = mshrs;
            cfg.sm.schedulers = 2; /* a port for each warp */
            struct mh_gpu *g = miss_then_hit(&cfg, &s);
            uint64_t miss = script_issued(s, 0, 0, 0, 1), hit = script_issued(s, 0, 0, 1, 1);
            assert_true(hit > miss && hit < miss + MISSING);
            assert_int_equal(script_issued(s, 0, 0, 1, 2), hold ? miss + LSU + MISSING + 1 + HIT : hit + LSU + HIT);
            assert_int_equal(g->tenant[0].count.l1tlb_access, 4);
            assert_int_equal(g->tenant[0].count.l1tlb_hit, hold ? 2 : 1); /* in place of a merge */
            assert_int_equal(g->tenant[0].count.reservation_fails, 0);
            script_end(g);
        }
}

/* One instruction, four pages: a look-up a cycle, or the next a cycle after the page before has come. */
TEST(test_pages_of_an_instruction)
{
    static const char *const ways[] = {"pass", "hold"};
    const uint64_t pages[] = {2, 3, 4, 5};
    for (uint32_t hold = 0; hold < 2; hold++) {
        struct mh_config cfg = hold_config(ways[hold]);
        struct mh_gpu *g = warm_list_gpu(&cfg, 0, 4, pages);
        const struct mh_counters *c = &g->tenant[0].count;
        uint64_t before = c->l1tlb_access, at = mh_gpu_now(g), most = 0;
        for (uint32_t i = 1; i <= 4; i++)
            assert_int_equal(script_until(g, &c->l1tlb_access, before + i) - at,
                             LSU + (i - 1) * (hold ? MISSING + 1 : 1));
        for (; c->completions < 1; mh_gpu_advance(g, mh_gpu_now(g) + 1))
            most = c->walks_live > most ? c->walks_live : most;
        assert_int_equal(most, hold ? 1 : 4);
        assert_int_equal(c->l1tlb_access - before, 4); /* each once, however often it is tried */
        assert_int_equal(c->l1tlb_hit, 0);
        script_end(g);
    }
}

/* Lines of one page: the first waits, and the others follow it, one a cycle, without a look-up of their own. */
TEST(test_lines_of_a_page)
{
    struct mh_config cfg = hold_config("hold");
    struct script *s = script_paged(CHAIN_PAGES, 1);
    script_ops(s, 0, 0, 0, op_load(in_page(1, 0)), op_wait(op_lanes(MH_OP_LOAD, 4, 0xff, in_page(0, 0), 128)),
               op_wait(op_barrier()));
    struct mh_gpu *g = script_gpu(&cfg, &s);
    const struct mh_counters *c = &g->tenant[0].count;
    script_until(g, &c->l1tlb_access, 2);
    uint64_t at = mh_gpu_now(g);
    for (uint32_t i = 0; i < 8; i++)
        assert_int_equal(script_until(g, &c->l1d_access, 2 + i) - at, MISSING + i);
    assert_int_equal(c->l1tlb_access, 2);
    chain_run(g);
    script_end(g);
}

/* Tenants of one SM: everybody stops behind the miss, or its tenant alone. */
TEST(test_tenants)
{
    static const char *const orders[] = {"shared", "per-kernel"};
    for (uint32_t apart = 0; apart < 2; apart++) {
        struct mh_config cfg = script_config(1, 2);
        struct script *s[2];
        script_share_sms(&cfg);
        cfg.l1tlb.on_miss = MH_ON_MISS_HOLD;
        set_word(&cfg, "sm.lsu_order", orders[apart]);
        cfg.sm.schedulers = 2;
        for (uint32_t t = 0; t < 2; t++) {
            s[t] = script_paged(64, 1);
            script_ops(s[t], 0, 0, 0, op_load(in_page(0, 0)), op_after(5000 + 20 * t, op_load(in_page(1 - t, 0))),
                       op_wait(op_barrier()));
        }
        struct mh_gpu *g = script_gpu(&cfg, s);
        script_finish(g, 0);
        uint64_t miss = script_issued(s[0], 0, 0, 0, 1), hit = script_issued(s[1], 0, 0, 0, 1);
        assert_true(hit > miss && hit < miss + MISSING);
        assert_int_equal(script_issued(s[1], 0, 0, 0, 2), apart ? hit + LSU + HIT : miss + LSU + MISSING + 1 + HIT);
        script_end(g);
    }
}

/* A report of a deadlock says what the line waits for. */
TEST(test_report)
{
    struct mh_config cfg = hold_config("hold");
    struct script *s = script_paged(64, 1);
    script_add(s, 0, 0, 0, op_load(in_page(0, 0)));
    LOCAL_GPU(g) = script_gpu(&cfg, &s);
    lose(g, EV_TLB_FILL, 1);
    mh_gpu_advance(g, 5000);
    assert_has(mh_gpu_deadlock(g), "still in the LSU; the LSU of SM 0, at line 0x");
    assert_has(mh_gpu_deadlock(g), "is stopped: its page is not in the L1 TLB; L1 TLB MSHR 0 of SM 0 waits");
    assert_has(mh_gpu_deadlock(g), "the answer (EV_TLB_FILL) never came");
}
