/* Each warning of report/warnings.h: statistics by hand for which it comes, and the nearest ones for which it does not.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/warnings.h"

static struct image image = {.name = "some", .twin = true};
static struct sim sim;

static struct sim *fresh(void)
{
    memset(&sim, 0, sizeof sim);
    sim.image = &image;
    sim.cfg.tenants_count = sim.result.stats.tenants = 2;
    sim.cfg.run.epoch = 1000;
    strcpy(sim.cfg.tenants[0].kernel, "GUPS");
    strcpy(sim.cfg.tenants[1].kernel, "MM");
    return &sim;
}

/* `report` prints `text`, or nothing if that is NULL. */
static void assert_prints(void (*report)(const struct sim *, FILE *), const char *text)
{
    char *printed = NULL;
    size_t length;
    FILE *f = open_memstream(&printed, &length);
    assert_non_null(f);
    report(&sim, f);
    fclose(f);
    if (text && !strstr(printed, text))
        fail_msg("no '%s' in:\n%s", text, printed);
    if (!text && length)
        fail_msg("nothing is wrong, and yet:\n%s", printed);
    free(printed);
}

/* The sources that raise decisions: where their numbers are, and what the warnings call them. */
static const struct {
    const char *what;
    size_t raised, missed, taken;
} sources[] = {
#define AT(member)      offsetof(struct sim, result.member)
#define AT_SOURCE(name) AT(stats.control.source[name].raised), AT(stats.control.source[name].missed)
    {"epochs", AT(stats.control.epochs), AT(stats.control.missed), AT(mcu.decision[MH_SOURCE_EPOCH].count)},
    {"walk epochs", AT(stats.control.walk_epochs), AT(stats.control.walk_missed),
     AT(mcu.decision[MH_SOURCE_WALK_EPOCH].count)},
    {"walk arrivals", AT_SOURCE(MH_SOURCE_ARRIVAL), AT(mcu.decision[MH_SOURCE_ARRIVAL].count)},
    {"tenants that came or went", AT_SOURCE(MH_SOURCE_TENANT), AT(mcu.decision[MH_SOURCE_TENANT].count)},
    {"page faults told to the firmware", AT_SOURCE(MH_SOURCE_PAGE_FAULT), AT(mcu.decision[MH_SOURCE_PAGE_FAULT].count)},
    {"expiries of timer 1", AT_SOURCE(MH_SOURCE_TIMER), AT(mcu.decision[MH_SOURCE_TIMER].count)},
    {"expiries of timer 2", AT_SOURCE(MH_SOURCE_TIMER_2), AT(mcu.decision[MH_SOURCE_TIMER_2].count)},
};
enum { SOURCES = sizeof sources / sizeof *sources };

static void set(size_t at, uint64_t value)
{
    *(uint64_t *)((char *)&sim + at) = value;
}

/* From two in a hundred on, unless a reset has its own line. */
static void test_missed(void **state)
{
    char line[128];
    (void)state;
    for (unsigned i = 0; i < SOURCES; i++) {
        fresh();
        set(sources[i].raised, 100);
        set(sources[i].missed, 1);
        assert_prints(report_warnings, NULL);
        set(sources[i].missed, 2);
        snprintf(line, sizeof line, "some: 2 of 100 %s missed: the firmware does not answer them in time\n",
                 sources[i].what);
        assert_prints(report_warnings, line);
        sim.result.mcu.recovery.resets = 1;
        assert_prints(report_warnings, NULL);
    }
}

/* A clock that is too slow is named; an infinitely fast one, or a twin's, cannot be. */
static void test_missed_clock(void **state)
{
    struct image elf = {.name = "some"};
    (void)state;
    fresh()->image = &elf;
    sim.result.stats.control.epochs = sim.result.stats.control.missed = 5;
    assert_prints(report_warnings, "the firmware does not answer them in time\n");
    sim.cfg.mcu.hz = 25000000;
    assert_prints(report_warnings,
                  "some: 5 of 5 epochs missed: at 25 MHz the mcu decides more slowly than they come; memhelm budget "
                  "shows where\n");
}

/* Twice as often as asked, and ten: chance. */
static void test_storm(void **state)
{
    (void)state;
    for (unsigned i = 0; i < SOURCES; i++) {
        fresh();
        set(sources[i].raised, 5);
        set(sources[i].taken, 20);
        assert_prints(report_warnings, NULL);
        set(sources[i].taken, 21);
        assert_prints(report_warnings, "some: decided 21 times for 5 ");
        assert_prints(report_warnings, ": an interrupt that is not acknowledged (IRQ_PENDING) is taken again and "
                                       "again\n");
    }
}

/* One decision per event gives no warning, whatever raised the event; a storm of decisions still does. */
static void test_storm_of_events(void **state)
{
    uint64_t *decided = &sim.result.mcu.decision[MH_SOURCE_TENANT].count;
    struct mh_stats *stats = &sim.result.stats;
    (void)state;
    fresh()->result.stats.cycles = 2000000;
    *decided = 327;
    stats->tenant[0].completions = stats->tenant[0].launches = 300;
    stats->tenant[1].completions = stats->tenant[1].launches = 27;
    assert_prints(report_warnings, NULL);
    *decided = 2 * 2 * 327 + 11; /* each may have been told as a launch, too */
    assert_prints(report_warnings, "some: decided 1319 times for 654 events at most, ");
    fresh()->result.stats.tenant[1].launches = 100; /* LAUNCH_EVENTS; the workload has not finished */
    *decided = 100;
    assert_prints(report_warnings, NULL);
    fresh()->result.stats.cycles = 2000000; /* --status: firmware may decide for these, too */
    sim.cfg.run.status_every = 20000;
    *decided = 100;
    assert_prints(report_warnings, NULL);
    *decided = 211;
    assert_prints(report_warnings, "some: decided 211 times for 100 events at most, ");
}

static void test_recovery(void **state)
{
    struct mh_recovery *r = &fresh()->result.mcu.recovery;
    (void)state;
    r->faults = r->bites = 1;
    assert_prints(report_recovery, NULL);
    r->resets = 1;
    r->first_cycle = 4000;
    r->cycles_lost = 1500;
    strcpy(r->first.reason, "watchdog");
    assert_prints(report_recovery, "some recovered 1 time; at GPU cycle 4000: watchdog; pc 0x00000000 in ");
    assert_prints(report_recovery, "; 1500 GPU cycles (1.5 epochs) without a policy\n");
}

static void test_moved(void **state)
{
    (void)state;
    fresh();
    assert_prints(report_moved, NULL);
    sim.result.stats.moved[1] = 7;
    assert_prints(report_moved,
                  "tenant 1 MM: 7 addresses of lanes were outside the recording's buffers: moved into them\n");
}

static struct metrics metrics;

static void report_faster_of(const struct sim *s, FILE *out)
{
    report_faster(&s->cfg, &metrics, out);
}

/* Within 5 % it is chance; without an alone run there is no speedup. */
static void test_faster(void **state)
{
    (void)state;
    fresh();
    metrics = (struct metrics){.tenants = 2, .tenant[0].speedup = 1.05, .tenant[1].speedup = NAN};
    assert_prints(report_faster_of, NULL);
    metrics.tenant[1].speedup = 1.06;
    assert_prints(report_faster_of, "tenant 1 MM: 1.06 times as fast as alone: ");
}

int test_host_warnings(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_missed),          cmocka_unit_test(test_missed_clock), cmocka_unit_test(test_storm),
        cmocka_unit_test(test_storm_of_events), cmocka_unit_test(test_recovery),     cmocka_unit_test(test_moved),
        cmocka_unit_test(test_faster),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
