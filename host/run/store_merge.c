#include "store.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/hash.h"

enum { BUSY_MS = 60 * 1000 };

/* `says`: a hash of result and bursts. Only what said this is taken over: a key may have two rows, or change meanwhile.
 */
struct candidate {
    char key[HASH_TEXT], says[HASH_TEXT], rank[HASH_TEXT];
};

struct merge {
    sqlite3 *db; /* the own store, with the other attached */
    sqlite3_stmt *find;
    struct candidate *candidates; /* by rank when they are chosen; the first are the sample */
    unsigned count, room, sample;
    char path[HOST_PATH];
};

static int fail(const struct merge *m, struct mh_error *err)
{
    return mh_fail(err, "%s: is no store of finished runs: %s", m->path, m->db ? sqlite3_errmsg(m->db) : "no memory");
}

/* With an untrusted schema SQLite calls no function that a view or an index of the other file names. */
static int attach(struct merge *m, const char *own, struct mh_error *err)
{
    char file[HOST_PATH], other[HOST_PATH];
    sqlite3_stmt *open = NULL;
    if (path_plain(file, own, err) || path_plain(other, m->path, err))
        return -1;
    bool good = !sqlite3_open_v2(file, &m->db, SQLITE_OPEN_READWRITE, NULL) && !sqlite3_busy_timeout(m->db, BUSY_MS) &&
                !sqlite3_exec(m->db, "PRAGMA trusted_schema=OFF", NULL, NULL, NULL) &&
                !sqlite3_prepare_v2(m->db, "ATTACH ?1 AS other", -1, &open, NULL) &&
                !sqlite3_bind_text(open, 1, other, -1, SQLITE_STATIC) && sqlite3_step(open) == SQLITE_DONE;
    good = !sqlite3_finalize(open) && good;
    return good ? 0 : fail(m, err);
}

/* A view could say something else each time. */
static bool has_tables(struct merge *m)
{
    static const char sql[] = "SELECT count(*) FROM other.sqlite_schema WHERE type = 'table' AND rootpage > 0"
                              " AND name IN ('kept_runs', 'kept_bursts')";
    sqlite3_stmt *count = NULL;
    bool row = !sqlite3_prepare_v2(m->db, sql, -1, &count, NULL) && sqlite3_step(count) == SQLITE_ROW;
    bool good = !row || sqlite3_column_int(count, 0) == 2;
    sqlite3_finalize(count);
    return good;
}

/* The columns for a key; `m` is the own store, `o` the other. Some runs have bursts. */
static int prepare(struct merge *m, struct mh_error *err)
{
    static const char find[] = "SELECT m.result, m.checksum, o.result, o.checksum, o.what, mb.bursts, ob.bursts,"
                               " ob.checksum, o.cycles, o.seed, o.seconds"
                               " FROM other.kept_runs o LEFT JOIN main.kept_runs m ON m.key = o.key"
                               " LEFT JOIN main.kept_bursts mb ON mb.key = o.key"
                               " LEFT JOIN other.kept_bursts ob ON ob.key = o.key WHERE o.key = ?1";
    if (!has_tables(m))
        return mh_fail(err, "%s: is no store of finished runs: kept_runs and kept_bursts are no tables there", m->path);
    return sqlite3_prepare_v2(m->db, find, -1, &m->find, NULL) ? fail(m, err) : 0;
}

enum { OWN, OWN_SUM, OTHER, OTHER_SUM, WHAT, OWN_BURSTS, OTHER_BURSTS, OTHER_BURSTS_SUM, CYCLES, SEED, SECONDS };

struct merge *merge_open(const char *own, const char *path, struct mh_error *err)
{
    struct merge *m = must(calloc(1, sizeof *m));
    int status = path_join(m->path, path, "", err);
    if (!status && access(path, R_OK))
        status = mh_fail(err, "%s: %s", path, strerror(errno));
    if (!status && !attach(m, own, err) && !prepare(m, err))
        return m;
    merge_close(m);
    return NULL;
}

void merge_close(struct merge *m)
{
    sqlite3_finalize(m->find);
    sqlite3_close(m->db);
    free(m->candidates);
    free(m);
}

/* --- Candidates. */

static const char *text_of(struct merge *m, int column)
{
    return (const char *)sqlite3_column_text(m->find, column);
}

static bool is_whole(struct merge *m, const char *key, int text, int sum)
{
    return text_of(m, text) && text_of(m, sum) && store_is_whole(key, text_of(m, text), text_of(m, sum));
}

static bool differ(struct merge *m, int own, int other)
{
    const char *a = text_of(m, own), *b = text_of(m, other);
    return (a || b) && (!a || !b || strcmp(a, b) != 0);
}

/* Of what the other store says of a run. */
static void hash_says(struct merge *m, char says[HASH_TEXT])
{
    const char *result = text_of(m, OTHER), *bursts = text_of(m, OTHER_BURSTS);
    struct hash *h = hash_begin();
    hash_add(h, result ? result : "", result ? strlen(result) + 1 : 0);
    hash_add(h, bursts ? bursts : "", bursts ? strlen(bursts) + 1 : 0);
    hash_end(h, says);
}

/* The caller resets m->find. */
static bool look(struct merge *m, const char *key)
{
    sqlite3_bind_text(m->find, 1, key, -1, SQLITE_STATIC);
    return sqlite3_step(m->find) == SQLITE_ROW;
}

static const char *name_of(struct merge *m)
{
    const char *what = text_of(m, WHAT);
    return what ? what : "a run";
}

static int fail_taking(const struct merge *m, struct mh_error *err)
{
    return mh_fail(err, "%s: its runs cannot be taken over: %s", m->path, sqlite3_errmsg(m->db));
}

static int refuse(struct merge *m, struct mh_error *err)
{
    return mh_fail(
        err,
        "%s: '%.200s' has another result when it is run here: this store is wrong, and nothing of it is taken over",
        m->path, name_of(m));
}

static int refuse_changed(const struct merge *m, struct mh_error *err)
{
    return mh_fail(err, "%s: has changed while it was read, so nothing of it is taken over: copy it first", m->path);
}

int merge_offer(struct merge *m, const char *key, struct mh_error *err)
{
    int status = 0;
    if (!look(m, key) || !is_whole(m, key, OTHER, OTHER_SUM)) {
        sqlite3_reset(m->find); /* what is damaged is not there */
        return 0;
    }
    if (!is_whole(m, key, OWN, OWN_SUM)) {
        m->candidates = grow(m->candidates, m->count, &m->room, sizeof *m->candidates);
        hash_says(m, m->candidates[m->count].says);
        snprintf(m->candidates[m->count++].key, HASH_TEXT, "%s", key);
    } else if (differ(m, OWN, OTHER)) {
        status = refuse(m, err);
    }
    sqlite3_reset(m->find);
    return status;
}

/* --- The sample. */

static int by_key(const void *a, const void *b)
{
    return strcmp(((const struct candidate *)a)->key, ((const struct candidate *)b)->key);
}

static int by_rank(const void *a, const void *b)
{
    return strcmp(((const struct candidate *)a)->rank, ((const struct candidate *)b)->rank);
}

/* Leaves each candidate once; `digest` is a hash of what all say. */
static void unify(struct merge *m, char digest[HASH_TEXT])
{
    unsigned kept = 0;
    struct hash *all = hash_begin();
    qsort(m->candidates, m->count, sizeof *m->candidates, by_key);
    for (unsigned i = 0; i < m->count; i++) {
        if (kept && !strcmp(m->candidates[kept - 1].key, m->candidates[i].key))
            continue;
        hash_add(all, m->candidates[i].says, strlen(m->candidates[i].says));
        m->candidates[kept++] = m->candidates[i];
    }
    m->count = kept;
    hash_end(all, digest);
}

unsigned merge_choose(struct merge *m)
{
    char digest[HASH_TEXT];
    if (!m->count)
        return 0;
    unify(m, digest);
    for (unsigned i = 0; i < m->count; i++) {
        struct hash *h = hash_begin();
        hash_add(h, digest, strlen(digest));
        hash_add(h, m->candidates[i].key, strlen(m->candidates[i].key));
        hash_end(h, m->candidates[i].rank);
    }
    qsort(m->candidates, m->count, sizeof *m->candidates, by_rank);
    m->sample = (m->count + MERGE_SAMPLE - 1) / MERGE_SAMPLE;
    return m->sample;
}

unsigned merge_count(const struct merge *m)
{
    return m->count;
}

bool merge_chosen(const struct merge *m, const char *key)
{
    for (unsigned i = 0; i < m->sample; i++)
        if (!strcmp(m->candidates[i].key, key))
            return true;
    return false;
}

/* Does the other store still say what it said when the sample was chosen? */
static bool look_again(struct merge *m, const struct candidate *c)
{
    char says[HASH_TEXT];
    if (!look(m, c->key))
        return false;
    hash_says(m, says);
    return !strcmp(says, c->says);
}

static int compare_one(struct merge *m, const struct candidate *c, struct mh_error *err)
{
    if (!look_again(m, c))
        return refuse_changed(m, err);
    if (!is_whole(m, c->key, OWN, OWN_SUM))
        return mh_fail(err, "%s: '%.200s' is of the sample and did not finish here; nothing is taken over", m->path,
                       name_of(m));
    return differ(m, OWN, OTHER) || differ(m, OWN_BURSTS, OTHER_BURSTS) ? refuse(m, err) : 0;
}

int merge_compare(struct merge *m, struct mh_error *err)
{
    int status = 0;
    for (unsigned i = 0; i < m->sample && !status; i++) {
        status = compare_one(m, &m->candidates[i], err);
        sqlite3_reset(m->find);
    }
    return status;
}

/* --- Taken over. */

static bool execute(struct merge *m, const char *sql)
{
    return !sqlite3_exec(m->db, sql, NULL, NULL, NULL);
}

/* Copies: m->find is at its row only until it is reset. */
static void bind_text(sqlite3_stmt *add, int parameter, struct merge *m, int column)
{
    sqlite3_bind_text(add, parameter, text_of(m, column), -1, SQLITE_TRANSIENT);
}

static bool add_row(sqlite3_stmt *add)
{
    bool good = sqlite3_step(add) == SQLITE_DONE;
    sqlite3_reset(add);
    return good;
}

enum { RUN, BURSTS, ADDS };

/* Bursts, which only some runs have, go first, as in store_keep(). Counts of instructions stay: the sample has none. */
static bool take_one(struct merge *m, sqlite3_stmt *const adds[ADDS], const char *key)
{
    const bool bursts = text_of(m, OTHER_BURSTS);
    for (unsigned a = 0; a < ADDS; a++)
        sqlite3_bind_text(adds[a], 1, key, -1, SQLITE_STATIC);
    bind_text(adds[BURSTS], 2, m, OTHER_BURSTS);
    bind_text(adds[BURSTS], 3, m, OTHER_BURSTS_SUM);
    bind_text(adds[RUN], 2, m, WHAT);
    sqlite3_bind_int64(adds[RUN], 3, sqlite3_column_int64(m->find, CYCLES));
    sqlite3_bind_int64(adds[RUN], 4, sqlite3_column_int64(m->find, SEED));
    sqlite3_bind_double(adds[RUN], 5, sqlite3_column_double(m->find, SECONDS));
    bind_text(adds[RUN], 6, m, OTHER);
    bind_text(adds[RUN], 7, m, OTHER_SUM);
    sqlite3_reset(m->find);
    return (!bursts || add_row(adds[BURSTS])) && add_row(adds[RUN]);
}

static int take_all(struct merge *m, sqlite3_stmt *const adds[ADDS], struct mh_error *err)
{
    for (unsigned i = m->sample; i < m->count; i++) {
        if (!look_again(m, &m->candidates[i])) {
            sqlite3_reset(m->find);
            return refuse_changed(m, err);
        }
        if (!take_one(m, adds, m->candidates[i].key))
            return fail_taking(m, err);
    }
    return execute(m, "COMMIT") ? 0 : fail_taking(m, err);
}

static unsigned count_left(struct merge *m)
{
    static const char sql[] = "SELECT count(*) FROM other.kept_runs WHERE key NOT IN (SELECT key FROM main.kept_runs)";
    sqlite3_stmt *count = NULL;
    bool row = !sqlite3_prepare_v2(m->db, sql, -1, &count, NULL) && sqlite3_step(count) == SQLITE_ROW;
    unsigned left = row ? (unsigned)sqlite3_column_int64(count, 0) : 0;
    sqlite3_finalize(count);
    return left;
}

int merge_take(struct merge *m, unsigned *added, unsigned *left, struct mh_error *err)
{
    sqlite3_stmt *adds[ADDS] = {NULL, NULL};
    bool good = !sqlite3_prepare_v2(m->db, "INSERT OR REPLACE INTO main.kept_runs VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                                    -1, &adds[RUN], NULL) &&
                !sqlite3_prepare_v2(m->db, "INSERT OR REPLACE INTO main.kept_bursts VALUES (?1, ?2, ?3)", -1,
                                    &adds[BURSTS], NULL) &&
                execute(m, "BEGIN IMMEDIATE");
    int status = good ? take_all(m, adds, err) : fail_taking(m, err);
    for (unsigned a = 0; a < ADDS; a++)
        sqlite3_finalize(adds[a]);
    if (status)
        (void)execute(m, "ROLLBACK");
    *added = m->count;
    *left = status ? 0 : count_left(m);
    return status;
}
