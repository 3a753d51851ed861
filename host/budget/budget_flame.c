#include "budget_flame.h"

#include <stdlib.h>
#include <string.h>

#include "flame.h"

static const char *name_of(const void *ctx, unsigned function)
{
    const struct program *p = ctx;
    return p->functions[function].name;
}

/* As in the tree: "build/firmware/obj/boot/main.c.o" is firmware/boot/main.c; of a library its name. */
static void file_of(const void *ctx, unsigned function, char *path, size_t size)
{
    static const char policies[] = "policies.a(", objects[] = "/obj/";
    const struct program *p = ctx;
    const char *object = p->mapped ? map_object(&p->map, p->symbols.list[function].address) : NULL, *at;
    char owner[OWNER_NAME] = "unknown";
    if (object && (at = strstr(object, policies)))
        snprintf(path, size, "firmware/policy/%.*s", (int)(strcspn(at, ")") - strlen(policies) - 2),
                 at + strlen(policies));
    else if (object && (at = strstr(object, objects)))
        snprintf(path, size, "firmware/%.*s", (int)(strlen(at) - strlen(objects) - 2), at + strlen(objects));
    else {
        if (object)
            map_owner_name(object, owner);
        snprintf(path, size, "%s", owner);
    }
}

static const struct budget_run *shown(const struct budget *b)
{
    const struct budget_run *last = NULL;
    for (unsigned i = 0; i < b->run_count; i++)
        if (b->runs[i].image == 0 && b->runs[i].workload->check && b->runs[i].profile)
            last = &b->runs[i];
    return last;
}

static int write_one(const struct profile *p, const struct flame_names *names, const char *path, bool callgrind,
                     struct mh_error *err)
{
    char *text = NULL;
    size_t length = 0;
    int status = 0;
    FILE *f = open_memstream(&text, &length);
    if (!f)
        return mh_fail(err, "%s: out of memory", path);
    if (callgrind)
        status = flame_write_callgrind(p, names, f);
    else
        flame_write_folded(p, names, f);
    status = fclose(f) || status ? mh_fail(err, "%s: out of memory", path) : write_file(path, text, length, err);
    free(text);
    return status;
}

int budget_write_flames(const struct budget *b, struct mh_error *err)
{
    const struct budget_request *q = b->request;
    if (!q->flame && !q->callgrind)
        return 0;
    const struct budget_run *r = shown(b);
    if (!r)
        return mh_fail(err, "%s: no run whose functions could be shown", b->images[0].image.name);
    const struct flame_names names = {name_of, file_of, &b->images[0].program};
    if (q->flame && write_one(r->profile, &names, q->flame, false, err))
        return -1;
    return q->callgrind ? write_one(r->profile, &names, q->callgrind, true, err) : 0;
}
