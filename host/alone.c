#include "alone.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "setup.h"

static int cache_file(char path[HOST_PATH], char dir[HOST_PATH], const char *key, struct mh_error *err)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    char name[HASH_TEXT + 8];
    bool own = cache && *cache == '/';
    if (!own && !home)
        return mh_fail(err, "neither XDG_CACHE_HOME nor HOME is set");
    snprintf(name, sizeof name, "%s.json", key);
    if (path_join(dir, own ? cache : home, own ? "memhelm/alone" : ".cache/memhelm/alone", err))
        return -1;
    return path_join(path, dir, name, err);
}

/* Hashes of this executable and QEMU, computed once per process. */
static int add_programs(struct hash *h, bool twin, struct mh_error *err)
{
    static char own[HASH_TEXT], emulator[HASH_TEXT];
    char qemu[HOST_PATH];
    if (!*own && hash_file("/proc/self/exe", own, err))
        return -1;
    hash_add(h, own, strlen(own));
    if (twin)
        return 0;
    if (!*emulator && (sim_qemu(qemu, err) || hash_file(qemu, emulator, err)))
        return -1;
    hash_add(h, emulator, strlen(emulator));
    return 0;
}

int alone_key(const struct sim *s, char key[HASH_TEXT], struct mh_error *err)
{
    struct mh_config identity;
    if (setup_identity(&s->cfg, &identity, err))
        return -1;
    struct hash *h = hash_begin();
    int status = setup_hash(&identity, h, err);
    hash_add(h, s->image->sha256, strlen(s->image->sha256));
    if (!status)
        status = add_programs(h, s->image->twin, err);
    hash_end(h, key);
    return status;
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
