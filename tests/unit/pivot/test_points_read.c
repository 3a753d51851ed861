/* Files of points that were written by hand are read as they are; what is none is refused, with a remedy. */
#include "unit/test.h"

#include <math.h>

#include "unit/temp_dir.h"
#include "points_by_hand.h"
#include "report/points.h"
#include "pivot/show.h"

static const char columns[] = "axis image|axis a\"b|metric walks / instructions|about reason";

TEST(test_values)
{
    static const char *const rows[] = {"baseline|64|0.5|", "mask|x|-3|", "baseline|128||hung"};
    struct points p;
    struct mh_error err;

    assert_int_equal(points_read(&p, POINTS("values", columns, rows), &err), 0);
    assert_int_equal(p.rows, 3);
    assert_int_equal(p.column_count, 4);
    assert_string_equal(p.name, "by hand");
    assert_string_equal(p.spec, "{\"metrics\": {\"ws\": \"weighted_speedup\"}}");
    assert_string_equal(p.columns[1].name, "a\"b");
    assert_int_equal(p.columns[2].kind, POINTS_METRIC);
    assert_int_equal(p.columns[3].kind, POINTS_ABOUT);
    assert_true(points_at(&p, 0, 1)->number == 64 && !points_at(&p, 0, 1)->text);
    assert_string_equal(points_at(&p, 1, 1)->text, "x");
    assert_true(points_at(&p, 1, 2)->number == -3);
    assert_true(isnan(points_at(&p, 2, 2)->number) && !points_at(&p, 2, 2)->text);
    assert_string_equal(points_at(&p, 2, 3)->text, "hung");
    points_free(&p);
}

TEST(test_equal_texts_are_one)
{
    static const char *const rows[] = {"one|1|1|", "two|1|1|", "one|1|1|one"};
    struct points p;
    struct mh_error err;

    assert_int_equal(points_read(&p, POINTS("texts", columns, rows), &err), 0);
    assert_ptr_equal(points_at(&p, 0, 0)->text, points_at(&p, 2, 0)->text);
    assert_ptr_equal(points_at(&p, 0, 0)->text, points_at(&p, 2, 3)->text);
    assert_ptr_not_equal(points_at(&p, 0, 0)->text, points_at(&p, 1, 0)->text);
    points_free(&p);
}

/* What an older memhelm wrote does not say it, and what was changed by hand may say too little. */
TEST(test_how_many_were_asked_for)
{
    static const char *const rows[] = {"a|1|1|", "b|1|1|"}, *const asked[] = {"18", "1", "'many'"};
    static const unsigned expected[] = {18, 2, 2};
    struct points p;
    struct mh_error err;
    char text[100];
    sqlite3 *db;

    const char *path = POINTS("asked", columns, rows);
    assert_int_equal(points_read(&p, path, &err), 0);
    assert_int_equal(p.asked, 2);
    points_free(&p);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    sql(db, "ALTER TABLE sweep ADD COLUMN points INTEGER");
    for (unsigned i = 0; i < 3; i++) {
        snprintf(text, sizeof text, "UPDATE sweep SET points = %s", asked[i]);
        sql(db, text);
        assert_int_equal(points_read(&p, path, &err), 0);
        assert_int_equal(p.asked, expected[i]);
        points_free(&p);
    }
    sqlite3_close(db);
}

/* Rows that were put in another order, as workers finish them. */
TEST(test_order)
{
    static const char *const rows[] = {"a|1|1|", "b|1|1|", "c|1|1|"};
    struct points p;
    struct mh_error err;
    sqlite3 *db;

    const char *path = POINTS("order", "axis image|axis n|metric m|about reason", rows);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    sql(db, "UPDATE points SET point = 7 WHERE image = 'a'");
    sqlite3_close(db);
    assert_int_equal(points_read(&p, path, &err), 0);
    assert_string_equal(points_at(&p, 0, 0)->text, "b");
    assert_string_equal(points_at(&p, 2, 0)->text, "a");
    points_free(&p);
}

TEST(test_column_named)
{
    static const char *const rows[] = {"a|1|1|"};
    struct points p;
    struct mh_error err;

    assert_int_equal(points_read(&p, POINTS("named", columns, rows), &err), 0);
    assert_int_equal(points_column_named(&p, "walks / instructions", &err), 2);
    assert_int_equal(points_column_named(&p, "walks", &err), -1);
    assert_string_equal(
        err.text,
        "no column 'walks'; nearest: walks / instructions; there are: image, a\"b, walks / instructions, reason");
    points_free(&p);
}

static void refused(const char *path, const char *why)
{
    struct points p;
    struct mh_error err;
    assert_int_equal(points_read(&p, path, &err), -1);
    assert_has(err.text, why);
}

TEST(test_refused)
{
    struct mh_error err;
    sqlite3 *db;
    char path[HOST_PATH];

    snprintf(path, sizeof path, "%s", make_points("empty", columns, NULL, 0));
    refused(in_base("nowhere"), "cannot read: No such file");
    refused(path, "no point is finished yet");
    assert_int_equal(write_file(in_base("text"), "image,ipc\n", 10, &err), 0);
    refused(in_base("text"), "no file of points");
    assert_int_equal(write_file(in_base("nothing"), "", 0, &err), 0);
    refused(in_base("nothing"), "no such table: sweep");
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    sql(db, "UPDATE columns SET kind = 'colour' WHERE position = 2");
    refused(path, "column 2, kind 'colour'");
    sql(db, "UPDATE columns SET kind = 'axis', name = 'gone' WHERE position = 2");
    refused(path, "no such column: points.gone");
    sql(db, "DELETE FROM columns");
    refused(path, "it has no columns");
    sql(db, "DELETE FROM sweep");
    refused(path, "it names no sweep");
    sqlite3_close(db);
}

/* --- When an axis is logarithmic by itself. Figures are tested as a user has them: e2e/test_plot.sh. */

#define GEOMETRIC(...)                                                                                                 \
    draw_is_geometric((const double[]){__VA_ARGS__}, sizeof((double[]){__VA_ARGS__}) / sizeof(double))

TEST(test_factors)
{
    assert_true(GEOMETRIC(64, 128, 256, 512));
    assert_true(GEOMETRIC(1, 2, 5, 10, 20));
    assert_true(GEOMETRIC(0.001, 0.01, 0.1));
    assert_true(GEOMETRIC(1, 2, 4));
}

TEST(test_steps)
{
    assert_false(GEOMETRIC(1, 2, 3));
    assert_false(GEOMETRIC(1, 2, 3, 4, 5));
    assert_false(GEOMETRIC(10, 20, 30, 40));
    assert_false(GEOMETRIC(0, 1, 10, 100)); /* 0 is nowhere on it */
    assert_false(GEOMETRIC(64, 128));       /* either */
    assert_false(GEOMETRIC(1, 2, 1000));
}

TEST_GROUP(.setup = make_base, .teardown = remove_base);
