#define _GNU_SOURCE /* tdestroy */

#include <errno.h>
#include <math.h>
#include <search.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/words.h"
#include "points.h"

/** A file as it is read. */
struct reader {
    struct points *p;
    const char *path;
    sqlite3 *db;
    unsigned room; /* rows */
    struct mh_error *err;
};

static int fail(const struct reader *r)
{
    const int code = sqlite3_errcode(r->db) & 0xff;
    if (code == SQLITE_BUSY)
        return mh_fail(r->err, "%s: another program writes it: try again when it has", r->path);
    return mh_fail(r->err, "%s: no file of points (%s); `memhelm sweep` makes them", r->path, sqlite3_errmsg(r->db));
}

static sqlite3_stmt *prepare(const struct reader *r, const char *sql)
{
    sqlite3_stmt *s = NULL;
    if (sqlite3_prepare_v2(r->db, sql, -1, &s, NULL))
        (void)fail(r);
    return s;
}

static char *text_of(sqlite3_stmt *s, int column)
{
    const char *text = (const char *)sqlite3_column_text(s, column);
    return must(strdup(text ? text : ""));
}

static int read_head(const struct reader *r)
{
    sqlite3_stmt *s = prepare(r, "SELECT name, spec, made_by FROM sweep");
    if (!s)
        return -1;
    const bool there = sqlite3_step(s) == SQLITE_ROW;
    if (there) {
        r->p->name = text_of(s, 0);
        r->p->spec = text_of(s, 1);
        r->p->made_by = text_of(s, 2);
    }
    const int code = sqlite3_finalize(s);
    if (code)
        return fail(r);
    return there ? 0 : mh_fail(r->err, "%s: it names no sweep: was it interrupted at once? make it anew", r->path);
}

/* Files of an older memhelm do not say it. */
static void read_asked(const struct reader *r)
{
    sqlite3_stmt *s = NULL;
    r->p->asked = r->p->rows;
    if (!sqlite3_prepare_v2(r->db, "SELECT points FROM sweep", -1, &s, NULL) && sqlite3_step(s) == SQLITE_ROW &&
        sqlite3_column_int64(s, 0) > r->p->rows)
        r->p->asked = (uint64_t)sqlite3_column_int64(s, 0);
    sqlite3_finalize(s);
}

/* -1: none of these. */
static int kind_of(const char *name)
{
    static const char *const kinds[] = {[POINTS_AXIS] = "axis", [POINTS_METRIC] = "metric", [POINTS_ABOUT] = "about"};
    for (int k = 0; name && k < 3; k++)
        if (!strcmp(name, kinds[k]))
            return k;
    return -1;
}

static int take_column(const struct reader *r, sqlite3_stmt *s)
{
    struct points *p = r->p;
    const char *kind = (const char *)sqlite3_column_text(s, 1);
    const int k = kind_of(kind);
    if (k < 0 || p->column_count == POINTS_COLUMNS)
        return mh_fail(r->err, "%s: column %u, kind '%.60s': this program knows up to %d of axis, metric, about",
                       r->path, p->column_count + 1, kind ? kind : "", POINTS_COLUMNS);
    p->columns[p->column_count++] = (struct points_column){text_of(s, 0), (enum points_kind)k};
    return 0;
}

static int read_columns(const struct reader *r)
{
    sqlite3_stmt *s = prepare(r, "SELECT name, kind FROM columns ORDER BY position");
    int status = s ? 0 : -1;
    while (!status && sqlite3_step(s) == SQLITE_ROW)
        status = take_column(r, s);
    return sqlite3_finalize(s) && !status ? fail(r) : status;
}

/* --- Values. */

static int by_text(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* Equal texts are the same pointer; mostly the row before has it. */
static const char *keep_text(struct points *p, const char *text, const char *before)
{
    if (before && !strcmp(before, text))
        return before;
    char **found = must(tsearch(text, &p->texts, by_text));
    if (*found == text)
        *found = must(strdup(text));
    return *found;
}

static void take_value(struct points *p, sqlite3_stmt *s, unsigned column, struct points_value *v)
{
    const int type = sqlite3_column_type(s, (int)column);
    *v = (struct points_value){NULL, NAN};
    if (type == SQLITE_INTEGER || type == SQLITE_FLOAT)
        v->number = sqlite3_column_double(s, (int)column);
    else if (type != SQLITE_NULL)
        v->text = keep_text(p, (const char *)sqlite3_column_text(s, (int)column),
                            p->rows ? points_at(p, p->rows - 1, column)->text : NULL);
}

static void take_row(struct reader *r, sqlite3_stmt *s)
{
    struct points *p = r->p;
    p->values = grow(p->values, p->rows, &r->room, p->column_count * sizeof *p->values);
    for (unsigned c = 0; c < p->column_count; c++)
        take_value(p, s, c, &p->values[(size_t)p->rows * p->column_count + c]);
    p->rows++;
}

/* Qualified: a quoted name alone that is no column is a text to SQLite. */
static char *select_all(const struct points *p)
{
    struct draft d;
    draft_open(&d);
    fputs("SELECT ", d.out);
    for (unsigned c = 0; c < p->column_count; c++) {
        char *quoted = must(sqlite3_mprintf("%spoints.\"%w\"", c ? ", " : "", p->columns[c].name));
        fputs(quoted, d.out);
        sqlite3_free(quoted);
    }
    fputs(" FROM points ORDER BY point", d.out);
    return draft_text(&d);
}

static int read_points(struct reader *r)
{
    char *sql = select_all(r->p);
    sqlite3_stmt *s = prepare(r, sql);
    free(sql);
    if (!s)
        return -1;
    while (sqlite3_step(s) == SQLITE_ROW)
        take_row(r, s);
    return sqlite3_finalize(s) ? fail(r) : 0;
}

static int read_all(struct reader *r)
{
    enum { BUSY_MS = 10 * 1000 };
    char file[HOST_PATH];
    if (access(r->path, R_OK)) /* SQLite says little of it */
        return mh_fail(r->err, "%s: cannot read: %s; `memhelm sweep` makes files of points", r->path, strerror(errno));
    if (path_plain(file, r->path, r->err))
        return -1;
    if (sqlite3_open_v2(file, &r->db, SQLITE_OPEN_READONLY, NULL) || sqlite3_busy_timeout(r->db, BUSY_MS))
        return fail(r);
    if (sqlite3_exec(r->db, "BEGIN", NULL, NULL, NULL)) /* a sweep may go on: one state of it */
        return fail(r);
    if (read_head(r) || read_columns(r))
        return -1;
    if (!r->p->column_count)
        return mh_fail(r->err, "%s: it has no columns: was its sweep interrupted at once? make it anew", r->path);
    if (read_points(r))
        return -1;
    read_asked(r);
    return r->p->rows ? 0 : mh_fail(r->err, "%s: no point is finished yet: go on with the sweep that made it", r->path);
}

int points_read(struct points *p, const char *path, struct mh_error *err)
{
    struct reader r = {.p = p, .path = path, .err = err};
    memset(p, 0, sizeof *p);
    int status = read_all(&r);
    sqlite3_close(r.db);
    if (status)
        points_free(p);
    return status;
}

void points_free(struct points *p)
{
    for (unsigned c = 0; c < p->column_count; c++)
        free(p->columns[c].name);
    tdestroy(p->texts, free);
    free(p->values);
    free(p->name);
    free(p->spec);
    free(p->made_by);
    memset(p, 0, sizeof *p);
}

int points_column_named(const struct points *p, const char *name, struct mh_error *err)
{
    char names[700] = "";
    struct nearest near = nearest_begin(name, "");
    for (unsigned c = 0; c < p->column_count; c++) {
        if (!strcmp(p->columns[c].name, name))
            return (int)c;
        nearest_try(&near, p->columns[c].name);
        text_add(names, sizeof names, ", ", "%s", p->columns[c].name);
    }
    return mh_fail(err, "no column '%.100s'%s; there are: %s", name, near.text, names);
}
