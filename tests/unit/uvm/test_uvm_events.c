/* What firmware hears of page faults: when, whose, from which SM, and whether something has left. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "paging.h"

static uint32_t get(struct mh_gpu *g, uint32_t offset)
{
    uint32_t value;
    assert_int_equal(mh_gpu_read(g, offset, 4, &value), MH_ACCESS_OK);
    return value;
}

static uint32_t word(bool come, bool evicted, uint32_t tenant, uint32_t sm)
{
    return MH_PAGE_FAULT_VALID | (come ? MH_PAGE_FAULT_COME : 0) | (evicted ? MH_PAGE_FAULT_EVICTED : 0) |
           tenant << MH_PAGE_FAULT_TENANT | sm << MH_PAGE_FAULT_SM;
}

/* Up to the cycle in which the next fault is queued. */
static uint64_t next_fault(struct mh_gpu *g)
{
    while (!get(g, MH_REG_PAGE_FAULTS))
        mh_gpu_advance(g, mh_gpu_now(g) + 1);
    return mh_gpu_now(g);
}

static struct mh_gpu *chain(uint32_t capacity, const uint32_t *list, uint32_t count, uint32_t events)
{
    struct mh_config cfg;
    paging_config(&cfg, 1, 1, capacity);
    cfg.uvm.evict_bytes = MH_UVM_UNIT_BYTES;
    struct mh_gpu *g = paging_chain(&cfg, 4, list, count);
    script_write(g, MH_REG_IRQ_ENABLE, MH_IRQ_PAGE_FAULT);
    script_knob(g, MH_REG_FAULT_EVENTS, events);
    return g;
}

/* Raised when the walk has ended, come when the unit is there: in between are the handler and the link. */
static void test_one_fault(void **state)
{
    static const uint32_t list[] = {2};
    (void)state;
    struct mh_gpu *g = chain(4, list, 1, MH_FAULT_RAISED | MH_FAULT_COME);
    uint64_t raised = next_fault(g);
    assert_int_equal(g->tenant[0].count.uvm_faults, 1);
    assert_true(mh_gpu_irq(g));
    assert_int_equal(get(g, MH_REG_PAGE_FAULT), word(false, false, 0, 0));
    script_write(g, MH_REG_IRQ_PENDING, MH_IRQ_PAGE_FAULT);
    assert_false(mh_gpu_irq(g));
    uint64_t come = next_fault(g);
    assert_int_equal(unit_state(g, 2), MH_UNIT_HERE);
    assert_int_equal(come - raised, g->tenant[0].count.uvm_fault_cycles);
    assert_int_equal(get(g, MH_REG_PAGE_FAULT), word(true, false, 0, 0));
    paging_run(g);
    assert_int_equal(get(g, MH_REG_PAGE_FAULTS), 0);
    script_end(g);
}

static void test_nobody_asks(void **state)
{
    static const uint32_t list[] = {0, 1, 2};
    (void)state;
    struct mh_gpu *g = chain(4, list, 3, 0);
    paging_run(g);
    assert_int_equal(g->tenant[0].count.uvm_faults, 3);
    assert_int_equal(get(g, MH_REG_PAGE_FAULTS), 0);
    assert_int_equal(get(g, MH_REG_IRQ_PENDING) & MH_IRQ_PAGE_FAULT, 0);
    assert_int_equal(mh_gpu_stats(g)->control.source[MH_SOURCE_PAGE_FAULT].raised, 0);
    script_end(g);
}

/* Memory for one unit: the second fault finds it full. What leaves for it is in its own entry when it has come. */
static void test_evictions_since_armed(void **state)
{
    static const uint32_t list[] = {0, 1, 2, 3};
    (void)state;
    struct mh_gpu *g = chain(1, list, 4, MH_FAULT_RAISED | MH_FAULT_COME);
    static const struct {
        bool come, evicted;
    } expected[] = {{false, false}, {true, false}, {false, false}, {true, true}, {false, true}, {true, true}};
    for (unsigned i = 0; i < 6; i++) {
        next_fault(g);
        assert_int_equal(get(g, MH_REG_PAGE_FAULT), word(expected[i].come, expected[i].evicted, 0, 0));
    }
    script_write(g, MH_REG_EVICT_ARM, 0);
    next_fault(g);
    assert_int_equal(get(g, MH_REG_PAGE_FAULT), word(false, false, 0, 0));
    next_fault(g);
    assert_int_equal(get(g, MH_REG_PAGE_FAULT), word(true, true, 0, 0));
    paging_run(g);
    script_end(g);
}

/* Two tenants, each with an SM of its own; only the second one's units leave. */
static void test_whose_and_where(void **state)
{
    static const uint32_t first[] = {0}, second[] = {0, 1, 2};
    struct mh_config cfg;
    (void)state;
    paging_config(&cfg, 2, 2, 2);
    cfg.uvm.evict_bytes = MH_UVM_UNIT_BYTES;
    struct script *s[] = {paging_script(3), paging_script(3)};
    paging_loads(s[0], first, 1);
    paging_loads(s[1], second, 3);
    struct mh_gpu *g = script_gpu(&cfg, s);
    script_write(g, MH_REG_UVM_QUOTA, 1);
    script_write(g, MH_REG_UVM_QUOTA + MH_REG_UVM_QUOTA_STRIDE, 0);
    script_knob(g, MH_REG_FAULT_EVENTS, MH_FAULT_COME);
    unsigned of[2] = {0}, evicted[2] = {0};
    for (unsigned i = 0; i < 4; i++) {
        next_fault(g);
        uint32_t fault = get(g, MH_REG_PAGE_FAULT), tenant = fault >> MH_PAGE_FAULT_TENANT & 15;
        assert_int_equal(fault >> MH_PAGE_FAULT_SM & 255, tenant);
        of[tenant]++;
        evicted[tenant] += (fault & MH_PAGE_FAULT_EVICTED) != 0;
    }
    assert_int_equal(of[0], 1);
    assert_int_equal(of[1], 3);
    assert_int_equal(evicted[0], 0);
    assert_int_equal(evicted[1], 2);
    paging_run(g);
    script_end(g);
}

int test_uvm_events(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_fault),
        cmocka_unit_test(test_nobody_asks),
        cmocka_unit_test(test_evictions_since_armed),
        cmocka_unit_test(test_whose_and_where),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
