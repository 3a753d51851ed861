/* Tenants that share SMs: who is refused because one CTA of each has no room together, and why. By hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "script.h"

/* An SM of 4 slots, 8 warps of 64 threads, 40 000 registers, 10 000 bytes; all tenants on both SMs. */
static struct mh_config config(uint32_t tenants)
{
    struct mh_config cfg;
    script_config(&cfg, 2, tenants);
    script_share_sms(&cfg);
    cfg.sm.share = 1;
    cfg.sm.cta_slots = 4;
    cfg.sm.warps = 8;
    cfg.sm.registers = 40000;
    cfg.sm.shared_bytes = 10000;
    for (uint32_t t = 0; t < tenants; t++)
        snprintf(cfg.tenants[t].kernel, sizeof cfg.tenants[t].kernel, "%c", 'A' + t);
    return cfg;
}

static struct mh_launch shape(uint32_t threads, uint32_t registers, uint32_t shared_bytes)
{
    return (struct mh_launch){.ctas = 1, .threads = threads, .registers = registers, .shared_bytes = shared_bytes};
}

/* Tenants with a launch each, and tenant 0 with another one unless it has no threads. NULL: they fit. */
static const char *why(const struct mh_config *cfg, const struct mh_launch *launch, struct mh_launch other)
{
    static struct mh_error err;
    struct mh_workload *work[MH_MAX_TENANTS];
    for (uint32_t t = 0; t < cfg->tenants_count; t++) {
        struct script *s = script_new();
        script_buffer(s, SCRIPT_BASE, SCRIPT_PAGE);
        script_launch(s, launch[t]);
        if (!t && other.threads)
            script_launch(s, other);
        work[t] = (struct mh_workload *)s;
    }
    struct mh_gpu *g = mh_gpu_create_with(cfg, work, &err);
    mh_gpu_destroy(g);
    return g ? NULL : err.text;
}

static void refused(const struct mh_config *cfg, const struct mh_launch *launch, const char *text)
{
    const char *said = why(cfg, launch, (struct mh_launch){0});
    assert_non_null(said);
    if (!strstr(said, text))
        fail_msg("'%s' has no '%s'", said, text);
}

static void fits(const struct mh_config *cfg, const struct mh_launch *launch)
{
    assert_null(why(cfg, launch, (struct mh_launch){0}));
}

static void test_resources(void **state)
{
    (void)state;
    struct mh_config cfg = config(2);
    fits(&cfg, (struct mh_launch[]){shape(256, 100, 5000), shape(200, 60, 5000)}); /* four warps each */
    refused(
        &cfg, (struct mh_launch[]){shape(257, 0, 0), shape(200, 0, 0)},
        "A+B: one CTA of each does not fit an SM that they share: they need 9 warps, an SM has 8: raise sm.warps, or "
        "set sm.share to 0, and each has SMs of its own, or to 2, and they take turns");
    refused(&cfg, (struct mh_launch[]){shape(256, 100, 0), shape(200, 73, 0)},
            "they need 40200 registers, an SM has 40000: raise sm.registers");
    refused(&cfg, (struct mh_launch[]){shape(64, 1, 5001), shape(64, 1, 5000)},
            "they need 10001 bytes of shared memory, an SM has 10000: raise sm.shared_bytes");
    cfg.sm.cta_slots = 1;
    refused(&cfg, (struct mh_launch[]){shape(64, 1, 0), shape(64, 1, 0)},
            "they need 2 CTA slots, an SM has 1: raise sm.cta_slots");
    cfg.sm.share = 2;
    fits(&cfg, (struct mh_launch[]){shape(64, 1, 0), shape(64, 1, 0)});
    cfg.sm.share = 0;
    fits(&cfg, (struct mh_launch[]){shape(64, 1, 0), shape(64, 1, 0)});
}

/* What a kernel needs least of each resource may be in two launches. */
static void test_least_launch(void **state)
{
    (void)state;
    struct mh_config cfg = config(2);
    const struct mh_launch wide[] = {shape(512, 10, 0), shape(64, 100, 0)};
    refused(&cfg, wide, "they need 9 warps");
    assert_null(why(&cfg, wide, shape(448, 80, 0)));
    assert_non_null(why(&cfg, wide, shape(449, 1, 0)));
}

static void test_three(void **state)
{
    (void)state;
    struct mh_config cfg = config(3);
    const struct mh_launch launch[] = {shape(192, 1, 0), shape(192, 1, 0), shape(192, 1, 0)};
    refused(&cfg, launch, "A+B+C: one CTA of each does not fit an SM that they share: they need 9 warps, an SM has 8");
    /* C beside A on SM 0, beside B on SM 1. */
    cfg.tenants[0].sm_count = cfg.tenants[1].sm_count = cfg.tenants[1].sm_first = 1;
    fits(&cfg, launch);
    /* An SM of its own is enough, where the others are not alone. */
    cfg = config(3);
    cfg.tenants[0].sm_count = cfg.tenants[1].sm_count = 1;
    refused(&cfg, launch, "A+B+C:");
    cfg.sm.warps = 6;
    cfg.tenants[2].sm_first = cfg.tenants[2].sm_count = 1;
    fits(&cfg, launch);
}

/* Tenants that are never there together need no room together. */
static void test_comings_and_goings(void **state)
{
    (void)state;
    struct mh_config cfg = config(2);
    const struct mh_launch launch[] = {shape(512, 1, 0), shape(64, 1, 0)};
    cfg.tenants[0].leave = cfg.tenants[1].arrive = 1000;
    fits(&cfg, launch);
    cfg.tenants[0].leave = 1001;
    refused(&cfg, launch, "A+B: ");
    cfg.tenants[0].leave = 0;
    cfg.tenants[1].arrive = 0;
    cfg.tenants[1].leave = 500;
    cfg.tenants[0].arrive = 500;
    fits(&cfg, launch);
}

int test_together(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_resources),
        cmocka_unit_test(test_least_launch),
        cmocka_unit_test(test_three),
        cmocka_unit_test(test_comings_and_goings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
