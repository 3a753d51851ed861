#include "bursts.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/file.h"

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

/* A period has a row for each tenant, one behind the other. */
struct period {
    uint64_t cycle, demand, noc, dram;
};

/* A series as it is read; `noc` and `dram` are what a period sustains, `flits` those of a reply. */
struct reading {
    struct bursts *bursts;
    struct period period;
    double noc, dram;
    uint64_t warmup;
    uint32_t flits;
};

static void end_period(struct reading *r)
{
    const struct period *p = &r->period;

    if (p->cycle) {
        r->bursts->periods++;
        add(&r->bursts->demand, p->demand, r->noc);
        add(&r->bursts->noc, p->noc, r->noc);
        add(&r->bursts->dram, p->dram, r->dram);
    }
    r->period = (struct period){0, 0, 0, 0};
}

static void add_row(void *ctx, const struct series_row *row)
{
    struct reading *r = ctx;
    struct period *p = &r->period;

    if (row->cycle <= r->warmup)
        return;
    if (row->cycle != p->cycle)
        end_period(r);
    p->cycle = row->cycle;
    p->demand += r->flits * row->count[SERIES_request_reads];
    p->noc += row->count[SERIES_reply_flits];
    p->dram += series_dram_lines(row);
}

int bursts_read(const char *dir, const struct mh_config *cfg, struct bursts *b, struct mh_error *err)
{
    struct reading r = {.bursts = b,
                        .noc = BURST_NOC_SUSTAINED * peaks_noc_flits(cfg, BURST_CYCLES),
                        .dram = BURST_DRAM_SUSTAINED * peaks_dram_lines(cfg, BURST_CYCLES),
                        .warmup = cfg->run.warmup,
                        .flits = peaks_reply_flits(cfg)};

    *b = (struct bursts){.periods = 0};
    if (series_file_read(dir, add_row, &r, err))
        return -1;
    end_period(&r);
    return 0;
}

/* In the order of the store's text. */
#define NUMBERS(b)                                                                                                     \
    {                                                                                                                  \
        &(b)->periods, &(b)->demand.sum, &(b)->demand.squares, &(b)->demand.over, &(b)->noc.sum, &(b)->noc.squares,    \
            &(b)->noc.over, &(b)->dram.sum, &(b)->dram.squares, &(b)->dram.over                                        \
    }

char *bursts_text(const struct bursts *b)
{
    const uint64_t *const number[] = NUMBERS(b);
    json_t *list = json_array();

    for (unsigned i = 0; i < sizeof number / sizeof *number; i++)
        json_array_append_new(list, json_integer((json_int_t)*number[i]));
    char *text = json_dumps(list, JSON_COMPACT);
    json_decref(list);
    return text;
}

int bursts_parse(const char *text, struct bursts *b)
{
    uint64_t *const number[] = NUMBERS(b);
    json_t *list = json_loads(text, 0, NULL);
    bool good = json_array_size(list) == sizeof number / sizeof *number;

    for (unsigned i = 0; good && i < sizeof number / sizeof *number; i++)
        *number[i] = (uint64_t)json_integer_value(json_array_get(list, i));
    json_decref(list);
    return good ? 0 : -1;
}

/* GPU cycles in cycles of a clock; 0: it is the GPU's own. */
static double in_clock(const struct mh_config *cfg, uint64_t cycles, uint64_t hz)
{
    return hz ? (double)cycles * (double)hz / (double)cfg->clock.gpu_hz : (double)cycles;
}

double peaks_noc_flits(const struct mh_config *cfg, uint64_t cycles)
{
    return in_clock(cfg, cycles, cfg->clock.noc_hz) * cfg->sm.count;
}

uint32_t peaks_reply_flits(const struct mh_config *cfg)
{
    return 1 + (cfg->memory.line_bytes + cfg->noc.flit_bytes - 1) / cfg->noc.flit_bytes;
}

double peaks_dram_lines(const struct mh_config *cfg, uint64_t cycles)
{
    double bytes = (double)cfg->dram.channels * cfg->dram.bus_bytes * cfg->dram.data_rate;

    return in_clock(cfg, cycles, cfg->clock.dram_hz) * bytes / cfg->memory.line_bytes;
}

double peaks_gbs(const struct mh_config *cfg, double lines)
{
    return lines * cfg->memory.line_bytes * (double)cfg->clock.gpu_hz / 1e9;
}

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
