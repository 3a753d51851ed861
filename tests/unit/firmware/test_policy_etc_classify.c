/* ETC's classification: the decision at, below and above each edge, the classes' techniques, and the glue. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "fake_window.h"

#include "policy/etc/etc.h"
#include "policy/etc/etc_classify.h"

/* The image of this test: the policy, and who says that memory is too small. */
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
static void decides(void **state)
{
    static const struct etc_classify_counters last[] = {{0, 0}, {1000, 2000}, {UINT32_MAX, UINT32_MAX - 1}};

    (void)state;
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
static void samples_add_up(void **state)
{
    struct etc_classify_state s = {0};

    (void)state;
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
static void techniques(void **state)
{
    (void)state;
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
    assert_int_equal(mh_twin_init(&fake_host), 0);
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
static void each_tenant_on_its_own(void **state)
{
    (void)state;
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
static void first_epoch(void **state)
{
    (void)state;
    boot(99);
    use(0, 100, 0, 0, 0);
    assert_int_equal(fake_epoch(), 0);
    assert_true(wants(0, 0));
    use(0, 100, 33, 1, 0);
    assert_int_equal(fake_epoch(), 0);
    assert_true(wants(0, ETC_MT | ETC_CC));
}

static void nothing_while_memory_is_enough(void **state)
{
    (void)state;
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
static void arrival(void **state)
{
    (void)state;
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

int test_policy_etc_classify(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decides),     cmocka_unit_test(samples_add_up),
        cmocka_unit_test(techniques),  cmocka_unit_test(each_tenant_on_its_own),
        cmocka_unit_test(first_epoch), cmocka_unit_test(nothing_while_memory_is_enough),
        cmocka_unit_test(arrival),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
