#include "machine.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "base/words.h"
#include "mcu/timing.h"
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

static char *write_table(const struct sim *s, struct mh_error *err)
{
    struct core core;
    if (open_core(&core, s->cfg.mcu.core, err))
        return NULL;
    struct draft d;
    draft_open(&d);
    int status = core_table_write(sim_boots(s), &core, s->swap_count == 0, d.out, err);
    char *text = draft_text(&d);
    core_close(&core);
    if (!status)
        return text;
    free(text);
    return NULL;
}

/* Of an image on a core: a sweep asks for the same ones twice for each run. NULL and `err`: there is none. */
static const char *table_of(const struct sim *s, struct mh_error *err)
{
    static struct memo *tables;
    char key[HASH_TEXT + MH_PATH_MAX + 8];
    snprintf(key, sizeof key, "%s %d %s", sim_boots(s)->sha256, s->swap_count != 0, s->cfg.mcu.core);
    struct memo *t = memo_of(&tables, key);
    if (!t->text)
        t->text = write_table(s, err);
    return t->text;
}

int core_plugin_prepare(const struct sim *s, struct mh_error *err)
{
    char path[HOST_PATH];
    const char *t = table_of(s, err);
    return !t || path_join(path, s->dir, "core.table", err) || write_file(path, t, strlen(t), err) ? -1 : 0;
}

int core_plugin_hash(const struct sim *s, struct hash *h, struct mh_error *err)
{
    const char *t = table_of(s, err);
    if (t)
        hash_add(h, t, strlen(t));
    return t ? 0 : -1;
}
