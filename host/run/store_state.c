#include "store_state.h"

#include <sqlite3.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
