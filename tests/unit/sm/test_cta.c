/* CTAs: where and when they are placed, launches, relaunch, several tenants on one SM. */
#include "unit/test.h"
#include "script.h"

/* The first CTAs are there: EV_START would place them as GPU time begins. */
static struct mh_gpu *started(const struct mh_config *cfg, struct script *const scripts[])
{
    struct mh_gpu *g = script_gpu(cfg, scripts);
    mh_cta_dispatch(g);
    return g;
}

/* A script of one launch whose warps compute for `gap` cycles, each CTA's own if `gap` is 0. */
static struct script *computing(struct mh_launch launch, uint32_t gap)
{
    struct script *s = script_new();
    script_buffer(s, SCRIPT_BASE, SCRIPT_PAGE);
    uint32_t l = script_launch(s, launch), warps = (launch.threads + 63) / 64;
    for (uint32_t cta = 0; cta < launch.ctas; cta++)
        for (uint32_t w = 0; w < warps; w++)
            script_add(s, l, cta, w, op_after(gap, op_exit()));
    return s;
}

/* CTAs of this shape that an SM of preset `mask` holds: 32 warps, 32 slots, 64 K registers, 64 KiB shared memory. */
static uint32_t resident(struct mh_launch launch, uint32_t cta_slots)
{
    struct mh_config cfg = script_config(1, 1);
    cfg.sm.cta_slots = cta_slots;
    launch.ctas = 40;
    struct script *s = computing(launch, 1000);
    LOCAL_GPU(g) = started(&cfg, &s);
    uint32_t n = g->sm[0].tenant_ctas[0], warps = (launch.threads + 63) / 64;
    assert_int_equal(g->tenant[0].count.warps_peak, n * warps);
    assert_int_equal(g->tenant[0].ctas_running, n);
    mh_gpu_check(g);
    return n;
}

TEST(test_resources)
{
    assert_int_equal(resident((struct mh_launch){.threads = 64}, 32), 32);
    assert_int_equal(resident((struct mh_launch){.threads = 64}, 8), 8);                    /* slots */
    assert_int_equal(resident((struct mh_launch){.threads = 192}, 32), 10);                 /* warps: 30 of 32 */
    assert_int_equal(resident((struct mh_launch){.threads = 65}, 32), 16);                  /* two warps each */
    assert_int_equal(resident((struct mh_launch){.threads = 256, .registers = 40}, 32), 6); /* of 10240 */
    assert_int_equal(resident((struct mh_launch){.threads = 256, .registers = 64}, 32), 4); /* exactly 64 K */
    assert_int_equal(resident((struct mh_launch){.threads = 64, .shared_bytes = 9000}, 32), 7);
    assert_int_equal(resident((struct mh_launch){.threads = 64, .shared_bytes = 65536}, 32), 1);
    assert_int_equal(resident((struct mh_launch){.threads = 2048}, 32), 1);
}

/* Resources come back, all of them: the same CTAs again and again. */
TEST(test_resources_come_back)
{
    struct mh_config cfg = script_config(1, 1);
    struct script *s =
        computing((struct mh_launch){.ctas = 50, .threads = 640, .registers = 30, .shared_bytes = 20000}, 10);
    LOCAL_GPU(g) = started(&cfg, &s);
    script_until(g, &g->tenant[0].count.completions, 1);
    assert_int_equal(g->tenant[0].count.ctas, 50);
    assert_int_equal(g->sm[0].free_registers, cfg.sm.registers);
    assert_int_equal(g->sm[0].free_shared, cfg.sm.shared_bytes);
    assert_int_equal(g->sm[0].free_warps, UINT32_MAX);
    assert_int_equal(g->sm[0].free_ctas, UINT32_MAX);
    assert_int_equal(g->tenant[0].count.warps_peak, 30); /* 3 CTAs at a time, by registers and shared memory */
}

static void assert_refused(struct mh_launch launch, const char *key)
{
    struct mh_config cfg = script_config(1, 1);
    struct mh_error err;
    struct script *s = computing(launch, 1);
    struct mh_workload *work = (struct mh_workload *)s;
    assert_null(mh_gpu_create_with(&cfg, &work, &err));
    assert_non_null(strstr(err.text, key));
}

/* A CTA that no SM can hold would wait for ever. */
TEST(test_impossible_launches)
{
    assert_refused((struct mh_launch){.ctas = 1, .threads = 2049}, "sm.warps");
    assert_refused((struct mh_launch){.ctas = 1, .threads = 1024, .registers = 65}, "sm.registers");
    assert_refused((struct mh_launch){.ctas = 1, .threads = 64, .shared_bytes = 65537}, "sm.shared_bytes");
    assert_refused((struct mh_launch){.ctas = 0, .threads = 64}, "no CTAs");
    assert_refused((struct mh_launch){.ctas = 1, .threads = 0}, "no threads");
}

/* Round robin over the SMs of the tenant; a place that becomes free is filled in that cycle, on that SM. */
TEST(test_round_robin)
{
    struct mh_config cfg = script_config(4, 1);
    cfg.tenants[0].sm_first = 1;
    cfg.tenants[0].sm_count = 3;
    cfg.sm.cta_slots = 2;
    struct script *s = script_new();
    script_buffer(s, SCRIPT_BASE, SCRIPT_PAGE);
    script_launch(s, (struct mh_launch){.ctas = 8, .threads = 64});
    for (uint32_t cta = 0; cta < 8; cta++) /* CTA 4, on the second SM, is the first to end */
        script_add(s, 0, cta, 0, op_after(cta == 1 ? 5 : cta == 4 ? 2 : 100, op_exit()));
    LOCAL_GPU(g) = started(&cfg, &s);
    assert_int_equal(g->sm[0].tenant_ctas[0], 0);
    for (uint32_t sm = 1; sm < 4; sm++)
        for (uint32_t slot = 0; slot < 2; slot++)
            assert_int_equal(g->sm[sm].warp[slot].cursor.cta, slot * 3 + sm - 1);
    mh_gpu_advance(g, 10);
    /* CTA 1 is older: cycles 0..4; it ends at 5, CTA 6 comes; CTA 4 in 5..6, ends at 7, CTA 7 comes. */
    assert_int_equal(script_placed(s, 0, 6), 5);
    assert_int_equal(script_placed(s, 0, 7), 7);
    assert_int_equal(g->sm[2].warp[0].cursor.cta, 6);
    assert_int_equal(g->sm[2].warp[1].cursor.cta, 7);
}

static void set_limit(struct mh_gpu *g, uint32_t tenant, uint32_t limit)
{
    script_knob(g, MH_REG_CTA_LIMIT + tenant * MH_REG_CTA_LIMIT_STRIDE, limit);
}

/* The limit holds for what is placed from then on; raising it places CTAs in the cycle of the COMMIT. */
TEST(test_cta_limit)
{
    struct mh_config cfg = script_config(2, 1);
    struct script *s = computing((struct mh_launch){.ctas = 400, .threads = 256}, 25);
    LOCAL_GPU(g) = started(&cfg, &s);
    assert_int_equal(g->sm[0].tenant_ctas[0], 8); /* 4 warps of 32 each */
    mh_gpu_advance(g, 10);
    set_limit(g, 0, 3);
    assert_int_equal(g->sm[0].tenant_ctas[0], 8); /* resident ones finish */
    for (uint64_t ctas = 0; g->sm[0].tenant_ctas[0] > 3; ctas = g->tenant[0].count.ctas) {
        mh_gpu_advance(g, mh_gpu_now(g) + 1);
        assert_true(g->sm[0].tenant_ctas[0] <= 8 && g->tenant[0].count.ctas >= ctas);
    }
    assert_int_equal(g->tenant[0].next_cta, 16); /* nothing was placed meanwhile */
    mh_gpu_advance(g, mh_gpu_now(g) + 500);
    assert_int_equal(g->sm[0].tenant_ctas[0], 3);
    assert_int_equal(g->sm[1].tenant_ctas[0], 3);
    set_limit(g, 0, 5);
    assert_int_equal(g->sm[0].tenant_ctas[0], 5);
    assert_int_equal(g->sm[1].tenant_ctas[0], 5);
    script_refused(g, MH_REG_CTA_LIMIT, 0); /* illegal: none at all */
}

/* The configuration's limit holds from the first CTA on, for its tenant; firmware may lift it. */
TEST(test_cta_limit_at_reset)
{
    struct mh_config cfg = script_config(1, 2);
    script_share_sms(&cfg);
    cfg.tenants[1].cta_limit = 3;
    struct script *s[] = {computing((struct mh_launch){.ctas = 400, .threads = 64}, 500),
                          computing((struct mh_launch){.ctas = 400, .threads = 64}, 500)};
    LOCAL_GPU(g) = started(&cfg, s);
    assert_int_equal(g->sm[0].tenant_ctas[0], 29); /* of 32 */
    assert_int_equal(g->sm[0].tenant_ctas[1], 3);
    assert_int_equal(script_read(g, MH_REG_CTA_LIMIT), 32); /* none: the slots */
    assert_int_equal(script_read(g, MH_REG_CTA_LIMIT + MH_REG_CTA_LIMIT_STRIDE), 3);
    set_limit(g, 0, 1);
    set_limit(g, 1, 32);
    mh_gpu_advance(g, mh_gpu_now(g) + 100000);
    assert_int_equal(g->sm[0].tenant_ctas[0], 1);
    assert_int_equal(g->sm[0].tenant_ctas[1], 31);
    mh_gpu_safe(g);
    assert_int_equal(g->knobs.cta_limit[1], 3);
}

/* Launches follow each other: the next one's CTAs come in the cycle in which the last one's last CTA ends. */
TEST(test_launches_in_sequence)
{
    struct mh_config cfg = script_config(2, 1);
    struct script *s = script_new();
    script_buffer(s, SCRIPT_BASE, SCRIPT_PAGE);
    static const uint32_t gap[3][2] = {{10, 30}, {7, 7}, {1, 20}};
    for (uint32_t l = 0; l < 3; l++) {
        script_launch(s, (struct mh_launch){.ctas = 2, .threads = 64});
        for (uint32_t cta = 0; cta < 2; cta++)
            script_add(s, l, cta, 0, op_after(gap[l][cta], op_exit()));
    }
    LOCAL_GPU(g) = started(&cfg, &s);
    assert_int_equal(script_until(g, &g->tenant[0].count.launches, 1), 30);
    assert_int_equal(script_placed(s, 1, 0), 30);
    assert_int_equal(script_placed(s, 1, 1), 30);
    assert_int_equal(script_until(g, &g->tenant[0].count.launches, 2), 37);
    assert_int_equal(script_placed(s, 2, 0), 37);
    assert_int_equal(script_until(g, &g->tenant[0].count.completions, 1), 57);
    assert_int_equal(g->tenant[0].count.launches, 3);
    assert_int_equal(g->tenant[0].count.ctas, 6);
}

/* Tenant 0 takes 100 cycles, tenant 1 takes 350: a tenant that is done starts again, and an event says so. */
TEST(test_relaunch)
{
    struct mh_config cfg = script_config(2, 2);
    struct script *s[2];
    for (uint32_t t = 0; t < 2; t++) {
        s[t] = computing((struct mh_launch){.ctas = 1, .threads = 64}, t ? 350 : 100);
        script_repeat(s[t]);
    }
    LOCAL_GPU(g) = started(&cfg, s);
    script_write(g, MH_REG_IRQ_ENABLE, MH_IRQ_EVENT);
    static const struct {
        uint64_t cycle;
        uint32_t tenant, completions;
    } want[] = {{100, 0, 1}, {200, 0, 2}, {300, 0, 3}, {350, 1, 1}, {400, 0, 4},
                {500, 0, 5}, {600, 0, 6}, {700, 1, 2}, {700, 0, 7}}; /* at 700 tenant 1 has burst for longer */
    for (uint32_t i = 0; i < 9; i++) {
        if (!script_read(g, MH_REG_EVENT_COUNT)) {
            assert_int_equal(mh_gpu_advance(g, 10000), want[i].cycle);
            assert_true(mh_gpu_irq(g));
            script_write(g, MH_REG_IRQ_PENDING, MH_IRQ_EVENT);
        }
        uint32_t event = MH_EVENT_TENANT_DONE | want[i].tenant << 8 | want[i].completions << 16;
        assert_int_equal(script_read(g, MH_REG_EVENT_POP), event);
    }
    assert_int_equal(mh_gpu_now(g), 700);
    assert_int_equal(script_read(g, MH_REG_EVENT_POP), 0);
    assert_int_equal(g->tenant[0].count.completions, 7);
    assert_int_equal(g->tenant[1].count.completions, 2);
}

/* run.completions: in the cycle in which the last tenant has finished so often; 0: never. */
TEST(test_end_at_completions)
{
    static const uint64_t want[] = {1000, 350, 700};
    for (uint32_t often = 0; often < 3; often++) {
        struct mh_config cfg = script_config(2, 2);
        cfg.run.cycles = 1000;
        cfg.run.completions = often;
        struct script *s[2];
        for (uint32_t t = 0; t < 2; t++) {
            s[t] = computing((struct mh_launch){.ctas = 1, .threads = 64}, t ? 350 : 100);
            script_repeat(s[t]);
        }
        LOCAL_GPU(g) = started(&cfg, s);
        assert_int_equal(mh_gpu_advance(g, 5000), want[often]);
        assert_true(mh_gpu_ended(g));
        assert_int_equal(mh_gpu_stats(g)->cycles, want[often]);
        assert_int_equal(mh_gpu_stats(g)->tenant[1].completions, want[often] / 350);
    }
}

/*
 * Both tenants on one SM of eight slots, four for each from the start. A place goes to the tenant with fewer: to its
 * own tenant while both have CTAs left, then to the other one.
 */
TEST(test_tenants_share_an_sm)
{
    struct mh_config cfg = script_config(1, 2);
    cfg.sm.cta_slots = 8;
    script_share_sms(&cfg);
    struct script *s[] = {computing((struct mh_launch){.ctas = 7, .threads = 64}, 10),
                          computing((struct mh_launch){.ctas = 20, .threads = 64}, 10)};
    LOCAL_GPU(g) = started(&cfg, s);
    struct mh_sm *sm = &g->sm[0];
    for (uint32_t slot = 0; slot < 8; slot++) {
        assert_int_equal(sm->warp[slot].tenant, slot % 2);
        assert_int_equal(sm->warp[slot].cursor.cta, slot / 2);
    }
    /* One warp at a time, the oldest first: they take turns; CTA k of tenant 0 ends at 20 k + 10, of tenant 1 at 20 k
     * + 20. */
    for (uint64_t t = 10; t <= 60; t += 10) {
        mh_gpu_advance(g, t);
        assert_int_equal(sm->tenant_ctas[0], 4);
        assert_int_equal(sm->tenant_ctas[1], 4);
    }
    mh_gpu_advance(g, 70); /* tenant 0 has none left */
    assert_int_equal(sm->tenant_ctas[0], 3);
    assert_int_equal(sm->tenant_ctas[1], 5);
    mh_gpu_advance(g, 110);
    assert_int_equal(sm->tenant_ctas[0], 1);
    assert_int_equal(sm->tenant_ctas[1], 7);
    assert_int_equal(__builtin_popcountll(sm->tenant_warps[0]), 1);
    assert_int_equal(sm->tenant_warps[0] & sm->tenant_warps[1], 0);
    mh_gpu_check(g);
}

/*
 * CTAs of tenant 1 need a whole SM. On SM 0 tenant 0 is first and leaves no room; on SM 1 it is tenant 1's turn, and it
 * keeps that SM: its next CTA comes when the one before ends.
 */
TEST(test_no_tenant_starves)
{
    struct mh_config cfg = script_config(2, 2);
    script_share_sms(&cfg);
    struct script *s[] = {computing((struct mh_launch){.ctas = 1000, .threads = 64}, 10),
                          computing((struct mh_launch){.ctas = 10, .threads = 2048}, 1)};
    LOCAL_GPU(g) = started(&cfg, s);
    assert_int_equal(g->sm[0].tenant_ctas[0], 32);
    assert_int_equal(g->sm[1].tenant_ctas[0], 0);
    assert_int_equal(g->sm[1].tenant_ctas[1], 1);
    mh_gpu_advance(g, 31);
    assert_int_equal(g->tenant[1].next_cta, 1);
    mh_gpu_advance(g, 32); /* a tie again: its turn */
    assert_int_equal(g->tenant[1].next_cta, 2);
    assert_int_equal(g->sm[1].tenant_ctas[1], 1);
}

/* Three kernels on two SMs. One has launches of four short CTAs: its places go to the others, and come back to it. */
TEST(test_launches_on_shared_sms)
{
    struct mh_config cfg = script_config(2, 3);
    script_share_sms(&cfg);
    cfg.sm.cta_slots = 6;
    struct script *s[3];
    for (uint32_t t = 0; t < 3; t++) {
        s[t] = computing((struct mh_launch){.ctas = t ? 1000 : 4, .threads = 64}, t ? 50 : 1);
        script_repeat(s[t]);
    }
    LOCAL_GPU(g) = started(&cfg, s);
    for (uint32_t sm = 0; sm < 2; sm++)
        for (uint32_t t = 0; t < 3; t++)
            assert_int_equal(g->sm[sm].tenant_ctas[t], 2);
    script_until(g, &g->tenant[0].count.completions, 5);
    assert_int_equal(g->tenant[0].count.ctas, 20);
    for (uint32_t sm = 0; sm < 2; sm++)
        assert_int_equal(g->sm[sm].tenant_ctas[0] + g->sm[sm].tenant_ctas[1] + g->sm[sm].tenant_ctas[2], 6);
    mh_gpu_check(g);
}

/* A limit on one tenant makes room for the other. */
TEST(test_limits_split_an_sm)
{
    struct mh_config cfg = script_config(1, 2);
    cfg.sm.cta_slots = 8;
    script_share_sms(&cfg);
    struct script *s[] = {computing((struct mh_launch){.ctas = 1000, .threads = 64}, 10),
                          computing((struct mh_launch){.ctas = 1000, .threads = 64}, 10)};
    LOCAL_GPU(g) = started(&cfg, s);
    set_limit(g, 0, 3);
    set_limit(g, 1, 5);
    mh_gpu_advance(g, 500);
    assert_int_equal(g->sm[0].tenant_ctas[0], 3);
    assert_int_equal(g->sm[0].tenant_ctas[1], 5);
    set_limit(g, 1, 2);
    mh_gpu_advance(g, 1000);
    assert_int_equal(g->sm[0].tenant_ctas[0], 3);
    assert_int_equal(g->sm[0].tenant_ctas[1], 2);
}

/* Warps of several tenants on one SM share the issue port: 50 cycles, 50 instructions, each counted for its own. */
TEST(test_counters_of_shared_sm)
{
    struct mh_config cfg = script_config(1, 2);
    script_share_sms(&cfg);
    struct script *s[] = {computing((struct mh_launch){.ctas = 1, .threads = 64}, 20),
                          computing((struct mh_launch){.ctas = 1, .threads = 64}, 40)};
    LOCAL_GPU(g) = started(&cfg, s);
    mh_gpu_advance(g, 49);
    const struct mh_stats *st = mh_gpu_stats(g);
    assert_int_equal(st->tenant[0].warp_instr, 20);
    assert_int_equal(st->tenant[1].warp_instr, 30); /* cycles 20..49 */
    assert_int_equal(st->tenant[1].lane_instr, 30 * 64);
}
