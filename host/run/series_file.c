#include "series_file.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"

enum { COLUMNS = 2 + SERIES_COUNTS };

static bool read_row(const char *line, struct series_row *row)
{
    uint64_t number[COLUMNS];

    for (unsigned i = 0; i < COLUMNS; i++) {
        char *end;

        number[i] = strtoull(line, &end, 10);
        if (end == line || *end != (i + 1 < COLUMNS ? ',' : '\n'))
            return false;
        line = end + 1;
    }
    row->cycle = number[0];
    row->tenant = number[1];
    memcpy(row->count, number + 2, sizeof row->count);
    return true;
}

static int read_rows(const char *path, const char *text, series_take *take, void *ctx, struct mh_error *err)
{
    struct series_row row;
    uint64_t number = 2;
    const char *line = strchr(text, '\n');

    for (; line && line[1]; line = strchr(line + 1, '\n'), number++) {
        if (!read_row(line + 1, &row))
            return mh_fail(err, "%s:%" PRIu64 ": no row of a series: %d numbers", path, number, COLUMNS);
        take(ctx, &row);
    }
    return 0;
}

int series_file_read(const char *dir, series_take *take, void *ctx, struct mh_error *err)
{
    char path[HOST_PATH];
    size_t length;
    char *text = path_join(path, dir, "series.csv", err) ? NULL : read_log(path, &length, err);
    int status = text ? read_rows(path, text, take, ctx, err) : -1;

    free(text);
    return status;
}
