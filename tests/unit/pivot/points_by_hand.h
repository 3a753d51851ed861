/*
 * Files of points, written here from the description of their tables alone (report/points.h). cmocka.h and temp_dir.h
 * come first.
 */
#ifndef TESTS_UNIT_PIVOT_POINTS_BY_HAND_H
#define TESTS_UNIT_PIVOT_POINTS_BY_HAND_H

#include <sqlite3.h>
#include <string.h>

#include "base/number.h"

static inline void sql(sqlite3 *db, const char *text)
{
    char *why = NULL;
    if (sqlite3_exec(db, text, NULL, NULL, &why))
        fail_msg("%s: %s", text, why);
}

/* The part of `text` up to a bar; moves behind it. */
static inline char *part(const char **text, char out[200])
{
    const size_t n = strcspn(*text, "|");
    snprintf(out, 200, "%.*s", (int)n, *text);
    *text += n + ((*text)[n] == '|');
    return out;
}

/* "axis image|metric ipc": kind and name. */
static inline unsigned make_columns(sqlite3 *db, const char *columns)
{
    char text[200], create[2000] = "CREATE TABLE points (point INTEGER PRIMARY KEY";
    unsigned n = 0;
    sql(db, "CREATE TABLE columns (position INTEGER PRIMARY KEY, name TEXT, kind TEXT)");
    while (*columns) {
        char *name = strchr(part(&columns, text), ' ');
        *name++ = 0;
        char *insert = sqlite3_mprintf("INSERT INTO columns VALUES (%u, %Q, %Q)", ++n, name, text);
        char *column = sqlite3_mprintf(", \"%w\"", name);
        sql(db, insert);
        strcat(create, column);
        sqlite3_free(insert);
        sqlite3_free(column);
    }
    strcat(create, ")");
    sql(db, create);
    return n;
}

/* "mask|1|2.5": a number where it is one, NULL where there is nothing. */
static inline void add_point(sqlite3 *db, unsigned point, unsigned columns, const char *row)
{
    char text[200], insert[200] = "INSERT INTO points VALUES (?";
    sqlite3_stmt *s;
    for (unsigned c = 0; c < columns; c++)
        strcat(insert, ", ?");
    strcat(insert, ")");
    assert_int_equal(sqlite3_prepare_v2(db, insert, -1, &s, NULL), SQLITE_OK);
    sqlite3_bind_int64(s, 1, point);
    for (unsigned c = 0; c < columns; c++) {
        double number;
        if (number_any(part(&row, text), &number))
            sqlite3_bind_double(s, (int)c + 2, number);
        else if (*text)
            sqlite3_bind_text(s, (int)c + 2, text, -1, SQLITE_TRANSIENT);
    }
    assert_int_equal(sqlite3_step(s), SQLITE_DONE);
    sqlite3_finalize(s);
}

/** A file in the test's folder, of these columns and rows, in this order; its path, as in_base() has it. */
static inline const char *make_points(const char *name, const char *columns, const char *const *rows, unsigned count)
{
    sqlite3 *db;
    const char *path = in_base(name);
    remove(path);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    sql(db, "BEGIN; CREATE TABLE sweep (name TEXT, spec TEXT, made_by TEXT);"
            "INSERT INTO sweep VALUES ('by hand', '{\"metrics\": {\"ws\": \"weighted_speedup\"}}', '{\"model\": "
            "\"none\"}')");
    const unsigned n = make_columns(db, columns);
    for (unsigned i = 0; i < count; i++)
        add_point(db, i + 1, n, rows[i]);
    sql(db, "COMMIT");
    sqlite3_close(db);
    return path;
}

#define POINTS(name, columns, rows) make_points(name, columns, rows, sizeof(rows) / sizeof *(rows))

#endif
