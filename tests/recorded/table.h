/* Tables in Markdown. */
#ifndef TESTS_RECORDED_TABLE_H
#define TESTS_RECORDED_TABLE_H

#include <stdbool.h>
#include <stddef.h>

enum { TABLE_CELLS = 32 };

/** The cells of a line, into its text, without the blanks around them. */
struct cells {
    unsigned count;
    struct {
        const char *at;
        size_t n;
    } cell[TABLE_CELLS];
};

/** False when the line, up to its end or that of the text, is no row of a table. */
bool table_cells(const char *line, struct cells *out);

/** The line behind this one; the end of the text behind the last. */
const char *table_next_line(const char *line);

/**
 * Finds in `text` the table that has all columns of `heading` (the second of one name is the second there, too) and the
 * row with the first cell of `row`, whatever its quotes. `out` gets that row's cells in the order of `heading`.
 */
bool table_find(const char *text, const struct cells *heading, const struct cells *row, struct cells *out);

#endif
