#include "mcu_plugin.h"

#include <stdlib.h>
#include <string.h>

#include "mcu/plugin_table.h"
#include "base/json.h"

/* The core whose every instruction takes one cycle, as QEMU counts by itself. */
#define PLAIN_CORE "ipc1"

bool core_plugin_needed(const struct sim *s)
{
    return !s->image->twin && (s->view.counts || strcmp(s->cfg.mcu.core, PLAIN_CORE));
}

int core_plugin_path(char path[HOST_PATH], struct mh_error *err)
{
    return built_file(path, "the plugin that times the mcu", "core-plugin.path", "MEMHELM_CORE_PLUGIN", err);
}

static int open_core(struct core *core, const char *name, struct mh_error *err)
{
    struct mh_error why;
    return core_open(core, name, &why) ? mh_fail(err, "mcu.core: %.900s", why.text) : 0;
}

int core_name_check(const char *name, struct mh_error *err)
{
    static char good[MH_PATH_MAX]; /* a sweep asks for each point */
    struct core core;
    if (!strcmp(name, PLAIN_CORE) || !strcmp(name, good))
        return 0;
    if (open_core(&core, name, err))
        return -1;
    core_close(&core);
    snprintf(good, sizeof good, "%s", name);
    return 0;
}

int core_plugin_check(const char *name, struct mh_error *err)
{
    char path[HOST_PATH];
    return core_name_check(name, err) || (strcmp(name, PLAIN_CORE) && core_plugin_path(path, err)) ? -1 : 0;
}

json_t *core_plugin_json(const struct sim *s)
{
    struct core core;
    struct mh_error err;
    if (s->image->twin || open_core(&core, s->cfg.mcu.core, &err))
        return json_null();
    json_t *o = json_object();
    json_put(o, "name", json_string(core.name));
    json_put(o, "sha256", json_string(core.sha256));
    core_close(&core);
    return o;
}

/* Text of an image on a core. Kept to the program's end: a sweep asks for the same ones twice for each run. */
struct table {
    struct table *next;
    char image[HASH_TEXT], core[MH_PATH_MAX];
    bool swapped;
    char *text;
    size_t length;
};

static int write_table(const struct sim *s, struct table *t, struct mh_error *err)
{
    struct core core;
    if (open_core(&core, s->cfg.mcu.core, err))
        return -1;
    FILE *f = open_memstream(&t->text, &t->length);
    int status = f ? core_table_write(sim_boots(s), &core, s->swap_count == 0, f, err) : mh_fail(err, "out of memory");
    if (f)
        fclose(f);
    core_close(&core);
    return status;
}

/* NULL and `err`: there is none. */
static const struct table *table_of(const struct sim *s, struct mh_error *err)
{
    static struct table *tables;
    for (const struct table *t = tables; t; t = t->next)
        if (!strcmp(t->image, sim_boots(s)->sha256) && !strcmp(t->core, s->cfg.mcu.core) &&
            t->swapped == (s->swap_count != 0))
            return t;
    struct table *t = calloc(1, sizeof *t);
    if (!t || write_table(s, t, err)) {
        if (t)
            free(t->text);
        else
            (void)mh_fail(err, "out of memory");
        free(t);
        return NULL;
    }
    strcpy(t->image, sim_boots(s)->sha256);
    strcpy(t->core, s->cfg.mcu.core);
    t->swapped = s->swap_count != 0;
    t->next = tables;
    tables = t;
    return t;
}

int core_plugin_prepare(const struct sim *s, struct mh_error *err)
{
    char path[HOST_PATH];
    const struct table *t = table_of(s, err);
    return !t || path_join(path, s->dir, "core.table", err) || write_file(path, t->text, t->length, err) ? -1 : 0;
}

int core_plugin_hash(const struct sim *s, struct hash *h, struct mh_error *err)
{
    const struct table *t = table_of(s, err);
    if (t)
        hash_add(h, t->text, t->length);
    return t ? 0 : -1;
}
