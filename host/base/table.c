#include "table.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "escape.h"

struct table *table_new(void)
{
    struct table *t = calloc(1, sizeof *t);
    if (!t)
        abort();
    t->left[0] = true;
    return t;
}

void table_row(struct table *t)
{
    t->rows += t->rows < TABLE_ROWS;
    t->columns = 0;
}

void table_text(struct table *t, const char *format, ...)
{
    char text[TABLE_CELL];
    va_list args;
    if (!t->rows || t->columns == TABLE_COLUMNS)
        return;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    escape_text(t->cell[t->rows - 1][t->columns++], TABLE_CELL, text);
    if (t->columns > t->width)
        t->width = t->columns;
}

void table_left(struct table *t, const char *text)
{
    if (t->columns < TABLE_COLUMNS)
        t->left[t->columns] = true;
    table_text(t, "%s", text);
}

void table_number(struct table *t, double v, int digits)
{
    if (isnan(v))
        table_text(t, "-");
    else
        table_text(t, "%.*f", digits, v);
}

void table_percent(struct table *t, double v)
{
    if (isnan(v))
        table_text(t, "-");
    else
        table_text(t, "%.1f %%", 100 * v);
}

static unsigned column_width(const struct table *t, unsigned c)
{
    size_t widest = 0;
    for (unsigned r = 0; r < t->rows; r++)
        if (strlen(t->cell[r][c]) > widest)
            widest = strlen(t->cell[r][c]);
    return (unsigned)widest;
}

/* Columns up to the last cell that is not empty. */
static unsigned used_columns(const struct table *t, unsigned r)
{
    unsigned n = t->width;
    while (n && !*t->cell[r][n - 1])
        n--;
    return n;
}

void table_print(const struct table *t, FILE *out)
{
    for (unsigned r = 0; r < t->rows; r++) {
        for (unsigned c = 0; c < used_columns(t, r); c++) {
            int width = (int)column_width(t, c);
            bool last = c && c + 1 == used_columns(t, r); /* no blanks behind a text */
            fprintf(out, c ? "  %*s" : "%*s", t->left[c] ? last ? 0 : -width : width, t->cell[r][c]);
        }
        fputc('\n', out);
    }
}

void table_markdown(const struct table *t, FILE *out)
{
    for (unsigned r = 0; r < t->rows; r++) {
        for (unsigned c = 0; c < t->width; c++)
            fprintf(out, "| %s ", t->cell[r][c]);
        fputs("|\n", out);
        for (unsigned c = 0; r == 0 && c < t->width; c++)
            fputs(t->left[c] ? "|---" : "|---:", out);
        fputs(r == 0 ? "|\n" : "", out);
    }
}
