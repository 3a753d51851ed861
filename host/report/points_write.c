#define _GNU_SOURCE /* F_OFD_SETLK */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "points.h"

enum { BUSY_MS = 60 * 1000, POINTS_HOLDER = 320 };

struct points_writer {
    sqlite3 *db;
    sqlite3_stmt *put;
    unsigned column_count;
    bool open; /* a transaction */
    int held;  /* -1: the file cannot be locked */
    char path[HOST_PATH], holder[POINTS_HOLDER];
};

static int fail(const struct points_writer *w, struct mh_error *err)
{
    return mh_fail(err, "%s: %s; choose another file with --output", w->path,
                   w->db ? sqlite3_errmsg(w->db) : "out of memory");
}

static int execute(struct points_writer *w, const char *sql, struct mh_error *err)
{
    return sqlite3_exec(w->db, sql, NULL, NULL, NULL) ? fail(w, err) : 0;
}

/* --- What is there. */

static int bind_and_step(struct points_writer *w, const char *sql, const char *const *texts, unsigned count,
                         struct mh_error *err)
{
    sqlite3_stmt *st = NULL;
    if (sqlite3_prepare_v2(w->db, sql, -1, &st, NULL))
        return fail(w, err);
    for (unsigned i = 0; i < count; i++)
        sqlite3_bind_text(st, (int)i + 1, texts[i], -1, SQLITE_STATIC);
    int status = sqlite3_step(st);
    sqlite3_finalize(st);
    return status == SQLITE_DONE || status == SQLITE_ROW ? status == SQLITE_ROW : fail(w, err);
}

/* 1: it can be gone on with; 0: it must be made anew, as must one of an older memhelm. */
static int look(struct points_writer *w, const struct points_head *head, struct mh_error *err)
{
    static const char
        tables[] = "SELECT 1 FROM sqlite_master WHERE type = 'table'",
        ours[] = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'points'",
        says[] =
            "SELECT 1 WHERE 2 = (SELECT count(*) FROM pragma_table_info('sweep') WHERE name IN ('writer', 'points'))",
        named[] = "SELECT 1 FROM sweep WHERE name = ?1",
        same[] = "SELECT 1 FROM sweep WHERE name = ?1 AND spec = ?2 AND made_by = ?3";
    const char *const texts[] = {head->name, head->spec, head->made_by};
    int any = bind_and_step(w, tables, NULL, 0, err);
    if (any <= 0)
        return any;
    int known = bind_and_step(w, ours, NULL, 0, err);
    if (known <= 0)
        return known ? -1 : mh_fail(err, "%s: is no file of points; choose another one with --output", w->path);
    int name = bind_and_step(w, named, texts, 1, err);
    if (name <= 0)
        return name ? -1
                    : mh_fail(err,
                              "%s: holds the points of another sweep; choose another file with --output, or "
                              "delete this one: its runs stay in the store",
                              w->path);
    int current = bind_and_step(w, says, NULL, 0, err);
    return current <= 0 ? current : bind_and_step(w, same, texts, 3, err);
}

/* --- One writer at a time. */

/* The process that writes the file; "" if the file does not name one. */
static void read_writer(const struct points_writer *w, char text[POINTS_HOLDER + 8])
{
    sqlite3_stmt *st = NULL;
    *text = 0;
    if (!sqlite3_prepare_v2(w->db, "SELECT writer FROM sweep", -1, &st, NULL) && sqlite3_step(st) == SQLITE_ROW &&
        sqlite3_column_text(st, 0))
        snprintf(text, POINTS_HOLDER + 8, " (%.300s)", (const char *)sqlite3_column_text(st, 0));
    sqlite3_finalize(st);
}

/* Far behind the bytes that SQLite locks, and behind any file's end. */
static int lock_once(int fd)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = (off_t)(INT64_C(1) << 62), .l_len = 1};
    return fcntl(fd, F_OFD_SETLK, &lock);
}

/*
 * Takes the file for this process until `*fd` is closed or the process is gone, however it went. False: another one has
 * it. Where files cannot be locked `*fd` is -1, and there is no lock. Closing `*fd` ends locks that SQLite has on the
 * file: the database is closed first. Children of a killed sweep have its lock for a moment until they are gone, too.
 */
static bool take_file(const char *path, int *fd)
{
    enum { TRIES = 40, TRY_NS = 50 * 1000 * 1000 };
    *fd = open(path, O_RDWR | O_CLOEXEC);
    for (int i = 0; *fd >= 0 && lock_once(*fd); i++) {
        const bool taken = errno == EAGAIN || errno == EACCES;
        if (!taken || i == TRIES) {
            close(*fd);
            *fd = -1;
            return !taken;
        }
        nanosleep(&(struct timespec){.tv_nsec = TRY_NS}, NULL);
    }
    return true;
}

static void name_holder(char text[POINTS_HOLDER])
{
    char host[256] = "";
    if (gethostname(host, sizeof host - 1))
        *host = 0;
    snprintf(text, POINTS_HOLDER, "process %ld%s%s", (long)getpid(), *host ? " on " : "", host);
}

static int hold(struct points_writer *w, struct mh_error *err)
{
    char writer[POINTS_HOLDER + 8];
    name_holder(w->holder);
    if (take_file(w->path, &w->held))
        return 0;
    read_writer(w, writer);
    return mh_fail(err, "%s: another sweep writes it now%s; choose another file with --output, or wait for its end",
                   w->path, writer);
}

/* Where files cannot be locked, another sweep may have taken it over since. */
static int begin(struct points_writer *w, struct mh_error *err)
{
    const char *const texts[] = {w->holder};
    if (execute(w, "BEGIN IMMEDIATE", err))
        return -1;
    w->open = true;
    int ours = bind_and_step(w, "SELECT 1 FROM sweep WHERE writer = ?1", texts, 1, err);
    return ours ? ours < 0 ? -1 : 0
                : mh_fail(err,
                          "%s: another sweep has taken it over; choose another file with --output: finished runs "
                          "are kept",
                          w->path);
}

/* --- Made. */

static int create_points(struct points_writer *w, const struct points_head *head, struct mh_error *err)
{
    struct draft d;

    draft_open(&d);
    fputs("CREATE TABLE points (point INTEGER PRIMARY KEY", d.out);
    for (unsigned i = 0; i < head->column_count; i++) {
        char *quoted = must(sqlite3_mprintf(", \"%w\"", head->columns[i].name));
        fputs(quoted, d.out);
        sqlite3_free(quoted);
    }
    fputs(")", d.out);
    char *sql = draft_text(&d);
    const int status = execute(w, sql, err);
    free(sql);
    return status;
}

static int describe(struct points_writer *w, const struct points_head *head, struct mh_error *err)
{
    static const char *const kinds[] = {"axis", "metric", "about"};
    char points[24];
    snprintf(points, sizeof points, "%" PRIu64, head->points);
    const char *const texts[] = {head->name, head->spec, head->made_by, points};
    if (bind_and_step(w, "INSERT INTO sweep (name, spec, made_by, points) VALUES (?1, ?2, ?3, ?4)", texts, 4, err) < 0)
        return -1;
    for (unsigned i = 0; i < head->column_count; i++) {
        const char *const column[] = {head->columns[i].name, kinds[head->columns[i].kind]};
        if (bind_and_step(w, "INSERT INTO columns (name, kind) VALUES (?1, ?2)", column, 2, err) < 0)
            return -1;
    }
    return 0;
}

static int create(struct points_writer *w, const struct points_head *head, struct mh_error *err)
{
    static const char drop[] = "BEGIN IMMEDIATE; DROP TABLE IF EXISTS points; DROP TABLE IF EXISTS columns;"
                               "DROP TABLE IF EXISTS sweep;"
                               "CREATE TABLE sweep (name TEXT, spec TEXT, made_by TEXT, writer TEXT, points INTEGER);"
                               "CREATE TABLE columns (position INTEGER PRIMARY KEY, name TEXT, kind TEXT)";
    if (execute(w, drop, err) || create_points(w, head, err) || describe(w, head, err) || execute(w, "COMMIT", err))
        return -1;
    return 0;
}

static int prepare(struct points_writer *w, struct mh_error *err)
{
    struct draft d;

    draft_open(&d);
    fputs("INSERT OR REPLACE INTO points VALUES (?1", d.out);
    for (unsigned i = 0; i < w->column_count; i++)
        fprintf(d.out, ", ?%u", i + 2);
    fputs(")", d.out);
    char *sql = draft_text(&d);
    const int status = sqlite3_prepare_v2(w->db, sql, -1, &w->put, NULL) ? fail(w, err) : 0;
    free(sql);
    return status;
}

static int open_file(struct points_writer *w, const char *path, const struct points_head *head, struct mh_error *err)
{
    char file[HOST_PATH];
    if (path_join(w->path, path, "", err) || path_plain(file, path, err))
        return -1;
    if (sqlite3_open(file, &w->db) || sqlite3_busy_timeout(w->db, BUSY_MS))
        return fail(w, err);
    if (hold(w, err))
        return -1;
    const char *const holder[] = {w->holder};
    const int same = look(w, head, err);
    if (same < 0 || (!same && create(w, head, err)) || bind_and_step(w, "UPDATE sweep SET writer = ?1", holder, 1, err))
        return -1;
    return prepare(w, err);
}

struct points_writer *points_write(const char *path, const struct points_head *head, struct mh_error *err)
{
    struct points_writer *w = must_have(1, sizeof *w);
    w->column_count = head->column_count;
    w->held = -1;
    if (!open_file(w, path, head, err))
        return w;
    points_write_end(w);
    return NULL;
}

/* --- Filled. */

static void bind(sqlite3_stmt *put, int at, const struct points_value *v)
{
    if (v->text)
        sqlite3_bind_text(put, at, v->text, -1, SQLITE_STATIC);
    else if (!isfinite(v->number))
        sqlite3_bind_null(put, at);
    else if (v->number == floor(v->number) && fabs(v->number) < 1e15)
        sqlite3_bind_int64(put, at, (sqlite3_int64)v->number);
    else
        sqlite3_bind_double(put, at, v->number);
}

int points_put(struct points_writer *w, uint64_t number, const struct points_value *values, struct mh_error *err)
{
    if (!w->open && begin(w, err))
        return -1;
    sqlite3_bind_int64(w->put, 1, (sqlite3_int64)number);
    for (unsigned i = 0; i < w->column_count; i++)
        bind(w->put, (int)i + 2, &values[i]);
    int status = sqlite3_step(w->put) == SQLITE_DONE ? 0 : fail(w, err);
    sqlite3_reset(w->put);
    return status;
}

int points_flush(struct points_writer *w, struct mh_error *err)
{
    if (!w->open)
        return 0;
    w->open = false;
    return execute(w, "COMMIT", err);
}

void points_write_end(struct points_writer *w)
{
    sqlite3_finalize(w->put);
    sqlite3_close(w->db);
    if (w->held >= 0)
        close(w->held);
    free(w);
}
