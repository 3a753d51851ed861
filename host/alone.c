#include "alone.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int cache_dir(char dir[HOST_PATH], const char *name, struct mh_error *err)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    char below[64];
    bool own = cache && *cache == '/';
    if (!own && !home)
        return mh_fail(err, "neither XDG_CACHE_HOME nor HOME is set");
    snprintf(below, sizeof below, "%smemhelm%s%s", own ? "" : ".cache/", *name ? "/" : "", name);
    return path_join(dir, own ? cache : home, below, err);
}

static int cache_file(char path[HOST_PATH], char dir[HOST_PATH], const char *key, struct mh_error *err)
{
    char name[HASH_TEXT + 8];
    snprintf(name, sizeof name, "%s.json", key);
    return cache_dir(dir, "alone", err) || path_join(path, dir, name, err) ? -1 : 0;
}

bool alone_load(struct sim *s, const char *key)
{
    char path[HOST_PATH], dir[HOST_PATH];
    struct mh_error unused;
    if (cache_file(path, dir, key, &unused) || access(path, R_OK))
        return false;
    if (mh_record_read(path, &s->result, &unused) || s->result.end != MH_END_PASS)
        return false;
    s->state = SIM_DONE;
    return true;
}

void alone_store(const struct sim *s, const char *key)
{
    char path[HOST_PATH], dir[HOST_PATH], from[HOST_PATH];
    struct mh_error err;
    if (s->state != SIM_DONE || s->result.end != MH_END_PASS)
        return;
    if (cache_file(path, dir, key, &err) || make_dirs(dir, &err) || path_join(from, s->dir, "result.json", &err) ||
        copy_file(from, path, &err))
        fprintf(stderr, "memhelm: warning: an alone run is not cached: %s\n", err.text);
}
