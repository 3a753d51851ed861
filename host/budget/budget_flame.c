#include "budget_report.h"

#include <stdlib.h>
#include <string.h>

#include "profile/line_costs.h"
#include "base/memory.h"

enum { FILE_NAME = 256 };

/* The run that is shown. */
struct shown {
    const struct program *p;
    const struct code *code;
    const struct profile *profile;
    struct lines *lines;
    struct place *places; /* of functions */
    char (*files)[FILE_NAME];
};

/* As in the tree: "build/firmware/obj/boot/main.c.o" is firmware/boot/main.c; of a library its name. */
static void file_of(const struct program *p, unsigned function, char path[FILE_NAME])
{
    static const char policies[] = "policies.a(", objects[] = "/obj/";
    const char *object = p->mapped ? map_object(&p->map, p->symbols.list[function].address) : NULL, *at;
    char owner[OWNER_NAME] = "unknown";
    if (object && (at = strstr(object, policies)))
        snprintf(path, FILE_NAME, "firmware/policy/%.*s", (int)(strcspn(at, ")") - strlen(policies) - 2),
                 at + strlen(policies));
    else if (object && (at = strstr(object, objects)))
        snprintf(path, FILE_NAME, "firmware/%.*s", (int)(strlen(at) - strlen(objects) - 2), at + strlen(objects));
    else {
        if (object)
            map_owner_name(object, owner);
        snprintf(path, FILE_NAME, "%s", owner);
    }
}

static const char *name_of(const void *ctx, unsigned function)
{
    const struct shown *s = ctx;
    return s->p->functions[function].name;
}

static struct place place_of_function(const void *ctx, unsigned function)
{
    const struct shown *s = ctx;
    return s->places[function];
}

static struct place place_of_address(const void *ctx, uint32_t address)
{
    const struct shown *s = ctx;
    return lines_at(s->lines, address);
}

/* Functions that end with a jump to the next one, at most: each takes the frame of the one before. */
enum { JUMPS = 4 };

static bool jumps_to(const struct stack_function *all, unsigned function, unsigned callee, unsigned jumps)
{
    const struct stack_function *f = &all[function];
    for (unsigned i = 0; jumps && i < f->count; i++)
        if (f->edges[i].callee == callee || jumps_to(all, f->edges[i].callee, callee, jumps - 1))
            return true;
    return false;
}

/* The first executed call of `callee` in `caller`; else a call of a function that ends with a jump to `callee`. */
static struct place place_of_call(const void *ctx, unsigned caller, unsigned callee)
{
    const struct shown *s = ctx;
    const struct stack_function *all = s->p->functions, *f = &all[caller];
    uint32_t first = UINT32_MAX, by = UINT32_MAX;
    for (unsigned i = 0; i < f->count; i++) {
        const struct stack_edge *e = &f->edges[i];
        if (!profile_at(s->profile, e->at))
            continue;
        if (e->callee == callee && e->at < first)
            first = e->at;
        if (jumps_to(all, e->callee, callee, JUMPS) && e->at < by)
            by = e->at;
    }
    if (first == UINT32_MAX)
        first = by;
    return lines_at(first == UINT32_MAX ? NULL : s->lines, first);
}

static const struct budget_run *shown_run(const struct budget *b)
{
    const struct budget_run *last = NULL;
    for (unsigned i = 0; i < b->run_count; i++)
        if (b->runs[i].image == 0 && b->runs[i].workload->check && b->runs[i].profile)
            last = &b->runs[i];
    return last;
}

static void open_shown(struct shown *s, const struct budget *b, const struct budget_run *r)
{
    const struct budget_image *i = &b->images[r->image];
    unsigned count = i->program.symbols.count;
    *s = (struct shown){.p = &i->program,
                        .code = &i->code,
                        .profile = r->profile,
                        .lines = lines_open(i->image.path),
                        .places = must_have(count, sizeof *s->places),
                        .files = must_have(count, sizeof *s->files)};
    for (unsigned f = 0; f < count; f++) {
        s->places[f] = lines_function(s->lines, i->program.symbols.list[f].address);
        file_of(s->p, f, s->files[f]);
        if (!s->places[f].file)
            s->places[f].file = s->files[f];
    }
}

static void close_shown(struct shown *s)
{
    lines_close(s->lines);
    free(s->places);
    free(s->files);
}

static void write_callgrind(const struct shown *s, const struct flame_names *names, FILE *f)
{
    struct line_costs costs;
    line_costs_find(&costs, s->profile, s->code, s->p->symbols.count, place_of_address, s);
    flame_write_callgrind(s->profile, &costs, names, f);
    line_costs_free(&costs);
}

static int write_one(const struct shown *s, const char *path, bool callgrind, struct mh_error *err)
{
    const struct flame_names names = {name_of, place_of_function, place_of_call, s};
    struct draft d;
    draft_open(&d);
    if (callgrind)
        write_callgrind(s, &names, d.out);
    else
        flame_write_folded(s->profile, &names, d.out);
    return draft_write(&d, path, err);
}

int budget_write_flames(const struct budget *b, struct mh_error *err)
{
    const struct budget_request *q = b->request;
    if (!q->flame && !q->callgrind)
        return 0;
    const struct budget_run *r = shown_run(b);
    struct shown s;
    if (!r)
        return mh_fail(err, "%s: no run whose functions could be shown", b->images[0].image.name);
    open_shown(&s, b, r);
    int status = q->flame ? write_one(&s, q->flame, false, err) : 0;
    if (!status && q->callgrind)
        status = write_one(&s, q->callgrind, true, err);
    close_shown(&s);
    return status;
}
