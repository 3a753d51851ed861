#include "stack.h"
#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    size_t used = 0;
    *text = 0;
    for (unsigned i = 0; i < path->count && used < size; i++)
        used +=
            (size_t)snprintf(text + used, size - used, "%s%s %u", i ? ", " : "", path->at[i].name, path->at[i].bytes);
}
