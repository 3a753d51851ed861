/* invariants: of the debug build alone */
/* Tenants that come and go with demand paging: their memory is others', their faults are let go, at every phase. */
#include "unit/test.h"
#include "broken_gpu.h"
#include "uvm_fixture.h"
#include "script.h"

enum { UNITS = 6, LOADS = 12 };

/* A chain of loads and stores over all units of the tenant, again and again. */
static struct script *walker(void)
{
    struct script *s = paging_script(UNITS);
    for (uint32_t i = 0; i < LOADS; i++)
        script_ops(s, 0, 0, 0, op_wait(op_load(in_unit(i % UNITS, 256))), op_store(in_unit((i + 3) % UNITS, 128)));
    script_add(s, 0, 0, 0, op_wait(op_barrier()));
    return s;
}

static void assert_gone(const struct mh_gpu *g, uint32_t tenant)
{
    for (uint32_t i = 0; i < g->uvm->units; i++)
        if (g->uvm->unit[i].tenant == tenant) {
            assert_int_equal(g->uvm->unit[i].state, MH_UNIT_HOST);
            assert_int_equal(g->uvm->unit[i].head, MH_NONE);
            assert_int_equal(g->uvm->unit[i].frames, MH_NONE);
        }
}

static void leave_at(uint64_t cycle, uint32_t capacity, const char *prefetch, uint32_t mshrs, const char *on_miss)
{
    struct mh_config cfg = paging_config(2, 2, capacity);
    set_word(&cfg, "uvm.prefetch", prefetch);
    cfg.l1tlb.mshrs = mshrs;
    set_word(&cfg, "l1tlb.on_miss", on_miss);
    cfg.uvm.buffer = cfg.uvm.batch = 1;
    cfg.tenants[0].leave = cycle;
    struct script *s[] = {walker(), walker()};
    script_repeat(s[0]);
    struct mh_gpu *g = script_gpu(&cfg, s);
    mh_gpu_advance(g, cycle);
    assert_int_equal(mh_gpu_stats(g)->tenant[0].uvm_allocated, cycle < 2 ? UNITS : 0);
    /* Its faults are gone at once, unless the handler has them; its memory, when what it has issued has drained. */
    mh_gpu_advance(g, cycle + 150000);
    assert_false(g->tenant[0].draining);
    assert_gone(g, 0);
    assert_int_equal(mh_gpu_stats(g)->tenant[0].uvm_resident, 0);
    assert_int_equal(mh_gpu_stats(g)->tenant[0].uvm_queue, 0);
    mh_gpu_check(g);
    script_until(g, &g->tenant[1].count.completions, 1);
    mh_gpu_advance(g, mh_gpu_now(g) + 100000);
    script_end(g);
}

TEST(test_leaves_at_any_time)
{
    for (uint64_t cycle = 2; cycle < 300000; cycle += 5999) {
        leave_at(cycle, 1, "none", 1, "pass");
        leave_at(cycle, 3, "tree", 32, "pass");
        leave_at(cycle, 8, "zheng", 2, "pass");
        leave_at(cycle, 2, "none", 1, "hold");
    }
}

/* Nothing crosses the link for it, and its whole memory is free: 6 of 12 units were there. */
TEST(test_dropped_without_link)
{
    struct mh_config cfg = paging_config(2, 2, 2 * UNITS);
    cfg.tenants[0].leave = 400000;
    struct script *s[] = {walker(), paging_script(UNITS)};
    script_add(s[1], 0, 0, 0, op_after(1000000, op_barrier()));
    struct mh_gpu *g = script_gpu(&cfg, s);
    mh_gpu_advance(g, 399999);
    assert_int_equal(script_read(g, MH_REG_UVM_FREE), UNITS);
    assert_int_equal(mh_gpu_stats(g)->tenant[0].uvm_resident, UNITS);
    mh_gpu_advance(g, 401000);
    assert_int_equal(script_read(g, MH_REG_UVM_FREE), 2 * UNITS);
    assert_int_equal(g->tenant[0].count.uvm_out_bytes, 0);
    assert_int_equal(g->tenant[0].count.uvm_evictions, 0);
    script_end(g);
}

/* A warp waits for a fault when its tenant leaves: it ends then, not when the unit has come. */
TEST(test_fault_is_let_go)
{
    static const uint32_t list[] = {0, 1};
    struct mh_config cfg = paging_config(2, 2, 4);
    cfg.tenants[0].leave = 5000;
    struct script *s[] = {paging_script(2), script_new()};
    paging_loads(s[0], list, 2);
    script_warps(s[1], 1);
    script_buffer(s[1], SCRIPT_BASE, MH_UVM_UNIT_BYTES);
    script_add(s[1], 0, 0, 0, op_after(100000, op_barrier()));
    struct mh_gpu *g = script_gpu(&cfg, s);
    mh_gpu_advance(g, 4999);
    assert_int_equal(g->sm[0].tenant_ctas[0], 1);
    assert_int_equal(unit_state(g, 0), MH_UNIT_HANDLED);
    mh_gpu_advance(g, 5002);
    assert_int_equal(g->sm[0].tenant_ctas[0], 0);
    assert_false(g->tenant[0].draining);
    mh_gpu_advance(g, 60000);
    assert_int_equal(g->tenant[0].count.uvm_in_bytes, 0);
    assert_int_equal(script_read(g, MH_REG_UVM_FREE), 3); /* capacity is what both need */
    script_end(g);
}

/* Memory is one unit, owned by the other tenant: the new tenant gets it in turn. */
TEST(test_arrives_with_memory_full)
{
    for (uint64_t cycle = 30000; cycle < 60000; cycle += 2777) {
        struct mh_config cfg = paging_config(2, 2, 1);
        cfg.tenants[1].arrive = cycle;
        struct script *s[] = {walker(), walker()};
        struct mh_gpu *g = script_gpu(&cfg, s);
        mh_gpu_advance(g, cycle - 1);
        assert_int_equal(mh_gpu_stats(g)->tenant[1].uvm_allocated, 0);
        paging_run(g);
        assert_int_equal(mh_gpu_stats(g)->tenant[1].uvm_allocated, UNITS);
        mh_gpu_advance(g, mh_gpu_now(g) + 100000);
        script_end(g);
    }
}

/* The polls of draining units are lost: the report names the waiting units and the owner of the memory. */
TEST(test_report)
{
    static const uint32_t list[] = {0, 1, 2};
    struct mh_config cfg = paging_config(1, 1, 2);
    cfg.uvm.evict_bytes = MH_UVM_UNIT_BYTES;
    LOCAL_GPU(g) = paging_chain(&cfg, 3, list, 3);
    lose(g, EV_UVM_DRAIN, 1);
    mh_gpu_advance(g, 10000000);
    assert_has(mh_gpu_deadlock(g),
               "with unit 2 of tenant 0, which is handled, and waits for frames, in place 1, 1 units drain");
    assert_has(mh_gpu_deadlock(g), "GPU memory has room for 2 units, the oldest there is unit 1 of tenant 0, which "
                                   "nothing pins, and unit 0 of tenant 0 waits for what is under way to it");
}

TEST(test_sm_holds)
{
    struct mh_config cfg = script_config(40, 2);
    cfg.tenants[0].sm_count = 1;
    cfg.tenants[1].sm_first = 33, cfg.tenants[1].sm_count = 2;
    cfg.tenants[1].arrive = 1000;
    cfg.sm.cta_slots = 1;
    struct script *s[] = {paging_script(1), paging_script(1)};
    for (uint32_t t = 0; t < 2; t++)
        script_add(s[t], 0, 0, 0, op_after(2000, op_barrier()));
    LOCAL_GPU(g) = script_gpu(&cfg, s);
    assert_int_equal(script_read(g, MH_REG_SM_HOLDS), 0);
    mh_gpu_advance(g, 1);
    assert_int_equal(script_read(g, MH_REG_SM_HOLDS), 1);
    assert_int_equal(script_read(g, MH_REG_SM_HOLDS + 4), 0);
    mh_gpu_advance(g, 1500);
    assert_int_equal(script_read(g, MH_REG_SM_HOLDS + 4), 2);
    mh_gpu_advance(g, 5000);
    assert_int_equal(script_read(g, MH_REG_SM_HOLDS), 0);
    assert_int_equal(script_read(g, MH_REG_SM_HOLDS + 4), 0);
}
