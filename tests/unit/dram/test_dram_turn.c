/* Whose turn it is at the silver queue: thresholds at, below and above the requests that come, and who is left out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <string.h>

#include "dram/turn.h"

/* A data read of the tenant arrives, and enters the silver queue if it may. */
static bool arrive(struct mh_turn *t, uint32_t tenant)
{
    bool silver = mh_turn_is(t, tenant);

    mh_turn_arrive(t, tenant);
    if (silver)
        mh_turn_sent(t);
    return silver;
}

/*
 * Arrivals by tenant ('0'..'7'), and services ('a' = tenant 0's, 'b' = tenant 1's ..); for each arrival what came of
 * it: S = silver, N = normal, and '.' for each service.
 */
struct sequence {
    const char *name;
    uint32_t thresh[4];
    const char *events, *expected;
};

static const struct sequence sequences[] = {
    {"no threshold, no silver", {0}, "0101", "NNNN"},
    {"alone: one turn follows the other", {2}, "00000", "SSSSS"},
    {"the first to come has the turn", {2, 2}, "1", "S"},
    {"below the threshold", {3, 3}, "1011", "SNSS"},
    {"at the threshold: the next one's turn", {2, 2}, "01010", "SNSSN"},
    {"above the threshold", {2, 2}, "010001", "SNSNNS"},
    {"a threshold of one", {1, 1}, "01010", "SNSSS"},
    {"unequal shares", {1, 3}, "010111010", "SNSSSSSSN"},
    {"threshold 0 beside one that has some", {0, 2}, "0101110", "NSNSSSN"},
    {"nothing left: the turn passes at once", {5, 5}, "0a1", "S.S"},
    {"its only request left: another that waits has it", {5, 5}, "01a01", "SN.NS"},
    {"nothing left and nobody waits: the turn stays", {2, 2}, "00a0", "SS.S"},
    {"a service of another changes nothing", {5, 5}, "01b01", "SN.SN"},
    {"three in a round", {1, 1, 1}, "0120120", "SNNSSSS"},
    {"the next in order, not the next to come", {1, 1, 1}, "021021", "SNNSNS"},
    {"past one that has nothing", {1, 1, 1}, "0202", "SNSS"},
    {"past one without threshold", {1, 0, 1}, "01202", "SNNSS"},
};

static void test_sequences(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof sequences / sizeof *sequences; i++) {
        const struct sequence *s = &sequences[i];
        struct mh_turn t = {.owner = 0};
        char seen[32] = "";

        memcpy(t.thresh, s->thresh, sizeof s->thresh);
        for (const char *e = s->events; *e; e++)
            if (*e >= 'a') {
                mh_turn_leave(&t, (uint32_t)(*e - 'a'));
                strcat(seen, ".");
            } else {
                strcat(seen, arrive(&t, (uint32_t)(*e - '0')) ? "S" : "N");
            }
        if (strcmp(seen, s->expected))
            fail_msg("%s: %s gives %s, not %s", s->name, s->events, seen, s->expected);
    }
}

/* A full silver queue: what spills is no part of the turn. */
static void test_spilled_requests_do_not_count(void **state)
{
    (void)state;
    struct mh_turn t = {.thresh = {2, 2}};

    assert_true(arrive(&t, 0));
    mh_turn_arrive(&t, 1);
    for (int i = 0; i < 5; i++) {
        assert_true(mh_turn_is(&t, 0));
        mh_turn_arrive(&t, 0);
    }
    assert_true(arrive(&t, 0));
    assert_true(mh_turn_is(&t, 1));
}

static void test_thresholds_change_in_a_turn(void **state)
{
    (void)state;
    struct mh_turn t = {.thresh = {5, 5}};

    arrive(&t, 0);
    arrive(&t, 0);
    arrive(&t, 1);
    t.thresh[0] = 3;
    mh_turn_pass(&t);
    assert_true(mh_turn_is(&t, 0));
    t.thresh[0] = 2;
    mh_turn_pass(&t);
    assert_false(mh_turn_is(&t, 0));
    assert_true(mh_turn_is(&t, 1));
    t.thresh[1] = 0;
    mh_turn_pass(&t);
    assert_true(mh_turn_is(&t, 0));
}

int test_dram_turn(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sequences),
        cmocka_unit_test(test_spilled_requests_do_not_count),
        cmocka_unit_test(test_thresholds_change_in_a_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
