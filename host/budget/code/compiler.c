#include "compiler.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/patterns.h"

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
    struct object_graph *grown = grow(c->objects, c->count, &c->room, sizeof *grown);
    if (!grown) {
        (void)mh_fail(err, "out of memory");
        return NULL;
    }
    c->objects = grown;
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
