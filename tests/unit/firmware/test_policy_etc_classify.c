/* ETC's classification: the decision at, below and above each edge, the classes' techniques, and the glue. */
#include "unit/test.h"

#include "fake_window.h"
#include "policy/etc/etc.h"
#include "random.h"

#define IMAGE_NAME             "test"
#define IMAGE_POLICIES(POLICY) POLICY(etc_memory) POLICY(etc_classify)
#include "image/common/image.h"

static const struct etc_classify_config config = {.lines = 10, .least = 64};

static const struct {
    const char *name;
    enum etc_class before;
    uint32_t lines, instructions;
    enum etc_class expected;
    uint32_t late_changes;
} steps[] = {
    {"nothing", ETC_UNKNOWN, 0, 0, ETC_UNKNOWN, 0},
    {"one instruction less than a sample", ETC_UNKNOWN, 63 * 64, 63, ETC_UNKNOWN, 0},
    {"a sample, 64 lines each", ETC_UNKNOWN, 64 * 64, 64, ETC_IRREGULAR, 0},
    {"ten lines", ETC_UNKNOWN, 10 * 64, 64, ETC_REGULAR, 0},
    {"a line more in all", ETC_UNKNOWN, 10 * 64 + 1, 64, ETC_IRREGULAR, 0},
    {"one line", ETC_UNKNOWN, 1000, 1000, ETC_REGULAR, 0},
    {"instructions whose lines are still to come", ETC_UNKNOWN, 0, 64, ETC_REGULAR, 0},
    {"irregular is held when it coalesces later", ETC_IRREGULAR, 64, 64, ETC_IRREGULAR, 1},
    {"regular is held, too", ETC_REGULAR, 64 * 64, 64, ETC_REGULAR, 1},
    {"the same class again is no change", ETC_IRREGULAR, 64 * 64, 64, ETC_IRREGULAR, 0},
    {"too few to say that it changed", ETC_IRREGULAR, 63, 63, ETC_IRREGULAR, 0},
    {"as much as an epoch can hold", ETC_UNKNOWN, UINT32_MAX, UINT32_MAX / 10, ETC_IRREGULAR, 0},
    {"and one instruction more", ETC_UNKNOWN, UINT32_MAX, UINT32_MAX / 10 + 1, ETC_REGULAR, 0},
};

/* Differences count, also across a wrap of the low words. */
TEST(decides)
{
    static const struct etc_classify_counters last[] = {{0, 0}, {1000, 2000}, {UINT32_MAX, UINT32_MAX - 1}};

    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++)
        for (size_t k = 0; k < sizeof last / sizeof last[0]; k++) {
            struct etc_classify_state s = {.last = last[k], .class = steps[i].before};
            struct etc_classify_counters now = {last[k].lines + steps[i].lines,
                                                last[k].instructions + steps[i].instructions};

            if (etc_classify_decide(&config, &s, &now) != steps[i].expected || s.class != steps[i].expected ||
                s.late_changes != steps[i].late_changes)
                fail_msg("%s", steps[i].name);
        }
}

/* Epochs add up to a sample; the next one begins where it ended. */
TEST(samples_add_up)
{
    struct etc_classify_state s = {0};

    for (uint32_t i = 1; i < 64; i++)
        assert_int_equal(etc_classify_decide(&config, &s, &(struct etc_classify_counters){i, i}), ETC_UNKNOWN);
    assert_int_equal(etc_classify_decide(&config, &s, &(struct etc_classify_counters){64, 64}), ETC_REGULAR);
    for (uint32_t n = 1; n <= 3; n++) {
        etc_classify_decide(&config, &s, &(struct etc_classify_counters){64 + 2000 * n, 64 * n + 63});
        assert_int_equal(s.late_changes, n - 1);
        etc_classify_decide(&config, &s, &(struct etc_classify_counters){64 + 2000 * n, 64 * n + 64});
        assert_int_equal(s.late_changes, n);
    }
}

/* Sec. 4.5; never proactive eviction for irregular ones. */
TEST(techniques)
{
    assert_int_equal(etc_classify_techniques(ETC_UNKNOWN, false), 0);
    assert_int_equal(etc_classify_techniques(ETC_UNKNOWN, true), 0);
    assert_int_equal(etc_classify_techniques(ETC_REGULAR, false), ETC_PE);
    assert_int_equal(etc_classify_techniques(ETC_REGULAR, true), ETC_PE | ETC_CC);
    assert_int_equal(etc_classify_techniques(ETC_IRREGULAR, false), ETC_MT | ETC_CC);
    assert_int_equal(etc_classify_techniques(ETC_IRREGULAR, true), ETC_MT | ETC_CC);
}

static void boot(uint32_t capacity)
{
    fake_reset(2);
    fake_set(MH_REG_CAP_UVM, capacity);
    fake_set(MH_REG_CAP_UVM_UNIT, 65536);
    fake_boot();
}

static void use(uint32_t tenant, uint64_t allocated, uint64_t lines, uint64_t instructions, uint64_t shared)
{
    fake_counter(tenant, MH_COUNTER_UVM_ALLOCATED, allocated);
    fake_counter(tenant, MH_COUNTER_MEM_LINES, lines);
    fake_counter(tenant, MH_COUNTER_MEM_INSTR, instructions);
    fake_counter(tenant, MH_COUNTER_UVM_SHARED, shared);
}

static bool wants(uint32_t tenant, uint32_t techniques)
{
    return etc_wants(tenant, ETC_PE) == !!(techniques & ETC_PE) &&
           etc_wants(tenant, ETC_MT) == !!(techniques & ETC_MT) && etc_wants(tenant, ETC_CC) == !!(techniques & ETC_CC);
}

/* Both together are more than memory holds by a unit; a hint that comes late counts. */
TEST(each_tenant_on_its_own)
{
    boot(99);
    use(0, 50, 640, 64, 0);
    use(1, 50, 6400, 64, 0);
    assert_int_equal(fake_epoch(), 0);
    assert_true(wants(0, ETC_PE));
    assert_true(wants(1, ETC_MT | ETC_CC));
    use(0, 50, 640, 64, 1);
    assert_int_equal(fake_epoch(), 0);
    assert_true(wants(0, ETC_PE | ETC_CC));
}

/* The first epoch with an instruction decides; one without says nothing. */
TEST(first_epoch)
{
    boot(99);
    use(0, 100, 0, 0, 0);
    assert_int_equal(fake_epoch(), 0);
    assert_true(wants(0, 0));
    use(0, 100, 33, 1, 0);
    assert_int_equal(fake_epoch(), 0);
    assert_true(wants(0, ETC_MT | ETC_CC));
}

TEST(nothing_while_memory_is_enough)
{
    boot(100);
    use(0, 50, 640, 64, 0);
    use(1, 50, 6400, 64, 0);
    assert_int_equal(fake_epoch(), 0);
    assert_true(wants(0, 0));
    assert_true(wants(1, 0));
    use(0, 51, 640, 64, 0);
    assert_int_equal(fake_epoch(), 0);
    assert_true(wants(1, ETC_MT | ETC_CC));
    boot(0); /* no demand paging */
    assert_true(wants(1, 0));
    assert_int_equal(fake_epoch(), 0);
    assert_true(wants(1, 0));
}

/* A newcomer's class is not known; the other's is. */
TEST(arrival)
{
    boot(99);
    use(0, 50, 6400, 64, 0);
    use(1, 50, 6400, 64, 0);
    assert_int_equal(fake_epoch(), 0);
    fake_event(MH_EVENT_TENANT_ARRIVED, 1, 0);
    assert_int_equal(mh_twin_irq(), 0);
    assert_true(wants(0, ETC_MT | ETC_CC));
    assert_true(wants(1, 0));
    use(1, 50, 6400 + 64, 64 + 64, 0);
    assert_int_equal(fake_epoch(), 0);
    assert_true(wants(1, ETC_PE));
}

/* --- Which SMs ETC throttles and releases, and its epochs: pure functions. */

static const uint32_t all_30[GPU_SM_WORDS] = {(1u << 30) - 1};
static const uint32_t none[GPU_SM_WORDS];

TEST(half_of_the_holders)
{
    static const uint32_t eight[GPU_SM_WORDS] = {0xf, 0, 0, 0xf0000000};
    struct etc_sms s = {0};

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
TEST(half_of_those_that_are_left)
{
    struct etc_sms s = {0};
    uint32_t holders[GPU_SM_WORDS] = {0xff}, rounds = 0;

    for (; holders[0] != 0; rounds++) {
        uint32_t before = (uint32_t)__builtin_popcount(holders[0]);

        etc_sms_halve(&s, 3, holders);
        assert_int_equal(__builtin_popcount(holders[0] & ~s.throttled[0]), before - before / 2);
        holders[0] &= s.throttled[0]; /* the active ones end */
    }
    assert_int_equal(rounds, 4);
}

TEST(last_one_first)
{
    struct etc_sms s = {0};

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
TEST(what_changes_nothing)
{
    struct etc_sms s = {0};

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

TEST(degree)
{
    struct etc_sms s = {0};

    etc_sms_throttle(&s, 0, 28, 4, all_30);
    assert_int_equal(s.throttled[0], 1u << 28 | 1u << 29 | 1 | 2);
}

/* Whatever happens the mask is what the list says, nothing twice, and never the last active holder is throttled. */
TEST(random_traffic)
{
    struct etc_sms s = {0};
    uint64_t rng = 7;

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

TEST(one_tenant)
{
    struct etc_epochs e = {0};

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
TEST(several_tenants)
{
    struct etc_epochs e = {0};

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
