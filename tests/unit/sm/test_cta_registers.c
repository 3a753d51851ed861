/* What firmware sees of CTAs, and what it sets for each SM: SM_CTA_LIMIT, SM_CTAS, what a CTA takes, LAUNCH_EVENTS. */
#include "unit/test.h"
#include "script.h"

enum { CTAS = 400, GAP = 10 };

/* The first CTAs are there. */
static struct mh_gpu *started(const struct mh_config *cfg, struct script *const scripts[])
{
    struct mh_gpu *g = script_gpu(cfg, scripts);
    mh_cta_dispatch(g);
    return g;
}

static void add_launch(struct script *s, struct mh_launch launch)
{
    uint32_t l = script_launch(s, launch);

    for (uint32_t cta = 0; cta < launch.ctas; cta++)
        for (uint32_t w = 0; w < (launch.threads + 63) / 64; w++)
            script_add(s, l, cta, w, op_after(GAP, op_exit()));
}

static struct script *computing(struct mh_launch launch)
{
    struct script *s = script_new();

    script_buffer(s, SCRIPT_BASE, SCRIPT_PAGE);
    add_launch(s, launch);
    return s;
}

static uint32_t limit_at(uint32_t tenant, uint32_t sm)
{
    return MH_REG_SM_CTA_LIMIT_0 + tenant * MH_TENANT_SM_STRIDE + sm * MH_REG_SM_CTA_LIMIT_0_STRIDE;
}

/* SMs of one tenant with as many CTAs as their number says; with none, too. CTA_LIMIT holds besides. */
TEST(test_each_sm_has_its_limit)
{
    struct mh_config cfg = script_config(4, 1);
    struct script *s = computing((struct mh_launch){.ctas = CTAS, .threads = 64});

    LOCAL_GPU(g) = script_gpu(&cfg, &s);

    for (uint32_t sm = 0; sm < 4; sm++)
        script_write(g, limit_at(0, sm), sm);
    script_commit(g);
    mh_gpu_advance(g, 105);
    for (uint32_t sm = 0; sm < 4; sm++)
        assert_int_equal(g->sm[sm].tenant_ctas[0], sm);
    script_knob(g, MH_REG_CTA_LIMIT, 2);
    mh_gpu_advance(g, 205);
    assert_int_equal(g->sm[2].tenant_ctas[0], 2);
    assert_int_equal(g->sm[3].tenant_ctas[0], 2);
    script_knob(g, limit_at(0, 0), 32); /* at the cycle of the COMMIT */
    assert_int_equal(g->sm[0].tenant_ctas[0], 2);
    mh_gpu_check(g);
}

/* Tenants that share all SMs part them: no CTA of the one on the SMs of the other. Resident ones finish. */
TEST(test_limits_part_the_sms)
{
    struct mh_config cfg;
    struct script *s[] = {computing((struct mh_launch){.ctas = CTAS, .threads = 64}),
                          computing((struct mh_launch){.ctas = CTAS, .threads = 64})};

    cfg = script_config(4, 2);
    script_share_sms(&cfg);
    LOCAL_GPU(g) = started(&cfg, s);

    mh_gpu_advance(g, 1);
    for (uint32_t sm = 0; sm < 4; sm++)
        script_write(g, limit_at(sm / 2, sm), 0);
    script_commit(g);
    assert_true(g->sm[0].tenant_ctas[0] > 0);
    mh_gpu_advance(g, 1000);
    for (uint32_t sm = 0; sm < 4; sm++) {
        assert_int_equal(g->sm[sm].tenant_ctas[sm / 2], 0);
        assert_true(g->sm[sm].tenant_ctas[1 - sm / 2] > 0);
    }
    mh_gpu_check(g);
}

TEST(test_limits_that_are_refused)
{
    struct mh_config cfg = script_config(3, 1);
    struct script *s = computing((struct mh_launch){.ctas = CTAS, .threads = 64});
    uint32_t value;

    LOCAL_GPU(g) = script_gpu(&cfg, &s);

    script_refused(g, limit_at(0, 2), cfg.sm.cta_slots + 1);
    assert_int_equal(script_read(g, limit_at(0, 2)), cfg.sm.cta_slots);
    assert_int_equal(mh_gpu_read(g, limit_at(0, 3), 4, &value), MH_ACCESS_ERROR); /* no such SM */
    assert_int_equal(mh_gpu_read(g, limit_at(1, 0), 4, &value), MH_ACCESS_ERROR); /* no such tenant */
}

static uint32_t of_tenant(struct mh_gpu *g, uint32_t offset, uint32_t tenant)
{
    return script_read(g, offset + tenant * MH_TENANT_STRIDE);
}

TEST(test_what_firmware_reads)
{
    struct mh_config cfg;
    struct script *s[] = {
        computing((struct mh_launch){.ctas = CTAS, .threads = 128, .registers = 20, .shared_bytes = 1000}),
        computing((struct mh_launch){.ctas = CTAS, .threads = 192, .registers = 33})};

    cfg = script_config(2, 2);
    script_share_sms(&cfg);
    cfg.tenants[1].alone_ipc = 123456;
    LOCAL_GPU(g) = started(&cfg, s);

    assert_int_equal(of_tenant(g, MH_REG_ALONE_IPC, 0), 0);
    assert_int_equal(of_tenant(g, MH_REG_ALONE_IPC, 1), 123456);
    assert_int_equal(script_read(g, MH_REG_CAP_SM_REGISTERS), cfg.sm.registers);
    assert_int_equal(script_read(g, MH_REG_CAP_SM_SHARED), cfg.sm.shared_bytes);
    assert_int_equal(of_tenant(g, MH_REG_CTA_THREADS, 0), 128);
    assert_int_equal(of_tenant(g, MH_REG_CTA_THREADS, 1), 192);
    assert_int_equal(of_tenant(g, MH_REG_CTA_REGISTERS, 0), 2560);
    assert_int_equal(of_tenant(g, MH_REG_CTA_REGISTERS, 1), 6336);
    assert_int_equal(of_tenant(g, MH_REG_CTA_SHARED, 0), 1000);
    assert_int_equal(of_tenant(g, MH_REG_CTA_SHARED, 1), 0);
    for (uint32_t sm = 0; sm < 2; sm++) {
        const uint32_t *held = g->sm[sm].tenant_ctas;

        assert_true(held[0] > 0 && held[1] > 0);
        assert_int_equal(script_read(g, MH_REG_SM_CTAS_0 + sm * MH_REG_SM_CTAS_0_STRIDE), held[0] | held[1] << 8);
        assert_int_equal(script_read(g, MH_REG_SM_CTAS_1 + sm * MH_REG_SM_CTAS_1_STRIDE), 0);
    }
}

/* Eight tenants: the second word has the last four. */
TEST(test_eight_tenants)
{
    struct mh_config cfg = script_config(1, MH_MAX_TENANTS);
    struct script *s[MH_MAX_TENANTS];

    script_share_sms(&cfg);
    for (uint32_t t = 0; t < MH_MAX_TENANTS; t++)
        s[t] = computing((struct mh_launch){.ctas = t + 1, .threads = 64});
    cfg.sm.cta_slots = 16;
    LOCAL_GPU(g) = started(&cfg, s);

    /* A CTA each, a second one for those that have one, and the last of 16 slots for the first that has a third. */
    assert_int_equal(script_read(g, MH_REG_SM_CTAS_0), 0x02030201);
    assert_int_equal(script_read(g, MH_REG_SM_CTAS_1), 0x02020202);
}

/* Launches of 64, 64 and 128 threads, again and again: an event for the third, and one for the first of a relaunch. */
static void count_events(bool on, uint32_t launches, uint32_t expected)
{
    struct mh_config cfg;
    struct script *s = script_new();
    uint32_t events = 0;

    script_buffer(s, SCRIPT_BASE, SCRIPT_PAGE);
    for (uint32_t l = 0; l < 3; l++)
        add_launch(s, (struct mh_launch){.ctas = 2, .threads = l < 2 ? 64 : 128});
    script_repeat(s);
    cfg = script_config(1, 1);
    LOCAL_GPU(g) = script_gpu(&cfg, &s);

    script_knob(g, MH_REG_LAUNCH_EVENTS, on);
    script_until(g, &g->tenant[0].count.launches, launches);
    for (uint32_t event; (event = script_read(g, MH_REG_EVENT_POP));)
        if ((event & 0xff) == MH_EVENT_TENANT_LAUNCH) {
            assert_int_equal(event >> 16, events % 2 ? 0 : 2);
            assert_int_equal(event >> 8 & 0xff, 0);
            events++;
        }
    assert_int_equal(events, expected);
}

TEST(test_launch_events)
{
    count_events(true, 1, 0);
    count_events(true, 2, 1);
    count_events(true, 3, 2);
    count_events(true, 6, 4);
    count_events(false, 6, 0);
}
