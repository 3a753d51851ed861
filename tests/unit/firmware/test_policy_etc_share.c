/* How etc_share divides memory, and the effect on tenants that fit their share and those that do not. */
#include "unit/test.h"

#include "etc_window.h"

#include "policy/etc/etc.h"
#include "random.h"

#define IMAGE_NAME "test"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults) POLICY(etc_share) POLICY(etc_classify) POLICY(etc_pe) POLICY(etc_cc) POLICY(etc_throttle)
#include "image/common/image.h"

static const struct {
    const char *name;
    uint32_t capacity, spare, tenants, allocated[4], share[4];
} cases[] = {
    {"alone, and it fits", 100, 0, 1, {90}, {90}},
    {"alone, and it does not", 100, 0, 1, {300}, {100}},
    {"both want more than half", 100, 0, 2, {60, 900}, {50, 50}},
    {"one wants less: the other gets the rest", 100, 0, 2, {20, 900}, {20, 80}},
    {"just half", 100, 0, 2, {50, 900}, {50, 50}},
    {"all fit", 100, 0, 3, {20, 30, 50}, {20, 30, 50}},
    {"what one leaves makes room for the second", 100, 0, 3, {10, 44, 900}, {10, 44, 46}},
    {"the second wants more than that", 100, 0, 3, {10, 46, 900}, {10, 45, 45}},
    {"units that are left over", 101, 0, 3, {900, 900, 900}, {34, 34, 33}},
    {"the first ones get them", 10, 0, 4, {900, 900, 900, 900}, {3, 3, 2, 2}},
    {"nobody is there", 100, 0, 2, {0, 0}, {0, 0}},
    {"one is there", 100, 0, 3, {0, 500, 0}, {0, 100, 0}},
    {"less memory than tenants", 1, 0, 3, {5, 5, 5}, {1, 0, 0}},
    {"nothing is kept back if all fit", 100, 32, 2, {50, 50}, {50, 50}},
    {"a unit too many: it is", 100, 32, 2, {50, 51}, {34, 34}},
    {"who needs less than its part has it whole", 100, 32, 2, {20, 300}, {20, 48}},
};

TEST(divides)
{
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint32_t share[4] = {0};

        etc_share_decide(cases[i].capacity, cases[i].spare, cases[i].tenants, cases[i].allocated, share);
        if (memcmp(share, cases[i].share, sizeof share) != 0)
            fail_msg("%s", cases[i].name);
    }
}

/* Max-min fair: all of it is given away, no tenant gets more than it has; one that gets less gets as much as any.
 */
TEST(fair)
{
    uint64_t rng = 3;

    for (uint32_t n = 0; n < 100000; n++) {
        uint32_t tenants = 1 + (uint32_t)(random_next(&rng) % GPU_MAX_TENANTS), capacity = random_next(&rng) % 2000;
        uint32_t allocated[GPU_MAX_TENANTS], share[GPU_MAX_TENANTS], sum = 0, wanted = 0, most = 0;

        for (uint32_t t = 0; t < tenants; t++)
            wanted += allocated[t] = random_next(&rng) % 600;
        uint32_t spare = capacity / 4;
        etc_share_decide(capacity, spare, tenants, allocated, share);
        for (uint32_t t = 0; t < tenants; t++) {
            sum += share[t];
            most = share[t] > most ? share[t] : most;
            assert_true(share[t] <= allocated[t]);
        }
        uint32_t divided = wanted <= capacity ? capacity : capacity - spare;
        assert_int_equal(sum, wanted < divided ? wanted : divided);
        for (uint32_t t = 0; t < tenants; t++)
            assert_true(share[t] == allocated[t] || share[t] + 1 >= most);
    }
}

static void two(uint32_t first, uint32_t second)
{
    etc_boot(2);
    etc_hold(0x3fffffff);
    for (uint32_t sm = 0; sm < 30; sm++)
        fake_set(MH_REG_SM_ROOT + 4 * sm, sm >= 15);
    fake_counter(0, MH_COUNTER_UVM_ALLOCATED, first);
    fake_counter(1, MH_COUNTER_UVM_ALLOCATED, second);
    for (uint32_t tenant = 0; tenant < 2; tenant++) { /* both are irregular */
        fake_counter(tenant, MH_COUNTER_MEM_LINES, 6400);
        fake_counter(tenant, MH_COUNTER_MEM_INSTR, 100);
    }
    assert_int_equal(fake_epoch(), 0);
}

/* It keeps what it has, is not throttled, and its detection has no part in the other's. */
TEST(who_fits_is_left_alone)
{
    two(30, 500);
    assert_int_equal(fake_knob(UVM_QUOTA, 0), 30);
    assert_int_equal(fake_knob(UVM_QUOTA, 1), 45); /* a quarter of 100 is kept back: less than 2 MB */
    assert_int_equal(etc_throttled(), 0x3f800000); /* 23..29, the second one's */
    assert_int_equal(fake_get(MH_REG_COMPRESS), 0);
    assert_int_equal(fake_knob(COMPRESS, 1), 1);
    etc_fault(false, true, 0, 3);
    etc_fault(true, true, 0, 3);
    assert_int_equal(etc_throttled(), 0x3f800000);
    etc_expect(true, MH_FAULT_RAISED);
    etc_fault(false, true, 1, 16);
    etc_fault(true, true, 1, 16);
    assert_int_equal(etc_throttled(), 0x3f810000);
}

TEST(both_do_not)
{
    two(300, 500);
    assert_int_equal(fake_knob(UVM_QUOTA, 0), 38);
    assert_int_equal(fake_knob(UVM_QUOTA, 1), 37);
    assert_int_equal(fake_epoch(), 0);
    assert_int_equal(etc_throttled(), 0x3f800000 | 0x7f00);
    fake.logged = 0;
    assert_int_equal(fake_epoch(), 0);
    assert_int_equal(fake_count(true, MH_REG_UVM_QUOTA), 0); /* unchanged: not written */
}

TEST(no_demand_paging)
{
    fake_boot_with(2, MH_FEATURE_SM_THROTTLE);
    assert_int_equal(fake_epoch(), 0);
    assert_int_equal(fake_knob(UVM_QUOTA, 0), 0);
    assert_int_equal(etc_throttled(), 0);
}
