#include "mcu_plugin.h"

#include <errno.h>
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

static int write_table(const struct sim *s, FILE *out, struct mh_error *err)
{
    struct core core;
    if (open_core(&core, s->cfg.mcu.core, err))
        return -1;
    int status = core_table_write(s->image, &core, out, err);
    core_close(&core);
    return status;
}

int core_plugin_prepare(const struct sim *s, struct mh_error *err)
{
    char path[HOST_PATH];
    if (path_join(path, s->dir, "core.table", err))
        return -1;
    FILE *f = fopen(path, "w");
    if (!f)
        return mh_fail(err, "%s: cannot write: %s", path, strerror(errno));
    int status = write_table(s, f, err);
    if (fclose(f) && !status)
        status = mh_fail(err, "%s: cannot write: %s", path, strerror(errno));
    return status;
}

int core_plugin_hash(const struct sim *s, struct hash *h, struct mh_error *err)
{
    char *text = NULL;
    size_t length = 0;
    FILE *f = open_memstream(&text, &length);
    int status = f ? write_table(s, f, err) : mh_fail(err, "out of memory");
    if (f)
        fclose(f);
    if (!status)
        hash_add(h, text, length);
    free(text);
    return status;
}
