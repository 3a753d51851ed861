/* Lists that keep a part of all, and the timeline that is made of them: bounded, spread over the run, groups whole. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "memhelm/config_file.h"
#include "record/thinned.h"
#include "record/timeline.h"

enum { ROOM = 64 };

static void test_all_while_there_is_room(void **state)
{
    struct mh_thinned t;
    (void)state;
    assert_int_equal(mh_thinned_init(&t, sizeof(uint64_t), ROOM), 0);
    for (uint64_t i = 0; i < ROOM; i++)
        mh_thinned_add(&t, i, &i);
    assert_int_equal(t.count, ROOM);
    assert_int_equal(t.every, 1);
    mh_thinned_free(&t);
}

static void test_spread_over_all(void **state)
{
    struct mh_thinned t;
    (void)state;
    assert_int_equal(mh_thinned_init(&t, sizeof(uint64_t), ROOM), 0);
    for (uint64_t i = 0; i < 10000; i++) {
        mh_thinned_add(&t, i, &i);
        assert_true(t.count <= ROOM);
    }
    assert_int_equal(t.all, 10000);
    assert_true(t.count > ROOM / 2 - 1);
    for (uint32_t i = 0; i < t.count; i++)
        assert_int_equal(*(const uint64_t *)mh_thinned_at(&t, i), i * t.every);
    assert_true((t.count + 1) * t.every > 10000 - t.every);
    mh_thinned_free(&t);
}

/* Five items to a group, as slices of one stretch awake. */
static void test_groups_are_whole(void **state)
{
    struct mh_thinned t;
    (void)state;
    assert_int_equal(mh_thinned_init(&t, sizeof(uint64_t), ROOM), 0);
    for (uint64_t i = 0; i < 5000; i++)
        mh_thinned_add(&t, i / 5, &i);
    for (uint32_t i = 0; i + 1 < t.count; i++) {
        const uint64_t v = *(const uint64_t *)mh_thinned_at(&t, i), next = *(const uint64_t *)mh_thinned_at(&t, i + 1);
        assert_true(v % 5 == 4 ? next % 5 == 0 && next / 5 == v / 5 + t.every : next == v + 1);
    }
    mh_thinned_free(&t);
}

/* Then the list ends there. */
static void test_one_group_that_fills_it(void **state)
{
    struct mh_thinned t;
    (void)state;
    assert_int_equal(mh_thinned_init(&t, sizeof(uint64_t), ROOM), 0);
    for (uint64_t i = 0; i < 1000; i++)
        mh_thinned_add(&t, 0, &i);
    assert_int_equal(t.count, ROOM);
    assert_int_equal(t.all, 1000);
    mh_thinned_free(&t);
}

/* --- The file, with as much in it as there can be. */

static void fill(struct mh_timeline_log *l, uint64_t rounds)
{
    struct mh_counters count[MH_MAX_TENANTS] = {{0}};
    struct mh_timeline_sample s = {.tenant = count, .channels = MH_MAX_CHANNELS};
    for (uint64_t i = 1; i <= rounds; i++) {
        s.cycle = 1000 * i;
        for (uint32_t t = 0; t < MH_MAX_TENANTS; t++) {
            count[t].lane_instr += 12345678 + i;
            count[t].sm_stalls += 98765 + i;
            count[t].l2tlb_access += 123456 + i;
            count[t].dram_read += 54321 + i;
            count[t].uvm_faults += 1000 + i;
            count[t].walks_live = i % 1000;
            count[t].uvm_queue = i % 100;
        }
        for (uint32_t c = 0; c < MH_MAX_CHANNELS; c++)
            s.queued[c] = (uint32_t)i % 200;
        mh_timeline_sample(l, &s);
        mh_timeline_mark(l, s.cycle, "SNAPSHOT");
        mh_timeline_fault(l, &(struct mh_page_fault){.cycle = s.cycle, .latency = UINT32_MAX, .address = UINT64_MAX});
        mh_timeline_slice(l, MH_MCU_HOOK, "a_policy_with_a_long_name.on_page_fault", s.cycle, s.cycle + 100000);
        mh_timeline_slice(l, MH_MCU_AWAKE, NULL, s.cycle, s.cycle + 200000);
    }
}

static void test_bounded(void **state)
{
    struct mh_config cfg = {.tenants_count = MH_MAX_TENANTS};
    struct mh_error err;
    char *text;
    size_t size;
    (void)state;
    assert_int_equal(mh_config_preset(&cfg, "etc", &err), 0);
    cfg.tenants_count = MH_MAX_TENANTS;
    cfg.run.log_timeline = 1000;
    for (uint32_t t = 0; t < MH_MAX_TENANTS; t++)
        memset(cfg.tenants[t].kernel, '"', MH_PATH_MAX - 1);
    for (uint64_t rounds = 1; rounds <= 65536; rounds *= 256) {
        struct mh_timeline_log *l = mh_timeline_open(&cfg);
        assert_non_null(l);
        fill(l, rounds);
        FILE *out = open_memstream(&text, &size);
        mh_timeline_write(l, out);
        fclose(out);
        mh_timeline_close(l);
        assert_true(size < MH_TIMELINE_BYTES);
        assert_true(rounds < 256 || size > MH_TIMELINE_BYTES / 20);
        free(text);
    }
}

int test_thinned(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_while_there_is_room),
        cmocka_unit_test(test_spread_over_all),
        cmocka_unit_test(test_groups_are_whole),
        cmocka_unit_test(test_one_group_that_fills_it),
        cmocka_unit_test(test_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
