/* MASK's TLB-fill tokens on a fake window: counters in, knobs out; tenants that come late. */
#include "unit/test.h"

#include "fake_window.h"

#define IMAGE_NAME             "test"
#define IMAGE_POLICIES(POLICY) POLICY(mask_tokens)
#include "image/common/image.h"

static void lookups(uint32_t tenant, uint64_t accesses, uint64_t hits, uint64_t bypass)
{
    fake_counter(tenant, MH_COUNTER_L2TLB_ACCESS, accesses);
    fake_counter(tenant, MH_COUNTER_L2TLB_HIT, hits);
    fake_counter(tenant, MH_COUNTER_BYPASS_HIT, bypass);
}

static void warps(uint32_t tenant, uint64_t peak)
{
    fake_counter(tenant, MH_COUNTER_WARPS_PEAK, peak);
}

static uint32_t epoch_tokens(uint32_t tenant)
{
    assert_int_equal(fake_epoch(), 0);
    return fake_knob(TOKENS, tenant);
}

/* At the end of an epoch. */
static void assert_tokens(uint32_t t0, uint32_t t1, uint32_t t2)
{
    assert_int_equal(epoch_tokens(0), t0);
    assert_int_equal(fake_knob(TOKENS, 1), t1);
    assert_int_equal(fake_knob(TOKENS, 2), t2);
}

/* Three tenants go three ways; a hit in the bypass cache counts as a hit; counts need their high words. */
TEST(each_tenant_on_its_own)
{
    fake_reset(3);
    fake_boot();
    warps(0, 64);
    warps(1, 64);
    warps(2, 20); /* its CTAs fill less of an SM */
    lookups(0, 1000, 500, 0);
    lookups(1, 1000, 500, 0);
    lookups(2, 0xffffff00, 0x7fffff80, 0);
    assert_tokens(51, 51, 16);

    lookups(0, 2000, 700, 0);                                 /* 80 % misses */
    lookups(1, 2000, 700, 600);                               /* 20 %: 600 hits in the bypass cache */
    lookups(2, 0xffffff00 + 1000ull, 0x7fffff80 + 500ull, 0); /* 50 % again */
    fake.logged = 0;
    assert_tokens(45, 57, 16);
    assert_int_equal(fake_count(true, MH_REG_TOKENS), 1);
    assert_int_equal(fake_count(true, MH_REG_TOKENS + 2 * MH_REG_TOKENS_STRIDE), 0); /* unchanged: not written */
    assert_int_equal(fake.logged, 2 + 1 + 3 * 4 + 2 + 2); /* interrupt, snapshot, counters, two knobs, commit */
}

/* Two tenants, of which tenant 1 is not there yet; nothing restricts anybody. */
static void boot_with_a_late_tenant(void)
{
    fake_reset(2);
    fake_set(MH_REG_TENANTS, 1);
    fake_set(MH_REG_TOKENS, 64);
    fake_set(MH_REG_TOKENS + MH_REG_TOKENS_STRIDE, 64);
    fake_boot();
    warps(0, 64);
}

TEST(a_late_tenant_starts_like_any)
{
    boot_with_a_late_tenant();
    assert_int_equal(fake_epoch(), 0);
    assert_int_equal(epoch_tokens(0), 51);
    assert_int_equal(fake_knob(TOKENS, 1), 64);
    fake_hear(MH_EVENT_TENANT_ARRIVED, 1);
    assert_int_equal(fake_knob(TOKENS, 0), 51);
    assert_int_equal(fake_knob(TOKENS, 1), 64);
    warps(1, 32);
    lookups(1, 1000, 500, 0);
    assert_int_equal(epoch_tokens(1), 25);
    lookups(1, 2000, 500, 0);
    assert_int_equal(epoch_tokens(1), 22);
}

/* A tenant that comes back: no restriction, the initial tokens, and nothing to compare with. */
TEST(an_arrival_starts_afresh)
{
    boot_with_a_late_tenant();
    lookups(0, 1000, 1000, 0);
    assert_int_equal(fake_epoch(), 0);
    lookups(0, 2000, 1000, 0);
    assert_int_equal(epoch_tokens(0), 45);
    fake_hear(MH_EVENT_TENANT_ARRIVED, 0);
    assert_int_equal(fake_knob(TOKENS, 0), 64);
    lookups(0, 3000, 2000, 0); /* hits only, after misses only */
    assert_int_equal(epoch_tokens(0), 51);
}

/* The epoch is older: it is decided first, and what it decides of the tenant is forgotten. */
TEST(an_arrival_at_the_end_of_an_epoch)
{
    boot_with_a_late_tenant();
    warps(1, 32);
    fake_event(MH_EVENT_TENANT_ARRIVED, 1, 0);
    assert_int_equal(epoch_tokens(0), 51);
    assert_int_equal(fake_knob(TOKENS, 1), 64);
    assert_int_equal(epoch_tokens(1), 25);
}

TEST(other_events_change_nothing)
{
    boot_with_a_late_tenant();
    assert_int_equal(fake_epoch(), 0);
    fake_hear(MH_EVENT_TENANT_DONE, 0);
    assert_int_equal(fake_count(true, MH_REG_TOKENS), 0);
    fake_hear(MH_EVENT_TENANT_LEFT, 0);
    assert_int_equal(fake_count(true, MH_REG_TOKENS), 0);
    fake_hear(MH_EVENT_TENANT_ARRIVED, 2); /* no such tenant */
    assert_int_equal(fake_count(true, MH_REG_TOKENS + 2 * MH_REG_TOKENS_STRIDE), 0);
    assert_int_equal(fake_knob(TOKENS, 0), 51);
}

TEST(a_tenant_that_ramps_up)
{
    static const uint32_t peaks[] = {2, 3, 4, 4, 6, 8}, expected[] = {1, 2, 3, 3, 4, 6};

    boot_with_a_late_tenant();
    for (size_t i = 0; i < sizeof peaks / sizeof peaks[0]; i++) {
        warps(0, peaks[i]);
        lookups(0, 1000 * (i + 1), 500 * (i + 1), 0);
        assert_int_equal(epoch_tokens(0), expected[i]);
    }
}

TEST(init_forgets_and_checks_the_gpu)
{
    fake_reset(3);
    warps(0, 64);
    lookups(0, 1000, 500, 0);
    fake_boot();
    assert_int_equal(fake_epoch(), 0);
    lookups(0, 2000, 500, 0);
    assert_int_equal(epoch_tokens(0), 45);
    fake_boot();
    assert_int_equal(epoch_tokens(0), 51);

    fake_assert_refused_with(MH_FEATURE_PWC | MH_FEATURE_CTA_LIMIT);
}
