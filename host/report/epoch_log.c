#include "epoch_log.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/words.h"

static const char *const first_columns[] = {"epoch", "cycle", "latency", "tenant"};
enum { FIRST = sizeof first_columns / sizeof *first_columns, CYCLE = 1, TENANT = 3 };

/* Cuts the heading at its commas. */
static int read_heading(struct epoch_log *l, const char *path, struct mh_error *err)
{
    l->text[strcspn(l->text, "\r\n")] = 0;
    for (char *at = strtok(l->text, ","); at; at = strtok(NULL, ",")) {
        if (l->column_count == EPOCH_COLUMNS)
            return mh_fail(err, "%.300s: more than %d columns", path, EPOCH_COLUMNS);
        l->columns[l->column_count++] = at;
    }
    for (unsigned c = 0; c < FIRST; c++)
        if (c >= l->column_count || strcmp(l->columns[c], first_columns[c]) != 0)
            return mh_fail(err, "%.300s: no epoch log; `memhelm run --epochs FILE` writes one", path);
    l->named = !strcmp(l->columns[l->column_count - 1], "kernel");
    l->column_count -= l->named;
    return 0;
}

/* A mask of SMs counts them. */
static double number_at(char *text, char **end)
{
    unsigned bits = 0;
    *end = text;
    if (*text == ',' || *text == '\n')
        return (double)NAN;
    if (strncmp(text, "0x", 2) != 0)
        return strtod(text, end);
    for (text += 2; isxdigit((unsigned char)*text); text++)
        bits +=
            (unsigned)__builtin_popcount((unsigned)(isdigit((unsigned char)*text) ? *text - '0' : *text - 'a' + 10));
    *end = text;
    return bits;
}

static int read_row(struct epoch_log *l, char *line, double *row)
{
    for (unsigned c = 0; c < l->column_count; c++) {
        char *end;
        row[c] = number_at(line, &end);
        if (*end != (c + 1 < l->column_count || l->named ? ',' : '\n'))
            return -1;
        line = end + 1;
    }
    if (l->named && row[TENANT] >= 0 && row[TENANT] < MH_MAX_TENANTS)
        snprintf(l->kernels[(unsigned)row[TENANT]], sizeof *l->kernels, "%.*s", (int)strcspn(line, "\r\n"), line);
    return 0;
}

static unsigned count_lines(const char *text)
{
    unsigned n = 0;
    for (; (text = strchr(text, '\n')); text++)
        n++;
    return n;
}

/* `rows` of them, in whole epochs. */
static int take_rows(struct epoch_log *l, unsigned rows, const char *path, struct mh_error *err)
{
    while (l->tenants < rows && l->values[(size_t)l->tenants * l->column_count] == l->values[0])
        l->tenants++;
    if (!rows)
        return mh_fail(err, "%.300s: no epoch in it: the run was shorter than one", path);
    l->epochs = rows / l->tenants;
    if (rows % l->tenants)
        return mh_fail(err, "%.300s: its last epoch is not whole: the run was interrupted; remove that epoch's lines",
                       path);
    return 0;
}

static int read_rows(struct epoch_log *l, char *text, const char *path, struct mh_error *err)
{
    unsigned rows = 0;
    l->values = must_have((size_t)count_lines(text) * l->column_count, sizeof *l->values);
    for (char *line = text; *line; line = strchr(line, '\n') + 1, rows++)
        if (!strchr(line, '\n') || read_row(l, line, l->values + (size_t)rows * l->column_count))
            return mh_fail(err, "%.300s:%u: no row of an epoch log: %u numbers", path, rows + 2, l->column_count);
    return take_rows(l, rows, path, err);
}

int epoch_log_read(struct epoch_log *l, const char *path, struct mh_error *err)
{
    size_t length;
    memset(l, 0, sizeof *l);
    file_stem(path, l->name, sizeof l->name);
    l->text = read_log(path, &length, err);
    if (!l->text)
        return -1;
    char *body = strchr(l->text, '\n');
    body = body ? body + 1 : l->text + length;
    int status = read_heading(l, path, err) || read_rows(l, body, path, err) ? -1 : 0;
    if (status)
        epoch_log_free(l);
    return status;
}

void epoch_log_free(struct epoch_log *l)
{
    free(l->text);
    free(l->values);
    memset(l, 0, sizeof *l);
}

int epoch_log_column(const struct epoch_log *l, const char *name)
{
    for (unsigned c = 0; c < l->column_count; c++)
        if (!strcmp(l->columns[c], name))
            return (int)c;
    return -1;
}

void epoch_log_tenant(const struct epoch_log *l, unsigned tenant, char *text, size_t size)
{
    unsigned same = 0;
    for (unsigned t = 0; t < MH_MAX_TENANTS; t++)
        same += !strcmp(l->kernels[t], l->kernels[tenant]);
    if (!*l->kernels[tenant])
        snprintf(text, size, "tenant %u", tenant);
    else if (same > 1)
        snprintf(text, size, "%s %u", l->kernels[tenant], tenant);
    else
        snprintf(text, size, "%s", l->kernels[tenant]);
}

double epoch_log_at(const struct epoch_log *l, unsigned epoch, unsigned tenant, unsigned column)
{
    return l->values[((size_t)epoch * l->tenants + tenant) * l->column_count + column];
}

double epoch_log_begin(const struct epoch_log *l, unsigned epoch)
{
    return epoch ? epoch_log_at(l, epoch - 1, 0, CYCLE) : 0;
}

/* --- Values. */

struct checked {
    const struct epoch_log *log;
    struct mh_error *err;
    int status;
};

static void check_name(void *ctx, const char *name, int tenant)
{
    struct checked *c = ctx;
    struct nearest near = nearest_begin(name, "");
    if (c->status ||
        (tenant < (int)c->log->tenants && (!strcmp(name, "cycles") || epoch_log_column(c->log, name) >= 0)))
        return;
    for (unsigned i = 0; i < c->log->column_count; i++)
        nearest_try(&near, c->log->columns[i]);
    if (tenant >= (int)c->log->tenants)
        c->status = mh_fail(c->err, "%s[%d]: the run has %u tenants, from 0 on", name, tenant, c->log->tenants);
    else
        c->status = mh_fail(c->err, "no column '%s'%s; the log's first line has all, `cycles` is an epoch's length",
                            name, near.text);
}

int epoch_log_check(const struct epoch_log *l, const struct expr *e, struct mh_error *err)
{
    struct checked c = {l, err, 0};
    expr_names(e, check_name, &c);
    return c.status;
}

struct place {
    const struct epoch_log *log;
    unsigned epoch, tenant;
};

const char *epoch_log_knob(const char *column)
{
    static const char *const knobs[][2] = {
#define MH_KNOB(NAME, field, SHAPE, offset, width, reset, min, max, unit, doc) {#field, unit},
#include "memhelm/registers.def"
    };
    for (size_t k = 0; k < sizeof knobs / sizeof *knobs; k++)
        if (!strcmp(knobs[k][0], column))
            return knobs[k][1];
    return NULL;
}

/*
 * A row has knobs as the COMMIT at its epoch's end has left them: in force during an epoch are those of the row before.
 * The last epoch ends with the run: its decision takes no time that the GPU would see.
 */
static double in_force(const struct epoch_log *l, unsigned epoch, unsigned tenant, unsigned column)
{
    if (epoch_log_knob(l->columns[column]))
        return epoch ? epoch_log_at(l, epoch - 1, tenant, column) : (double)NAN;
    const double v = epoch_log_at(l, epoch, tenant, column);
    return v == 0 && epoch + 1 == l->epochs && !strcmp(l->columns[column], "latency") ? (double)NAN : v;
}

static double look_up(void *ctx, const char *name, int tenant)
{
    const struct place *p = ctx;
    const int column = epoch_log_column(p->log, name);
    if (column < 0)
        return epoch_log_at(p->log, p->epoch, 0, CYCLE) - epoch_log_begin(p->log, p->epoch);
    return in_force(p->log, p->epoch, tenant == EXPR_ALL ? p->tenant : (unsigned)tenant, (unsigned)column);
}

double epoch_log_value(const struct epoch_log *l, const struct expr *e, unsigned epoch, unsigned tenant)
{
    struct place p = {l, epoch, tenant};
    return expr_value(e, look_up, &p);
}

bool epoch_log_turns(const struct epoch_log *l, unsigned column)
{
    for (unsigned e = 1; e < l->epochs && epoch_log_knob(l->columns[column]); e++)
        for (unsigned t = 0; t < l->tenants; t++)
            if (epoch_log_at(l, e, t, column) != epoch_log_at(l, 0, t, column))
                return true;
    return false;
}
