/* slow: a second or more */
/* Victims: order, quotas, blocks of 2 MB, clean units, and units that leave ahead of need. */
#include "unit/test.h"
#include "uvm_fixture.h"
#include "script.h"

static const struct mh_counters *count(const struct mh_gpu *g, uint32_t tenant)
{
    return &g->tenant[tenant].count;
}

static struct mh_gpu *used_again(const char *evict)
{
    static const uint32_t list[] = {0, 1, 2, 0, 3};
    struct mh_config cfg = paging_config(1, 1, 3);
    set_word(&cfg, "uvm.evict", evict);
    cfg.uvm.evict_bytes = MH_UVM_UNIT_BYTES;
    struct mh_gpu *g = paging_chain(&cfg, 4, list, COUNT(list));
    paging_run(g);
    assert_int_equal(count(g, 0)->uvm_faults, 4);
    assert_int_equal(count(g, 0)->uvm_evictions, 1);
    return g;
}

TEST(test_age_is_of_arrival)
{
    struct mh_gpu *g = used_again("age");
    assert_int_equal(unit_state(g, 0), MH_UNIT_HOST);
    assert_int_equal(unit_state(g, 1), MH_UNIT_HERE);
    script_end(g);
}

/* The second access to unit 0 hits the L1 TLB: it counts all the same. */
TEST(test_lru_is_of_access)
{
    struct mh_gpu *g = used_again("lru");
    assert_int_equal(count(g, 0)->l1tlb_hit, 1);
    assert_int_equal(unit_state(g, 0), MH_UNIT_HERE);
    assert_int_equal(unit_state(g, 1), MH_UNIT_HOST);
    script_end(g);
}

static struct mh_gpu *two_tenants(uint32_t quota0, uint32_t quota1)
{
    static const uint32_t first[] = {0, 1}, second[] = {0, 1, 2, 3};
    struct mh_config cfg = paging_config(2, 2, 4);
    cfg.uvm.evict_bytes = MH_UVM_UNIT_BYTES;
    struct script *s[] = {paging_script(4), paging_script(4)};
    paging_loads(s[0], first, COUNT(first));
    script_add(s[1], 0, 0, 0, op_after(500000, op_barrier()));
    paging_loads(s[1], second, COUNT(second));
    struct mh_gpu *g = script_gpu(&cfg, s);
    script_write(g, MH_REG_UVM_QUOTA, quota0);
    script_knob(g, MH_REG_UVM_QUOTA + MH_REG_UVM_QUOTA_STRIDE, quota1);
    paging_run(g);
    return g;
}

static void assert_resident(struct mh_gpu *g, uint32_t first, uint32_t second)
{
    const struct mh_counters *c = mh_gpu_stats(g)->tenant;
    assert_int_equal(c[0].uvm_resident, first);
    assert_int_equal(c[1].uvm_resident, second);
    assert_int_equal(c[0].uvm_allocated, 4);
    assert_int_equal(c[1].uvm_allocated, 4);
}

TEST(test_oldest_without_quota)
{
    struct mh_gpu *g = two_tenants(4, 4);
    assert_resident(g, 0, 4);
    assert_int_equal(count(g, 0)->uvm_evictions, 2);
    script_end(g);
}

TEST(test_above_quota_first)
{
    struct mh_gpu *g = two_tenants(4, 1);
    assert_resident(g, 2, 2);
    assert_int_equal(count(g, 0)->uvm_evictions, 0);
    assert_int_equal(count(g, 1)->uvm_evictions, 2);
    assert_int_equal(unit_state(g, 4), MH_UNIT_HOST);
    assert_int_equal(unit_state(g, 5), MH_UNIT_HOST);
    script_end(g);
}

/* Both are above their quota, then none is: the oldest. */
TEST(test_quota_of_everybody)
{
    struct mh_gpu *g = two_tenants(0, 0);
    assert_resident(g, 0, 4);
    script_end(g);
    g = two_tenants(2, 2);
    assert_resident(g, 1, 3);
    script_end(g);
}

static uint64_t fault_cycles(const char *wait)
{
    static const uint32_t list[] = {0, 1, 2, 3};
    struct mh_config cfg = paging_config(1, 1, 3);
    set_word(&cfg, "uvm.evict_wait", wait);
    set_word(&cfg, "uvm.evict_amount", "most");
    cfg.uvm.evict_bytes = 2 * MH_UVM_UNIT_BYTES;
    struct mh_gpu *g = paging_chain(&cfg, 4, list, COUNT(list));
    paging_run(g);
    assert_int_equal(count(g, 0)->uvm_evictions, 2);
    uint64_t cycles = count(g, 0)->uvm_fault_cycles;
    script_end(g);
    return cycles;
}

/* The second unit that leaves takes as long on the link as the first: by so much the fault ends later. */
TEST(test_wait_for_the_whole_eviction)
{
    struct mh_config cfg = paging_config(1, 1, 3);
    double unit = (double)MH_UVM_UNIT_BYTES / (double)cfg.uvm.out_rate * (double)cfg.clock.gpu_hz;
    uint64_t first = fault_cycles("first"), all = fault_cycles("all");
    assert_in_range(all - first, (uint64_t)unit - 20, (uint64_t)unit + 20);
}

/* Memory is full with units 32, 33, 0, 4, 8 and 12 when two faults wait in one batch, behind
 * that of unit 12. The prefetcher brings unit 35 with unit 34, because units 32 and 33 are resident, and nothing
 * with 64. */

static uint64_t evicted_first(const char *amount, uint32_t most)
{
    static const uint32_t here[] = {32, 33, 0, 4, 8}, later[] = {12, 34, 64};
    struct mh_config cfg = paging_config(1, 1, COUNT(here) + 1);
    set_word(&cfg, "uvm.evict_amount", amount);
    set_word(&cfg, "uvm.prefetch", "tree");
    cfg.uvm.evict_bytes = most * MH_UVM_UNIT_BYTES;
    struct script *s = paging_script(65);
    for (uint32_t i = 0; i < COUNT(here); i++)
        script_add(s, 0, 0, 0, op_load(in_unit(here[i], 0)));
    for (uint32_t i = 0; i < COUNT(later); i++)
        script_add(s, 0, 0, 0, op_after(i ? 1000 : 200000, op_load(in_unit(later[i], 0))));
    struct mh_gpu *g = script_gpu(&cfg, &s);
    script_until(g, &g->tenant[0].count.uvm_evictions, 1);
    uint64_t first = count(g, 0)->uvm_evictions;
    assert_int_equal(g->uvm->placed.count, 3);
    paging_run(g);
    script_end(g);
    return first;
}

TEST(test_amount)
{
    assert_int_equal(evicted_first("page", 32), 1);
    assert_int_equal(evicted_first("fault", 32), 2);
    assert_int_equal(evicted_first("fault", 1), 1);
    assert_int_equal(evicted_first("batch", 32), 3);
    assert_int_equal(evicted_first("most", 4), 4);
}

static struct mh_gpu *two_blocks(uint32_t by_block)
{
    static const uint32_t list[] = {0, 40, 1, 41, 2, 42, 50};
    struct mh_config cfg = paging_config(1, 1, 6);
    cfg.uvm.evict_block = by_block;
    cfg.uvm.evict_amount = MH_EVICT_MOST;
    cfg.uvm.evict_bytes = 3 * MH_UVM_UNIT_BYTES;
    struct mh_gpu *g = paging_chain(&cfg, 64, list, COUNT(list));
    paging_run(g);
    mh_gpu_advance(g, mh_gpu_now(g) + 100000);
    assert_int_equal(count(g, 0)->uvm_evictions, 3);
    return g;
}

static void assert_here(const struct mh_gpu *g, const uint32_t *list, uint32_t n)
{
    assert_int_equal(g->uvm->here, n);
    for (uint32_t i = 0; i < n; i++)
        assert_int_equal(unit_state(g, list[i]), MH_UNIT_HERE);
}

TEST(test_blocks)
{
    struct mh_gpu *g = two_blocks(0);
    assert_here(g, (const uint32_t[]){41, 2, 42, 50}, 4);
    script_end(g);
    g = two_blocks(1);
    assert_here(g, (const uint32_t[]){40, 41, 42, 50}, 4);
    script_end(g);
}

static uint64_t bytes_out(uint32_t clean, bool atomic)
{
    static const uint32_t list[] = {2, 3, 4};
    struct mh_config cfg = paging_config(1, 1, 2);
    cfg.uvm.evict_clean = clean;
    cfg.uvm.evict_bytes = MH_UVM_UNIT_BYTES;
    struct script *s = paging_script(5);
    script_ops(s, 0, 0, 0, op_load(in_unit(0, 0)),
               op_wait(atomic ? op_atomic(in_unit(1, 64)) : op_store(in_unit(1, 64))), op_wait(op_load(in_unit(1, 0))));
    paging_loads(s, list, COUNT(list));
    struct mh_gpu *g = script_gpu(&cfg, &s);
    paging_run(g);
    uint64_t bytes = count(g, 0)->uvm_out_bytes;
    assert_int_equal(count(g, 0)->uvm_evictions, 3);
    assert_int_equal(count(g, 0)->uvm_in_bytes, 5 * MH_UVM_UNIT_BYTES);
    script_end(g);
    return bytes;
}

TEST(test_clean_units)
{
    assert_int_equal(bytes_out(1, false), 3 * MH_UVM_UNIT_BYTES);
    assert_int_equal(bytes_out(0, false), MH_UVM_UNIT_BYTES);
    assert_int_equal(bytes_out(0, true), MH_UVM_UNIT_BYTES);
}

/* A store of the time before is of no account: the unit left with it, and came back. */
TEST(test_clean_after_return)
{
    static const uint32_t list[] = {1, 0, 1, 0};
    struct mh_config cfg = paging_config(1, 1, 1);
    cfg.uvm.evict_clean = 0;
    struct script *s = paging_script(2);
    script_ops(s, 0, 0, 0, op_store(in_unit(0, 64)), op_wait(op_load(in_unit(0, 0))));
    paging_loads(s, list, COUNT(list));
    struct mh_gpu *g = script_gpu(&cfg, &s);
    paging_run(g);
    assert_int_equal(count(g, 0)->uvm_evictions, 4);
    assert_int_equal(count(g, 0)->uvm_out_bytes, MH_UVM_UNIT_BYTES);
    script_end(g);
}

enum { STREAM = 12 };

static struct mh_gpu *stream(uint32_t capacity, uint32_t ahead, uint32_t free, uint32_t loads)
{
    uint32_t list[STREAM];
    struct mh_config cfg = paging_config(1, 1, capacity);
    cfg.uvm.evict_bytes = MH_UVM_UNIT_BYTES;
    for (uint32_t i = 0; i < STREAM; i++)
        list[i] = i;
    struct mh_gpu *g = paging_chain(&cfg, STREAM, list, loads);
    script_write(g, MH_REG_EVICT_FREE, free);
    script_knob(g, MH_REG_EVICT_AHEAD, ahead);
    return g;
}

/* With room for 4, the third fault finds 2 units free and takes one of them: fewer than 2 will be. */
TEST(test_ahead_with_the_handler)
{
    struct mh_gpu *g = stream(4, 1, 2, STREAM);
    script_until(g, &g->tenant[0].count.uvm_faults, 2);
    assert_int_equal(count(g, 0)->uvm_evictions, 0);
    uint64_t fault = script_until(g, &g->tenant[0].count.uvm_faults, 3);
    assert_int_equal(count(g, 0)->uvm_evictions, 1);
    assert_int_equal(unit_state(g, 0), MH_UNIT_LEAVING);
    assert_int_equal(unit_state(g, 2), MH_UNIT_HANDLED);
    assert_int_equal(script_read(g, MH_REG_UVM_FREE), 2);
    /* Gone before the handler has answered: its last byte has left. */
    mh_gpu_advance(g, fault + g->uvm->fault_cycles - 1);
    assert_int_equal(unit_state(g, 0), MH_UNIT_HOST);
    assert_int_equal(script_read(g, MH_REG_UVM_FREE), 3);
    paging_run(g);
    script_end(g);
}

/* As many as the knob says at a fault, and not more than are wanted. */
TEST(test_ahead_amount)
{
    static const uint32_t ahead[] = {1, 2, 32}, evicted[] = {1, 2, 3};
    for (uint32_t i = 0; i < 3; i++) {
        struct mh_gpu *g = stream(4, ahead[i], 4, 4);
        script_until(g, &g->tenant[0].count.uvm_faults, 4);
        uint64_t before = count(g, 0)->uvm_evictions;
        assert_true(before >= evicted[i]);
        assert_true(g->uvm->free_count + g->uvm->leaving <= 5);
        paging_run(g);
        script_end(g);
    }
}

/* Eviction is hidden: a fault takes as long as with memory for everything. */
TEST(test_ahead_hides_eviction)
{
    uint64_t cycles[3];
    for (uint32_t i = 0; i < 3; i++) {
        struct mh_gpu *g = stream(i ? 4 : STREAM, i == 2, 2, STREAM);
        paging_run(g);
        cycles[i] = count(g, 0)->uvm_fault_cycles;
        assert_int_equal(count(g, 0)->uvm_faults, STREAM);
        assert_int_equal(count(g, 0)->uvm_evictions, i == 0 ? 0 : i == 1 ? STREAM - 4 : STREAM - 2);
        script_end(g);
    }
    assert_in_range(cycles[2], cycles[0], cycles[0] + STREAM * 8);
    /* A unit of 64 KB needs 4 us of link to leave. */
    assert_true(cycles[1] > cycles[2] + (STREAM - 4) * 4000);
}

TEST(test_ahead_only_if_oversubscribed)
{
    struct mh_gpu *g = stream(STREAM, 32, 32, STREAM);
    paging_run(g);
    assert_int_equal(count(g, 0)->uvm_evictions, 0);
    script_end(g);
    g = stream(STREAM - 1, 32, 0, STREAM - 2);
    paging_run(g);
    assert_int_equal(count(g, 0)->uvm_evictions, 0); /* EVICT_FREE 0 */
    script_end(g);
}

TEST(test_registers)
{
    struct mh_gpu *g = stream(5, 0, 0, 2);
    assert_int_equal(script_read(g, MH_REG_CAP_UVM), 5);
    assert_int_equal(script_read(g, MH_REG_CAP_UVM_UNIT), MH_UVM_UNIT_BYTES);
    assert_true(script_read(g, MH_REG_CAP_FEATURES) & MH_FEATURE_UVM);
    assert_int_equal(script_read(g, MH_REG_UVM_QUOTA), 5);
    assert_int_equal(script_read(g, MH_REG_UVM_FREE), 5);
    script_refused(g, MH_REG_UVM_QUOTA, 6);
    script_refused(g, MH_REG_EVICT_AHEAD, 33);
    script_knob(g, MH_REG_EVICT_AHEAD, 32);
    script_until(g, &g->tenant[0].count.uvm_faults, 1);
    assert_int_equal(mh_gpu_stats(g)->tenant[0].uvm_queue, 1);
    assert_int_equal(mh_gpu_stats(g)->tenant[0].uvm_resident, 0);
    mh_gpu_advance(g, mh_gpu_now(g) + g->uvm->fault_cycles);
    assert_int_equal(mh_gpu_stats(g)->tenant[0].uvm_queue, 0);
    assert_int_equal(mh_gpu_stats(g)->tenant[0].uvm_resident, 1); /* it has frames, and comes */
    assert_int_equal(script_read(g, MH_REG_UVM_FREE), 4);
    paging_run(g);
    script_end(g);
}

TEST(test_registers_without)
{
    struct mh_config cfg = script_config(1, 1);
    struct script *s = paging_script(2);
    LOCAL_GPU(g) = script_gpu(&cfg, &s);
    assert_int_equal(script_read(g, MH_REG_CAP_UVM), 0);
    assert_int_equal(script_read(g, MH_REG_CAP_UVM_UNIT), 0);
    assert_int_equal(script_read(g, MH_REG_EVICT_FREE), 0);
    assert_false(script_read(g, MH_REG_CAP_FEATURES) & MH_FEATURE_UVM);
    assert_int_equal(mh_gpu_stats(g)->tenant[0].uvm_allocated, 0);
}

TEST(test_reset_of_evict_free)
{
    static const uint32_t page[] = {4096, 65536, 2097152}, units[] = {32, 32, 1};
    for (uint32_t i = 0; i < 3; i++) {
        struct mh_config cfg = paging_config(1, 1, 64);
        cfg.memory.page_bytes = page[i];
        cfg.walk.levels = i == 2 ? 3 : 4;
        struct script *s = paging_script(64);
        LOCAL_GPU(g) = script_gpu(&cfg, &s);
        assert_int_equal(script_read(g, MH_REG_EVICT_FREE), units[i]);
    }
}

TEST_GROUP(.slow = true);
