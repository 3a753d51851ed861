/* How far runs are, and how long they take, by those of them that have ended. Seconds by hand. */
#include "unit/test.h"

#include <math.h>

#include "run/jobs.h"
#include "run/sim.h"

enum { RUNS = 8 };

static struct sim runs_pace[RUNS];
static struct sim *sims[RUNS];

#define NEAR(value, expected) assert_true(fabs((value) - (expected)) < 1e-9)

/* They wait. Of each `cost` seconds are foretold; none has a directory, so that none shows its progress. */
static void wait_all(const double *costs, const unsigned *kinds)
{
    memset(runs_pace, 0, sizeof runs_pace);
    for (unsigned i = 0; i < RUNS; i++) {
        sims[i] = &runs_pace[i];
        runs_pace[i].cfg.run.cycles = 1000;
        runs_pace[i].cost = costs ? costs[i] : 0;
        runs_pace[i].kind = kinds ? kinds[i] : 0;
    }
}

static void end(unsigned i, double seconds)
{
    runs_pace[i].state = SIM_DONE;
    runs_pace[i].seconds = seconds;
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

TEST(test_without_costs)
{
    wait_all(NULL, NULL);
    NEAR(part(0), 0);
    end(0, 3);
    NEAR(part(0), 1 / 8.);
    NEAR(left(3), 21);
    runs_pace[1].cfg.run.cycles = 3000; /* a window of thrice the cycles takes three times as long */
    NEAR(part(0), 1 / 10.);
    for (unsigned i = 1; i < RUNS; i++)
        end(i, 1);
    NEAR(part(0), 1);
}

/* While none has ended the costs say how much of all of it one is. */
TEST(test_costs)
{
    static const double costs[RUNS] = {8, 1, 1, 1, 1, 1, 1, 2};

    wait_all(costs, NULL);
    end(0, 8);
    NEAR(part(0), 0.5);
    NEAR(left(8), 8);
}

/* A machine of a quarter of the speed: what is left is four times what was foretold, too. */
TEST(test_slower_machine)
{
    static const double costs[RUNS] = {1, 1, 2, 2, 1, 1, 2, 2};

    wait_all(costs, NULL);
    end(0, 4);
    NEAR(left(4), 4 * 11);
    end(2, 8);
    NEAR(left(12), 4 * 9);
}

/* Of two workloads one was foretold at a tenth of what it takes: known when one run of each has ended. */
TEST(test_wrong_cost_of_a_kind)
{
    static const unsigned kinds[RUNS] = {1, 2, 1, 2, 1, 2, 1, 2};
    static const double costs[RUNS] = {1, 1, 1, 1, 1, 1, 1, 1};

    wait_all(costs, kinds);
    end(0, 1);
    NEAR(left(1), 7);
    end(1, 10);
    NEAR(left(11), 3 * 1 + 3 * 10);
    end(3, 14);
    NEAR(left(25), 3 * 1 + 2 * 12);
}

/* One whose kind is known is as far as its time says, whatever its window: programs end before it. */
TEST(test_running)
{
    static const unsigned kinds[RUNS] = {1, 1, 2, 0, 1, 1, 1, 1};

    wait_all(NULL, kinds);
    end(0, 10);
    for (unsigned i = 1; i < 4; i++) {
        runs_pace[i].state = SIM_RUNNING;
        runs_pace[i].started = 100;
    }
    NEAR(part(100), 10 / 80.);
    NEAR(part(105), 15 / 80.); /* of the others nothing is known yet */
    NEAR(part(110), 20 / 80.);
    NEAR(part(200), 20 / 80.); /* it takes longer than the others did: not more than all of it */
}

/* What gave no result is over, and tells nothing of the others. */
TEST(test_lost)
{
    static const unsigned kinds[RUNS] = {1, 1, 1, 1, 1, 1, 1, 1};

    wait_all(NULL, kinds);
    end(0, 0.01);
    runs_pace[0].state = SIM_LOST;
    end(1, 6);
    NEAR(part(0), 2 / 8.);
    assert_true(pace_part(sims, 0, 0) == 0);
}

/* --- Simulations that do not go on: how long is waited, what is said, once, and when they are ended. */

static struct watch w;
static char text[512];

static const struct watch_subject subject = {.image = "img", .pid = 77, .gdb = 1234};

/* So many seconds of the same sight; the last verdict that was not WATCH_WELL, and how many there were. */
static enum watch_verdict see(const struct watch_subject *of, struct watch_sight seen, int seconds, int *verdicts)
{
    enum watch_verdict last = WATCH_WELL;
    *verdicts = 0;
    for (int i = 0; i < seconds; i++) {
        enum watch_verdict v = watch_step(&w, of, &seen, 1, text, sizeof text);
        last = v == WATCH_WELL ? last : v;
        *verdicts += v != WATCH_WELL;
    }
    return last;
}

static int fresh(void **)
{
    memset(&w, 0, sizeof w);
    *text = 0;
    return 0;
}

TEST(test_stopped, .setup = fresh)
{
    struct watch_subject of = subject;
    const struct watch_sight stopped = {.stopped = true}, runs = {.busy = 1};
    int n;

    assert_int_equal(see(&of, stopped, 1, &n), WATCH_WELL); /* a moment */
    assert_int_equal(see(&of, stopped, 30, &n), WATCH_WARN);
    assert_int_equal(n, 1);
    assert_string_equal(text, "img: QEMU (pid 77) is stopped; `kill -CONT 77` lets it go on; after 60 s it is ended");
    assert_int_equal(see(&of, runs, 1, &n), WATCH_WELL);
    assert_int_equal(see(&of, stopped, 59, &n), WATCH_WARN); /* again from the start */
    assert_int_equal(see(&of, stopped, 1, &n), WATCH_END);
    assert_string_equal(text, "img: QEMU (pid 77) was stopped for 60 s and nobody let it go on: ended");
    of.timeout = 10;
    of.twin = true;
    fresh(NULL);
    assert_int_equal(see(&of, stopped, 10, &n), WATCH_END);
    assert_string_equal(text, "img: not finished after 10 s, and ended (--timeout): the twin (pid 77) was stopped");
}

/* Without a debugger the mcu waits for one; with one it may stand as long as he likes; without him again it may not.
 */
TEST(test_debugger_gone, .setup = fresh)
{
    const struct watch_sight alone = {.busy = 0.1}, debugged = {.busy = 0.1, .debugged = true};
    int n;

    assert_int_equal(see(&subject, alone, 1000, &n), WATCH_WELL);
    assert_int_equal(see(&subject, debugged, 1000, &n), WATCH_WELL);
    assert_int_equal(see(&subject, alone, 10, &n), WATCH_WARN);
    assert_int_equal(n, 1);
    assert_non_null(strstr(text, "img: the debugger has gone away and the mcu stands still; attach again (target "
                                 "remote 127.0.0.1:1234), or end the run with Ctrl-C; after 60 s it is ended"));
    assert_int_equal(see(&subject, debugged, 10, &n), WATCH_WELL);
    assert_int_equal(see(&subject, alone, 60, &n), WATCH_END);
    assert_int_equal(n, 2);
    assert_non_null(strstr(text, "none came back in 60 s: ended; `detach` before gdb ends lets a run go on"));
}

/* He has detached, or left it running: it computes. */
TEST(test_goes_on_without_debugger, .setup = fresh)
{
    int n;

    assert_int_equal(see(&subject, (struct watch_sight){.debugged = true}, 5, &n), WATCH_WELL);
    for (int i = 1; i < 200; i++)
        assert_int_equal(see(&subject, (struct watch_sight){.busy = 0.9 * i}, 1, &n), WATCH_WELL);
}
