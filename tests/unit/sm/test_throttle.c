/* The knobs CTA_THROTTLE and SM_THROTTLE: which CTAs issue, the cycle in which they stop, and that they resume. */
#include "script.h"
#include "unit/test.h"
#include "chain.h"

static void assert_left(const struct mh_gpu *g, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    const uint32_t want[] = {a, b, c, d};
    for (uint32_t w = 0; w < 4; w++)
        assert_int_equal(mh_warp_gap(&g->sm[0], &g->sm[0].warp[w]), want[w]);
}

static uint64_t instructions(struct mh_gpu *g)
{
    return mh_gpu_stats(g)->tenant[0].warp_instr;
}

/* Four CTAs, one instruction each in turn: cycles 0..10 are three for the first three and two for the last. */
TEST(test_youngest_ctas_stop)
{
    struct mh_config cfg = script_config(1, 1);
    set_word(&cfg, "sm.scheduler", "lrr");
    struct script *s = script_computing(4, 100);
    LOCAL_GPU(g) = script_gpu(&cfg, &s);
    mh_gpu_advance(g, 10);
    assert_left(g, 97, 97, 97, 98);
    script_knob(g, MH_REG_CTA_THROTTLE, 2);
    mh_gpu_advance(g, 20); /* ten more, for two */
    assert_left(g, 92, 92, 97, 98);
    assert_int_equal(instructions(g), 21);
    script_knob(g, MH_REG_CTA_THROTTLE, 3);
    mh_gpu_advance(g, 23); /* one for each of three, and the last one stays */
    assert_left(g, 91, 91, 96, 98);
    script_knob(g, MH_REG_CTA_THROTTLE, 32);
    mh_gpu_advance(g, 27);
    assert_left(g, 90, 90, 95, 97);
}

/* The end of an active CTA lets the next one in, in its cycle; a new one in its slot is the youngest. */
TEST(test_ctas_move_up)
{
    struct mh_config cfg = script_config(1, 1);
    cfg.sm.cta_slots = 3;
    cfg.sm.schedulers = 4; /* without the throttle they would run side by side */
    struct script *s = script_computing(6, 10);
    LOCAL_GPU(g) = script_gpu(&cfg, &s);
    script_knob(g, MH_REG_CTA_THROTTLE, 1);
    for (uint32_t cta = 3; cta < 6; cta++) {
        mh_gpu_advance(g, 10 * (cta - 2));
        assert_int_equal(script_placed(s, 0, cta), 10 * (cta - 2));
    }
    assert_int_equal(script_until(g, &g->tenant[0].count.completions, 1), 60);
    assert_int_equal(g->tenant[0].count.warp_instr, 60);
}

/* Under GTO the burst of 100 is cut after the instruction of cycle 10; an older CTA, which is active, takes the port.
 */
TEST(test_bursts_are_cut)
{
    struct mh_config cfg = script_config(1, 1);
    cfg.sm.issue_cycles = 2;
    struct script *s = script_computing(2, 30);
    LOCAL_GPU(g) = script_gpu(&cfg, &s);
    mh_gpu_advance(g, 10); /* cycles 0, 2, .. 10 */
    assert_int_equal(instructions(g), 6);
    script_knob(g, MH_REG_CTA_THROTTLE, 0);
    assert_int_equal(instructions(g), 6);
    assert_int_equal(mh_warp_gap(&g->sm[0], &g->sm[0].warp[0]), 24);
    mh_gpu_advance(g, 1000);
    assert_int_equal(instructions(g), 6);
    assert_int_equal(mh_gpu_stats(g)->tenant[0].lane_instr, 6 * 64);
    script_knob(g, MH_REG_CTA_THROTTLE, 32);
    assert_int_equal(script_until(g, &g->tenant[0].count.completions, 1), 1000 + 2 * (24 + 30));
    assert_int_equal(instructions(g), 60);
}

/* A throttle that comes and goes in one cycle changes nothing: the rest of the burst begins where it would have. */
TEST(test_throttled_for_no_time)
{
    struct mh_config cfg = script_config(1, 1);
    cfg.sm.issue_cycles = 3;
    struct script *s = script_computing(1, 30);
    LOCAL_GPU(g) = script_gpu(&cfg, &s);
    mh_gpu_advance(g, 10); /* at 0, 3, 6, 9 */
    script_knob(g, MH_REG_SM_THROTTLE_0, 1);
    script_knob(g, MH_REG_SM_THROTTLE_0, 0);
    for (uint64_t t = 11; t < 90; t++) {
        mh_gpu_advance(g, t);
        assert_int_equal(instructions(g), t / 3 + 1);
    }
    assert_int_equal(script_until(g, &g->tenant[0].count.completions, 1), 90);
}

/* The throttle is the tenant's: the other one on the SM goes on. */
TEST(test_one_tenant_of_an_sm)
{
    struct mh_config cfg = script_config(1, 2);
    script_share_sms(&cfg);
    struct script *s[] = {script_computing(2, 50), script_computing(2, 50)};
    LOCAL_GPU(g) = script_gpu(&cfg, s);
    script_knob(g, MH_REG_CTA_THROTTLE, 0);
    mh_gpu_advance(g, 99);
    assert_int_equal(mh_gpu_stats(g)->tenant[0].warp_instr, 0);
    assert_int_equal(mh_gpu_stats(g)->tenant[1].warp_instr, 100);
    script_knob(g, MH_REG_CTA_THROTTLE, 1);
    assert_int_equal(script_until(g, &g->tenant[0].count.completions, 1), 99 + 1 + 100);
}

/* What is in flight arrives while the SM is throttled; what needs it issues in the cycle of the release. */
TEST(test_sm_drains_and_resumes)
{
    struct mh_config cfg = script_config(2, 1);
    struct script *s = script_new();
    script_buffer(s, SCRIPT_BASE, CHAIN_PAGES * SCRIPT_PAGE);
    script_launch(s, (struct mh_launch){.ctas = 2, .threads = 64});
    for (uint32_t cta = 0; cta < 2; cta++)
        script_ops(s, 0, cta, 0, op_lanes(MH_OP_LOAD, 8, UINT64_MAX, in_page(100 * cta, 0), 4096),
                   op_wait(op_after(5, op_barrier())));
    struct mh_gpu *g = script_gpu(&cfg, &s);
    mh_gpu_advance(g, 2);
    script_knob(g, MH_REG_SM_THROTTLE_0, 2);
    mh_gpu_advance(g, 5000);
    assert_true(script_issued(s, 0, 0, 0, 1) < 2000);
    assert_int_equal(script_issued(s, 0, 1, 0, 1), SCRIPT_NEVER);
    assert_int_equal(g->sm[1].warp[0].loads, 0);
    assert_int_equal(g->tenant[0].count.l1d_access, 128);
    script_knob(g, MH_REG_SM_THROTTLE_0, 0);
    mh_gpu_advance(g, 6000);
    assert_int_equal(script_issued(s, 0, 1, 0, 1), 5000 + 5);
    script_end(g);
}

/* No CTA goes to a throttled SM, and the one that is there ends when it is released; then the SM gets CTAs again. */
TEST(test_no_ctas_for_a_throttled_sm)
{
    struct mh_config cfg = script_config(2, 1);
    cfg.sm.cta_slots = 1;
    struct script *s = script_computing(6, 10);
    LOCAL_GPU(g) = script_gpu(&cfg, &s);
    mh_cta_dispatch(g);
    script_knob(g, MH_REG_SM_THROTTLE_0, 2);
    mh_gpu_advance(g, 25);
    assert_int_equal(script_placed(s, 0, 2), 10);
    assert_int_equal(script_placed(s, 0, 3), 20);
    assert_int_equal(g->sm[1].tenant_ctas[0], 1);
    script_knob(g, MH_REG_SM_THROTTLE_0, 1); /* now the other one */
    mh_gpu_advance(g, 100);
    assert_int_equal(script_placed(s, 0, 4), 35); /* CTA 1 ran in 25..34 */
    assert_int_equal(script_placed(s, 0, 5), 45);
    assert_int_equal(mh_warp_gap(&g->sm[0], &g->sm[0].warp[0]), 4); /* CTA 3 stopped after 20..25 */
    script_knob(g, MH_REG_SM_THROTTLE_0, 0);
    assert_int_equal(script_until(g, &g->tenant[0].count.completions, 1), 104);
}

/* Firmware throttles as it boots, before GPU time begins: not even the first CTAs go there. */
TEST(test_throttled_from_the_start)
{
    struct mh_config cfg = script_config(2, 1);
    cfg.sm.cta_slots = 1;
    struct script *s = script_computing(3, 10);
    LOCAL_GPU(g) = script_gpu(&cfg, &s);
    script_knob(g, MH_REG_SM_THROTTLE_0, 1);
    mh_gpu_advance(g, 5);
    assert_int_equal(g->sm[0].tenant_ctas[0], 0);
    assert_int_equal(g->sm[1].tenant_ctas[0], 1);
    assert_int_equal(script_read(g, MH_REG_SM_HOLDS), 2);
    script_knob(g, MH_REG_SM_THROTTLE_0, 0);
    mh_gpu_advance(g, 6);
    assert_int_equal(script_placed(s, 0, 1), 5);
}

TEST(test_illegal_masks)
{
    struct mh_config cfg = script_config(2, 1);
    struct script *s = script_computing(2, 100);
    LOCAL_GPU(g) = script_gpu(&cfg, &s);
    static const uint32_t illegal[][2] = {
        {MH_REG_SM_THROTTLE_0, 4}, {MH_REG_SM_THROTTLE_1, 1}, {MH_REG_SM_THROTTLE_3, 1}, {MH_REG_CTA_THROTTLE, 33}};
    for (uint32_t i = 0; i < 4; i++)
        script_refused(g, illegal[i][0], illegal[i][1]);
    assert_int_equal(script_read(g, MH_REG_CAP_FEATURES) & (MH_FEATURE_CTA_THROTTLE | MH_FEATURE_SM_THROTTLE), 24);
    assert_int_equal(script_until(g, &g->tenant[0].count.completions, 1), 100);
}
