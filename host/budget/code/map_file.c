#include "build_files.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define HEADING "\nLinker script and memory map\n"

enum { WORDS = 4 };

struct reader {
    struct map_file *m;
    const char *name;
    unsigned line;
    int kind;     /* of the output section, -1: none that counts */
    uint64_t end; /* of the output section; UINT64_MAX: not known */
    bool open;    /* an input section's name stood alone on the line before */
    struct mh_error *err;
};

/* Parts the line at blanks, in place; what is beyond WORDS stays in the last word. */
static unsigned split(char *line, char *words[WORDS])
{
    unsigned n = 0;
    for (char *at = line; n < WORDS && *(at += strspn(at, " \t\r"));) {
        words[n++] = at;
        at += n < WORDS ? strcspn(at, " \t\r") : strlen(at);
        if (*at)
            *at++ = 0;
    }
    return n;
}

static bool hex(const char *word, uint32_t *value)
{
    char *end;
    if (strncmp(word, "0x", 2) || !isxdigit((unsigned char)word[2]))
        return false;
    unsigned long long v = strtoull(word, &end, 16);
    *value = (uint32_t)v;
    return !*end && v <= UINT32_MAX;
}

static int kind_of(const char *section)
{
    static const char *const names[MAP_KINDS] = {".text", ".rodata", ".data", ".bss"};
    for (int i = 0; i < MAP_KINDS; i++)
        if (!strcmp(section, names[i]))
            return i;
    return -1;
}

/*
 * A text that is equal to another's was merged with it: the map still gives its size, but the next piece, or the end of
 * the output section, stands where it would begin.
 */
static void trim_merged(struct map_file *m, int kind, uint64_t next)
{
    struct map_piece *last = m->count ? &m->pieces[m->count - 1] : NULL;
    if (last && (int)last->kind == kind && next >= last->address && (uint64_t)last->address + last->size > next)
        last->size = (uint32_t)(next - last->address);
    m->count -= last && !last->size;
}

static void add(struct reader *r, const char *object, uint32_t address, uint32_t size)
{
    struct map_file *m = r->m;
    if (!size)
        return;
    trim_merged(m, r->kind, address);
    m->pieces = grow(m->pieces, m->count, &m->room, sizeof *m->pieces);
    m->pieces[m->count++] = (struct map_piece){(enum map_kind)r->kind, object, address, size};
}

/* "0xADDRESS 0xSIZE OBJECT" behind a section's name, on its line or the next. */
static int place(struct reader *r, char **words, unsigned n)
{
    uint32_t address, size;
    if (n < 2 || !hex(words[0], &address) || !hex(words[1], &size))
        return mh_fail(r->err, "%s:%u: expected address and size of an input section; is it a map of GNU ld?", r->name,
                       r->line);
    add(r, n > 2 ? words[2] : "", address, size);
    return 0;
}

static int take_line(struct reader *r, char *line)
{
    char *words[WORDS];
    bool output = *line && !isspace((unsigned char)*line), indented = *line == ' ' && line[1] == ' ', open = r->open;
    unsigned n = split(line, words);
    r->open = false;
    if (!n)
        return 0;
    if (output) {
        uint32_t address, size;
        trim_merged(r->m, r->kind, r->end);
        r->kind = kind_of(words[0]);
        r->end = n > 2 && hex(words[1], &address) && hex(words[2], &size) ? (uint64_t)address + size : UINT64_MAX;
        return 0;
    }
    if (r->kind < 0)
        return 0;
    if (open && indented)
        return place(r, words, n);
    if (indented || (*words[0] == '*' && strcmp(words[0], "*fill*")))
        return 0; /* a symbol; a pattern of the script */
    if (*words[0] == '*')
        return n < 3 ? 0 : place(r, words + 1, 2);
    r->open = n == 1;
    return n == 1 ? 0 : place(r, words + 1, n - 1);
}

static int take_lines(struct reader *r, char *at)
{
    while (*at) {
        char *end = at + strcspn(at, "\n"), *next = *end ? end + 1 : end;
        *end = 0;
        r->line++;
        if (take_line(r, at))
            return -1;
        at = next;
    }
    return 0;
}

static unsigned lines_before(const char *text, const char *end)
{
    unsigned n = 0;
    for (; text < end; text++)
        n += *text == '\n';
    return n;
}

int map_parse(struct map_file *m, const char *name, char *text, struct mh_error *err)
{
    *m = (struct map_file){.text = text};
    char *start = strstr(text, HEADING);
    if (!start) {
        map_free(m);
        return mh_fail(err, "%s:1: no memory map; link with -Wl,-Map=%s", name, name);
    }
    start += strlen(HEADING);
    struct reader r = {
        .m = m, .name = name, .line = lines_before(text, start), .kind = -1, .end = UINT64_MAX, .err = err};
    if (!take_lines(&r, start))
        return 0;
    map_free(m);
    return -1;
}

void map_free(struct map_file *m)
{
    free(m->pieces);
    free(m->text);
    *m = (struct map_file){0};
}

/* Where build.mk has a policy's object. */
#define OUTSIDE "/obj/policy/"

bool map_is_outside(const struct map_file *m)
{
    for (unsigned i = 0; i < m->count; i++)
        if (strstr(m->pieces[i].object, OUTSIDE))
            return true;
    return false;
}

const char *map_object(const struct map_file *m, uint32_t address)
{
    for (unsigned i = 0; i < m->count; i++)
        if (address >= m->pieces[i].address && address - m->pieces[i].address < m->pieces[i].size)
            return m->pieces[i].object;
    return NULL;
}

/* Text behind the last `mark` of `object`, without what is behind a dot; empty without the mark. */
static void member(const char *object, const char *mark, char name[OWNER_NAME])
{
    const char *at = strstr(object, mark);
    const char *start = at ? at + strlen(mark) : "";
    snprintf(name, OWNER_NAME, "%.*s", (int)strcspn(start, "."), start);
}

void map_owner_name(const char *object, char name[OWNER_NAME])
{
    static const struct {
        const char *part, *name;
    } owners[] = {{"libc.a(", "newlib"},          {"libgcc.a(", "libgcc"},          {"/obj/boot/", "boot"},
                  {"/obj/platform/", "platform"}, {"/obj/image/common/", "common"}, {"/obj/", "image"}};
    if (!*object) {
        snprintf(name, OWNER_NAME, "padding");
        return;
    }
    member(object, "policies.a(", name);
    if (!*name)
        member(object, OUTSIDE, name);
    for (size_t i = 0; !*name && i < sizeof owners / sizeof *owners; i++)
        if (strstr(object, owners[i].part))
            snprintf(name, OWNER_NAME, "%s", owners[i].name);
    if (!*name)
        snprintf(name, OWNER_NAME, "%.*s", OWNER_NAME - 1, object);
}

static struct owner *owner_of(struct owner *owners, unsigned *count, const char *object)
{
    char name[OWNER_NAME];
    map_owner_name(object, name);
    for (unsigned i = 0; i < *count; i++)
        if (!strcmp(owners[i].name, name))
            return &owners[i];
    if (*count == OWNERS)
        return &owners[OWNERS - 1];
    struct owner *o = &owners[(*count)++];
    memset(o, 0, sizeof *o);
    strcpy(o->name, name);
    return o;
}

unsigned map_owners(const struct map_file *m, struct owner owners[OWNERS])
{
    unsigned count = 0;
    for (unsigned i = 0; i < m->count; i++) {
        const struct map_piece *p = &m->pieces[i];
        owner_of(owners, &count, p->object)->bytes[p->kind] += p->size;
    }
    return count;
}
