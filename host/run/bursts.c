#include "bursts.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "peaks.h"

/* Columns of series.csv. */
enum {
    CYCLE,
    TENANT,
#define MH_SERIES(field) SERIES_##field,
#include "memhelm/series.def"
    COLUMNS
};

double bursts_variation(const struct bursts *b, const struct burst_sums *s)
{
    double n = (double)b->periods, mean = (double)s->sum / n;

    return s->sum ? sqrt(fmax(0, (double)s->squares / n - mean * mean)) / mean : (double)NAN;
}

double bursts_over(const struct bursts *b, const struct burst_sums *s)
{
    return b->periods ? (double)s->over / (double)b->periods : (double)NAN;
}

static void add(struct burst_sums *s, uint64_t value, double sustained)
{
    s->sum += value;
    s->squares += value * value;
    s->over += (double)value > sustained;
}

static bool read_row(const char *line, uint64_t row[COLUMNS])
{
    for (unsigned i = 0; i < COLUMNS; i++) {
        char *end;

        row[i] = strtoull(line, &end, 10);
        if (end == line || *end != (i + 1 < COLUMNS ? ',' : '\n'))
            return false;
        line = end + 1;
    }
    return true;
}

/* A period has a row for each tenant, one behind the other. */
struct period {
    uint64_t cycle, noc, dram;
};

/* A series as it is read; `noc` and `dram` are what a period sustains. */
struct reading {
    struct bursts *bursts;
    struct period period;
    double noc, dram;
};

static void end_period(struct reading *r)
{
    const struct period *p = &r->period;

    if (p->cycle) {
        r->bursts->periods++;
        add(&r->bursts->noc, p->noc, r->noc);
        add(&r->bursts->dram, p->dram, r->dram);
    }
    r->period = (struct period){0, 0, 0};
}

static void add_row(struct reading *r, const uint64_t row[COLUMNS])
{
    struct period *p = &r->period;

    if (row[CYCLE] != p->cycle)
        end_period(r);
    p->cycle = row[CYCLE];
    p->noc += row[SERIES_reply_flits];
    p->dram += row[SERIES_dram_read] + row[SERIES_dram_write] + row[SERIES_dram_walk];
}

static int read_rows(const char *path, const char *text, struct reading *r, struct mh_error *err)
{
    uint64_t row[COLUMNS], number = 2;
    const char *line = strchr(text, '\n');

    for (; line && line[1]; line = strchr(line + 1, '\n'), number++) {
        if (!read_row(line + 1, row))
            return mh_fail(err, "%s:%" PRIu64 ": no row of a series: %d numbers", path, number, COLUMNS);
        add_row(r, row);
    }
    end_period(r);
    return 0;
}

int bursts_read(const char *dir, const struct mh_config *cfg, struct bursts *b, struct mh_error *err)
{
    struct reading r = {.bursts = b,
                        .noc = BURST_NOC_SUSTAINED * peaks_noc_flits(cfg, BURST_CYCLES),
                        .dram = BURST_DRAM_SUSTAINED * peaks_dram_lines(cfg, BURST_CYCLES)};
    char path[HOST_PATH];
    size_t length;
    char *text = path_join(path, dir, "series.csv", err) ? NULL : read_file(path, &length, err);
    int status;

    *b = (struct bursts){.periods = 0};
    status = text ? read_rows(path, text, &r, err) : -1;
    free(text);
    return status;
}

char *bursts_text(const struct bursts *b)
{
    const uint64_t value[] = {b->periods,  b->noc.sum,      b->noc.squares, b->noc.over,
                              b->dram.sum, b->dram.squares, b->dram.over};
    json_t *list = json_array();

    for (unsigned i = 0; i < sizeof value / sizeof *value; i++)
        json_array_append_new(list, json_integer((json_int_t)value[i]));
    char *text = json_dumps(list, JSON_COMPACT);
    json_decref(list);
    return text;
}

int bursts_parse(const char *text, struct bursts *b)
{
    uint64_t *const value[] = {&b->periods,  &b->noc.sum,      &b->noc.squares, &b->noc.over,
                               &b->dram.sum, &b->dram.squares, &b->dram.over};
    json_t *list = json_loads(text, 0, NULL);
    bool good = json_array_size(list) == sizeof value / sizeof *value;

    for (unsigned i = 0; good && i < sizeof value / sizeof *value; i++)
        *value[i] = (uint64_t)json_integer_value(json_array_get(list, i));
    json_decref(list);
    return good ? 0 : -1;
}
