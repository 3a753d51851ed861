#include "program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/words.h"
#include "build_files.h"

enum state { UNSEEN, OPEN, CLOSED };

struct search {
    const struct stack_function *functions;
    struct {
        enum state state;
        uint32_t worst;               /* bytes from its entry down */
        const struct stack_edge *way; /* NULL: its own frame is the deepest */
        unsigned caller;
    } * at;
    struct mh_error *err;
};

/* "a -> b -> a" of the open functions. */
static int circle(const struct search *s, unsigned from, unsigned to)
{
    char text[600], next[600];
    snprintf(text, sizeof text, "%.80s", s->functions[to].name);
    for (unsigned f = from;; f = s->at[f].caller) {
        snprintf(next, sizeof next, "%.80s -> %.500s", s->functions[f].name, text);
        strcpy(text, next);
        if (f == to)
            break;
    }
    return mh_fail(s->err, "%s calls itself: %s; no stack is enough: use a loop", s->functions[to].name, text);
}

static int visit(struct search *s, unsigned f);

static int take_edge(struct search *s, unsigned f, const struct stack_edge *edge)
{
    unsigned to = edge->callee;
    if (s->functions[to].switches)
        return 0;
    if (s->at[to].state == OPEN)
        return circle(s, f, to);
    if (s->at[to].state == UNSEEN) {
        s->at[to].caller = f;
        if (visit(s, to))
            return -1;
    }
    uint32_t worst = edge->depth + s->at[to].worst;
    if (worst > s->at[f].worst) {
        s->at[f].worst = worst;
        s->at[f].way = edge;
    }
    return 0;
}

static int visit(struct search *s, unsigned f)
{
    const struct stack_function *function = &s->functions[f];
    if (function->problem)
        return mh_fail(s->err, "%s%s%s: %s", function->name, s->at[f].caller != f ? ", called by " : "",
                       s->at[f].caller != f ? s->functions[s->at[f].caller].name : "", function->problem);
    s->at[f].state = OPEN;
    s->at[f].worst = function->bytes;
    for (unsigned i = 0; i < function->count; i++)
        if (take_edge(s, f, &function->edges[i]))
            return -1;
    s->at[f].state = CLOSED;
    return 0;
}

/* A tail call has taken the caller's frame off: only those that are on the stack are named. */
static void trace(const struct search *s, unsigned f, struct stack_path *path)
{
    path->bytes = s->at[f].worst;
    path->count = 0;
    for (const struct stack_edge *way; (way = s->at[f].way) && path->count < PATH_FUNCTIONS; f = way->callee) {
        path->at[path->count].name = s->functions[f].name;
        path->at[path->count].bytes = way->depth;
        path->count += way->depth > 0;
    }
    if (path->count == PATH_FUNCTIONS)
        return;
    path->at[path->count].name = s->functions[f].name;
    path->at[path->count++].bytes = s->functions[f].bytes;
}

int stack_deepest(const struct stack_function *functions, unsigned count, unsigned root, struct stack_path *path,
                  struct mh_error *err)
{
    struct search s = {.functions = functions, .err = err};
    s.at = must_have(count, sizeof *s.at);
    s.at[root].caller = root;
    int status = visit(&s, root);
    if (!status)
        trace(&s, root, path);
    free(s.at);
    return status;
}

void stack_path_text(const struct stack_path *path, char *text, size_t size)
{
    *text = 0;
    for (unsigned i = 0; i < path->count; i++)
        text_add(text, size, ", ", "%s %u", path->at[i].name, path->at[i].bytes);
}

const char *const stack_root_names[ROOTS] = {"boot", "handler", "fault"};

/* Assembly that sets sp: where the roots begin, in the same order. */
static const char *const roots[ROOTS] = {"_start", "trap_entry", "trap_fault"};

/* The one file that calls policies, through their table. */
#define CALLER "image/common/fw.c.o"

static bool switching(const char *name)
{
    for (unsigned i = 0; i < ROOTS; i++)
        if (!strcmp(name, roots[i]))
            return true;
    return false;
}

static void problem(struct stack_function *f, const char *text)
{
    if (!f->problem)
        f->problem = must(strdup(text));
}

static void add_edge(struct stack_function *f, unsigned callee, const struct call *call)
{
    f->edges = grow(f->edges, f->count, &f->room, sizeof *f->edges);
    f->edges[f->count++] = (struct stack_edge){callee, call->depth, call->at};
}

static void add_target(struct program *p, struct stack_function *f, const struct call *call, uint32_t target)
{
    char text[160];
    unsigned callee = function_at(&p->symbols, target);
    /* a label inside of a function of assembly is one with it */
    if (callee < p->symbols.count &&
        (p->symbols.list[callee].address == target || switching(p->symbols.list[callee].name))) {
        add_edge(f, callee, call);
        return;
    }
    snprintf(text, sizeof text, "at 0x%x: a call to 0x%x, where no function begins", call->at, target);
    problem(f, text);
}

static bool calls_policies(const struct program *p, uint32_t at)
{
    const char *object = p->mapped ? map_object(&p->map, at) : CALLER;
    size_t n = object ? strlen(object) : 0, m = strlen(CALLER);
    return n >= m && !strcmp(object + n - m, CALLER);
}

/* struct policy is the address of its name, then those of its hooks. */
static bool is_hook(int32_t offset)
{
    return offset >= 4 && offset < 4 * (1 + HOOK_KINDS) && offset % 4 == 0;
}

static void add_hooks(struct program *p, struct stack_function *f, const struct call *call)
{
    char text[160];
    if (!is_hook(call->offset) || !calls_policies(p, call->at)) {
        snprintf(text, sizeof text, "at 0x%x: a call through a pointer that is no hook of the policy table", call->at);
        problem(f, text);
        return;
    }
    for (unsigned i = 0; i < p->hooks.count; i++)
        if ((int32_t)p->hooks.list[i].offset == call->offset)
            add_target(p, f, call, p->hooks.list[i].address);
}

static void add_calls(struct program *p, struct stack_function *f, const struct frame *frame)
{
    for (unsigned i = 0; i < frame->count; i++)
        if (frame->calls[i].indirect)
            add_hooks(p, f, &frame->calls[i]);
        else
            add_target(p, f, &frame->calls[i], frame->calls[i].target);
}

/* Two that know must say the same. */
static void compare(struct program *p, unsigned i, const struct compiled *c)
{
    struct stack_function *f = &p->functions[i];
    char text[160];
    if (!c->known)
        return;
    p->sources[i] = FRAME_AGREED;
    if (c->bounded && c->frame == f->bytes)
        return;
    if (c->bounded)
        snprintf(text, sizeof text, "a frame of %u bytes by the compiler and of %u by its instructions", c->frame,
                 f->bytes);
    else
        snprintf(text, sizeof text,
                 "its frame depends on what happens at run time (alloca, an array of variable size)");
    problem(f, text);
}

/*
 * The handler's stack begins where the interrupted code's ends. That is known of one place: behind all of boot, where
 * the mcu goes to sleep.
 */
static void check_enabled(const char *name, const struct frame *frame, struct stack_function *f)
{
    char text[160];
    uint32_t at = frame->enables;
    bool boot = !strcmp(name, roots[ROOT_BOOT]);
    for (unsigned i = 0; boot && i < frame->count; i++)
        if (frame->calls[i].at > at)
            boot = false;
    if (boot)
        return;
    snprintf(
        text, sizeof text,
        "at 0x%x: interrupts are enabled with work still to do, so the handler would come on top of it; only %s may, "
        "when it calls nobody any more",
        at, roots[ROOT_BOOT]);
    problem(f, text);
}

static void walk(struct program *p, unsigned i, uint8_t *code, const struct compiled *c)
{
    const struct function *function = &p->symbols.list[i];
    struct stack_function *f = &p->functions[i];
    struct frame frame;
    struct mh_error why;
    if (frame_walk(&frame, code, function->address, function->size, c->known && !c->indirect, switching(function->name),
                   &why)) {
        problem(f, why.text);
        return;
    }
    f->bytes = frame.bytes;
    f->switches = frame.switches;
    if (frame.enables)
        check_enabled(function->name, &frame, f);
    if (!strcmp(function->name, roots[ROOT_BOOT]))
        p->asleep = frame.asleep;
    add_calls(p, f, &frame);
    frame_free(&frame);
    compare(p, i, c);
}

static int look_at(struct program *p, struct compiler *compiler, unsigned i, struct mh_error *err)
{
    const struct function *function = &p->symbols.list[i];
    struct compiled c = {0};
    const char *object = p->mapped ? map_object(&p->map, function->address) : NULL;
    p->functions[i].name = function->name;
    p->sources[i] = FRAME_DECODED;
    if (object && compiler_find(compiler, object, function->name, &c, err))
        return -1;
    uint8_t *code = must_have(function->size, 1);
    if (elf_read(p->image->elf, function->address, code, function->size))
        walk(p, i, code, &c);
    else
        problem(&p->functions[i], "its code is not in the file");
    free(code);
    return 0;
}

static int look_at_all(struct program *p, struct mh_error *err)
{
    struct compiler compiler;
    unsigned n = p->symbols.count;
    int status = 0;
    p->functions = must_have(n, sizeof *p->functions);
    p->sources = must_have(n, sizeof *p->sources);
    compiler_init(&compiler, map_is_outside(&p->map) ? "" : p->image->path);
    for (unsigned i = 0; i < n && !status; i++)
        status = look_at(p, &compiler, i, err);
    compiler_free(&compiler);
    return status;
}

/* Number of a function; their count when there is none. */
static unsigned find(const struct program *p, const char *name)
{
    unsigned i = 0;
    while (i < p->symbols.count && strcmp(p->symbols.list[i].name, name))
        i++;
    return i;
}

static int find_deepest(struct program *p, struct mh_error *err)
{
    for (unsigned r = 0; r < ROOTS; r++) {
        struct mh_error why;
        unsigned root = find(p, roots[r]);
        if (root == p->symbols.count)
            return mh_fail(err, "%s has no function %s, where the stack of the %s begins", p->image->name, roots[r],
                           stack_root_names[r]);
        if (stack_deepest(p->functions, p->symbols.count, root, &p->paths[r], &why))
            return mh_fail(err, "%s: the stack of the %s: %.800s", p->image->name, stack_root_names[r], why.text);
        uint32_t bytes = p->paths[r].bytes + (r == ROOT_HANDLER ? p->asleep : 0);
        if (bytes > p->stack) {
            p->stack = bytes;
            p->deepest = r;
        }
    }
    return 0;
}

/* A policy's own stack: what the handler and boot, which call it, have there comes on top. */
static int find_hooks(struct program *p, struct mh_error *err)
{
    p->hook_paths = must_have(p->hooks.count, sizeof *p->hook_paths);
    for (unsigned h = 0; h < p->hooks.count; h++) {
        const struct hook *hook = &p->hooks.list[h];
        unsigned root = function_at(&p->symbols, hook->address);
        struct mh_error why;
        if (root == p->symbols.count || stack_deepest(p->functions, p->symbols.count, root, &p->hook_paths[h], &why))
            return mh_fail(err, "%s: the stack of %s of policy %s: %.700s", p->image->name, hook->kind, hook->policy,
                           root == p->symbols.count ? "it is no function" : why.text);
    }
    return 0;
}

unsigned program_deepest_hook(const struct program *p, const char *policy)
{
    unsigned deepest = p->hooks.count;
    for (unsigned h = 0; h < p->hooks.count; h++)
        if (!strcmp(p->hooks.list[h].policy, policy) &&
            (deepest == p->hooks.count || p->hook_paths[h].bytes > p->hook_paths[deepest].bytes))
            deepest = h;
    return deepest;
}

static int read_map(struct program *p, struct mh_error *err)
{
    char path[HOST_PATH];
    size_t length, stem = strlen(p->image->path);
    if (stem >= 4 && !strcmp(p->image->path + stem - 4, ".elf"))
        stem -= 4;
    snprintf(path, sizeof path, "%.*s.map", (int)(stem < HOST_PATH - 5 ? stem : HOST_PATH - 5), p->image->path);
    if (access(path, R_OK))
        return 0;
    char *text = read_file(path, &length, err);
    if (!text || map_parse(&p->map, path, text, err))
        return -1;
    p->mapped = true;
    return 0;
}

int program_open(struct program *p, const struct image *image, struct mh_error *err)
{
    memset(p, 0, sizeof *p);
    p->image = image;
    if (!read_map(p, err) && !functions_find(&p->symbols, image->elf, image->name, err) &&
        !hooks_find(&p->hooks, image->elf, image->name, err) && !look_at_all(p, err) && !find_deepest(p, err) &&
        !find_hooks(p, err))
        return 0;
    program_close(p);
    return -1;
}

void program_close(struct program *p)
{
    for (unsigned i = 0; p->functions && i < p->symbols.count; i++) {
        free((char *)p->functions[i].problem);
        free(p->functions[i].edges);
    }
    free(p->functions);
    free(p->sources);
    free(p->hook_paths);
    functions_free(&p->symbols);
    map_free(&p->map);
    memset(p, 0, sizeof *p);
}
