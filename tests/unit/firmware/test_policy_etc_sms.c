/* Which SMs ETC throttles and releases, and its epochs: pure functions. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <setjmp.h>
#include <cmocka.h>

#include "fake_window.h"

#include "policy/etc/etc_epochs.h"
#include "policy/etc/etc_sms.h"
#include "random.h"

#define IMAGE_NAME             "test"
#define IMAGE_POLICIES(POLICY) POLICY(defaults)
#include "image/common/image.h"

static const uint32_t all_30[GPU_SM_WORDS] = {(1u << 30) - 1};
static const uint32_t none[GPU_SM_WORDS];

static void half_of_the_holders(void **state)
{
    static const uint32_t eight[GPU_SM_WORDS] = {0xf, 0, 0, 0xf0000000};
    struct etc_sms s = {0};

    (void)state;
    etc_sms_halve(&s, 0, all_30);
    assert_int_equal(s.count, 15);
    assert_int_equal(s.throttled[0], 0x3fff8000);
    memset(&s, 0, sizeof s);
    etc_sms_halve(&s, 0, eight);
    assert_int_equal(s.count, 4);
    assert_int_equal(s.throttled[3], 0xf0000000);
    assert_int_equal(s.throttled[0], 0);
    memset(&s, 0, sizeof s);
    etc_sms_halve(&s, 0, (const uint32_t[GPU_SM_WORDS]){7});
    assert_int_equal(s.throttled[0], 4); /* one of three */
    memset(&s, 0, sizeof s);
    etc_sms_halve(&s, 0, (const uint32_t[GPU_SM_WORDS]){4});
    etc_sms_halve(&s, 0, none);
    assert_int_equal(s.count, 0);
}

/* Those with CTAs left have their turn: eight, four of them done; then two of the four, then one, then the last. */
static void half_of_those_that_are_left(void **state)
{
    struct etc_sms s = {0};
    uint32_t holders[GPU_SM_WORDS] = {0xff}, rounds = 0;

    (void)state;
    for (; holders[0] != 0; rounds++) {
        uint32_t before = (uint32_t)__builtin_popcount(holders[0]);

        etc_sms_halve(&s, 3, holders);
        assert_int_equal(__builtin_popcount(holders[0] & ~s.throttled[0]), before - before / 2);
        holders[0] &= s.throttled[0]; /* the active ones end */
    }
    assert_int_equal(rounds, 4);
}

static void last_one_first(void **state)
{
    struct etc_sms s = {0};

    (void)state;
    etc_sms_throttle(&s, 0, 5, 1, all_30);
    etc_sms_throttle(&s, 1, 9, 1, all_30);
    etc_sms_throttle(&s, 0, 7, 1, all_30);
    assert_int_equal(s.throttled[0], 1u << 5 | 1u << 7 | 1u << 9);
    etc_sms_release(&s, 0, 1);
    assert_int_equal(s.throttled[0], 1u << 5 | 1u << 9);
    etc_sms_release(&s, 0, 1);
    assert_int_equal(s.throttled[0], 1u << 9); /* another tenant's */
    etc_sms_release(&s, 0, 1);
    assert_int_equal(s.throttled[0], 1u << 9);
    etc_sms_release(&s, 1, 4);
    assert_int_equal(s.throttled[0], 0);
}

/* A throttled SM that faults, or one without CTAs, changes nothing; one stays active, whatever the degree. */
static void what_changes_nothing(void **state)
{
    struct etc_sms s = {0};

    (void)state;
    etc_sms_throttle(&s, 0, 5, 1, all_30);
    etc_sms_throttle(&s, 0, 5, 4, all_30);
    etc_sms_throttle(&s, 0, 31, 1, all_30);
    etc_sms_throttle(&s, 0, 127, 1, all_30);
    assert_int_equal(s.count, 1);
    etc_sms_throttle(&s, 0, 6, 200, all_30);
    assert_int_equal(s.count, 29);
    assert_int_equal(s.throttled[0], 0x3fffffff & ~(1u << 4)); /* round, from 6 on */
    etc_sms_throttle(&s, 0, 4, 1, all_30);
    assert_int_equal(s.count, 29);
    etc_sms_release(&s, 0, 2);
    assert_int_equal(s.throttled[0], 0x3fffffff & ~(1u << 4 | 1u << 3 | 1u << 2));
}

static void degree(void **state)
{
    struct etc_sms s = {0};

    (void)state;
    etc_sms_throttle(&s, 0, 28, 4, all_30);
    assert_int_equal(s.throttled[0], 1u << 28 | 1u << 29 | 1 | 2);
}

/* Whatever happens the mask is what the list says, nothing twice, and never the last active holder is throttled. */
static void random_traffic(void **state)
{
    struct etc_sms s = {0};
    uint64_t rng = 7;

    (void)state;
    for (uint32_t i = 0; i < 200000; i++) {
        uint32_t holders[GPU_SM_WORDS], mask[GPU_SM_WORDS] = {0}, before = 0, after = 0;
        uint32_t tenant = (uint32_t)(random_next(&rng) % 3), sm = (uint32_t)(random_next(&rng) % GPU_MAX_SMS);

        for (uint32_t w = 0; w < GPU_SM_WORDS; w++) {
            holders[w] = (uint32_t)random_next(&rng) & (uint32_t)random_next(&rng);
            before |= holders[w] & ~s.throttled[w];
        }
        switch (random_next(&rng) % 8) {
        case 0:
            etc_sms_halve(&s, tenant, holders);
            break;
        case 1:
            etc_sms_release(&s, tenant, 1 + (uint32_t)(random_next(&rng) % 40));
            break;
        default:
            etc_sms_throttle(&s, tenant, sm, 1 + (uint32_t)(random_next(&rng) % 4), holders);
            break;
        }
        assert_true(s.count <= GPU_MAX_SMS);
        for (uint32_t n = 0; n < s.count; n++) {
            assert_false(mask[s.sm[n] / 32] >> (s.sm[n] % 32) & 1);
            mask[s.sm[n] / 32] |= 1u << (s.sm[n] % 32);
        }
        assert_memory_equal(mask, s.throttled, sizeof mask);
        for (uint32_t w = 0; w < GPU_SM_WORDS; w++)
            after |= holders[w] & ~s.throttled[w];
        assert_true(!before || after);
    }
}

/* --- Epochs. */

static void one_tenant(void **state)
{
    struct etc_epochs e = {0};

    (void)state;
    assert_int_equal(etc_epochs_expire(&e), 0); /* heard of late */
    assert_int_equal(e.phase, ETC_IDLE);
    assert_false(etc_epochs_fault(&e, 0));
    assert_true(etc_epochs_join(&e, 1));
    assert_int_equal(e.phase, ETC_DETECTION);
    assert_int_equal(etc_epochs_expire(&e), 1); /* no fault */
    assert_int_equal(e.phase, ETC_EXECUTION);
    assert_false(etc_epochs_fault(&e, 0));
    assert_int_equal(etc_epochs_expire(&e), 0);
    assert_int_equal(e.phase, ETC_DETECTION);
    assert_true(etc_epochs_fault(&e, 0));
    assert_int_equal(e.phase, ETC_EXECUTION); /* an execution epoch follows every outcome */
    assert_false(etc_epochs_fault(&e, 0));    /* the first one counts */
    assert_false(etc_epochs_join(&e, 1));
    assert_true(etc_epochs_join(&e, 0));
    assert_int_equal(e.phase, ETC_IDLE);
}

/* Each ends its own; the execution epoch begins with the last one, or with the time-out for those without a fault. */
static void several_tenants(void **state)
{
    struct etc_epochs e = {0};

    (void)state;
    etc_epochs_join(&e, 0xd);
    assert_true(etc_epochs_fault(&e, 2));
    assert_false(etc_epochs_fault(&e, 1)); /* takes no part */
    assert_int_equal(e.phase, ETC_DETECTION);
    assert_int_equal(etc_epochs_expire(&e), 0x9);
    assert_int_equal(e.phase, ETC_EXECUTION);
    etc_epochs_expire(&e);
    etc_epochs_fault(&e, 0);
    etc_epochs_fault(&e, 3);
    assert_int_equal(e.phase, ETC_DETECTION);
    assert_true(etc_epochs_join(&e, 0x9)); /* the one that was waited for leaves */
    assert_int_equal(e.phase, ETC_EXECUTION);
    etc_epochs_expire(&e);
    assert_false(etc_epochs_join(&e, 0xb)); /* a newcomer is watched from the next one on */
    assert_false(etc_epochs_fault(&e, 1));
    etc_epochs_expire(&e);
    etc_epochs_expire(&e);
    assert_true(etc_epochs_fault(&e, 1));
}

int test_policy_etc_sms(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(half_of_the_holders),
        cmocka_unit_test(half_of_those_that_are_left),
        cmocka_unit_test(last_one_first),
        cmocka_unit_test(what_changes_nothing),
        cmocka_unit_test(degree),
        cmocka_unit_test(random_traffic),
        cmocka_unit_test(one_tenant),
        cmocka_unit_test(several_tenants),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
