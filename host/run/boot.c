#include "boot.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "mcu/signed.h"

int boot_open(struct boot *b, const struct options *o, const struct image *image, struct mh_error *err)
{
    char key[HOST_PATH];
    memset(b, 0, sizeof *b);
    b->counter = o->counter;
    if (path_join(b->rom, exe_dir(), "firmware/rom/rom.bin", err))
        return -1;
    if (access(b->rom, R_OK))
        return mh_fail(err, "the boot ROM '%s' cannot be read: %s; run `make`", b->rom, strerror(errno));
    if (o->key ? path_join(key, o->key, "", err) : key_development(key, err))
        return -1;
    if (key_read(&b->key, key, err) ||
        (o->signed_file ? path_join(b->slot, o->signed_file, "", err) : signed_path(image, b->slot, err)))
        return -1;
    return signed_check(image, b->slot, &b->key, err);
}

int boot_add(const struct boot *b, struct hash *h, struct mh_error *err)
{
    char slot[HASH_TEXT], rom[HASH_TEXT];
    if (hash_file(b->slot, slot, err) || hash_file(b->rom, rom, err))
        return -1;
    hash_add(h, slot, sizeof slot);
    hash_add(h, rom, sizeof rom);
    hash_add(h, b->key.public, sizeof b->key.public);
    hash_add(h, &b->counter, sizeof b->counter);
    return 0;
}

int boot_prepare(const struct sim *s, struct mh_error *err)
{
    char path[HOST_PATH];
    return path_join(path, s->dir, "fuses.bin", err) ||
                   write_file(path, (const char *)s->boot->key.public, sizeof s->boot->key.public, err)
               ? -1
               : 0;
}

json_t *boot_json(const struct sim *s)
{
    char path[HOST_PATH], rom[HASH_TEXT];
    if (!s->boot || path_join(path, s->dir, "boot.json", NULL) || hash_file(s->boot->rom, rom, NULL))
        return NULL;
    json_t *boot = json_load_file(path, 0, NULL);
    if (boot)
        json_put(boot, "rom_sha256", json_string(rom));
    return boot;
}
