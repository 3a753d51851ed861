/* How far runs are, and how long they take, by those of them that have ended. Seconds by hand. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "run/jobs.h"

enum { RUNS = 8 };

static struct sim runs[RUNS];
static struct sim *sims[RUNS];

#define NEAR(value, expected) assert_true(fabs((value) - (expected)) < 1e-9)

/* They wait. Of each `cost` seconds are foretold; none has a directory, so that none shows its progress. */
static void wait_all(const double *costs, const unsigned *kinds)
{
    memset(runs, 0, sizeof runs);
    for (unsigned i = 0; i < RUNS; i++) {
        sims[i] = &runs[i];
        runs[i].cfg.run.cycles = 1000;
        runs[i].cost = costs ? costs[i] : 0;
        runs[i].kind = kinds ? kinds[i] : 0;
    }
}

static void end(unsigned i, double seconds)
{
    runs[i].state = SIM_DONE;
    runs[i].seconds = seconds;
}

static double part(double now)
{
    return pace_part(sims, RUNS, now);
}

/* Seconds of processors that are left, as the line of progress has them from the seconds that have passed. */
static double left(double passed)
{
    return passed / part(0) - passed;
}

static void test_without_costs(void **state)
{
    (void)state;
    wait_all(NULL, NULL);
    NEAR(part(0), 0);
    end(0, 3);
    NEAR(part(0), 1 / 8.);
    NEAR(left(3), 21);
    runs[1].cfg.run.cycles = 3000; /* a window of thrice the cycles takes three times as long */
    NEAR(part(0), 1 / 10.);
    for (unsigned i = 1; i < RUNS; i++)
        end(i, 1);
    NEAR(part(0), 1);
}

/* While none has ended the costs say how much of all of it one is. */
static void test_costs(void **state)
{
    static const double costs[RUNS] = {8, 1, 1, 1, 1, 1, 1, 2};
    (void)state;
    wait_all(costs, NULL);
    end(0, 8);
    NEAR(part(0), 0.5);
    NEAR(left(8), 8);
}

/* A machine of a quarter of the speed: what is left is four times what was foretold, too. */
static void test_slower_machine(void **state)
{
    static const double costs[RUNS] = {1, 1, 2, 2, 1, 1, 2, 2};
    (void)state;
    wait_all(costs, NULL);
    end(0, 4);
    NEAR(left(4), 4 * 11);
    end(2, 8);
    NEAR(left(12), 4 * 9);
}

/* Of two workloads one was foretold at a tenth of what it takes: known when one run of each has ended. */
static void test_wrong_cost_of_a_kind(void **state)
{
    static const unsigned kinds[RUNS] = {1, 2, 1, 2, 1, 2, 1, 2};
    static const double costs[RUNS] = {1, 1, 1, 1, 1, 1, 1, 1};
    (void)state;
    wait_all(costs, kinds);
    end(0, 1);
    NEAR(left(1), 7);
    end(1, 10);
    NEAR(left(11), 3 * 1 + 3 * 10);
    end(3, 14);
    NEAR(left(25), 3 * 1 + 2 * 12);
}

/* One whose kind is known is as far as its time says, whatever its window: programs end before it. */
static void test_running(void **state)
{
    static const unsigned kinds[RUNS] = {1, 1, 2, 0, 1, 1, 1, 1};
    (void)state;
    wait_all(NULL, kinds);
    end(0, 10);
    for (unsigned i = 1; i < 4; i++) {
        runs[i].state = SIM_RUNNING;
        runs[i].started = 100;
    }
    NEAR(part(100), 10 / 80.);
    NEAR(part(105), 15 / 80.); /* of the others nothing is known yet */
    NEAR(part(110), 20 / 80.);
    NEAR(part(200), 20 / 80.); /* it takes longer than the others did: not more than all of it */
}

/* What gave no result is over, and tells nothing of the others. */
static void test_lost(void **state)
{
    static const unsigned kinds[RUNS] = {1, 1, 1, 1, 1, 1, 1, 1};
    (void)state;
    wait_all(NULL, kinds);
    end(0, 0.01);
    runs[0].state = SIM_LOST;
    end(1, 6);
    NEAR(part(0), 2 / 8.);
    assert_true(pace_part(sims, 0, 0) == 0);
}

int test_host_pace(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_without_costs),  cmocka_unit_test(test_costs),
        cmocka_unit_test(test_slower_machine), cmocka_unit_test(test_wrong_cost_of_a_kind),
        cmocka_unit_test(test_running),        cmocka_unit_test(test_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
