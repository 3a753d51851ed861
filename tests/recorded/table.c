#include "recorded/table.h"

#include <string.h>

const char *table_next_line(const char *line)
{
    const char *end = strchr(line, '\n');
    return end ? end + 1 : line + strlen(line);
}

static void add_cell(struct cells *out, const char *at, const char *end)
{
    while (at < end && *at == ' ')
        at++;
    while (end > at && end[-1] == ' ')
        end--;
    out->cell[out->count].at = at;
    out->cell[out->count++].n = (size_t)(end - at);
}

bool table_cells(const char *line, struct cells *out)
{
    const char *at = line + 1, *end = line + strcspn(line, "\n"), *bar;
    out->count = 0;
    if (*line != '|')
        return false;
    while (out->count < TABLE_CELLS && (bar = memchr(at, '|', (size_t)(end - at)))) {
        add_cell(out, at, bar);
        at = bar + 1;
    }
    return out->count > 0;
}

static bool same(const struct cells *a, unsigned i, const struct cells *b, unsigned k)
{
    return a->cell[i].n == b->cell[k].n && !memcmp(a->cell[i].at, b->cell[k].at, a->cell[i].n);
}

/* Of each column of `wanted` the place in `there`. */
static bool map_columns(const struct cells *wanted, const struct cells *there, unsigned place[TABLE_CELLS])
{
    for (unsigned w = 0; w < wanted->count; w++) {
        unsigned before = 0, k = 0;
        for (unsigned i = 0; i < w; i++)
            before += same(wanted, i, wanted, w);
        while (k < there->count && !(same(there, k, wanted, w) && !before--))
            k++;
        if (k == there->count)
            return false;
        place[w] = k;
    }
    return true;
}

/* `dws` and dws are one name. */
static bool same_name(const struct cells *a, const struct cells *b)
{
    struct cells x = *a, y = *b, *both[] = {&x, &y};
    for (unsigned i = 0; i < 2; i++)
        if (both[i]->cell[0].n > 2 && *both[i]->cell[0].at == '`') {
            both[i]->cell[0].at++;
            both[i]->cell[0].n -= 2;
        }
    return same(&x, 0, &y, 0);
}

/* In the table whose first row after the heading is `line`. */
static bool find_row(const char *line, const struct cells *row, const unsigned place[TABLE_CELLS], unsigned columns,
                     struct cells *out)
{
    struct cells there;
    for (; table_cells(line, &there); line = table_next_line(line)) {
        if (!same_name(&there, row))
            continue;
        out->count = 0;
        for (unsigned c = 0; c < columns && place[c] < there.count; c++)
            out->cell[out->count++] = there.cell[place[c]];
        return out->count == columns;
    }
    return false;
}

bool table_find(const char *text, const struct cells *heading, const struct cells *row, struct cells *out)
{
    struct cells there;
    unsigned place[TABLE_CELLS];
    for (const char *line = text; *line; line = table_next_line(line)) {
        const char *rule = table_next_line(line);
        if (table_cells(line, &there) && !strncmp(rule, "|-", 2) && map_columns(heading, &there, place) &&
            find_row(table_next_line(rule), row, place, heading->count, out))
            return true;
    }
    return false;
}
