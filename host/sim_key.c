#include "sim_key.h"

#include <string.h>

#include "core_plugin.h"
#include "setup.h"

/* Computed once per process. */
static int add_program(struct hash *h, bool twin, struct mh_error *err)
{
    static char own[HASH_TEXT], emulator[HASH_TEXT];
    char qemu[HOST_PATH];
    char *text = twin ? own : emulator;
    if (!*text &&
        (twin ? hash_file("/proc/self/exe", own, err) : sim_qemu(qemu, err) || hash_file(qemu, emulator, err)))
        return -1;
    hash_add(h, text, strlen(text));
    return 0;
}

int sim_key(const struct sim *s, char key[HASH_TEXT], struct mh_error *err)
{
    struct mh_config identity;
    if (setup_identity(&s->cfg, &identity, err))
        return -1;
    struct hash *h = hash_begin();
    int status = setup_hash(&identity, h, err);
    hash_add(h, s->image->sha256, strlen(s->image->sha256));
    if (!status)
        status = add_program(h, s->image->twin, err);
    if (!status && core_plugin_needed(s))
        status = core_plugin_hash(s, h, err);
    hash_end(h, key);
    return status;
}
