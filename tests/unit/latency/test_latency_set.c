/* The reference set of latency: the built-in file, its keys and mistakes; knees and values. */
#include "unit/test.h"

#include <math.h>

#include "latency/set.h"
#include "memhelm/config_file.h"
#include "latency/latency.h"
#include "latency_runs.h"
#include "unit/near.h"

#define PRESETS                                                                                                        \
    "presets: [{preset: p, cycles: 7, cost: 9}, {preset: q, cycles: 8, alone: whole, cost: 1, set: [a=1, b=2]}]\n"
#define IMAGES "images: [{images: 'a b*', preset: p, workloads: [X, Y]}]\n"

static struct latency_set set;
static struct mh_error err;

static int load(const char *text)
{
    return latency_set_load(&set, "s.yaml", text, strlen(text), &err);
}

static void refuses(const char *text, const char *part)
{
    assert_int_equal(load(text), -1);
    assert_has(err.text, part);
}

TEST(test_keys)
{
    assert_int_equal(load(PRESETS "images:\n"
                                  "- {images: 'a b*', preset: q, workloads: [X, Y]}\n"
                                  "- {images: 'bc d', preset: p, workloads: [V], variant: yes}\n"),
                     0);
    const struct set_images *row = latency_set_images(&set, "bc");
    assert_ptr_equal(row, &set.images[0]); /* the first that fits */
    assert_int_equal(row->workload_count, 2);
    assert_string_equal(row->workloads[1], "Y");
    assert_false(row->variant);
    row = latency_set_images(&set, "d");
    assert_true(row->variant);
    assert_null(latency_set_images(&set, "ab"));
    assert_int_equal(latency_set_preset(&set, "p").cycles, 7);
    assert_false(latency_set_preset(&set, "p").alone_whole);
    assert_true(latency_set_preset(&set, "q").alone_whole);
    assert_int_equal(latency_set_preset(&set, "q").cost, 1);
    assert_int_equal(latency_set_preset(&set, "p").set_count, 0);
    assert_int_equal(latency_set_preset(&set, "q").set_count, 2);
    assert_string_equal(latency_set_preset(&set, "q").sets[1], "b=2");
    assert_int_equal(latency_set_preset(&set, "none").cycles, 1000000);
    assert_false(latency_set_preset(&set, "none").alone_whole);
    latency_set_close(&set);
}

TEST(test_mistakes)
{
    refuses("", "s.yaml: is empty");
    refuses(PRESETS "images: [\n", "s.yaml:3:");
    refuses(PRESETS IMAGES "image: x\n",
            "s.yaml:3: the reference set has no key 'image'; nearest: images; there are: presets images");
    refuses(IMAGES, "s.yaml:1: presets: a list of 1 to 16 is needed");
    refuses(PRESETS "images: x\n", "s.yaml:2: images: a list of 1 to 32 is needed");
    refuses("presets:\n- {preset: p, cycles: 7}\n" IMAGES, "s.yaml:2: preset p needs cycles and cost");
    refuses("presets:\n- {cycles: 7, cost: 1}\n" IMAGES, "s.yaml:2: preset is missing");
    refuses("presets:\n- {preset: p, cost: 1, cycles: 0}\n" IMAGES, "s.yaml:2: cycles is a whole number");
    refuses("presets:\n- preset: p\n  cost: 1\n  cycles: 1\n  alone: half\n" IMAGES,
            "s.yaml:5: alone is one of: same whole; not 'half'");
    refuses(PRESETS "images:\n- {images: a, preset: p}\n", "s.yaml:3: workloads: a list of 1 to 10 is needed");
    refuses(PRESETS "images:\n- images: a\n  preset: p\n  workloads: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]\n",
            "s.yaml:5: workloads:");
    refuses(PRESETS "images:\n- {images: a, preset: p, workloads: [[]]}\n", "s.yaml:3: expected a text");
    refuses(PRESETS "images:\n- {preset: p, workloads: [X]}\n", "s.yaml:3: images is missing");
    refuses(PRESETS "images:\n- {images: a, preset: r, workloads: [X]}\n",
            "s.yaml:3: preset r has no row under presets");
    refuses(PRESETS "images:\n- {images: a, preset: p, workloads: [X], variant: maybe}\n", "variant is one of: no yes");
    refuses(PRESETS "images:\n- {images: a, preset: p, workload: X}\n", "images has no key 'workload'");
    refuses(PRESETS "images:\n- {images: a, preset: p, workloads: [X], plain: Y}\n",
            "s.yaml:3: images has no key 'plain'; there are: images preset workloads variant");
}

/* Each preset and workload there is one: a mistake in the file would show only when an image is run. */
TEST(test_builtin)
{
    assert_good(!latency_set_open(&set, NULL, &err), err);
    for (unsigned i = 0; i < set.image_count; i++) {
        const struct set_images *row = &set.images[i];
        static struct mh_config cfg;
        for (unsigned w = 0; w < row->workload_count; w++) {
            memset(&cfg, 0, sizeof cfg);
            if (mh_config_preset(&cfg, row->preset, &err) || mh_config_workload(&cfg, row->workloads[w], &err))
                fail_msg("%s: %s", row->images, err.text);
        }
    }
    assert_true(latency_set_images(&set, "uvm")->variant);
    assert_false(latency_set_images(&set, "mask")->variant);
    assert_string_equal(latency_set_images(&set, "walk-static")->preset, "dws");
    assert_string_equal(latency_set_images(&set, "walk-random")->preset, "simt");
    assert_null(latency_set_images(&set, "baseline"));
    latency_set_close(&set);
}

/* A row that names an image is that image's: none before it fits, by a pattern say. */
TEST(test_rows_are_reached)
{
    assert_int_equal(latency_set_open(&set, NULL, &err), 0);
    for (unsigned i = 0; i < set.image_count; i++) {
        char words[256], *rest = words;
        snprintf(words, sizeof words, "%s", set.images[i].images);
        for (const char *word; (word = strsep(&rest, " "));)
            if (!strchr(word, '*') && latency_set_images(&set, word) != &set.images[i])
                fail_msg("%s: a row before its own fits", word);
    }
    latency_set_close(&set);
}

TEST(test_file)
{
    assert_int_equal(latency_set_open(&set, "/no/such/set.yaml", &err), -1);
    assert_non_null(strstr(err.text, "/no/such/set.yaml"));
    latency_set_close(&set);
}

/* What a call says first: windows times cost, up to the end of the programs. Each workload of the set was measured. */
TEST(test_costs)
{
    double second = latency_set_cost("mask", "SC+FWT", 1000000), ended = latency_set_cost("etc", "ATAX:2048", 17000000);

    assert_true(second > 0.3 && second < 6);
    assert_true(fabs(latency_set_cost("mask", "SC+FWT", 3000000) - 3 * second) < 1e-9);
    assert_true(fabs(latency_set_cost("etc", "ATAX:2048", 400000000) - ended) < 1e-9);
    assert_true(fabs(latency_set_cost("etc", "ATAX:2048", 8500000) - ended / 2) < 1e-9);
    assert_true(latency_set_cost("mask", "SC", 1000000) == 0);
    assert_true(latency_set_cost("dws", "SC+FWT", 1000000) == 0);
    assert_int_equal(latency_set_open(&set, NULL, &err), 0);
    for (unsigned i = 0; i < set.image_count; i++)
        for (unsigned w = 0; w < set.images[i].workload_count; w++)
            if (latency_set_cost(set.images[i].preset, set.images[i].workloads[w], 1) <= 0)
                fail_msg("preset %s, workload %s: not in costs.def", set.images[i].preset, set.images[i].workloads[w]);
    latency_set_close(&set);
}

/* --- What of a gain is kept, and the knee, on values made by hand. */

/* Of five seeds. */
static struct interval about(double mean, double half)
{
    return (struct interval){mean, half, 5};
}

static enum gain_verdict judge(double mean, double half)
{
    struct interval gain = about(mean, half);
    return gain_judge(&gain);
}

TEST(test_judge)
{
    struct interval one = {0.2, NAN, 1};

    assert_int_equal(judge(0.0301, 0.03), GAIN_REAL);
    assert_int_equal(judge(0.03, 0.03), GAIN_NONE);
    assert_int_equal(judge(0, 0), GAIN_NONE);
    assert_int_equal(judge(-0.03, 0.03), GAIN_NONE);
    assert_int_equal(judge(-0.0301, 0.03), GAIN_LOSS);
    assert_int_equal(judge(NAN, NAN), GAIN_UNKNOWN);
    assert_int_equal(gain_judge(&one), GAIN_ONE_SEED);
}

/* A gain in no time of 20 %: what does a point keep that loses `mean` of it? */
static enum keep keeps(double mean, double half)
{
    struct interval gain = about(0.2, 0.05), loss = about(mean, half);
    return keep_judge(&gain, &loss);
}

/* A twentieth of the gain may be missing, however sure that is; more than in no time is kept, too. */
TEST(test_kept)
{
    assert_int_equal(keeps(0, 0), KEEP_KEPT);
    assert_int_equal(keeps(0.01, 0.001), KEEP_KEPT);
    assert_int_equal(keeps(-0.3, 0.1), KEEP_KEPT);
    assert_int_equal(keeps(0.0101, 0.001), KEEP_LOST);
}

/* Losses as they come: ratios less 1, one bit off what they are on paper. */
TEST(test_rounding)
{
    struct interval gain = about(1.3 - 1, 0), loss = about((1.3 - 1) - (1.285 - 1), 0);

    assert_true(loss.mean > KNEE_LOSS * gain.mean);
    assert_int_equal(keep_judge(&gain, &loss), KEEP_KEPT);
}

/* Beyond the interval it is lost; an interval that holds the loss of all of the gain shows nothing, either way. */
TEST(test_not_kept)
{
    assert_int_equal(keeps(0.05, 0.0499), KEEP_LOST);
    assert_int_equal(keeps(0.05, 0.05), KEEP_UNSHOWN);
    assert_int_equal(keeps(0.15, 0.199), KEEP_UNSHOWN);
    assert_int_equal(keeps(0.15, 0.2), KEEP_UNCLEAR);
    assert_int_equal(keeps(0.005, 0.2), KEEP_UNCLEAR); /* a small mean of seeds that differ as much as the gain */
    assert_int_equal(keeps(-0.1, 0.2), KEEP_UNCLEAR);
    assert_int_equal(keeps(0.3, 0.25), KEEP_LOST);
    assert_int_equal(keeps(NAN, NAN), KEEP_UNKNOWN);
}

TEST(test_cost)
{
    const struct interval cost = about(0.002, 0.001), unsure = about(0.002, 0.002), more = about(-0.002, 0.001),
                          one = {0.1, NAN, 1};

    assert_true(loss_is_cost(&cost));
    assert_false(loss_is_cost(&unsure) || loss_is_cost(&more) || loss_is_cost(&one));
}

static void finds(const enum keep *points, int knee, int kept)
{
    struct knee found = knee_find(points, 4);
    assert_int_equal(found.knee, knee);
    assert_int_equal(found.kept, kept);
}

/* A slower mcu that keeps again is no knee: a faster one does not. Runs that are missing behind it do not matter. */
TEST(test_find)
{
    const enum keep X = KEEP_UNKNOWN, K = KEEP_KEPT, S = KEEP_UNSHOWN, C = KEEP_UNCLEAR, L = KEEP_LOST;

    finds((const enum keep[]){K, K, K, K}, 4, 4);
    finds((const enum keep[]){K, S, K, L}, 3, 1);
    finds((const enum keep[]){S, S, S, S}, 4, 0);
    finds((const enum keep[]){L, K, K, K}, 0, 0);
    finds((const enum keep[]){K, C, K, K}, 1, 1);
    finds((const enum keep[]){K, L, X, K}, 1, 1);
    finds((const enum keep[]){K, X, K, K}, -1, -1);
    finds((const enum keep[]){K, S, X, K}, -1, 1);
    assert_int_equal(knee_find(NULL, 0).knee, 0);
}

/* --- What made-up runs measured: speedups, fairness, and what the mcu did. */

static struct latency_image *const image = &all.images[0];

/* Two tenants of 2 and 0.5 times their IPC alone, in one of three workloads and one of five seeds. */
TEST(test_fairness, .setup = setup, .teardown = teardown)
{
    struct latency_row row;
    struct kept_sim *s = sim_of(0, 3, 1, 4);

    s->sim.cfg.tenants_count = s->sim.result.stats.tenants = 2;
    s->sim.result.stats.tenant[0].lane_instr = 200000;
    s->sim.result.stats.tenant[1].lane_instr = 50000;
    cells[0][(POINTS_LAST * WORKLOADS + 1) * SEEDS + 4].alone[1] = alone;
    latency_row(&all, image, 3, &row);
    NEAR(latency_speedup(&all, image, 3, 1, 4), 2.5);
    NEAR(row.fairness, (4 + cbrt(0.25)) / 5);
    latency_row(&all, image, 4, &row);
    NEAR(row.fairness, 1);
}

/* All sources, workloads and seeds; boot is not counted as awake. */
TEST(test_core, .setup = setup, .teardown = teardown)
{
    struct latency_row row;

    for (unsigned w = 0; w < WORKLOADS; w++)
        for (unsigned seed = 0; seed < SEEDS; seed++) {
            struct mh_result *r = &sim_of(0, 2, w, seed)->sim.result;
            r->stats.control.source[MH_SOURCE_EPOCH] = (struct mh_source_stats){10, 8, 2, 800, 300 + w + seed};
            r->stats.control.source[MH_SOURCE_WALK_EPOCH] = (struct mh_source_stats){10, 8, 1, 160, 50};
            r->mcu.boot = 100;
            r->mcu.awake = 130;
            r->mcu.asleep = 70;
        }
    latency_row(&all, image, 2, &row);
    NEAR(row.answer_mean, 60);
    assert_int_equal(row.answer_max, 306);
    assert_int_equal(row.raised, 300);
    assert_int_equal(row.missed, 45);
    NEAR(row.awake, 0.3);
    assert_false(row.bites);
    guarded[0][2 * WORKLOADS + 2].run = sim_of(0, 2, 2, 1);
    latency_row(&all, image, 2, &row);
    assert_false(row.bites);
    sim_of(0, 2, 2, 1)->sim.result.mcu.recovery.bites = 1;
    latency_row(&all, image, 2, &row);
    assert_true(row.bites);
}

TEST(test_missing, .setup = setup, .teardown = teardown)
{
    struct latency_row row;

    put(0, 2, 1, 0, 1.21);
    NEAR(latency_speedup(&all, image, 2, 1, 0), 1.21);
    sim_of(0, 2, 1, 0)->sim.state = SIM_STOPPED;
    sim_of(0, 3, 1, 0)->sim.result.end = MH_END_FAULT;
    assert_true(isnan(latency_speedup(&all, image, 2, 1, 0)));
    assert_true(isnan(latency_speedup(&all, image, 3, 1, 0)));
    latency_row(&all, image, 2, &row);
    assert_true(isnan(row.fairness));
    NEAR(latency_speedup(&all, image, 2, 1, 1), 1);
    alone->sim.state = SIM_LOST;
    assert_true(isnan(latency_speedup(&all, image, 2, 1, 1)));
}
