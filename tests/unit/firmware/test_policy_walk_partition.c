/* Owners of walkers: equal parts at boot, new ones when tenants arrive and leave. */
#include "unit/test.h"

#include "fake_window.h"

#include "policy/walk/walk.h"

#define IMAGE_NAME "test"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    POLICY(walk_partition)
#include "image/common/image.h"

enum { ALL = 0xff };

/* The owners as digits. */
static void assert_owners(uint32_t walkers, uint32_t present, uint32_t tenants, const char *expected)
{
    char got[200] = "";

    for (uint32_t w = 0; w < walkers; w++)
        got[w] = (char)('0' + walk_partition_owner(w, walkers, present, tenants));
    assert_string_equal(got, expected);
}

TEST(parts_by_hand)
{
    assert_owners(16, ALL, 2, "0000000011111111");
    assert_owners(16, ALL, 3, "0000001111122222");
    assert_owners(16, ALL, 4, "0000111122223333");
    assert_owners(12, ALL, 5, "000112223344");
    assert_owners(3, ALL, 2, "001");
    assert_owners(2, ALL, 2, "01");
    assert_owners(16, ALL, 1, "0000000000000000");
    assert_owners(8, 0x5, 3, "00002222");
    assert_owners(8, 0x8, 4, "33333333");
    assert_owners(8, 0x80, 8, "77777777");
    assert_owners(8, 0, 2, "00001111");    /* no tenant */
    assert_owners(8, 0xf0, 2, "00001111"); /* no tenant that exists */
    assert_owners(2, ALL, 4, "02");        /* fewer walkers than tenants */
}

/* All counts: each present tenant has adjacent walkers, two differ by one at most, and no other tenant has any. */
TEST(parts_of_all_sizes)
{
    for (uint32_t walkers = 1; walkers <= 128; walkers++)
        for (uint32_t present = 1; present < 256; present += walkers % 8 ? 37 : 1) {
            uint32_t owns[8] = {0}, last = 0, there = (uint32_t)__builtin_popcount(present);

            for (uint32_t w = 0; w < walkers; w++) {
                uint32_t owner = walk_partition_owner(w, walkers, present, 8);

                assert_true(present >> owner & 1);
                assert_true(owner >= last);
                owns[owner]++;
                last = owner;
            }
            for (uint32_t t = 0; t < 8; t++)
                assert_true(!(present >> t & 1) || owns[t] == walkers / there ||
                            owns[t] == (walkers + there - 1) / there);
        }
}

static void boot(uint32_t tenants)
{
    fake_reset(tenants);
    fake_boot();
}

static void assert_registers(const char *expected)
{
    char got[17] = "";

    for (uint32_t w = 0; w < 16; w++)
        got[w] = (char)('0' + fake_get(MH_REG_WALKER_OWNER + w * MH_REG_WALKER_OWNER_STRIDE));
    assert_string_equal(got, expected);
}

TEST(arrivals_and_departures)
{
    boot(3);
    assert_int_equal(fake_get(MH_REG_WALK_QUEUES), 1);
    assert_int_equal(fake_get(MH_REG_WALK_STEAL), MH_STEAL_NEVER);
    assert_registers("0000001111122222");
    fake_hear(MH_EVENT_TENANT_LEFT, 1);
    assert_registers("0000000022222222");
    fake_hear(MH_EVENT_TENANT_LEFT, 0);
    assert_registers("2222222222222222");
    fake_hear(MH_EVENT_TENANT_ARRIVED, 1);
    assert_registers("1111111122222222");
    fake_hear(MH_EVENT_TENANT_DONE, 2); /* it starts over: nothing changes */
    assert_int_equal(fake_count(true, MH_REG_WALKER_OWNER), 0);
    fake_hear(MH_EVENT_TENANT_ARRIVED, 1); /* it is there */
    assert_int_equal(fake_count(true, MH_REG_WALKER_OWNER), 0);
    fake_hear(MH_EVENT_TENANT_LEFT, 7); /* no such tenant */
    assert_registers("1111111122222222");
}

/* At boot the register has the present tenants. */
TEST(late_tenants)
{
    fake_reset(3);
    fake_set(MH_REG_TENANTS, 5);
    fake_boot();
    assert_registers("0000000022222222");
    fake_hear(MH_EVENT_TENANT_ARRIVED, 1);
    assert_registers("0000001111122222");
}

/* Started again, it looks again. */
TEST(restart)
{
    boot(2);
    fake_hear(MH_EVENT_TENANT_LEFT, 0);
    assert_registers("1111111111111111");
    fake_boot();
    assert_registers("0000000011111111");
}
