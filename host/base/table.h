/*
 * A table on the terminal, in Markdown, CSV or LaTeX. Columns are as wide as they need: numbers to the right, the first
 * column and texts to the left. It has as many rows, columns and characters as it is given.
 */
#ifndef HOST_BASE_TABLE_H
#define HOST_BASE_TABLE_H

#include <stdbool.h>
#include <stdio.h>

#include "escape.h"
#include "process.h"

struct table {
    unsigned rows;  /**< with the heading */
    unsigned width; /**< columns of the widest row */
    bool raw;       /**< for CSV: texts stay as they are; others are escaped (escape.h). Set before the first cell */
    /* The rest is table.c's. */
    struct table_cell *cells; /* of all rows, one after the other */
    unsigned count, room;
    unsigned *first; /* of a row: its first cell */
    unsigned row_room;
    bool *left; /* of a column: texts */
    unsigned left_room;
};

/** An empty table, which table_free() frees. */
struct table *table_new(void);
void table_free(struct table *t);

/** Starts a row; the first row is the heading. */
void table_row(struct table *t);

/** Starts a row of the parts of `names`, which bars separate; a column stands to the left if its name begins with <. */
void table_heading(struct table *t, const char *names);

/** Adds such cells to the row. */
void table_names(struct table *t, const char *names);

/** Adds a cell to the row. Nothing before the first row. */
void table_text(struct table *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** Adds a cell; its column is aligned to the left. */
void table_left(struct table *t, const char *text);

/** A cell that is no mere text in Markdown (escape.h). */
void table_kind(struct table *t, enum markdown_kind kind, const char *text);

/** A number with `digits` after the point; NaN is "-". */
void table_number(struct table *t, double v, int digits);

/** A number with all its digits; NaN is an empty cell. */
void table_exact(struct table *t, double v);

/** 0..1 as percent; NaN is "-". */
void table_percent(struct table *t, double v);

/** The text of a cell, from 0 on; "" where there is none. */
const char *table_cell(const struct table *t, unsigned row, unsigned column);

/** The last cell has this colour where table_print() finds a terminal, and on a page. */
void table_colour(struct table *t, enum colour colour);
enum colour table_cell_colour(const struct table *t, unsigned row, unsigned column);

/** Are the column's cells to the left? */
bool table_is_left(const struct table *t, unsigned column);

void table_print(const struct table *t, FILE *out);

/** Prints the table in Markdown; markup in cells is escaped (escape.h). */
void table_markdown(const struct table *t, FILE *out);

/** Prints the table as CSV; cells are in quotes where they must be. */
void table_csv(const struct table *t, FILE *out);

/** Prints the table as a tabular with rules of package booktabs. */
void table_latex(const struct table *t, FILE *out);

/* Headings, paragraphs and tables on the terminal, in Markdown, on a page of HTML; in CSV and LaTeX tables alone. */

enum doc_form { DOC_TEXT, DOC_MARKDOWN, DOC_HTML, DOC_CSV, DOC_LATEX };

struct doc {
    FILE *out;
    enum doc_form form;
    unsigned level; /**< of what is written here, 0: on its own */
};

/** A heading of level `d->level + level`, 1 (the greatest) to 6. Texts here and below are escaped. */
void doc_heading(const struct doc *d, unsigned level, const char *text);

/** A paragraph; an empty line after it. */
void doc_paragraph(const struct doc *d, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** A point of a list. */
void doc_item(const struct doc *d, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** A new table of that form, for doc_table(). */
struct table *doc_table_new(const struct doc *d);

/** Writes a table, with an empty line after it, and frees it. */
void doc_table(const struct doc *d, struct table *t);

/** Writes a table that is the whole document: no empty line after it. */
void doc_table_bare(const struct doc *d, struct table *t);

/** Writes `text` to HTML: escaped (escape.h), and what has a meaning there as an entity. */
void doc_html(FILE *out, const char *text);

#endif
