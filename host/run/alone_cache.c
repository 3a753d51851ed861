#include "alone_cache.h"

#include <stdlib.h>

#include "store.h"
#include "setup.h"

int cache_dir(char dir[HOST_PATH], struct mh_error *err)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    bool own = cache && *cache == '/';
    if (!own && !home)
        return mh_fail(err, "neither XDG_CACHE_HOME nor HOME is set");
    return path_join(dir, own ? cache : home, own ? "memhelm" : ".cache/memhelm", err);
}

bool alone_load(struct sim *s, const char *key)
{
    struct mh_error unused;
    struct store *st = store_open(NULL, &unused);
    bool found = st && store_find(st, key, s);
    if (st) {
        store_report_damage(st);
        store_close(st);
    }
    return found;
}

void alone_store(const struct sim *s, const char *key)
{
    char what[256];
    struct mh_error err;
    struct store *st = store_open(NULL, &err);
    snprintf(what, sizeof what, "%s alone %s", s->image->name, setup_kernel_name(&s->cfg.tenants[0]));
    if (!st || store_keep(st, key, what, s, &err))
        fprintf(stderr, "memhelm: warning: an alone run is not kept: %s\n", err.text);
    if (st)
        store_close(st);
}
