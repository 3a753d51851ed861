/* Each warning of report/warnings.h: statistics by hand for which it comes, and the nearest ones for which it does not.
 */
#include "unit/test.h"

#include <inttypes.h>
#include <math.h>

#include "report/report.h"

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
    char *printed = PRINTED(f, report(&sim, f));
    if (text && !strstr(printed, text))
        fail_msg("no '%s' in:\n%s", text, printed);
    if (!text && *printed)
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
TEST(test_missed)
{
    char line[128];

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
TEST(test_missed_clock)
{
    struct image elf = {.name = "some"};

    fresh()->image = &elf;
    sim.result.stats.control.epochs = sim.result.stats.control.missed = 5;
    assert_prints(report_warnings, "the firmware does not answer them in time\n");
    sim.cfg.mcu.hz = 25000000;
    assert_prints(report_warnings,
                  "some: 5 of 5 epochs missed: at 25 MHz the mcu decides more slowly than they come; memhelm budget "
                  "shows where\n");
}

/* Twice as often as asked, and ten: chance. */
TEST(test_storm)
{
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
TEST(test_storm_of_events)
{
    uint64_t *decided = &sim.result.mcu.decision[MH_SOURCE_TENANT].count;
    struct mh_stats *stats = &sim.result.stats;

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

TEST(test_recovery)
{
    struct mh_recovery *r = &fresh()->result.mcu.recovery;

    r->faults = r->bites = 1;
    assert_prints(report_recovery, NULL);
    r->resets = 1;
    r->first_cycle = 4000;
    r->cycles_lost = 1500;
    strcpy(r->first.reason, "watchdog");
    assert_prints(report_recovery, "some recovered 1 time; at GPU cycle 4000: watchdog; pc 0x00000000 in ");
    assert_prints(report_recovery, "; 1500 GPU cycles (1.5 epochs) without a policy\n");
}

TEST(test_moved)
{
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
TEST(test_faster)
{
    fresh();
    metrics = (struct metrics){.tenants = 2, .tenant[0].speedup = 1.05, .tenant[1].speedup = NAN};
    assert_prints(report_faster_of, NULL);
    metrics.tenant[1].speedup = 1.06;
    assert_prints(report_faster_of, "tenant 1 MM: 1.06 times as fast as alone: ");
}

/* --- What `memhelm run` and `memhelm compare` say about decisions, from statistics made by hand. */

static struct options options = {.image_count = 2, .twin = true};

/* Two images: `none`, and `some` with walk epochs: 100 of them, 96 answered, 3 missed, the last still open. */
static struct experiment *two_images(void)
{
    static const char *const names[] = {"none", "some"};
    static struct image images[2];
    static struct kept_sim runs[2];
    struct experiment *x = calloc(1, sizeof *x);
    assert_non_null(x);
    memset(runs, 0, sizeof runs);
    x->options = &options;
    x->seeds = 1;
    x->cfg.tenants_count = 1;
    strcpy(x->cfg.tenants[0].kernel, "GUPS");
    for (unsigned i = 0; i < 2; i++) {
        struct sim *s = &runs[i].sim;
        x->runs[i] = &runs[i];
        x->images[i] = s->image = &images[i];
        strcpy(images[i].name, names[i]);
        images[i].twin = true;
        s->state = SIM_DONE;
        s->result.stats = (struct mh_stats){.cycles = 1000, .tenants = 1};
        s->result.stats.control = (struct mh_control_stats){
            .epochs = 5, .missed = 1, .latency_count = 4, .latency_sum = 80, .latency_max = 30};
    }
    struct mh_control_stats *c = &x->runs[1]->sim.result.stats.control;
    c->walk_epochs = 100;
    c->walk_missed = 3;
    c->walk_latency_count = 96;
    c->walk_latency_sum = 96 * 250;
    c->walk_latency_max = 900;
    return x;
}

/* What `report` prints has `first` and `second`, and nothing of `lacks`; NULL = none. */
static void prints(void (*report)(const struct experiment *, FILE *), const struct experiment *x, const char *first,
                   const char *second, const char *lacks)
{
    char *text = PRINTED(f, report(x, f));

    if ((first && !strstr(text, first)) || (second && !strstr(text, second)) || (lacks && strstr(text, lacks)))
        fail_msg("not '%s' and '%s' without '%s':\n%s", first, second, lacks, text);
    free(text);
}

#define EPOCHS "\nepochs 5, decisions applied 4, missed 1, latency mean 20 max 30 GPU cycles\n"

/* Missed all: there is no latency. */
TEST(test_run_walk_epochs)
{
    struct experiment *x = two_images();
    struct mh_control_stats *c = &x->runs[0]->sim.result.stats.control;

    prints(report_run, x, EPOCHS, NULL, "walk epochs");
    c->walk_epochs = 8;
    c->walk_missed = 7;
    prints(report_run, x, "\nwalk epochs 8, decisions applied 0, missed 7\n", NULL, NULL);
    *c = x->runs[1]->sim.result.stats.control;
    prints(report_run, x,
           EPOCHS "walk epochs 100, decisions applied 96, missed 3, latency mean 250 max 900 GPU cycles\n", NULL, NULL);
    free(x);
}

TEST(test_compare)
{
    struct experiment *x = two_images();

    prints(report_compare, x, "stack  walk epochs missed  walk epoch latency [GPU cycles]\n",
           "    -              0 of 0                                -\n", NULL);
    prints(report_compare, x, "    -            3 of 100                              250\n", NULL, NULL);
    x->runs[1]->sim.state = SIM_LOST; /* what it counted is not to be looked at */
    prints(report_compare, x, "data+bss  stack\n", NULL, "walk epoch");
    free(x);
}

/* Sources that have raised nothing say nothing; one that answered nothing has no latency. */
TEST(test_sources)
{
    struct experiment *x = two_images();
    struct mh_source_stats *source = x->runs[0]->sim.result.stats.control.source;

    source[MH_SOURCE_ARRIVAL] =
        (struct mh_source_stats){.raised = 50, .answered = 20, .missed = 28, .latency_sum = 600, .latency_max = 90};
    prints(report_run, x, "\nwalk arrivals 50, answered 20, missed 28, latency mean 30 max 90 GPU cycles\n", NULL,
           "tenants that");
    source[MH_SOURCE_TENANT] = (struct mh_source_stats){.raised = 2, .missed = 1};
    prints(report_run, x, "\ntenants that came or went 2, answered 0, missed 1\n", NULL, NULL);
    free(x);
}

/* All that is missed is in the table; beyond one in a hundred a line says it, with the clock that is too slow. */
TEST(test_missed_report)
{
    struct experiment *x = two_images();
    struct sim *s = &x->runs[0]->sim;
    struct mh_control_stats *c = &s->result.stats.control;

    ((struct image *)(uintptr_t)s->image)->twin = false;
    s->cfg.mcu.hz = 500000000;
    *c = (struct mh_control_stats){.epochs = 4510, .missed = 4507};
    prints(report_run, x,
           "\nnone: 4507 of 4510 epochs missed: at 500 MHz the mcu decides more slowly than they come; memhelm budget "
           "shows where\n",
           NULL, NULL);
    prints(report_compare, x, "\nnone: 4507 of 4510 epochs missed: at 500 MHz",
           "\nsome: 3 of 100 walk epochs missed: the firmware does not answer them in time\n", NULL);
    *c = (struct mh_control_stats){.epochs = 4510, .missed = 45};
    c->source[MH_SOURCE_ARRIVAL] = (struct mh_source_stats){.raised = 100, .missed = 2};
    prints(report_run, x, "\nnone: 2 of 100 walk arrivals missed: at 500 MHz", NULL, "epochs missed");
    s->result.mcu.recovery = (struct mh_recovery){.bites = 1, .resets = 1}; /* that line says why */
    prints(report_run, x, NULL, NULL, "arrivals missed");
    free(x);
}

TEST(test_underreported)
{
    struct experiment *x = two_images();
    struct mh_mcu_stats *mcu = &x->runs[0]->sim.result.mcu;

    prints(report_run, x, NULL, NULL, "reported");
    mcu->underreported = mcu->underreported_claim = 2;
    mcu->underreported_cycles = 15466;
    mcu->undecided_cycles = 2100;
    prints(report_compare, x,
           "\nnone: 2 decisions took longer than the firmware reported: 15466 mcu cycles were counted, 2 "
           "reported; those that were counted are shown\n",
           "\nnone: the mcu was awake for 2100 more mcu cycles, outside of the decisions that it reported\n", NULL);
    free(x);
}

/* Only an mcu that was reset has recovered; a comparison says it too, behind its tables. */
TEST(test_recovery_report)
{
    struct experiment *x = two_images();
    struct mh_recovery *r = &x->runs[1]->sim.result.mcu.recovery;

    x->runs[1]->sim.cfg.run.epoch = 100000;
    r->faults = 1;
    prints(report_compare, x, NULL, NULL, "recovered");
    *r = (struct mh_recovery){.faults = 1, .bites = 2, .resets = 2, .cycles_lost = 150000, .first_cycle = 300123};
    strcpy(r->first.reason, "store access fault");
    prints(report_compare, x, "\nsome recovered 2 times; at GPU cycle 300123: store access fault; pc 0x00000000 in ",
           "; 150000 GPU cycles (1.5 epochs) without a policy\n", "none recovered");
    r->resets = 1;
    x->runs[0] = x->runs[1];
    prints(report_run, x, "\nsome recovered 1 time; at ", NULL, NULL);
    free(x);
}
