/* Files of points: made, gone on with, made anew, refused. */
#include "unit/test.h"

#include <math.h>
#include <sqlite3.h>
#include <unistd.h>

#include "report/points.h"
#include "unit/temp_dir.h"

static char image[] = "image", entries[] = "l2tlb.entries", ws[] = "a \"quoted\" / metric", reason[] = "reason";
static const struct points_column columns[] = {
    {image, POINTS_AXIS}, {entries, POINTS_AXIS}, {ws, POINTS_METRIC}, {reason, POINTS_ABOUT}};

static struct points_head head(const char *name, const char *spec, const char *made_by)
{
    return (struct points_head){name, spec, made_by, columns, 4, 18};
}

static struct points_writer *open_file(const char *file, const char *name, const char *spec, const char *made_by,
                                       struct mh_error *err)
{
    const struct points_head h = head(name, spec, made_by);
    return points_write(in_base(file), &h, err);
}

static void put(struct points_writer *w, uint64_t n, const char *text, double value)
{
    const struct points_value v[] = {{"mask", 0}, {NULL, 512}, {NULL, value}, {text, (double)NAN}};
    struct mh_error err;
    assert_int_equal(points_put(w, n, v, &err), 0);
}

static char *ask(const char *file, const char *sql)
{
    static char answer[256];
    sqlite3 *db;
    sqlite3_stmt *st;
    assert_int_equal(sqlite3_open(in_base(file), &db), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &st, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(st), SQLITE_ROW);
    snprintf(answer, sizeof answer, "%s", (const char *)sqlite3_column_text(st, 0));
    sqlite3_finalize(st);
    sqlite3_close(db);
    return answer;
}

TEST(what_is_put_is_there)
{
    struct mh_error err;
    struct points_writer *w = open_file("a", "tlb", "{}", "me", &err);

    assert_non_null(w);
    put(w, 2, NULL, 1.5);
    put(w, 1, "no such image", (double)NAN);
    put(w, 2, NULL, 2.5);
    assert_int_equal(points_flush(w, &err), 0);
    points_write_end(w);
    assert_string_equal(ask("a", "SELECT count(*) FROM points"), "2");
    assert_string_equal(ask("a", "SELECT \"a \"\"quoted\"\" / metric\" FROM points WHERE point = 2"), "2.5");
    assert_string_equal(ask("a", "SELECT typeof(\"a \"\"quoted\"\" / metric\") || reason FROM points WHERE point = 1"),
                        "nullno such image");
    assert_string_equal(ask("a", "SELECT typeof(\"l2tlb.entries\") FROM points"), "integer");
    assert_string_equal(ask("a", "SELECT points FROM sweep"), "18");
    assert_string_equal(ask("a", "SELECT group_concat(kind) FROM columns"), "axis,axis,metric,about");
}

static unsigned left_after(const char *file, const char *spec, const char *made_by)
{
    struct mh_error err;
    struct points_writer *w = open_file(file, "tlb", spec, made_by, &err);
    assert_non_null(w);
    points_write_end(w);
    return (unsigned)atoi(ask(file, "SELECT count(*) FROM points"));
}

TEST(of_the_same_sweep_points_stay)
{
    struct mh_error err;
    struct points_writer *w = open_file("b", "tlb", "{}", "me", &err);

    put(w, 1, NULL, 1);
    assert_int_equal(points_flush(w, &err), 0);
    points_write_end(w);
    assert_int_equal(left_after("b", "{}", "me"), 1);
    assert_int_equal(left_after("b", "{}", "another model"), 0);
    assert_int_equal(left_after("b", "{1}", "another model"), 0);
}

TEST(what_is_not_flushed_is_not_there)
{
    struct mh_error err;
    struct points_writer *w = open_file("c", "tlb", "{}", "me", &err);

    put(w, 1, NULL, 1);
    points_write_end(w);
    assert_string_equal(ask("c", "SELECT count(*) FROM points"), "0");
}

TEST(others_files_are_refused)
{
    struct mh_error err;
    sqlite3 *db;

    struct points_writer *w = open_file("d", "tlb", "{}", "me", &err);
    points_write_end(w);
    assert_null(open_file("d", "other", "{}", "me", &err));
    assert_non_null(strstr(err.text, "another sweep"));
    assert_int_equal(sqlite3_open(in_base("e"), &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "CREATE TABLE mine (a)", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
    assert_null(open_file("e", "tlb", "{}", "me", &err));
    assert_non_null(strstr(err.text, "no file of points"));
    assert_int_equal(write_file(in_base("f"), "a text, no database", 19, &err), 0);
    assert_null(open_file("f", "tlb", "{}", "me", &err));
    assert_non_null(strstr(err.text, "--output"));
    assert_string_equal(ask("e", "SELECT name FROM sqlite_master"), "mine");
}

TEST(one_writer_at_a_time)
{
    struct mh_error err;
    char writer[40];

    struct points_writer *w = open_file("g", "tlb", "{}", "me", &err);
    put(w, 1, NULL, 1);
    assert_int_equal(points_flush(w, &err), 0);
    assert_null(open_file("g", "tlb", "{1}", "me", &err));
    snprintf(writer, sizeof writer, "(process %ld", (long)getpid());
    assert_non_null(strstr(err.text, "another sweep writes it now"));
    assert_non_null(strstr(err.text, writer));
    assert_non_null(strstr(err.text, "--output"));
    assert_string_equal(ask("g", "SELECT count(*) FROM points"), "1");
    points_write_end(w);
    assert_int_equal(left_after("g", "{}", "me"), 1);
}

/* As where files cannot be locked: it is somebody else's by then. */
TEST(what_was_taken_over_gets_no_points)
{
    const struct points_value v[] = {{"mask", 0}, {NULL, 512}, {NULL, 1}, {NULL, (double)NAN}};
    struct mh_error err;
    sqlite3 *db;

    struct points_writer *w = open_file("h", "tlb", "{}", "me", &err);
    assert_int_equal(sqlite3_open(in_base("h"), &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "UPDATE sweep SET writer = 'process 1'", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
    assert_int_equal(points_put(w, 1, v, &err), -1);
    assert_non_null(strstr(err.text, "taken it over"));
    points_write_end(w);
    assert_string_equal(ask("h", "SELECT count(*) FROM points"), "0");
}

/* A file of an older memhelm does not name its writer. */
TEST(a_file_without_a_writer_is_made_anew)
{
    struct mh_error err;
    sqlite3 *db;

    points_write_end(open_file("i", "tlb", "{}", "me", &err));
    assert_int_equal(sqlite3_open(in_base("i"), &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "ALTER TABLE sweep DROP COLUMN writer", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
    assert_int_equal(left_after("i", "{}", "me"), 0);
    assert_string_equal(ask("i", "SELECT writer LIKE 'process %' FROM sweep"), "1");
}

TEST_GROUP(.slow = true, .setup = make_base, .teardown = remove_base);
