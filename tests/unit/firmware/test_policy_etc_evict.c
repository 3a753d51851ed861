/* Proactive eviction and compression: on for those whose class calls for it, written once. */
#include "unit/test.h"

#include "etc_window.h"

#define IMAGE_NAME             "test"
#define IMAGE_POLICIES(POLICY) POLICY(defaults) POLICY(etc_memory) POLICY(etc_classify) POLICY(etc_pe) POLICY(etc_cc)
#include "image/common/image.h"

static void tenant_is(uint32_t tenant, uint32_t lines, bool shares)
{
    fake_counter(tenant, MH_COUNTER_MEM_LINES, 100 * lines);
    fake_counter(tenant, MH_COUNTER_MEM_INSTR, 100);
    fake_counter(tenant, MH_COUNTER_UVM_SHARED, shares);
}

static void expect(uint32_t tenant, uint32_t ahead, uint32_t compress)
{
    assert_int_equal(fake_knob(EVICT_AHEAD, tenant), ahead);
    assert_int_equal(fake_knob(COMPRESS, tenant), compress);
}

/* 2 MB are 32 units of 64 KB. */
TEST(by_class)
{
    etc_boot(4);
    tenant_is(0, 2, false);
    tenant_is(1, 2, true);
    tenant_is(2, 30, false);
    tenant_is(3, 30, true);
    assert_int_equal(fake_epoch(), 0);
    expect(0, 32, 0);
    expect(1, 32, 1);
    expect(2, 0, 1);
    expect(3, 0, 1);
    fake.logged = 0;
    assert_int_equal(fake_epoch(), 0);
    assert_int_equal(fake_count(true, MH_REG_EVICT_AHEAD), 0);
    assert_int_equal(fake_count(true, MH_REG_COMPRESS + MH_REG_COMPRESS_STRIDE), 0);
    for (uint32_t tenant = 0; tenant < 4; tenant++)
        fake_counter(tenant, MH_COUNTER_UVM_ALLOCATED, 25);
    assert_int_equal(fake_epoch(), 0);
    for (uint32_t tenant = 0; tenant < 4; tenant++)
        expect(tenant, 0, 0);
}

/* At least one unit, at most as many as the register takes. */
TEST(units_of_other_sizes)
{
    static const uint32_t sizes[][2] = {{0x10000, 32}, {0x200000, 1}, {0x400000, 1}, {0x100000, 2}, {0x1000, 32}};

    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        etc_boot(1);
        fake_set(MH_REG_CAP_UVM_UNIT, sizes[i][0]);
        fake_boot();
        tenant_is(0, 2, false);
        assert_int_equal(fake_epoch(), 0);
        expect(0, sizes[i][1], 0);
    }
}
