#include "recorded/quote.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "recorded/table.h"
#include "recorded/value.h"

#define MARK     "<!--="
#define MARK_END "-->"
#define TABLE    "table "

struct quoting {
    const char *file, *text;
    FILE *out, *say;
    struct quote_count count;
};

__attribute__((format(printf, 3, 4))) static void wrong(struct quoting *q, const char *at, const char *message, ...)
{
    unsigned line = 1;
    va_list args;
    for (const char *c = q->text; c < at; c++)
        line += *c == '\n';
    fprintf(q->say, "%s:%u: ", q->file, line);
    va_start(args, message);
    vfprintf(q->say, message, args);
    va_end(args);
    fputc('\n', q->say);
    q->count.wrong++;
}

/* --- Numbers in sentences. */

static double unit_of(const char *behind)
{
    static const struct {
        const char *name;
        double factor;
    } units[] = {{" %", 100}, {" MHz", 1e-6}, {" GHz", 1e-9}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (!strncmp(behind, units[i].name, strlen(units[i].name)))
            return units[i].factor;
    return 1;
}

/* In the form of the `n` characters at `was`. */
static void format(double value, const char *was, size_t n, char *text, size_t size)
{
    const char *point = memchr(was, '.', n);
    int digits = point ? (int)(was + n - point - 1) : 0;
    bool sign = *was == '+' || *was == '-';
    value *= unit_of(was + n);
    if (fabs(value) < 0.5 * pow(10, -digits))
        value = 0; /* none of -0.0 */
    snprintf(text, size, sign ? "%+.*f" : "%.*f", digits, value);
}

/* Returns what is behind the number. */
static const char *put_number(struct quoting *q, const char *name, const char *was)
{
    double value;
    struct mh_error err = {"no number behind it"};
    char now[64];
    size_t sign = strspn(was, "+-") > 0, n = sign + strspn(was + sign, "0123456789.");
    n -= n > sign && was[n - 1] == '.'; /* of the sentence */
    q->count.quoted++;
    if (n == sign || value_of(name, &value, &err)) {
        wrong(q, was, "%s: %s", name, err.text);
        return was;
    }
    format(value, was, n, now, sizeof now);
    fputs(now, q->out);
    if (strlen(now) != n || memcmp(now, was, n))
        wrong(q, was, "%s is %s, the text says %.*s", name, now, (int)n, was);
    return was + n;
}

/* --- Tables. */

static void put_row(struct quoting *q, const struct cells *row, const struct cells *recorded, const char *from)
{
    fprintf(q->out, "| %.*s |", (int)row->cell[0].n, row->cell[0].at);
    for (unsigned c = 1; c < row->count; c++) {
        const char *was = row->cell[c].at, *now = recorded->cell[c].at;
        size_t n = row->cell[c].n, length = recorded->cell[c].n;
        fprintf(q->out, " %.*s |", (int)length, now);
        q->count.quoted++;
        if (n == length && !memcmp(was, now, n))
            continue;
        wrong(q, was, "%.*s, column %u: %s has %.*s, the table says %.*s", (int)row->cell[0].n, row->cell[0].at, c + 1,
              from, (int)length, now, (int)n, was);
    }
    fputc('\n', q->out);
}

static void copy(struct quoting *q, const char *from, const char *to)
{
    fwrite(from, 1, (size_t)(to - from), q->out);
}

/* The rows below heading and rule; returns what is behind the table. */
static const char *put_rows(struct quoting *q, const char *line, const struct cells *heading, const char *recorded,
                            const char *from)
{
    struct cells row, found;
    for (; table_cells(line, &row); line = table_next_line(line)) {
        if (row.count == heading->count && table_find(recorded, heading, &row, &found)) {
            put_row(q, &row, &found, from);
            continue;
        }
        copy(q, line, table_next_line(line));
        wrong(q, line, "%s has no table with these columns and a row %.*s", from, (int)row.cell[0].n, row.cell[0].at);
    }
    return line;
}

static const char *put_table(struct quoting *q, const char *name, const char *at)
{
    char path[256];
    struct mh_error err;
    struct cells heading;
    size_t length;
    const char *line = at;
    while (*line && !table_cells(line, &heading))
        line = table_next_line(line);
    const char *rows = table_next_line(table_next_line(line));
    char *recorded = *line && !value_file(name, "", path, sizeof path, &err) ? read_file(path, &length, &err) : NULL;
    if (!recorded) {
        wrong(q, at, "%s", *line ? err.text : "no table below");
        return at;
    }
    copy(q, at, rows);
    const char *end = put_rows(q, rows, &heading, recorded, name);
    free(recorded);
    return end;
}

/* --- */

/* `mark` is the comment's first character; returns what is behind all that it speaks of. */
static const char *put_marked(struct quoting *q, const char *mark)
{
    char name[200];
    const char *end = strstr(mark, MARK_END), *from = mark + strlen(MARK);
    if (!end || end - from >= (ptrdiff_t)sizeof name) {
        wrong(q, mark, "a comment that does not end");
        return mark;
    }
    snprintf(name, sizeof name, "%.*s", (int)(end - from), from);
    end += strlen(MARK_END);
    copy(q, mark, end);
    if (!strncmp(name, TABLE, strlen(TABLE)))
        return put_table(q, name + strlen(TABLE), end);
    return put_number(q, name, end);
}

struct quote_count quote(const char *file, const char *text, FILE *out, FILE *say)
{
    struct quoting q = {.file = file, .text = text, .out = out, .say = say};
    const char *at = text;
    for (const char *mark; (mark = strstr(at, MARK));) {
        bool code = mark > text && mark[-1] == '`';
        copy(&q, at, mark);
        at = code ? mark : put_marked(&q, mark);
        if (at == mark) { /* code, or a comment that does not end: as it is */
            fputs(MARK, out);
            at += strlen(MARK);
        }
    }
    fputs(at, out);
    return q.count;
}
