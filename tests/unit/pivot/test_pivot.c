/* Pivots of a few points: filters, bases, means over workloads and seeds, and what is missing, counted by hand. */
#include "unit/test.h"

#include "unit/temp_dir.h"

#include "pivot/pivot.h"
#include "pivot/show.h"
#include "points_by_hand.h"
#include "unit/near.h"

static const char columns[] = "axis image|axis workload|axis seed|metric speedup|metric ipc|about reason";

/* Of mask the geometric mean of A and B is 1.1, 1.2 and 1.3 times that of baseline. */
static const char *const rows[] = {
    "baseline|A|1|1|10|",      "baseline|A|2|1|10|", "baseline|A|3|1|10|", "baseline|B|1|2|20|", "baseline|B|2|2|20|",
    "baseline|B|3|2|20|",      "mask|A|1|2.2|10|",   "mask|A|2|2.4|10|",   "mask|A|3|2.6|10|",   "mask|B|1|1.1|20|",
    "mask|B|2|1.2|20|",        "mask|B|3|1.3|20|",   "none|A|1|1|10|",     "none|A|2|1|10|",     "none|A|3|1|0|",
    "none|B|1|||the run hung", "none|B|2|2|20|",
};

struct made {
    struct pivot_request request;
    struct selection selection;
    struct pivot pivot;
    struct mh_error err;
};

static int try_open(struct made *m, struct pivot_request request)
{
    m->request = request;
    if (selection_open(&m->selection, &m->request, &m->err))
        return -1;
    int status = pivot_of(&m->pivot, &m->selection, &m->err);
    if (status)
        selection_close(&m->selection);
    return status;
}

static void open_made(struct made *m, struct pivot_request request)
{
    if (try_open(m, request))
        fail_msg("%s", m->err.text);
}

static void close_made(struct made *m)
{
    pivot_free(&m->pivot);
    selection_close(&m->selection);
}

static void refused(struct pivot_request request, const char *why)
{
    struct made m;
    assert_int_equal(try_open(&m, request), -1);
    assert_has(m.err.text, why);
}

TEST(test_over_seeds)
{
    struct made m;
    char text[WORDS_LABEL];

    open_made(&m, (struct pivot_request){.file = POINTS("f", columns, rows),
                                         .rows = "image",
                                         .values = "speedup",
                                         .against = "image=baseline",
                                         .relation = RELATION_GAIN});
    const struct cell *c = pivot_cell(&m.pivot, 0, 0, 0);
    assert_int_equal(m.pivot.rows.count, 2); /* the base itself is none */
    NEAR(c->value, 1.2);
    NEAR(c->half, 4.303 * 0.1 / sqrt(3));
    assert_int_equal(c->points, 6);
    assert_int_equal(c->of, 6);
    show_cell(&m.pivot, c, text);
    assert_string_equal(text, "+20.0 +- 24.8 %");
    show_means(&m.pivot, selection_mean(&m.selection, 0), text);
    assert_string_equal(text, "geometric mean over workload (2), then the mean of seed (3) and its 95 % interval");
    close_made(&m);
}

/* Ratios of seeds 2 and 3 of A, and of seed 2 of B; none of B's others. */
TEST(test_missing)
{
    struct made m;
    char text[WORDS_LABEL];

    open_made(&m, (struct pivot_request){
                      .file = POINTS("f", columns, rows), .rows = "image", .values = "speedup", .columns = "workload"});
    const struct cell *a = pivot_cell(&m.pivot, 0, 2, 0), *b = pivot_cell(&m.pivot, 0, 2, 1);
    assert_int_equal(a->points, 3);
    assert_int_equal(a->of, 3);
    assert_int_equal(b->points, 1);
    assert_int_equal(b->of, 3);
    show_cell(&m.pivot, b, text);
    assert_string_equal(text, "2.000 (1 of 3)");
    assert_int_equal(m.pivot.reasons.count, 2);
    assert_string_equal(m.pivot.reasons.of[0].text, "the run hung");
    assert_int_equal(m.pivot.reasons.of[0].count, 1);
    assert_int_equal(strncmp(m.pivot.reasons.of[1].text, "not in the file", 15), 0);
    assert_int_equal(m.pivot.reasons.of[1].count, 1);
    assert_int_equal(pivot_faults(&m.pivot).lacking, 1);
    close_made(&m);
}

TEST(test_no_base)
{
    static const char *const few[] = {"baseline|A|1|1|0|", "baseline|B|1||1|lost", "mask|A|1|2|3|", "mask|B|1|2|3|",
                                      "mask|C|1|2|3|"};
    struct made m;

    open_made(&m, (struct pivot_request){.file = POINTS("few", columns, few),
                                         .rows = "workload",
                                         .against = "image=baseline",
                                         .relation = RELATION_RATIO});
    NEAR(pivot_cell(&m.pivot, 0, 0, 0)->value, 2);
    NEAR(pivot_cell(&m.pivot, 1, 1, 0)->value, 3);
    for (unsigned v = 0; v < 2; v++)
        assert_int_equal(pivot_cell(&m.pivot, v, 2, 0)->points, 0);
    assert_true(isnan(pivot_cell(&m.pivot, 1, 0, 0)->value));
    assert_string_equal(m.pivot.reasons.of[0].text, "its base: lost");
    assert_string_equal(m.pivot.reasons.of[1].text, "no point has image=baseline and else the same axes");
    assert_string_equal(m.pivot.reasons.of[2].text, "its base is 0, to divide by");
    close_made(&m);
}

TEST(test_no_geometric_mean)
{
    struct made m;
    struct pivot_request q = {.file = POINTS("f", columns, rows),
                              .rows = "image",
                              .values = "ipc",
                              .where = {"workload=A"},
                              .where_count = 1,
                              .mean = MEAN_GEOMETRIC};

    open_made(&m, q);
    NEAR(pivot_cell(&m.pivot, 0, 0, 0)->value, 10);
    assert_true(isnan(pivot_cell(&m.pivot, 0, 2, 0)->value));
    assert_int_equal(pivot_cell(&m.pivot, 0, 2, 0)->refused, 1);
    assert_int_equal(pivot_faults(&m.pivot).refused, 1);
    close_made(&m);
    q.mean = MEAN_DEFAULT; /* of no speedup: arithmetic */
    open_made(&m, q);
    NEAR(pivot_cell(&m.pivot, 0, 2, 0)->value, 20.0 / 3);
    close_made(&m);
}

/* Of a sample no cell has every combination: only a missing workload is missing. */
TEST(test_sample)
{
    static const char *const drawn[] = {"A|64|4|1",  "B|64|4|1",  "A|64|8|1",  "B|64|8|1",
                                        "A|128|2|1", "B|128|2|1", "A|256|16|1"};
    static const unsigned of[] = {4, 2, 2}, points[] = {4, 2, 1};
    const char *path = POINTS("sample", "axis workload|axis size|axis ways|metric m", drawn);
    struct made m;
    sqlite3 *db;

    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    sql(db, "UPDATE sweep SET spec = '{\"sample\": {\"latin\": 4}}'");
    open_made(&m, (struct pivot_request){.file = path, .rows = "size"});
    for (unsigned r = 0; r < 3; r++) {
        assert_int_equal(pivot_cell(&m.pivot, 0, r, 0)->of, of[r]);
        assert_int_equal(pivot_cell(&m.pivot, 0, r, 0)->points, points[r]);
    }
    close_made(&m);
    sql(db, "UPDATE sweep SET spec = '{}'");
    sqlite3_close(db);
    open_made(&m, (struct pivot_request){.file = path, .rows = "size"});
    assert_int_equal(pivot_cell(&m.pivot, 0, 1, 0)->of, 7); /* no cell has B of 16 ways */
    close_made(&m);
}

/* What a sweep calls a speedup is none by its name. */
TEST(test_defaults)
{
    static const char *const four[] = {"a|A|1|1|1|1|1", "a|B|1|4|4|4|4"};
    struct made m;

    open_made(&m, (struct pivot_request){
                      .file = POINTS("four",
                                     "axis image|axis workload|axis seed|metric ws|metric speedup[1]|metric ipc|"
                                     "metric 2 * weighted_speedup",
                                     four),
                      .rows = "image"});
    NEAR(pivot_cell(&m.pivot, 0, 0, 0)->value, 2);
    NEAR(pivot_cell(&m.pivot, 1, 0, 0)->value, 2);
    NEAR(pivot_cell(&m.pivot, 2, 0, 0)->value, 2.5);
    NEAR(pivot_cell(&m.pivot, 3, 0, 0)->value, 2.5);
    close_made(&m);
}

TEST(test_kinds)
{
    static const struct {
        const char *name;
        double value;
    } kinds[] = {{"geometric", 2}, {"arithmetic", 3}, {"median", 1}, {"min", 1}, {"max", 8}};
    static const char *const three[] = {"a|A|1|1|1|", "a|B|1|1|1|", "a|C|1|8|1|", "b|A|1|8|1|", "b|B|1|1|1|"};
    struct made m;

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        open_made(&m, (struct pivot_request){.file = POINTS("three", columns, three),
                                             .rows = "image",
                                             .values = "speedup",
                                             .mean = mean_named(kinds[i].name)});
        if (i != 1)
            NEAR(pivot_cell(&m.pivot, 0, 0, 0)->value, kinds[i].value);
        else
            NEAR(pivot_cell(&m.pivot, 0, 0, 0)->value, 10.0 / 3);
        close_made(&m);
    }
    assert_int_equal(mean_named("mode"), MEAN_DEFAULT);
}

/* One of three doubles: no effect but for it. */
TEST(test_spread)
{
    static const char *const three[] = {"a|A|1|1|1|", "a|B|1|1|1|", "a|C|1|1|1|", "b|A|1|1|1|", "b|B|1|8|1|",
                                        "b|C|1|1|1|", "c|A|1|2|1|", "c|B|1|4|1|", "c|C|1|2|1|"};
    struct made m;

    open_made(&m, (struct pivot_request){.file = POINTS("three", columns, three),
                                         .rows = "image",
                                         .values = "speedup",
                                         .against = "image=a",
                                         .relation = RELATION_RATIO,
                                         .spread = true});
    const struct cell *b = pivot_cell(&m.pivot, 0, 0, 0), *c = pivot_cell(&m.pivot, 0, 1, 0);
    assert_true(b->spread.known && c->spread.known);
    NEAR(b->value, 2);
    NEAR(b->spread.without, 1);
    NEAR(b->spread.quartiles.median, 1);
    NEAR(b->spread.quartiles.third, 4.5);
    assert_int_equal(b->spread.moves_most, 1);
    assert_int_equal(b->spread.decides, 1);
    NEAR(c->spread.without, 2);
    assert_int_equal(c->spread.moves_most, 1);
    assert_int_equal(c->spread.decides, -1);
    close_made(&m);
    refused((struct pivot_request){.file = in_base("three"), .rows = "image,workload", .spread = true},
            "--spread: a cell is one workload's");
}

static void expect_order(const char *list, bool sort, const char *words)
{
    static const char *const many[] = {"a10|A|128|1|1|", "a2|A|64|1|1|", "a1|A|64|1|1|", "a1|A|128|1|1|",
                                       "a2|A|256|1|1|"};
    struct made m;
    char text[1000] = "", label[WORDS_LABEL];
    open_made(&m, (struct pivot_request){
                      .file = POINTS("many", columns, many), .rows = list, .values = "speedup", .sort = sort});
    for (unsigned r = 0; r < m.pivot.rows.count; r++) {
        words_label(&m.selection.points, &m.selection.rows, m.pivot.rows.sample[r], label);
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s;", label);
        assert_int_equal(m.pivot.rows.of[m.pivot.rows.sample[r]], r);
    }
    assert_string_equal(text, words);
    close_made(&m);
}

TEST(test_order)
{
    expect_order("image", false, "a10;a2;a1;");
    expect_order("image", true, "a1;a2;a10;");
    expect_order("seed", false, "128;64;256;");
    expect_order("seed", true, "64;128;256;");
    expect_order("image,seed", true, "a1, 64;a1, 128;a2, 64;a2, 256;a10, 128;");
}

/* A line over numbers goes through its base. */
TEST(test_base_among_numbers)
{
    static const char *const sizes[] = {"a|A|64|2|1|", "a|A|128|3|1|", "a|A|256|4|1|"};
    struct made m;

    open_made(&m, (struct pivot_request){.file = POINTS("sizes", columns, sizes),
                                         .rows = "seed",
                                         .values = "speedup",
                                         .against = "seed=64",
                                         .relation = RELATION_DIFFERENCE});
    assert_int_equal(m.pivot.rows.count, 3);
    NEAR(pivot_cell(&m.pivot, 0, 0, 0)->value, 0);
    NEAR(pivot_cell(&m.pivot, 0, 2, 0)->value, 2);
    close_made(&m);
}

static unsigned chosen(const char *where)
{
    struct mh_error err;
    struct selection s;
    const struct pivot_request q = {.file = in_base("f"), .where = {where}, .where_count = 1};
    assert_good(!selection_open(&s, &q, &err), err);
    const unsigned n = s.chosen_count;
    selection_close(&s);
    return n;
}

TEST(test_where)
{
    static const char *const commas[] = {"a,b|A|1|1|1|", "a|A|1|1|1|", "b|A|1|1|1|", "c|A|1|1|1|"};

    POINTS("f", columns, rows);
    assert_int_equal(chosen("image=mask"), 6);
    assert_int_equal(chosen("image = mask"), 6);
    assert_int_equal(chosen("image=mask,none"), 11);
    assert_int_equal(chosen("image!=mask,none"), 6);
    assert_int_equal(chosen("seed<3"), 12);
    assert_int_equal(chosen("seed<=3"), 17);
    assert_int_equal(chosen("seed>2"), 5);
    assert_int_equal(chosen("seed>=2"), 11);
    assert_int_equal(chosen("speedup>=0"), 16); /* what is missing is no number */
    POINTS("f", columns, commas);
    assert_int_equal(chosen("image=a,b"), 1);
    assert_int_equal(chosen("image=a,c"), 2);
}

TEST(test_refused)
{
    static const char *const twice[] = {"a|A|1|1|1|", "a|A|1|2|1|", "b|A|1|1|1|"};
    const char *f = POINTS("f", columns, rows), *two = POINTS("two", columns, twice);

#define REFUSED(why, ...) refused((struct pivot_request){.file = f, __VA_ARGS__}, why)
#define WHERE(condition)  .rows = "image", .where = {condition}, .where_count = 1
    REFUSED("f: --rows: no column 'img'; there are: image, workload, seed, reason", .rows = "img");
    REFUSED("no column 'imago'; nearest: image; there are", .rows = "imago");
    REFUSED("--rows: not of column 'ipc'", .rows = "ipc");
    REFUSED("'image' is in both", .rows = "image", .columns = "seed,image");
    REFUSED("named twice", .rows = "image,image");
    REFUSED("--value: no column 'x'; there are: speedup, ipc", .rows = "image", .values = "ipc,x");
    REFUSED("no point has image=masc; nearest: mask; there are: baseline, mask, none", WHERE("image=masc"));
    REFUSED("no point has image=x;", WHERE("image=mask,x"));
    REFUSED("no column 'size'", WHERE("size=3"));
    REFUSED("write COLUMN=VALUE", WHERE("image"));
    REFUSED("has texts such as 'baseline', and < compares numbers", WHERE("image<3"));
    REFUSED("'x' is no number", WHERE("seed>x"));
    REFUSED("no point fulfils all --where at once", .rows = "image", .where = {"seed>2", "seed<2"}, .where_count = 2);
    REFUSED("'ipc' was not varied", .rows = "image", .against = "ipc=10");
    REFUSED("one value with =", .rows = "image", .against = "image!=mask");
    REFUSED("no point has image=x", .rows = "image", .against = "seed=1,image=x");
    REFUSED("no point fulfils", .against = "image=mask", WHERE("image=mask"));
    refused((struct pivot_request){.file = two, .rows = "image", .against = "image=a"}, "points 1 and 2 of the file");
}

TEST_GROUP(.setup = make_base, .teardown = remove_base);
