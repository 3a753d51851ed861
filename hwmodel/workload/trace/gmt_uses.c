#include "workload/trace/gmt.h"
#include "workload/trace/trace.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct mh_gmt_last *find(struct mh_gmt_table *t, uint32_t pc)
{
    uint32_t i = pc * 0x9e3779b1u >> 7;

    for (;; i++) {
        struct mh_gmt_last *l = &t->last[i & (t->size - 1)];

        if (l->pc == pc || l->pc == 0)
            return l;
    }
}

static bool grow(struct mh_gmt_table *t)
{
    struct mh_gmt_table old = *t;

    t->size = old.size ? old.size * 2 : 64;
    t->last = calloc(t->size, sizeof *t->last);
    if (!t->last) {
        *t = old;
        return false;
    }
    for (uint32_t i = 0; i < old.size; i++)
        if (old.last[i].pc)
            *find(t, old.last[i].pc) = old.last[i];
    free(old.last);
    return true;
}

struct mh_gmt_last *mh_gmt_table_get(struct mh_gmt_table *t, uint32_t pc, uint64_t warp)
{
    struct mh_gmt_last *l;

    if (t->count * 2 >= t->size && !grow(t))
        return NULL;
    l = find(t, pc);
    if (l->pc == 0) {
        if (t->count == MH_TRACE_MAX_PCS)
            return NULL;
        t->count++;
        *l = (struct mh_gmt_last){.pc = pc, .warp = warp};
    }
    if (l->warp != warp) {
        l->warp = warp;
        l->address = 0;
    }
    return l;
}

void mh_gmt_table_reset(struct mh_gmt_table *t)
{
    for (uint32_t i = 0; i < t->size; i++)
        t->last[i].warp = UINT64_MAX;
}

void mh_gmt_table_free(struct mh_gmt_table *t)
{
    free(t->last);
    *t = (struct mh_gmt_table){0};
}

static int by_pc(const void *a, const void *b)
{
    const struct mh_gmt_use *x = a, *y = b;

    return (x->pc > y->pc) - (x->pc < y->pc);
}

/* DIR/NAME.w32.gmt.zst -> DIR/NAME.pcs.json */
static char *name_of(const char *path)
{
    static const char end[] = ".pcs.json";
    const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path, *at = strstr(file, ".gmt");
    size_t stem = at ? (size_t)(at - path) : strlen(path);
    char *name = malloc(stem + sizeof end);

    if (!name)
        return NULL;
    if (at && at - file > 4 && (!strncmp(at - 4, ".w32", 4) || !strncmp(at - 4, ".w64", 4)))
        stem -= 4;
    memcpy(name, path, stem);
    memcpy(name + stem, end, sizeof end);
    return name;
}

static bool get_use(struct mh_gmt_use *to, const json_t *from)
{
    const json_t *pc = json_object_get(from, "pc"), *use = json_object_get(from, "use");

    json_int_t n = json_integer_value(pc), distance = json_integer_value(use);

    if (!json_is_integer(pc) || !json_is_integer(use) || n < 1 || n > UINT32_MAX || distance < INT32_MIN ||
        distance > INT32_MAX)
        return false;
    to->pc = (uint32_t)n;
    to->distance = distance >= 0 ? (uint32_t)distance : distance == -1 ? MH_USE_NEVER : (uint32_t)(-2 - distance);
    return true;
}

static bool get_uses(struct mh_gmt_uses *u, const json_t *list, const char *name, struct mh_error *err)
{
    size_t count = json_array_size(list);

    u->use = calloc(count + 1, sizeof *u->use);
    if (!u->use)
        return mh_fail(err, "%.384s: out of memory", name) == 0;
    if (!json_is_array(list))
        return mh_fail(err, "%.384s: expected a list of instructions: get the file again, or remove it", name) == 0;
    for (u->count = 0; u->count < count; u->count++)
        if (!get_use(&u->use[u->count], json_array_get(list, u->count)))
            return mh_fail(err, "%.384s: entry %zu: expected whole numbers 'pc' above 0 and 'use'", name, u->count) ==
                   0;
    qsort(u->use, u->count, sizeof *u->use, by_pc);
    for (size_t i = 1; i < u->count; i++)
        if (u->use[i].pc == u->use[i - 1].pc)
            return mh_fail(err, "%.384s: 'pc' %u is there twice", name, u->use[i].pc) == 0;
    return true;
}

bool mh_gmt_uses_read(struct mh_gmt_uses *u, const char *path, char **found, struct mh_error *err)
{
    char *name = name_of(path);

    json_error_t where;
    json_t *list;
    bool good;

    *found = NULL;
    if (!name)
        return mh_fail(err, "%.384s: out of memory", path) == 0;
    if (access(name, F_OK)) {
        free(name);
        return true;
    }
    *found = name;
    list = json_load_file(name, JSON_REJECT_DUPLICATES, &where);
    if (!list)
        return mh_fail(err, "%.384s:%d: %.200s", name, where.line, where.text) == 0;
    good = get_uses(u, list, name, err);
    json_decref(list);
    return good;
}

void mh_gmt_uses_free(struct mh_gmt_uses *u)
{
    free(u->use);
    *u = (struct mh_gmt_uses){0};
}

static uint32_t distance_of(const struct mh_gmt_uses *u, uint32_t pc)
{
    const struct mh_gmt_use key = {.pc = pc}, *use = NULL;

    if (u->count)
        use = bsearch(&key, u->use, u->count, sizeof *u->use, by_pc);
    return use ? use->distance : 0;
}

/* Uses in the gap, and by the op itself. */
static void take_uses(struct mh_gmt_warp *w, const struct mh_op *op)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < w->pending; i++)
        if (w->load[i].use <= w->count + op->gap)
            mh_need_load(&w->need, w->load[i].load, (uint32_t)(w->load[i].use - w->count));
        else
            w->load[kept++] = w->load[i];
    w->pending = kept;
}

static void add_pending(struct mh_gmt_warp *w, uint32_t distance)
{
    if (w->pending == MH_GMT_PENDING) {
        mh_need_load(&w->need, w->load[0].load, 0);
        memmove(w->load, w->load + 1, --w->pending * sizeof *w->load);
    }
    w->load[w->pending++] = (struct mh_gmt_pending){w->need.issued, w->count + distance};
}

void mh_gmt_uses_apply(const struct mh_gmt_uses *u, struct mh_gmt_warp *w, struct mh_op *op)
{
    uint32_t distance;

    take_uses(w, op);
    mh_need_take(&w->need, op);
    w->count += op->gap + 1ull;
    if (op->kind != MH_OP_LOAD)
        return;
    w->need.issued++;
    distance = distance_of(u, op->pc);
    if (distance != MH_USE_NEVER)
        add_pending(w, distance);
}
