#define _GNU_SOURCE
#include "build_files.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/words.h"

void compiler_init(struct compiler *c, const char *elf)
{
    const char *at = NULL;
    memset(c, 0, sizeof *c);
    for (const char *next = elf; (next = strstr(next, "/firmware/")); next++)
        at = next;
    if (at)
        snprintf(c->build, sizeof c->build, "%.*s", (int)(at - elf), elf);
}

void compiler_free(struct compiler *c)
{
    for (unsigned i = 0; i < c->count; i++)
        callgraph_free(&c->objects[i].graph);
    free(c->objects);
    memset(c, 0, sizeof *c);
}

/* Where .ci files of members and objects are: what stands before the name in the map, and in the build. */
static const struct {
    const char *mark, *folder;
    bool required; /* of C files */
} places[] = {{"policies.a(", "/firmware/obj/policy/", true},
              {"libc.a(", "/newlib/ci/*-", false},
              {"/firmware/obj/", "/firmware/obj/", true}};

/* "dir/obj/fw.c.o" -> "BUILD/firmware/obj/fw.c.ci"; empty for an object that has none. Is one required? */
static int pattern_of(const struct compiler *c, const char *object, char pattern[HOST_PATH], bool *required,
                      struct mh_error *err)
{
    *pattern = 0;
    for (size_t i = 0; *c->build && i < sizeof places / sizeof *places; i++) {
        const char *at = strstr(object, places[i].mark), *end = at ? strstr(at, ".o") : NULL;
        if (!end)
            continue;
        at += strlen(places[i].mark);
        char build[HOST_PATH];
        patterns_quote(build, sizeof build, c->build);
        int n = snprintf(pattern, HOST_PATH, "%s%s%.*s.ci", build, places[i].folder, (int)(end - at), at);
        *required = places[i].required && end - at > 2 && !memcmp(end - 2, ".c", 2);
        return n < HOST_PATH ? 0 : mh_fail(err, "%.100s..: path of more than %d bytes", pattern, HOST_PATH - 1);
    }
    return 0;
}

static int read_graphs(struct callgraph *g, const glob_t *found, struct mh_error *err)
{
    for (size_t i = 0; i < found->gl_pathc; i++) {
        size_t length;
        char *text = read_file(found->gl_pathv[i], &length, err);
        int status = text ? callgraph_parse(g, found->gl_pathv[i], text, length, err) : -1;
        free(text);
        if (status)
            return -1;
    }
    return 0;
}

static int load(const struct compiler *c, const char *object, struct callgraph *g, struct mh_error *err)
{
    char pattern[HOST_PATH];
    bool required = false;
    glob_t found = {0};
    if (pattern_of(c, object, pattern, &required, err))
        return -1;
    if (!*pattern)
        return 0;
    glob(pattern, 0, NULL, &found);
    int status = required && !found.gl_pathc
                     ? mh_fail(err, "%s is missing: remove the folder obj it is in, then `make firmware`", pattern)
                     : read_graphs(g, &found, err);
    globfree(&found);
    return status;
}

static struct callgraph *graph_of(struct compiler *c, const char *object, struct mh_error *err)
{
    for (unsigned i = 0; i < c->count; i++)
        if (!strcmp(c->objects[i].object, object))
            return &c->objects[i].graph;
    c->objects = grow(c->objects, c->count, &c->room, sizeof *c->objects);
    struct object_graph *o = &c->objects[c->count++];
    *o = (struct object_graph){.object = object};
    return load(c, object, &o->graph, err) ? NULL : &o->graph;
}

int compiler_find(struct compiler *c, const char *object, const char *name, struct compiled *out, struct mh_error *err)
{
    const struct callgraph_function *f;
    struct callgraph *g = graph_of(c, object, err);
    if (!g)
        return -1;
    *out = (struct compiled){.bounded = true};
    for (unsigned n = 0; (f = callgraph_find(g, name, n)); n++) {
        out->known = true;
        out->bounded &= f->bounded;
        out->indirect |= f->indirect;
        out->frame = f->frame > out->frame ? f->frame : out->frame;
    }
    return 0;
}

/* One text of the format VCG: attributes `word: "text"` between braces, a node or an edge each line. */
struct reader {
    struct callgraph *g;
    unsigned first; /* function of this file */
    const char *name;
    unsigned line;
    struct mh_error *err;
};

struct span {
    const char *at;
    size_t length;
};

static int refuse(const struct reader *r, const char *what)
{
    return mh_fail(r->err, "%s:%u: %s; it is written by gcc -fcallgraph-info=su", r->name, r->line, what);
}

/* The text of attribute `key` ("title: \""); a null pointer when the line has none or it does not end. */
static struct span attribute(struct span line, const char *key)
{
    const char *at = memmem(line.at, line.length, key, strlen(key));
    if (!at)
        return (struct span){NULL, 0};
    at += strlen(key);
    const char *end = memchr(at, '"', (size_t)(line.at + line.length - at));
    return end ? (struct span){at, (size_t)(end - at)} : (struct span){NULL, 0};
}

static bool begins(struct span line, const char *word)
{
    return line.length >= strlen(word) && !memcmp(line.at, word, strlen(word));
}

/* A static function is FILE:NAME. */
static struct span bare(struct span title)
{
    const char *colon = memrchr(title.at, ':', title.length);
    return colon ? (struct span){colon + 1, (size_t)(title.at + title.length - colon - 1)} : title;
}

/* The label ends in "\nN bytes (static)", or (dynamic), (dynamic,bounded); a function of another object has no bytes.
 */
static int frame_of(const struct reader *r, struct span label, struct callgraph_function *f, bool *defined)
{
    static const char bytes[] = " bytes (";
    const char *at = memmem(label.at, label.length, bytes, strlen(bytes));
    uint64_t value = 0, unit = 1;
    *defined = at != NULL;
    if (!at)
        return 0;
    const char *kind = at + strlen(bytes), *digit = at;
    while (digit > label.at && digit[-1] >= '0' && digit[-1] <= '9' && unit <= 1000000000) {
        value += unit * (uint64_t)(*--digit - '0');
        unit *= 10;
    }
    if (digit == at || value > 1000000000)
        return refuse(r, "a frame is no number of bytes");
    f->frame = (uint32_t)value;
    size_t left = (size_t)(label.at + label.length - kind);
    f->bounded = left >= 7 && !memcmp(kind, "static)", 7);
    return 0;
}

static void add(struct callgraph *g, struct callgraph_function f, struct span name)
{
    g->functions = grow(g->functions, g->count, &g->room, sizeof *g->functions);
    f.name = must(strndup(name.at, name.length));
    g->functions[g->count++] = f;
}

static int take_node(struct reader *r, struct span line)
{
    struct span title = attribute(line, "title: \""), label = attribute(line, "label: \"");
    struct callgraph_function f = {0};
    bool defined;
    if (!title.at || !label.at)
        return refuse(r, "a node without title and label");
    if (frame_of(r, label, &f, &defined))
        return -1;
    if (defined)
        add(r->g, f, bare(title));
    return 0;
}

/* Calls are read off the linked program; of pointers only the compiler knows. */
static int take_edge(struct reader *r, struct span line)
{
    struct span source = attribute(line, "sourcename: \""), target = attribute(line, "targetname: \"");
    if (!source.at || !target.at)
        return refuse(r, "an edge without source and target");
    if (!begins(target, "__indirect_call"))
        return 0;
    struct span name = bare(source);
    for (unsigned i = r->first; i < r->g->count; i++) {
        struct callgraph_function *f = &r->g->functions[i];
        f->indirect |= strlen(f->name) == name.length && !memcmp(f->name, name.at, name.length);
    }
    return 0;
}

static int take_line(struct reader *r, struct span line)
{
    if (begins(line, "node: {"))
        return take_node(r, line);
    if (begins(line, "edge: {"))
        return take_edge(r, line);
    if (r->line == 1 ? begins(line, "graph: {") : begins(line, "}") || !line.length)
        return 0;
    return refuse(r, "neither a node nor an edge of a call graph");
}

int callgraph_parse(struct callgraph *g, const char *name, const char *text, size_t length, struct mh_error *err)
{
    struct reader r = {.g = g, .first = g->count, .name = name, .err = err};
    struct span rest = {text, length};
    int status = length ? 0 : mh_fail(err, "%s:1: is empty", name);
    while (!status && rest.length) {
        const char *end = memchr(rest.at, '\n', rest.length);
        struct span line = {rest.at, end ? (size_t)(end - rest.at) : rest.length};
        size_t used = line.length + (end != NULL);
        r.line++;
        status = take_line(&r, line);
        rest = (struct span){rest.at + used, rest.length - used};
    }
    while (status && g->count > r.first)
        free(g->functions[--g->count].name);
    if (status && !g->count)
        callgraph_free(g);
    return status;
}

void callgraph_free(struct callgraph *g)
{
    for (unsigned i = 0; i < g->count; i++)
        free(g->functions[i].name);
    free(g->functions);
    *g = (struct callgraph){0};
}

const struct callgraph_function *callgraph_find(const struct callgraph *g, const char *name, unsigned n)
{
    for (unsigned i = 0; i < g->count; i++)
        if (!strcmp(g->functions[i].name, name) && !n--)
            return &g->functions[i];
    return NULL;
}
