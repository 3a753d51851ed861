/* Metrics of rows files: values by hand, and texts that are none. */
#include "unit/test.h"

#include <math.h>

#include "plan/metrics.h"
#include "reproduce/series.h"
#include "unit/near.h"
#include "plan/quantity.h"

/* walks: 3 and 5; hits 2; anything else is not there. */
static double look_up(void *ctx, const char *name, int tenant)
{
    ++*(unsigned *)ctx;
    if (!strcmp(name, "walks"))
        return tenant == EXPR_ALL ? 8 : tenant == 0 ? 3 : 5;
    return strcmp(name, "hits") ? (double)NAN : 2;
}

TEST(test_values)
{
    static const struct {
        const char *text;
        double value;
        unsigned names;
    } cases[] = {
        {"7", 7, 0},
        {"walks", 8, 1},
        {"walks[0]", 3, 1},
        {"walks [ 1 ]", 5, 1},
        {"1 + 2 * 3", 7, 0},
        {"(1 + 2) * 3", 9, 0},
        {"8 - 2 - 1", 5, 0}, /* from the left */
        {"8 / 4 / 2", 1, 0},
        {"hits / walks", 0.25, 2},
        {"hits/(walks-hits)", 1.0 / 3, 3},
        {"min(walks[0], walks[1]) / max(walks[0], walks[1])", 0.6, 4},
        {"(walks[0] / 2 + walks[1] / 2) / 2", 2, 2},
        {"0.5 * 4", 2, 0},
    };
    struct mh_error err;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct expr *e = expr_parse(cases[i].text, &err);
        unsigned names = 0;
        assert_good(e, err);
        NEAR(expr_value(e, look_up, &names), cases[i].value);
        assert_int_equal(names, cases[i].names);
        expr_free(e);
    }
}

TEST(test_nothing_to_divide_by)
{
    static const char *const texts[] = {"1 / 0", "1 / (hits - 2) + 5", "other", "max(other, 1)", "min(1, 0 / 0)"};
    struct mh_error err;
    unsigned names = 0;

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct expr *e = expr_parse(texts[i], &err);
        assert_non_null(e);
        assert_true(isnan(expr_value(e, look_up, &names)));
        expr_free(e);
    }
}

TEST(test_nonsense)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "column 1"},          {"walks +", "column 8: expected a name"},
        {"(walks", "expected )"},  {"walks hits", "column 7: expected an operator"},
        {"walks[8]", "0..7"},      {"walks[x]", "number of a tenant"},
        {"walks[1", "expected ]"}, {"min(1)", "expected ,"},
        {"-1", "expected a name"}, {"a$b", "expected an operator"},
    };
    struct mh_error err;
    char deep[400], wide[400] = "1", name[200];

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_null(expr_parse(cases[i].text, &err));
        if (!strstr(err.text, cases[i].message))
            fail_msg("'%s': %s", cases[i].text, err.text);
    }
    memset(deep, '(', sizeof deep);
    deep[sizeof deep - 1] = 0;
    assert_null(expr_parse(deep, &err));
    for (unsigned i = 0; i < 90; i++)
        strcat(wide, "+1");
    assert_null(expr_parse(wide, &err));
    memset(name, 'a', sizeof name);
    name[sizeof name - 1] = 0;
    assert_null(expr_parse(name, &err));
}

TEST(test_aggregates)
{
    static const double gains[] = {1.0, -0.5, 0.0}; /* 2, 0.5, 1: their geometric mean is 1 */
    static const double levels[] = {4, 1, 1};

    NEAR(series_aggregate(gains, 3, RELATION_GAIN, OVER_GEOMEAN, 0), 0);
    NEAR(series_aggregate(gains, 3, RELATION_GAIN, OVER_MEAN, 0), 0.5 / 3);
    NEAR(series_aggregate(gains, 3, RELATION_GAIN, OVER_MIN, 0), -0.5);
    NEAR(series_aggregate(gains, 3, RELATION_GAIN, OVER_MAX, 0), 1);
    NEAR(series_aggregate(gains, 3, RELATION_GAIN, OVER_SHARE, -0.1), 2.0 / 3);
    NEAR(series_aggregate(gains, 3, RELATION_GAIN, OVER_SHARE, 0), 1.0 / 3); /* 0 is not above 0 */
    NEAR(series_aggregate(levels, 3, RELATION_LEVEL, OVER_GEOMEAN, 0), cbrt(4));
    NEAR(series_aggregate(levels, 3, RELATION_LEVEL, OVER_MEAN, 0), 2);
    NEAR(series_aggregate(levels, 2, RELATION_RATIO, OVER_GEOMEAN, 0), 2);
    assert_true(isnan(series_aggregate(levels, 0, RELATION_LEVEL, OVER_MEAN, 0)));
}

/* --- What a metric of a rows file is of finished simulations, and which of its names there are. */

TEST(test_unknown_counter)
{
    struct mh_error err;
    struct expr *good = expr_parse("walk_cycles / walks + config.sm.count * alone.cycles[0]", &err);
    struct expr *bad = expr_parse("walks_eaten / walks", &err);
    struct expr *owner = expr_parse("knob.walker_owner", &err);

    assert_int_equal(values_check(good, &err), 0);
    assert_true(values_need_alone(good));
    assert_int_equal(values_check(bad, &err), -1);
    assert_non_null(strstr(err.text, "'walks_eaten'"));
    assert_false(values_need_alone(bad));
    assert_int_equal(values_check(owner, &err), -1);
    expr_free(good);
    expr_free(bad);
    expr_free(owner);
}

TEST(test_keys_and_tenants_that_are_not_there)
{
    static const struct {
        const char *metric, *says;
    } wrong[] = {{"config.sm.cout", "'config.sm.cout'; nearest: sm.count"}, {"config.", "'config.'"}};
    struct mh_error err;

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct expr *e = expr_parse(wrong[i].metric, &err);
        assert_int_equal(values_check(e, &err), -1);
        assert_has(err.text, wrong[i].says);
        expr_free(e);
    }
    struct expr *second = expr_parse("ipc[0] / ipc[1]", &err);
    assert_int_equal(values_check_tenants(second, 2, &err), 0);
    assert_int_equal(values_check_tenants(second, 1, &err), -1);
    assert_string_equal(err.text, "ipc[1]: there is one tenant, [0]");
    expr_free(second);
}

/* Made-up statistics: 2 tenants, 100 cycles; alone they issue 400 and 100 instructions in 100 cycles. */
static struct kept_sim *made_up(uint64_t lanes0, uint64_t lanes1, uint32_t tenants)
{
    struct kept_sim *s = calloc(1, sizeof *s);
    s->sim.state = SIM_DONE;
    s->sim.result.stats.cycles = 100;
    s->sim.result.stats.tenants = tenants;
    s->sim.result.stats.tenant[0].lane_instr = lanes0;
    s->sim.result.stats.tenant[1].lane_instr = lanes1;
    s->sim.result.stats.tenant[0].walks = 30;
    s->sim.result.stats.tenant[1].walks = 10;
    s->sim.cfg.sm.count = 30;
    return s;
}

TEST(test_values_of_points)
{
    static const struct {
        const char *metric;
        double value;
    } cases[] = {
        {"ipc", 2.5},
        {"ipc[1]", 0.5},
        {"weighted_speedup", 1.0}, /* 200/400 + 50/100 */
        {"max_slowdown", 2},
        {"fairness", 1.0},
        {"walks", 40},
        {"walks[1]", 10},
        {"alone.walks[1]", 30},
        {"alone.lane_instr", 500},
        {"speedup[0]", 0.5},
        {"config.sm.count", 30},
        {"walks / cycles", 0.4},
        {"sms[1]", 18},
        {"sms", 30},
        {"epochs", 7},
        {"missed", 2},
        {"decision_latency", 60},
        {"walk_epochs", 40},
        {"walk_missed", 10},
        {"walk_missed / walk_epochs", 0.25},
        {"walk_epoch_latency", 15},
        {"knob.tokens", 7},
        {"knob.tokens[1]", 4},
        {"knob.walk_age", 9},
        {"knob.sm_throttle", 3},
        {"noc_burst", 0.5}, /* 10 and 30 */
        {"dram_burst", 0},
        {"alone.dram_burst[1]", 1}, /* 0 and 4 */
        {"noc_over", 0.5},
        {"demand_over", 1},
        {"dram_over", 0},
        {"alone.dram_over[1]", 1},
    };
    struct point p = {.run = made_up(200, 50, 2), .alone = {made_up(400, 0, 1), made_up(100, 0, 1)}};
    struct mh_error err;

    p.run->sim.result.stats.knobs =
        (struct mh_knobs){.tokens = {3, 4, 100}, .walk_age = 9, .sm_throttle = {5, 0x80000000}};
    p.run->sim.bursts = (struct bursts){2, {90, 5000, 2}, {40, 1000, 1}, {10, 50, 0}};
    p.alone[1]->sim.bursts = (struct bursts){2, {0, 0, 0}, {0, 0, 0}, {4, 16, 2}};
    p.run->sim.cfg.tenants[0].sm_count = 12;
    p.run->sim.cfg.tenants[1].sm_count = 18;
    p.run->sim.result.stats.control = (struct mh_control_stats){.epochs = 7,
                                                                .missed = 2,
                                                                .latency_count = 5,
                                                                .latency_sum = 300,
                                                                .walk_epochs = 40,
                                                                .walk_missed = 10,
                                                                .walk_latency_count = 30,
                                                                .walk_latency_sum = 450};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct expr *e = expr_parse(cases[i].metric, &err);
        double v = values_of(e, &p);
        if (fabs(v - cases[i].value) > 1e-12)
            fail_msg("%s: %g", cases[i].metric, v);
        assert_good(!values_check(e, &err), err);
        expr_free(e);
    }
    assert_true(fabs(values_weighted_speedup(&p) - 1.0) < 1e-12);
    struct expr *e = expr_parse("ipc[2]", &err), *ws = expr_parse("weighted_speedup", &err);
    assert_true(isnan(values_of(e, &p))); /* no such tenant */
    p.alone[1]->sim.state = SIM_LOST;
    assert_true(isnan(values_of(ws, &p)) && isnan(values_weighted_speedup(&p)));
    p.run->sim.result.end = MH_END_DEADLOCK;
    assert_true(isnan(values_of(e, &p)));
    expr_free(e);
    expr_free(ws);
    free(p.run);
    free(p.alone[0]);
    free(p.alone[1]);
}
