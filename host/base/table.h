/*
 * A table on the terminal or in Markdown, its columns as wide as they need: numbers to the right, the first column and
 * texts to the left.
 */
#ifndef HOST_BASE_TABLE_H
#define HOST_BASE_TABLE_H

#include <stdbool.h>
#include <stdio.h>

enum { TABLE_COLUMNS = 20, TABLE_ROWS = 200, TABLE_CELL = 512 };

struct table {
    char cell[TABLE_ROWS][TABLE_COLUMNS][TABLE_CELL];
    bool left[TABLE_COLUMNS]; /**< a column of texts */
    unsigned rows, columns;   /**< columns of the row being filled */
    unsigned width;           /**< columns of the widest row */
};

/** An empty table. The caller frees it. */
struct table *table_new(void);

/** Starts a row; the first row is the heading. */
void table_row(struct table *t);

/** Adds a cell to the row, escaped (escape.h). Cells beyond the table's size are dropped. */
void table_text(struct table *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** The same; it and the column's other cells stand to the left. */
void table_left(struct table *t, const char *text);

/** A number with `digits` after the point; NaN is "-". */
void table_number(struct table *t, double v, int digits);

/** 0..1 as percent; NaN is "-". */
void table_percent(struct table *t, double v);

void table_print(const struct table *t, FILE *out);

/** The same as a table of Markdown. */
void table_markdown(const struct table *t, FILE *out);

#endif
