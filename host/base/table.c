#include "table.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "escape.h"
#include "memory.h"
#include "number.h"

struct table_cell {
    char *text;
    enum colour colour;
    enum markdown_kind kind;
};

/* What is said of `column` is said from the start. */
static void make_left(struct table *t, unsigned column)
{
    while (column >= t->left_room) {
        const unsigned had = t->left_room;
        t->left = grow(t->left, had, &t->left_room, sizeof *t->left);
        memset(t->left + had, 0, (t->left_room - had) * sizeof *t->left);
    }
}

struct table *table_new(void)
{
    struct table *t = must(calloc(1, sizeof *t));
    make_left(t, 0);
    t->left[0] = true;
    return t;
}

void table_free(struct table *t)
{
    for (unsigned c = 0; c < t->count; c++)
        free(t->cells[c].text);
    free(t->cells);
    free(t->first);
    free(t->left);
    free(t);
}

void table_row(struct table *t)
{
    t->first = grow(t->first, t->rows, &t->row_room, sizeof *t->first);
    t->first[t->rows++] = t->count;
}

/* Columns of a row. */
static unsigned columns_of(const struct table *t, unsigned row)
{
    return (row + 1 < t->rows ? t->first[row + 1] : t->count) - t->first[row];
}

static void add_cell(struct table *t, const char *text)
{
    char *cell = t->raw ? must(strdup(text)) : escape_copy(text);
    t->cells = grow(t->cells, t->count, &t->room, sizeof *t->cells);
    t->cells[t->count++] = (struct table_cell){cell, COLOUR_NONE, MARKDOWN_TEXT};
    const unsigned columns = columns_of(t, t->rows - 1);
    make_left(t, columns);
    if (columns > t->width)
        t->width = columns;
}

void table_text(struct table *t, const char *format, ...)
{
    va_list args;
    if (!t->rows)
        return;
    va_start(args, format);
    char *text = must_vprint(format, args);
    va_end(args);
    add_cell(t, text);
    free(text);
}

void table_left(struct table *t, const char *text)
{
    if (t->rows)
        t->left[columns_of(t, t->rows - 1)] = true;
    table_text(t, "%s", text);
}

void table_names(struct table *t, const char *names)
{
    char name[200];

    for (size_t n; *names; names += n + (names[n] == '|')) {
        n = strcspn(names, "|");
        snprintf(name, sizeof name, "%.*s", (int)n, names);
        if (*name == '<')
            table_left(t, name + 1);
        else
            table_text(t, "%s", name);
    }
}

void table_heading(struct table *t, const char *names)
{
    table_row(t);
    table_names(t, names);
}

void table_kind(struct table *t, enum markdown_kind kind, const char *text)
{
    table_text(t, "%s", text);
    if (t->count)
        t->cells[t->count - 1].kind = kind;
}

void table_number(struct table *t, double v, int digits)
{
    if (isnan(v))
        table_text(t, "-");
    else
        table_text(t, "%.*f", digits, v);
}

void table_exact(struct table *t, double v)
{
    char text[NUMBER_TEXT] = "";

    if (!isnan(v))
        number_exact(v, text);
    table_text(t, "%s", text);
}

void table_percent(struct table *t, double v)
{
    if (isnan(v))
        table_text(t, "-");
    else
        table_text(t, "%.1f %%", 100 * v);
}

/* NULL: the row has not as many. */
static const struct table_cell *cell_at(const struct table *t, unsigned row, unsigned column)
{
    return row < t->rows && column < columns_of(t, row) ? &t->cells[t->first[row] + column] : NULL;
}

const char *table_cell(const struct table *t, unsigned row, unsigned column)
{
    const struct table_cell *cell = cell_at(t, row, column);
    return cell ? cell->text : "";
}

enum colour table_cell_colour(const struct table *t, unsigned row, unsigned column)
{
    const struct table_cell *cell = cell_at(t, row, column);
    return cell ? cell->colour : COLOUR_NONE;
}

bool table_is_left(const struct table *t, unsigned column)
{
    return column < t->left_room && t->left[column];
}

/* Columns up to the last cell that is not empty. */
static unsigned used_columns(const struct table *t, unsigned r)
{
    unsigned n = columns_of(t, r);
    while (n && !*table_cell(t, r, n - 1))
        n--;
    return n;
}

static unsigned *column_widths(const struct table *t)
{
    unsigned *widths = must(calloc(t->width + 1, sizeof *widths));
    for (unsigned r = 0; r < t->rows; r++)
        for (unsigned c = 0; c < columns_of(t, r); c++) {
            const unsigned n = (unsigned)strlen(table_cell(t, r, c));
            widths[c] = n > widths[c] ? n : widths[c];
        }
    return widths;
}

void table_colour(struct table *t, enum colour colour)
{
    if (t->count)
        t->cells[t->count - 1].colour = colour;
}

/* Blanks have no colour. */
static void print_cell(const struct table_cell *cell, int width, bool left, FILE *out)
{
    const int blanks = width - (int)strlen(cell->text);
    fprintf(out, "%*s", left ? 0 : blanks, "");
    colour_begin(cell->colour, out);
    fputs(cell->text, out);
    colour_end(cell->colour, out);
    fprintf(out, "%*s", left && blanks > 0 ? blanks : 0, "");
}

void table_print(const struct table *t, FILE *out)
{
    unsigned *widths = column_widths(t);
    for (unsigned r = 0; r < t->rows; r++) {
        const unsigned used = used_columns(t, r);
        for (unsigned c = 0; c < used; c++) {
            const bool last = c && c + 1 == used; /* no blanks behind a text */
            fputs(c ? "  " : "", out);
            print_cell(&t->cells[t->first[r] + c], last && t->left[c] ? 0 : (int)widths[c], t->left[c], out);
        }
        fputc('\n', out);
    }
    free(widths);
}

static void markdown_cell(const struct table *t, unsigned row, unsigned column, FILE *out)
{
    const struct table_cell *cell = cell_at(t, row, column);
    fputs("| ", out);
    if (cell)
        markdown_write(out, cell->kind, cell->text);
    fputc(' ', out);
}

void table_markdown(const struct table *t, FILE *out)
{
    for (unsigned r = 0; r < t->rows; r++) {
        for (unsigned c = 0; c < t->width; c++)
            markdown_cell(t, r, c, out);
        fputs("|\n", out);
        for (unsigned c = 0; r == 0 && c < t->width; c++)
            fputs(t->left[c] ? "|---" : "|---:", out);
        fputs(r == 0 ? "|\n" : "", out);
    }
}

static void csv_cell(const char *text, FILE *out)
{
    if (!strpbrk(text, ",\"\r\n")) {
        fputs(text, out);
        return;
    }
    fputc('"', out);
    for (; *text; text++)
        fprintf(out, *text == '"' ? "\"%c" : "%c", *text);
    fputc('"', out);
}

void table_csv(const struct table *t, FILE *out)
{
    for (unsigned r = 0; r < t->rows; r++, fputc('\n', out))
        for (unsigned c = 0; c < t->width; c++) {
            fputs(c ? "," : "", out);
            csv_cell(table_cell(t, r, c), out);
        }
}

static void latex_cell(const char *text, FILE *out)
{
    for (; *text; text++)
        if (!strncmp(text, "+- ", 3)) {
            fputs("$\\pm$", out);
            text++;
        } else if (*text == '-' && text[1] >= '0' && text[1] <= '9') {
            fputs("$-$", out);
        } else if (strchr("\\~^", *text)) {
            fputs(*text == '~'   ? "\\textasciitilde{}"
                  : *text == '^' ? "\\textasciicircum{}"
                                 : "\\textbackslash{}",
                  out);
        } else {
            fprintf(out, strchr("&%$#_{}", *text) ? "\\%c" : "%c", *text);
        }
}

void table_latex(const struct table *t, FILE *out)
{
    fputs("\\begin{tabular}{", out);
    for (unsigned c = 0; c < t->width; c++)
        fputc(t->left[c] ? 'l' : 'r', out);
    fputs("}\n\\toprule\n", out);
    for (unsigned r = 0; r < t->rows; r++) {
        for (unsigned c = 0; c < t->width; c++) {
            fputs(c ? " & " : "", out);
            latex_cell(table_cell(t, r, c), out);
        }
        fputs(r ? " \\\\\n" : " \\\\\n\\midrule\n", out);
    }
    fputs("\\bottomrule\n\\end{tabular}\n", out);
}
