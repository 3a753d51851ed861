#define _GNU_SOURCE
#include "store.h"

#include <limits.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/escape.h"
#include "base/file.h"

enum { BUSY_MS = 60 * 1000, SAY_MS = 1000, LOOK_MS = 20 };

/* Data that only some runs have in addition to their result; a table each. */
enum { COUNTS /* of instructions: core.json */, BURSTS, EXTRAS };

struct store {
    sqlite3 *db;
    sqlite3_stmt *find, *add, *find_extra[EXTRAS], *add_extra[EXTRAS];
    char path[HOST_PATH];
    bool given;       /* by --results */
    unsigned damaged; /* results found so */
    bool said;        /* that it waits */
};

/* SQLite's own wait is silent. The count of calls is of one wait; 0 gives up. */
static int wait_for_it(void *store, int calls)
{
    struct store *st = store;
    if (calls >= BUSY_MS / LOOK_MS)
        return 0;
    if (calls >= SAY_MS / LOOK_MS && !st->said) {
        fputs("memhelm: ", stderr);
        escape_print(stderr, st->path);
        fprintf(stderr, ": another memhelm writes to it; this one waits, for %d s at most\n", BUSY_MS / 1000);
        st->said = true;
    }
    usleep(LOOK_MS * 1000);
    return 1;
}

static bool is_damage(int code)
{
    return (code & 0xff) == SQLITE_CORRUPT || (code & 0xff) == SQLITE_NOTADB;
}

static int fail(const struct store *st, struct mh_error *err)
{
    bool damaged = st->db && is_damage(sqlite3_errcode(st->db));
    bool busy = st->db && (sqlite3_errcode(st->db) & 0xff) == SQLITE_BUSY;
    const char *remedy = "choose another file with --results";
    if (st->given && damaged)
        remedy = "choose another file with --results, or delete this one if it is to be made anew";
    else if (busy)
        remedy = st->given ? "wait until the other memhelm has ended, or choose another file with --results"
                           : "wait until the other memhelm has ended";
    else if (damaged)
        remedy = "delete it, what it kept is run again";
    else if (!st->given)
        remedy = "make it writable, or set XDG_CACHE_HOME to a directory for it";
    return mh_fail(err, "%s: %s; %s", st->path, st->db ? sqlite3_errmsg(st->db) : "out of memory", remedy);
}

int store_dir(const char *folder, char dir[HOST_PATH], struct mh_error *err)
{
    char ours[HOST_PATH];
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    bool own = cache && *cache == '/';
    if (!own && !home)
        return mh_fail(err, "neither XDG_CACHE_HOME nor HOME is set");
    return path_join(ours, own ? cache : home, own ? "memhelm" : ".cache/memhelm", err) ||
                   path_join(dir, ours, folder, err)
               ? -1
               : 0;
}

/* The file that store_open() takes when none is given; it need not exist. */
static int store_path(char path[HOST_PATH], struct mh_error *err)
{
    char dir[HOST_PATH];
    return store_dir("", dir, err) ? -1 : path_join(path, dir, "results.sqlite", err);
}

static int default_path(char path[HOST_PATH], struct mh_error *err)
{
    char dir[HOST_PATH];
    return store_dir("", dir, err) || make_dirs(dir, err) ? -1 : store_path(path, err);
}

/*
 * The journal stays from run to run, and is waited for once: a power cut may take the last runs with it, nothing else
 * does. A write-ahead log would be faster and does not work over a network's file system, where clusters have theirs.
 */
static const char pragmas[] = "PRAGMA journal_mode=PERSIST; PRAGMA synchronous=NORMAL;";

/*
 * Several processes may share the file: a study on two machines' cores, or two studies at once. The table has another
 * name than one without checksums had, which other builds may still use.
 */
static int prepare(struct store *st, struct mh_error *err)
{
    static const char schema[] =
        "CREATE TABLE IF NOT EXISTS kept_runs (key TEXT PRIMARY KEY, what TEXT, cycles INTEGER, seed INTEGER,"
        " seconds REAL, result TEXT NOT NULL, checksum TEXT NOT NULL) WITHOUT ROWID;"
        "CREATE TABLE IF NOT EXISTS kept_counts (key TEXT PRIMARY KEY, counts TEXT NOT NULL, checksum TEXT NOT NULL)"
        " WITHOUT ROWID;"
        "CREATE TABLE IF NOT EXISTS kept_bursts (key TEXT PRIMARY KEY, bursts TEXT NOT NULL, checksum TEXT NOT NULL)"
        " WITHOUT ROWID;";
    static const char find[] = "SELECT result, checksum FROM kept_runs WHERE key = ?1";
    static const char add[] = "INSERT OR REPLACE INTO kept_runs VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
    static const char *const find_extra[] = {"SELECT counts, checksum FROM kept_counts WHERE key = ?1",
                                             "SELECT bursts, checksum FROM kept_bursts WHERE key = ?1"};
    static const char *const add_extra[] = {"INSERT OR REPLACE INTO kept_counts VALUES (?1, ?2, ?3)",
                                            "INSERT OR REPLACE INTO kept_bursts VALUES (?1, ?2, ?3)"};
    char file[HOST_PATH];
    bool good = true;
    if (path_plain(file, st->path, err))
        return -1;
    if (sqlite3_open(file, &st->db) || sqlite3_busy_handler(st->db, wait_for_it, st) ||
        sqlite3_exec(st->db, pragmas, NULL, NULL, NULL) || sqlite3_exec(st->db, schema, NULL, NULL, NULL) ||
        sqlite3_prepare_v2(st->db, find, -1, &st->find, NULL) || sqlite3_prepare_v2(st->db, add, -1, &st->add, NULL))
        return fail(st, err);
    for (unsigned e = 0; good && e < EXTRAS; e++)
        good = !sqlite3_prepare_v2(st->db, find_extra[e], -1, &st->find_extra[e], NULL) &&
               !sqlite3_prepare_v2(st->db, add_extra[e], -1, &st->add_extra[e], NULL);
    if (!good || sqlite3_exec(st->db, "BEGIN IMMEDIATE; COMMIT", NULL, NULL, NULL)) /* can it be written? */
        return fail(st, err);
    return 0;
}

/* Anyone can compute the checksums, so results are believed only if the user alone may write to the file. */
static int check_file(const char *path, struct mh_error *err)
{
    struct stat s;
    if (stat(path, &s) || !S_ISREG(s.st_mode))
        return 0; /* not there yet, or SQLite says what it is */
    const char *whose = s.st_uid != geteuid()             ? "it is another user's"
                        : s.st_mode & (S_IWGRP | S_IWOTH) ? "others may write to it, see `chmod go-w`"
                                                          : NULL;
    return !whose ? 0
                  : mh_fail(err,
                            "%.600s: %s, so its results may be anyone's; choose another file with --results, and let "
                            "`memhelm sweep --merge` take over what it checks",
                            path, whose);
}

/* SQLite takes a journal next to the file, of the name behind symbolic links, for its own, and writes it back. */
static int check_own(const struct store *st, struct mh_error *err)
{
    static const char *const ends[] = {"", "-journal", "-wal"};
    char real[PATH_MAX], path[PATH_MAX + 16];
    int status = 0;
    if (!realpath(st->path, real))
        return 0; /* not there yet */
    for (unsigned i = 0; !status && i < sizeof ends / sizeof *ends; i++) {
        snprintf(path, sizeof path, "%s%s", i ? real : st->path, ends[i]);
        status = check_file(path, err);
    }
    return status;
}

const char *store_file(const struct store *st)
{
    return st->path;
}

struct store *store_open(const char *path, struct mh_error *err)
{
    struct store *st = must_have(1, sizeof *st);
    st->given = path != NULL;
    if ((path ? path_join(st->path, path, "", err) : default_path(st->path, err)) || check_own(st, err) ||
        prepare(st, err)) {
        store_close(st);
        return NULL;
    }
    return st;
}

void store_close(struct store *st)
{
    sqlite3_finalize(st->find);
    sqlite3_finalize(st->add);
    for (unsigned e = 0; e < EXTRAS; e++) {
        sqlite3_finalize(st->find_extra[e]);
        sqlite3_finalize(st->add_extra[e]);
    }
    (void)sqlite3_exec(st->db, "PRAGMA journal_mode=DELETE", NULL, NULL, NULL);
    sqlite3_close(st->db);
    free(st);
}

/* A result under another's name is as wrong as another result. */
static void make_checksum(const char *key, const char *text, char sum[HASH_TEXT])
{
    struct hash *h = hash_begin();
    hash_add(h, key, strlen(key) + 1);
    hash_add(h, text, strlen(text));
    hash_end(h, sum);
}

bool store_is_whole(const char *key, const char *text, const char *checksum)
{
    char sum[HASH_TEXT];
    make_checksum(key, text, sum);
    return !strcmp(sum, checksum);
}

static bool is_whole(sqlite3_stmt *found, const char *key, const char *text)
{
    const char *kept = (const char *)sqlite3_column_text(found, 1);
    return text && kept && store_is_whole(key, text, kept);
}

static bool write_counts(const struct sim *s, const char *text)
{
    char path[HOST_PATH];
    struct mh_error unused;
    return !make_dirs(s->dir, &unused) && !path_join(path, s->dir, "core.json", &unused) &&
           !write_file(path, text, strlen(text), &unused);
}

static bool use_extra(unsigned extra, const char *text, struct sim *s)
{
    return extra == COUNTS ? write_counts(s, text) : !bursts_parse(text, &s->bursts);
}

static bool find_extra(struct store *st, unsigned extra, const char *key, struct sim *s)
{
    sqlite3_stmt *find = st->find_extra[extra];
    sqlite3_bind_text(find, 1, key, -1, SQLITE_STATIC);
    int status = sqlite3_step(find);
    const char *text = status == SQLITE_ROW ? (const char *)sqlite3_column_text(find, 0) : NULL;
    bool whole = text && is_whole(find, key, text), good = whole && use_extra(extra, text, s);
    st->damaged += (status == SQLITE_ROW && !whole) || is_damage(status);
    sqlite3_reset(find);
    return good;
}

static bool has_extra(const struct sim *s, unsigned extra)
{
    return extra == COUNTS ? s->view.counts : bursts_asked(&s->cfg);
}

bool store_find(struct store *st, const char *key, struct sim *s)
{
    struct mh_error unused;
    bool good = false;
    sqlite3_bind_text(st->find, 1, key, -1, SQLITE_STATIC);
    int status = sqlite3_step(st->find);
    if (status == SQLITE_ROW) {
        const char *text = (const char *)sqlite3_column_text(st->find, 0);
        good = is_whole(st->find, key, text) && !mh_record_parse(text, st->path, &s->result, &unused) &&
               s->result.end == MH_END_PASS;
    }
    st->damaged += (status == SQLITE_ROW && !good) || is_damage(status);
    sqlite3_reset(st->find);
    for (unsigned e = 0; good && e < EXTRAS; e++)
        good = !has_extra(s, e) || find_extra(st, e, key, s);
    if (good)
        s->state = SIM_DONE;
    return good;
}

void store_report_damage(struct store *st)
{
    bool one = st->damaged == 1;
    if (st->damaged)
        fprintf(stderr, "memhelm: %s: %u kept run%s damaged and %s run again\n", st->path, st->damaged,
                one ? " was" : "s were", one ? "is" : "are");
    st->damaged = 0;
}

static int insert(struct store *st, const char *key, const char *what, const struct sim *s, const char *text,
                  struct mh_error *err)
{
    char sum[HASH_TEXT];
    make_checksum(key, text, sum);
    sqlite3_bind_text(st->add, 1, key, -1, SQLITE_STATIC);
    sqlite3_bind_text(st->add, 2, what, -1, SQLITE_STATIC);
    sqlite3_bind_int64(st->add, 3, (sqlite3_int64)s->cfg.run.cycles);
    sqlite3_bind_int64(st->add, 4, (sqlite3_int64)s->cfg.run.seed);
    sqlite3_bind_double(st->add, 5, s->seconds);
    sqlite3_bind_text(st->add, 6, text, -1, SQLITE_STATIC);
    sqlite3_bind_text(st->add, 7, sum, -1, SQLITE_STATIC);
    int status = sqlite3_step(st->add) == SQLITE_DONE ? 0 : fail(st, err);
    sqlite3_reset(st->add);
    return status;
}

/* The caller frees it. */
static char *extra_text(const struct sim *s, unsigned extra, struct mh_error *err)
{
    char path[HOST_PATH];
    size_t length;
    if (extra == BURSTS)
        return bursts_text(&s->bursts);
    return path_join(path, s->dir, "core.json", err) ? NULL : read_file(path, &length, err);
}

static int insert_extra(struct store *st, unsigned extra, const char *key, const struct sim *s, struct mh_error *err)
{
    sqlite3_stmt *add = st->add_extra[extra];
    char sum[HASH_TEXT], *text = extra_text(s, extra, err);
    if (!text)
        return -1;
    make_checksum(key, text, sum);
    sqlite3_bind_text(add, 1, key, -1, SQLITE_STATIC);
    sqlite3_bind_text(add, 2, text, -1, SQLITE_STATIC);
    sqlite3_bind_text(add, 3, sum, -1, SQLITE_STATIC);
    int status = sqlite3_step(add) == SQLITE_DONE ? 0 : fail(st, err);
    sqlite3_reset(add);
    free(text);
    return status;
}

/* Those first: a result whose counts or bursts are looked for has them. */
int store_keep(struct store *st, const char *key, const char *what, const struct sim *s, struct mh_error *err)
{
    char path[HOST_PATH];
    size_t length;
    if (s->state != SIM_DONE || s->result.end != MH_END_PASS)
        return 0;
    for (unsigned e = 0; e < EXTRAS; e++)
        if (has_extra(s, e) && insert_extra(st, e, key, s, err))
            return -1;
    if (path_join(path, s->dir, "result.json", err))
        return -1;
    char *text = read_file(path, &length, err);
    int status = text ? insert(st, key, what, s, text, err) : -1;
    free(text);
    return status;
}

static int count_rows(sqlite3 *db, struct store_state *s)
{
    sqlite3_stmt *count = NULL;
    int status = sqlite3_prepare_v2(db, "SELECT count(*) FROM kept_runs", -1, &count, NULL);
    bool row = !status && sqlite3_step(count) == SQLITE_ROW;
    s->rows = row ? (unsigned long long)sqlite3_column_int64(count, 0) : 0;
    sqlite3_finalize(count);
    return row ? 0 : -1;
}

static int read_rows(struct store_state *s, struct mh_error *err)
{
    sqlite3 *db = NULL;
    char file[HOST_PATH];
    if (path_plain(file, s->path, err))
        return -1;
    int status = sqlite3_open_v2(file, &db, SQLITE_OPEN_READONLY, NULL) || count_rows(db, s);
    if (status)
        (void)mh_fail(err, "%s: cannot be read as kept runs: %s", s->path, sqlite3_errmsg(db));
    sqlite3_close(db);
    return status ? -1 : 0;
}

int store_look(const char *path, struct store_state *s, struct mh_error *err)
{
    struct stat st;
    memset(s, 0, sizeof *s);
    if (path ? path_join(s->path, path, "", err) : store_path(s->path, err))
        return -1;
    s->present = !stat(s->path, &st);
    if (!s->present)
        return 0;
    s->bytes = (unsigned long long)st.st_size;
    s->writable = !access(s->path, W_OK);
    return read_rows(s, err);
}
