/*
 * Matrix Market's coordinate format (math.nist.gov/MatrixMarket/formats.html): a header line, comments (%), a line with
 * rows, columns and entries, and a line for each entry: row, column, value, counted from 1. networkrepository.com's
 * header has one % only; any number is taken, as are small letters and comments above it.
 */
#include <stdlib.h>

#include "workload/input/scan.h"

struct market {
    bool values, symmetric;
    bool side[2];           /* a symmetric one has entries below its diagonal, above it */
    uint64_t entries, line; /* as announced, in which line */
};

static bool read_header(struct mh_scan *s, struct market *m)
{
    static const char *const objects[] = {"matrix"}, *const formats[] = {"coordinate"};
    static const char *const fields[] = {"real", "integer", "pattern"}, *const symmetries[] = {"general", "symmetric"};
    size_t field, symmetry;

    if (mh_scan_one_of(s, "the file has an object", objects, 1) == 1 ||
        mh_scan_one_of(s, "its format is", formats, 1) == 1)
        return false;
    field = mh_scan_one_of(s, "its values are", fields, 3);
    symmetry = field < 3 ? mh_scan_one_of(s, "its symmetry is", symmetries, 2) : 2;
    m->values = field != 2;
    m->symmetric = symmetry == 1;
    return symmetry < 2 && mh_scan_end(s);
}

static bool read_sizes(struct mh_scan *s, struct market *m)
{
    uint64_t rows, columns;

    (void)mh_scan_line(s);
    if (!mh_scan_content(s, "%"))
        return mh_scan_fail(s, "the file ends before the line with rows, columns and entries: it is cut off");
    m->line = s->line;
    if (!mh_scan_number(s, "the number of rows", 1, MH_INPUT_VERTICES, &rows) ||
        !mh_scan_number(s, "the number of columns", 1, MH_INPUT_VERTICES, &columns) ||
        !mh_scan_number(s, "the number of entries", 0, MH_INPUT_ENTRIES, &m->entries) || !mh_scan_end(s))
        return false;
    s->to->rows = (uint32_t)rows;
    s->to->columns = (uint32_t)columns;
    return !m->symmetric || rows == columns ||
           mh_scan_fail(s, "a symmetric matrix of %llu rows and %llu columns: they have to be as many",
                        (unsigned long long)rows, (unsigned long long)columns);
}

static bool read_value(struct mh_scan *s)
{
    const char *w = mh_scan_word(s);
    char *end;

    (void)strtod(w, &end);
    return (*w && !*end) || mh_scan_fail(s, "the value is '%.40s'; a number is expected", w);
}

/* One triangle stands for both: with both, every element would be there twice. */
static bool mirror(struct mh_scan *s, struct market *m, uint64_t row, uint64_t column)
{
    if (!m->symmetric || row == column)
        return true;
    m->side[row < column] = true;
    if (m->side[row > column])
        return mh_scan_fail(s,
                            "row %llu, column %llu is on the other side of the diagonal than entries before it; a "
                            "symmetric matrix has one triangle alone: leave the other out, or call it general",
                            (unsigned long long)row, (unsigned long long)column);
    return mh_scan_add(s, column - 1, row - 1);
}

static bool read_entry(struct mh_scan *s, struct market *m)
{
    uint64_t row, column;

    if (!mh_scan_number(s, "the row", 1, s->to->rows, &row) ||
        !mh_scan_number(s, "the column", 1, s->to->columns, &column) || (m->values && !read_value(s)) ||
        !mh_scan_end(s) || !mh_scan_add(s, row - 1, column - 1))
        return false;
    return mirror(s, m, row, column);
}

bool mh_input_market(struct mh_scan *s)
{
    struct market m = {0};
    uint64_t n = 0;

    if (!read_header(s, &m) || !read_sizes(s, &m))
        return false;
    for (; mh_scan_line(s) && mh_scan_content(s, "%"); n++) {
        if (n == m.entries)
            return mh_scan_fail(s, "more entries than the %llu that line %llu announces", (unsigned long long)m.entries,
                                (unsigned long long)m.line);
        if (!read_entry(s, &m))
            return false;
    }
    return n == m.entries ||
           mh_scan_fail(s, "the file ends after %llu of the %llu entries that line %llu announces: it is cut off",
                        (unsigned long long)n, (unsigned long long)m.entries, (unsigned long long)m.line);
}
