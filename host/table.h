/* A table on the terminal or in Markdown: the first column to the left, the others to the right, as wide as they need.
 */
#ifndef HOST_TABLE_H
#define HOST_TABLE_H

#include <stdio.h>

enum { TABLE_COLUMNS = 20, TABLE_ROWS = 200, TABLE_CELL = 160 };

struct table {
    char cell[TABLE_ROWS][TABLE_COLUMNS][TABLE_CELL];
    unsigned rows, columns; /**< columns of the row being filled */
    unsigned width;         /**< columns of the widest row */
};

/** An empty table. The caller frees it. */
struct table *table_new(void);

/** Starts a row; the first row is the heading. */
void table_row(struct table *t);

/** Adds a cell to the row. Cells beyond the table's size are dropped. */
void table_text(struct table *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** A number with `digits` after the point; NaN is "-". */
void table_number(struct table *t, double v, int digits);

/** 0..1 as percent; NaN is "-". */
void table_percent(struct table *t, double v);

void table_print(const struct table *t, FILE *out);

/** The same as a table of Markdown. */
void table_markdown(const struct table *t, FILE *out);

#endif
