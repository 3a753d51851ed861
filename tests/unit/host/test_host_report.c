/* What `memhelm run` and `memhelm compare` say about decisions, from statistics made by hand. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/report.h"

static struct options options = {.image_count = 2, .twin = true};

/* Two images: `none`, and `some` with walk epochs: 100 of them, 96 answered, 3 missed, the last still open. */
static struct experiment *two_images(void)
{
    static const char *const names[] = {"none", "some"};
    struct experiment *x = calloc(1, sizeof *x);
    assert_non_null(x);
    x->options = &options;
    x->cfg.tenants_count = 1;
    strcpy(x->cfg.tenants[0].kernel, "GUPS");
    for (unsigned i = 0; i < 2; i++) {
        struct sim *s = &x->runs[i];
        strcpy(x->images[i].name, names[i]);
        x->images[i].twin = true;
        s->image = &x->images[i];
        s->state = SIM_DONE;
        s->result.stats = (struct mh_stats){.cycles = 1000, .tenants = 1};
        s->result.stats.control = (struct mh_control_stats){
            .epochs = 5, .missed = 1, .latency_count = 4, .latency_sum = 80, .latency_max = 30};
    }
    struct mh_control_stats *c = &x->runs[1].result.stats.control;
    c->walk_epochs = 100;
    c->walk_missed = 3;
    c->walk_latency_count = 96;
    c->walk_latency_sum = 96 * 250;
    c->walk_latency_max = 900;
    return x;
}

/* What `report` prints; the caller frees it. */
static char *printed(void (*report)(const struct experiment *, FILE *), const struct experiment *x)
{
    char *text = NULL;
    size_t length;
    FILE *f = open_memstream(&text, &length);
    assert_non_null(f);
    report(x, f);
    fclose(f);
    return text;
}

static void assert_line(const char *text, const char *line)
{
    if (!strstr(text, line))
        fail_msg("no '%s' in:\n%s", line, text);
}

static void test_run_without_walk_epochs(void **state)
{
    struct experiment *x = two_images();
    char *text = printed(report_run, x);
    (void)state;
    assert_line(text, "\nepochs 5, decisions applied 4, missed 1, latency mean 20 max 30 GPU cycles\n");
    assert_null(strstr(text, "walk epochs"));
    free(text);
    free(x);
}

static void test_run_with_walk_epochs(void **state)
{
    struct experiment *x = two_images();
    (void)state;
    x->runs[0].result.stats.control = x->runs[1].result.stats.control;
    char *text = printed(report_run, x);
    assert_line(text, "\nepochs 5, decisions applied 4, missed 1, latency mean 20 max 30 GPU cycles\n"
                      "walk epochs 100, decisions applied 96, missed 3, latency mean 250 max 900 GPU cycles\n");
    free(text);
    free(x);
}

/* Missed all: there is no latency. */
static void test_run_without_answers(void **state)
{
    struct experiment *x = two_images();
    (void)state;
    x->runs[0].result.stats.control.walk_epochs = 8;
    x->runs[0].result.stats.control.walk_missed = 7;
    char *text = printed(report_run, x);
    assert_line(text, "\nwalk epochs 8, decisions applied 0, missed 7\n");
    free(text);
    free(x);
}

static void test_compare(void **state)
{
    struct experiment *x = two_images();
    (void)state;
    char *text = printed(report_compare, x);
    assert_line(text, "stack  walk epochs missed  walk epoch latency\n");
    assert_line(text, "    -              0 of 0                   -\n");
    assert_line(text, "    -            3 of 100                 250\n");
    free(text);
    x->runs[1].state = SIM_LOST; /* what it counted is not to be looked at */
    text = printed(report_compare, x);
    assert_null(strstr(text, "walk epoch"));
    assert_line(text, "data+bss  stack\n");
    free(text);
    free(x);
}

/* Sources that have raised nothing say nothing; one that answered nothing has no latency. */
static void test_sources(void **state)
{
    struct experiment *x = two_images();
    struct mh_source_stats *source = x->runs[0].result.stats.control.source;
    (void)state;
    source[MH_SOURCE_ARRIVAL] =
        (struct mh_source_stats){.raised = 50, .answered = 20, .missed = 28, .latency_sum = 600, .latency_max = 90};
    char *text = printed(report_run, x);
    assert_line(text, "\nwalk arrivals 50, answered 20, missed 28, latency mean 30 max 90 GPU cycles\n");
    assert_null(strstr(text, "tenants that"));
    free(text);
    source[MH_SOURCE_TENANT] = (struct mh_source_stats){.raised = 2, .missed = 1};
    text = printed(report_run, x);
    assert_line(text, "\ntenants that came or went 2, answered 0, missed 1\n");
    free(text);
    free(x);
}

/* Only an mcu that was reset has recovered; a comparison says it too, behind its tables. */
/* All that is missed is in the table; beyond one in a hundred a line says it, with the clock that is too slow. */
static void test_missed(void **state)
{
    struct experiment *x = two_images();
    struct sim *s = &x->runs[0];
    struct mh_control_stats *c = &s->result.stats.control;
    (void)state;
    x->images[0].twin = false;
    s->cfg.mcu.hz = 500000000;
    *c = (struct mh_control_stats){.epochs = 4510, .missed = 4507};
    char *text = printed(report_run, x);
    assert_line(text, "\nnone: 4507 of 4510 epochs missed: at 500 MHz the mcu decides more slowly than they come; "
                      "memhelm budget shows where\n");
    free(text);
    text = printed(report_compare, x);
    assert_line(text, "\nnone: 4507 of 4510 epochs missed: at 500 MHz");
    assert_line(text, "\nsome: 3 of 100 walk epochs missed: the firmware does not answer them in time\n");
    free(text);
    *c = (struct mh_control_stats){.epochs = 4510, .missed = 45};
    c->source[MH_SOURCE_ARRIVAL] = (struct mh_source_stats){.raised = 100, .missed = 2};
    text = printed(report_run, x);
    assert_null(strstr(text, "epochs missed"));
    assert_line(text, "\nnone: 2 of 100 walk arrivals missed: at 500 MHz");
    free(text);
    s->result.mcu.recovery = (struct mh_recovery){.bites = 1, .resets = 1}; /* that line says why */
    text = printed(report_run, x);
    assert_null(strstr(text, "arrivals missed"));
    free(text);
    free(x);
}

static void test_underreported(void **state)
{
    struct experiment *x = two_images();
    struct mh_mcu_stats *mcu = &x->runs[0].result.mcu;
    (void)state;
    char *text = printed(report_run, x);
    assert_null(strstr(text, "reported"));
    free(text);
    mcu->underreported = 2;
    mcu->underreported_claim = 2;
    mcu->underreported_cycles = 15466;
    mcu->undecided_cycles = 2100;
    text = printed(report_compare, x);
    assert_line(text, "\nnone: 2 decisions took longer than the firmware reported: 15466 mcu cycles were counted, 2 "
                      "reported; those that were counted are shown\n");
    assert_line(text,
                "\nnone: the mcu was awake for 2100 more mcu cycles, outside of the decisions that it reported\n");
    free(text);
    free(x);
}

static void test_recovery(void **state)
{
    struct experiment *x = two_images();
    struct mh_recovery *r = &x->runs[1].result.mcu.recovery;
    (void)state;
    x->runs[1].cfg.run.epoch = 100000;
    r->faults = 1;
    char *text = printed(report_compare, x);
    assert_null(strstr(text, "recovered"));
    free(text);
    *r = (struct mh_recovery){.faults = 1, .bites = 2, .resets = 2, .cycles_lost = 150000, .first_cycle = 300123};
    strcpy(r->first.reason, "store access fault");
    text = printed(report_compare, x);
    assert_line(text, "\nsome recovered 2 times; at GPU cycle 300123: store access fault; pc 0x00000000 in ");
    assert_line(text, "; 150000 GPU cycles (1.5 epochs) without a policy\n");
    assert_null(strstr(text, "none recovered"));
    r->resets = 1;
    x->runs[0] = x->runs[1];
    free(text);
    text = printed(report_run, x);
    assert_line(text, "\nsome recovered 1 time; at ");
    free(text);
    free(x);
}

int test_host_report(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_run_without_walk_epochs),
        cmocka_unit_test(test_run_with_walk_epochs),
        cmocka_unit_test(test_run_without_answers),
        cmocka_unit_test(test_compare),
        cmocka_unit_test(test_sources),
        cmocka_unit_test(test_missed),
        cmocka_unit_test(test_underreported),
        cmocka_unit_test(test_recovery),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
