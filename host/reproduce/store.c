#include "store.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "../alone.h"
#include "../file.h"

enum { BUSY_MS = 60 * 1000 };

struct store {
    sqlite3 *db;
    sqlite3_stmt *find, *add;
    char path[HOST_PATH];
};

static int fail(const struct store *st, struct mh_error *err)
{
    return mh_fail(err, "%s: %s; choose another file with --results", st->path,
                   st->db ? sqlite3_errmsg(st->db) : "out of memory");
}

static int default_path(char path[HOST_PATH], struct mh_error *err)
{
    char dir[HOST_PATH];
    return cache_dir(dir, "", err) || make_dirs(dir, err) ? -1 : path_join(path, dir, "results.sqlite", err);
}

/* Several processes may share the file: a study on two machines' cores, or two studies at once. */
static int prepare(struct store *st, struct mh_error *err)
{
    static const char schema[] =
        "CREATE TABLE IF NOT EXISTS runs (key TEXT PRIMARY KEY, what TEXT, cycles INTEGER, seed INTEGER,"
        " seconds REAL, result TEXT NOT NULL) WITHOUT ROWID;";
    if (sqlite3_open(st->path, &st->db) || sqlite3_busy_timeout(st->db, BUSY_MS) ||
        sqlite3_exec(st->db, schema, NULL, NULL, NULL) ||
        sqlite3_prepare_v2(st->db, "SELECT result FROM runs WHERE key = ?1", -1, &st->find, NULL) ||
        sqlite3_prepare_v2(st->db, "INSERT OR REPLACE INTO runs VALUES (?1, ?2, ?3, ?4, ?5, ?6)", -1, &st->add, NULL) ||
        sqlite3_exec(st->db, "BEGIN IMMEDIATE; COMMIT", NULL, NULL, NULL)) /* can it be written? */
        return fail(st, err);
    return 0;
}

struct store *store_open(const char *path, struct mh_error *err)
{
    struct store *st = calloc(1, sizeof *st);
    if (!st) {
        (void)mh_fail(err, "out of memory");
        return NULL;
    }
    if ((path ? path_join(st->path, path, "", err) : default_path(st->path, err)) || prepare(st, err)) {
        store_close(st);
        return NULL;
    }
    return st;
}

void store_close(struct store *st)
{
    sqlite3_finalize(st->find);
    sqlite3_finalize(st->add);
    sqlite3_close(st->db);
    free(st);
}

static bool load(struct store *st, struct plan_sim *s)
{
    struct mh_error unused;
    bool good = false;
    sqlite3_bind_text(st->find, 1, s->key, -1, SQLITE_STATIC);
    if (sqlite3_step(st->find) == SQLITE_ROW) {
        const char *text = (const char *)sqlite3_column_text(st->find, 0);
        good = text && !mh_record_parse(text, st->path, &s->sim.result, &unused) && s->sim.result.end == MH_END_PASS;
    }
    sqlite3_reset(st->find);
    return good;
}

unsigned store_load(struct store *st, const struct plan *p)
{
    unsigned found = 0;
    for (unsigned i = 0; i < plan_count(p); i++) {
        struct plan_sim *s = plan_sim(p, i);
        if (s->sim.state != SIM_WAITING || !load(st, s))
            continue;
        s->sim.state = SIM_DONE;
        s->kept = true;
        found++;
    }
    return found;
}

static int insert(struct store *st, const struct plan_sim *s, const char *text, struct mh_error *err)
{
    sqlite3_bind_text(st->add, 1, s->key, -1, SQLITE_STATIC);
    sqlite3_bind_text(st->add, 2, s->what, -1, SQLITE_STATIC);
    sqlite3_bind_int64(st->add, 3, (sqlite3_int64)s->sim.cfg.run.cycles);
    sqlite3_bind_int64(st->add, 4, (sqlite3_int64)s->sim.cfg.run.seed);
    sqlite3_bind_double(st->add, 5, s->sim.seconds);
    sqlite3_bind_text(st->add, 6, text, -1, SQLITE_STATIC);
    int status = sqlite3_step(st->add) == SQLITE_DONE ? 0 : fail(st, err);
    sqlite3_reset(st->add);
    return status;
}

int store_add(struct store *st, const struct plan_sim *s, struct mh_error *err)
{
    char path[HOST_PATH];
    size_t length;
    if (s->sim.state != SIM_DONE || s->sim.result.end != MH_END_PASS)
        return 0;
    if (path_join(path, s->sim.dir, "result.json", err))
        return -1;
    char *text = read_file(path, &length, err);
    int status = text ? insert(st, s, text, err) : -1;
    free(text);
    return status;
}
