#define _GNU_SOURCE
#include "source_lines.h"

#include <elfutils/libdw.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"

/* A row holds until the next one; `file` NULL: nothing does. */
struct row {
    uint32_t address;
    unsigned order;
    struct place place;
};

struct file {
    const char *raw; /* as libdw has it: the same pointer for the same file of a unit */
    char *path;
};

struct lines {
    struct row *rows;
    struct file *files;
    unsigned count, room, file_count, file_room;
};

/* "./a/b/../c" is "a/c". In place. */
static void fold(char *path)
{
    char *out = path, *rest = path, *name;
    bool absolute = *path == '/';
    while ((name = strsep(&rest, "/"))) {
        char *slash = out > path ? memrchr(path, '/', (size_t)(out - path)) : NULL;
        char *last = slash ? slash + 1 : path;
        if (!*name || !strcmp(name, "."))
            continue;
        if (!strcmp(name, "..") && out > last && strncmp(last, "..", (size_t)(out - last))) {
            out = slash ? slash : path;
            continue;
        }
        size_t length = strlen(name);
        if (out > path || absolute)
            *out++ = '/';
        memmove(out, name, length);
        out += length;
    }
    *out = 0;
}

static const char *file_of(struct lines *l, const char *raw)
{
    for (unsigned i = l->file_count; i--;)
        if (l->files[i].raw == raw)
            return l->files[i].path;
    l->files = grow(l->files, l->file_count, &l->file_room, sizeof *l->files);
    char *path = must(strdup(raw));
    fold(path);
    l->files[l->file_count++] = (struct file){raw, path};
    return path;
}

static void add_row(struct lines *l, Dwarf_Line *line)
{
    struct row row = {.order = l->count};
    Dwarf_Addr address;
    bool end = true;
    int number = 0;
    if (dwarf_lineaddr(line, &address) || dwarf_lineendsequence(line, &end) || dwarf_lineno(line, &number))
        return; /* of a file that is damaged: the rest may be whole */
    const char *raw = end ? NULL : dwarf_linesrc(line, NULL, NULL), *file = raw ? file_of(l, raw) : NULL;
    row.address = (uint32_t)address;
    if (file && number >= 0)
        row.place = (struct place){file, (unsigned)number};
    l->rows = grow(l->rows, l->count, &l->room, sizeof *l->rows);
    l->rows[l->count++] = row;
}

/* Where code ends and other code begins, the beginning counts; of several beginnings the last. */
static int by_address(const void *a, const void *b)
{
    const struct row *r = a, *s = b;
    if (r->address != s->address)
        return r->address < s->address ? -1 : 1;
    if (!r->place.file != !s->place.file)
        return r->place.file ? 1 : -1;
    return r->order < s->order ? -1 : r->order > s->order;
}

/* Not by .debug_aranges: libdw refuses what the linker leaves there of discarded sections. */
static bool read_rows(struct lines *l, Dwarf *dwarf)
{
    Dwarf_CU *unit = NULL;
    Dwarf_Half version;
    Dwarf_Die die;
    uint8_t type;
    while (!dwarf_get_units(dwarf, unit, &unit, &version, &type, &die, NULL)) {
        Dwarf_Lines *lines;
        size_t count;
        if (dwarf_getsrclines(&die, &lines, &count))
            continue;
        for (size_t i = 0; i < count; i++)
            add_row(l, dwarf_onesrcline(lines, i));
    }
    if (l->count)
        qsort(l->rows, l->count, sizeof *l->rows, by_address);
    return true;
}

struct lines *lines_open(const char *path)
{
    struct lines *l = must_have(1, sizeof *l);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    Dwarf *dwarf = fd < 0 ? NULL : dwarf_begin(fd, DWARF_C_READ);
    const bool good = dwarf && read_rows(l, dwarf);
    if (dwarf)
        dwarf_end(dwarf);
    if (fd >= 0)
        close(fd);
    if (good)
        return l;
    lines_close(l);
    return NULL;
}

/* The first row behind the address. */
static unsigned behind(const struct lines *l, uint32_t address)
{
    unsigned low = 0, high = l ? l->count : 0;
    while (low < high) {
        unsigned middle = (low + high) / 2;
        if (l->rows[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

struct place lines_at(const struct lines *l, uint32_t address)
{
    unsigned row = behind(l, address);
    return row ? l->rows[row - 1].place : (struct place){0};
}

static bool is_header(const char *file)
{
    size_t n = strlen(file);
    return n > 2 && !strcmp(file + n - 2, ".h");
}

struct place lines_written(const struct lines *l, uint32_t address)
{
    enum { NEAR = 64 }; /* bytes: further up it may be another statement, or another function */
    struct place found = lines_at(l, address);
    unsigned row = behind(l, address);
    for (; row && l->rows[row - 1].place.file && address - l->rows[row - 1].address < NEAR; row--)
        if (!is_header(l->rows[row - 1].place.file))
            return l->rows[row - 1].place;
    return found;
}

/* The compiler begins a function with a row for its head; of rows at one address the first. */
struct place lines_function(const struct lines *l, uint32_t address)
{
    unsigned row = behind(l, address);
    if (!row || l->rows[row - 1].address != address)
        return lines_at(l, address);
    while (row > 1 && l->rows[row - 2].address == address && l->rows[row - 2].place.file)
        row--;
    return l->rows[row - 1].place;
}

void lines_close(struct lines *l)
{
    if (!l)
        return;
    while (l->file_count--)
        free(l->files[l->file_count].path);
    free(l->files);
    free(l->rows);
    free(l);
}
