#include "boot.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "mcu/signed.h"

/* `file` NULL: the one beside the image. */
static int open_signed(const struct boot *b, const struct image *image, const char *file, char path[HOST_PATH],
                       struct mh_error *err)
{
    if (file ? path_join(path, file, "", err) : signed_path(image, path, err))
        return -1;
    return signed_check(image, path, &b->key, err);
}

static int open_swapped(struct boot *b, const struct options *o, const struct image *const *swapped,
                        struct mh_error *err)
{
    for (b->swap_count = 0; b->swap_count < o->swap_count; b->swap_count++)
        if (open_signed(b, swapped[b->swap_count], o->swaps[b->swap_count].signed_file, b->swap[b->swap_count], err))
            return -1;
    return 0;
}

int boot_open(struct boot *b, const struct options *o, const struct image *image, const struct image *const *swapped,
              struct mh_error *err)
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
    if (key_read(&b->key, key, err) || open_signed(b, image, o->signed_file, b->slot, err))
        return -1;
    return open_swapped(b, o, swapped, err);
}

static int add_file(struct hash *h, const char *path, struct mh_error *err)
{
    char text[HASH_TEXT];
    if (hash_file(path, text, err))
        return -1;
    hash_add(h, text, sizeof text);
    return 0;
}

int boot_add(const struct boot *b, struct hash *h, struct mh_error *err)
{
    if (add_file(h, b->slot, err) || add_file(h, b->rom, err))
        return -1;
    for (unsigned i = 0; i < b->swap_count; i++)
        if (add_file(h, b->swap[i], err))
            return -1;
    hash_add(h, b->key.public, sizeof b->key.public);
    hash_add(h, &b->counter, sizeof b->counter);
    return 0;
}

int boot_prepare(const struct sim *s, struct mh_error *err)
{
    char path[HOST_PATH], name[24];
    if (path_join(path, s->dir, "fuses.bin", err) ||
        write_file(path, (const char *)s->boot->key.public, sizeof s->boot->key.public, err))
        return -1;
    for (unsigned i = 0; i < s->boot->swap_count; i++) {
        snprintf(name, sizeof name, "swap-%u.signed", i);
        if (path_join(path, s->dir, name, err) || copy_file(s->boot->swap[i], path, err))
            return -1;
    }
    return 0;
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
