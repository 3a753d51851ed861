/* Tenants that come and go, and tenants that share SMs: issue order, refusals and their reasons. */
#include "unit/test.h"
#include "chain.h"
#include "mix.h"
#include "script.h"

enum { LATE = 12345 };

static struct script *mixed(struct mix *m, uint64_t seed)
{
    *m = (struct mix){.seed = seed, .bytes = 1 << 20, .ops = 20, .lanes = 64, .threads = 128};
    struct script *s = mix_script(m, 1, 6);
    script_repeat(s);
    return s;
}

static uint64_t warp_instr(struct mh_gpu *g, uint32_t tenant)
{
    return mh_gpu_stats(g)->tenant[tenant].warp_instr;
}

static void assert_no_translation_of(const struct mh_gpu *g, uint32_t tenant)
{
    for (uint32_t i = 0; i < g->cfg.l2tlb.entries; i++)
        assert_int_not_equal(mh_tenant_of_key(g->l2tlb->copy[0].tlb.key[i]), tenant);
    for (uint32_t i = 0; i < mh_assoc_used(&g->l2tlb->copy[0].bypass); i++)
        assert_int_not_equal(mh_tenant_of_key(g->l2tlb->copy[0].bypass.entry[i].key), tenant);
    for (uint32_t s = 0; s < g->cfg.sm.count; s++)
        for (uint32_t i = 0; i < mh_assoc_used(&g->sm[s].tlb); i++)
            assert_int_not_equal(mh_tenant_of_key(g->sm[s].tlb.entry[i].key), tenant);
}

/* Alone and without refresh, a run that starts late is the run that starts at cycle 0, moved. */
TEST(test_arrival_is_a_start)
{
    struct mh_config cfg = script_config(2, 1);
    struct mix mix[2];
    struct script *first = mixed(&mix[0], 5), *second = mixed(&mix[1], 5);
    LOCAL_GPU(early) = script_gpu(&cfg, &first);
    cfg.tenants[0].arrive = LATE;
    LOCAL_GPU(late) = script_gpu(&cfg, &second);
    for (uint64_t c = 1; c < 30000; c += 997) {
        mh_gpu_advance(early, c);
        mh_gpu_advance(late, LATE + c);
        assert_memory_equal(&mh_gpu_stats(early)->tenant[0], &mh_gpu_stats(late)->tenant[0],
                            sizeof(struct mh_counters));
    }
    assert_true(early->tenant[0].count.completions > 3);
}

TEST(test_nothing_happens_before)
{
    struct mh_config cfg = script_config(1, 1);
    cfg.tenants[0].arrive = 1000000;
    struct script *s = script_computing_on(1, 100);
    LOCAL_GPU(g) = script_gpu(&cfg, &s);
    assert_int_equal(script_read(g, MH_REG_TENANTS), 0);
    assert_int_equal(mh_gpu_advance(g, 999999), 999999);
    assert_int_equal(g->wheel.executed, 1); /* EV_START, which finds no tenant */
    assert_int_equal(warp_instr(g, 0), 0);
    mh_gpu_advance(g, 1000000);
    assert_int_equal(script_read(g, MH_REG_TENANTS), 1);
    mh_gpu_advance(g, 1000009);
    assert_int_equal(warp_instr(g, 0), 10); /* one a cycle, the first in the cycle of the arrival */
}

/* A burst of 100000 is cut; the instruction of the cycle itself has issued. The SM is free, and stays so. */
TEST(test_leaver_stops)
{
    struct mh_config cfg = script_config(1, 1);
    cfg.tenants[0].leave = 500;
    struct script *s = script_computing_on(1, 100000);
    struct mh_gpu *g = script_gpu(&cfg, &s);
    mh_gpu_advance(g, 499);
    assert_int_equal(warp_instr(g, 0), 500);
    mh_gpu_advance(g, 500);
    assert_int_equal(warp_instr(g, 0), 501);
    assert_int_equal(g->sm[0].standing, 0);
    mh_gpu_advance(g, 300000);
    assert_int_equal(warp_instr(g, 0), 501);
    assert_int_equal(mh_gpu_stats(g)->tenant[0].ctas, 0); /* killed is not finished */
    assert_int_equal(mh_gpu_stats(g)->tenant[0].launches, 0);
    script_end(g);
}

/* Throttles and barriers do not hold killed CTAs. */
TEST(test_leaver_is_not_held)
{
    struct mh_config cfg = script_config(1, 1);
    cfg.tenants[0].leave = 500;
    struct script *s = script_paged(CHAIN_PAGES, 2);
    script_add(s, 0, 0, 0, op_barrier());
    script_add(s, 0, 0, 1, op_after(100000, op_barrier()));
    struct mh_gpu *g = script_gpu(&cfg, &s);
    mh_gpu_advance(g, 100);
    script_write(g, MH_REG_SM_THROTTLE_0, 1);
    script_write(g, MH_REG_CTA_THROTTLE, 0);
    script_commit(g);
    mh_gpu_advance(g, 499);
    assert_int_not_equal(g->sm[0].standing, 0);
    mh_gpu_advance(g, 500);
    assert_int_equal(g->sm[0].standing, 0);
    script_end(g);
}

/* On one SM of 32 CTA slots, of which each has half: the one that stays has all of them when the other has gone. */
TEST(test_leaver_frees_its_places)
{
    struct mh_config cfg = script_config(1, 1);
    cfg.tenants_count = 2;
    cfg.tenants[1] = (struct mh_tenant_cfg){.kernel = "script", .asid = 2, .sm_count = 1, .leave = 1000};
    struct script *s[] = {script_computing_on(64, 100000), script_computing_on(64, 100000)};
    LOCAL_GPU(g) = script_gpu(&cfg, s);
    mh_gpu_advance(g, 999);
    assert_int_equal(g->sm[0].tenant_ctas[0], 16);
    mh_gpu_advance(g, 1000);
    assert_int_equal(g->sm[0].tenant_ctas[0], 32);
    assert_int_equal(g->sm[0].tenant_ctas[1], 0);
    mh_gpu_check(g);
}

/* Loads, stores and walks of it are under way, on shared SMs and on its own: all of them end, no translation stays. */
static void leave_at(uint64_t cycle, bool shared)
{
    struct mh_config cfg = script_config(2, 2);
    struct mix mix[2];
    if (shared)
        script_share_sms(&cfg);
    for (uint32_t t = 0; t < 2; t++)
        cfg.tenants[t].leave = t ? cycle : cycle + 7000;
    cfg.l1d.store_buffer = cycle % 2 ? 4 : 0;
    struct script *s[] = {mixed(&mix[0], 9), mixed(&mix[1], 10)};
    struct mh_gpu *g = script_gpu(&cfg, s);
    mh_gpu_advance(g, cycle);
    assert_true(cycle < 100 || g->tenant[1].draining);
    mh_gpu_advance(g, cycle + 6000);
    assert_false(g->tenant[1].draining);
    assert_no_translation_of(g, 1);
    assert_int_equal(mh_gpu_stats(g)->tenant[1].walks_live, 0);
    uint64_t before = warp_instr(g, 0);
    mh_gpu_advance(g, cycle + 7000);
    assert_true(warp_instr(g, 0) > before);
    mh_gpu_advance(g, cycle + 14000);
    assert_no_translation_of(g, 0);
    script_end(g);
}

TEST(test_leaver_drains)
{
    for (uint64_t cycle = 1; cycle < 5000; cycle += 389) {
        leave_at(cycle, false);
        leave_at(cycle, true);
    }
}

static void assert_event(struct mh_gpu *g, uint32_t kind, uint32_t tenant)
{
    assert_int_equal(script_read(g, MH_REG_EVENT_POP), kind | tenant << 8);
}

/* Departures of a cycle are reported before arrivals. */
TEST(test_events_in_order)
{
    struct mh_config cfg = script_config(3, 3);
    cfg.tenants[0].leave = 2000;
    cfg.tenants[1].arrive = 1000, cfg.tenants[1].leave = 3000;
    cfg.tenants[2].arrive = 2000;
    struct script *s[] = {script_computing_on(1, 100000), script_computing_on(1, 100000),
                          script_computing_on(1, 100000)};
    LOCAL_GPU(g) = script_gpu(&cfg, s);
    script_write(g, MH_REG_IRQ_ENABLE, MH_IRQ_EVENT);
    assert_int_equal(script_read(g, MH_REG_TENANTS), 1);
    assert_int_equal(mh_gpu_advance(g, 1500), 1000);
    assert_int_equal(script_read(g, MH_REG_TENANTS), 3);
    assert_event(g, MH_EVENT_TENANT_ARRIVED, 1);
    assert_event(g, MH_EVENT_NONE, 0);
    script_write(g, MH_REG_IRQ_PENDING, MH_IRQ_EVENT);
    assert_int_equal(mh_gpu_advance(g, 2500), 2000);
    assert_int_equal(script_read(g, MH_REG_TENANTS), 6);
    assert_event(g, MH_EVENT_TENANT_LEFT, 0);
    assert_event(g, MH_EVENT_TENANT_ARRIVED, 2);
    assert_event(g, MH_EVENT_NONE, 0);
    script_write(g, MH_REG_IRQ_PENDING, MH_IRQ_EVENT);
    assert_int_equal(mh_gpu_advance(g, 5000), 3000);
    assert_event(g, MH_EVENT_TENANT_LEFT, 1);
    assert_int_equal(script_read(g, MH_REG_TENANTS), 4);
}

/* One that has left is waited for no longer, one that has not come is. */
TEST(test_completions)
{
    struct mh_config cfg = script_config(2, 2);
    cfg.run.completions = 1;
    cfg.tenants[0].leave = 3000;
    cfg.tenants[1].arrive = 1000;
    struct script *s[] = {script_computing_on(1, 100000), script_computing_on(1, 500)};
    struct mh_gpu *g = script_gpu(&cfg, s);
    assert_int_equal(mh_gpu_advance(g, 10000), 3000);
    assert_true(mh_gpu_ended(g));
    const struct mh_stats *stats = mh_gpu_stats(g);
    assert_int_equal(stats->completed[0].cycle, 0);
    /* 500 cycles each: the fourth is just done when the run ends. */
    assert_int_equal(stats->completed[1].cycle, 1000 + stats->tenant[1].completions * 500);
    assert_int_equal(stats->completed[1].lane_instr, stats->tenant[1].completions * 500 * cfg.sm.lanes);
    mh_gpu_destroy(g);

    cfg.tenants[0].leave = 0;
    cfg.tenants[1].arrive = 200000;
    struct script *again[] = {script_computing_on(1, 1000), script_computing_on(1, 500)};
    g = script_gpu(&cfg, again);
    assert_int_equal(mh_gpu_advance(g, 300000), 200500);
    assert_true(mh_gpu_ended(g));
    mh_gpu_destroy(g);
}

/* An SM of 4 slots, 8 warps of 64 threads, 40 000 registers, 10 000 bytes; all tenants on both SMs. */
static struct mh_config config(uint32_t tenants)
{
    struct mh_config cfg = script_config(2, tenants);
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
    assert_has(said, text);
}

static void fits(const struct mh_config *cfg, const struct mh_launch *launch)
{
    assert_null(why(cfg, launch, (struct mh_launch){0}));
}

TEST(test_resources)
{
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
TEST(test_least_launch)
{
    struct mh_config cfg = config(2);
    const struct mh_launch wide[] = {shape(512, 10, 0), shape(64, 100, 0)};
    refused(&cfg, wide, "they need 9 warps");
    assert_null(why(&cfg, wide, shape(448, 80, 0)));
    assert_non_null(why(&cfg, wide, shape(449, 1, 0)));
}

TEST(test_three)
{
    struct mh_config cfg = config(3);
    const struct mh_launch launch[] = {shape(192, 1, 0), shape(192, 1, 0), shape(192, 1, 0)};
    refused(&cfg, launch, "A+B+C: one CTA of each does not fit an SM that they share: they need 9 warps, an SM has 8");
    /* C shares SM 0 with A, SM 1 with B. */
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
TEST(test_comings_and_goings)
{
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
