#include "sim_key.h"

#include <string.h>

#include "mcu_plugin.h"
#include "base/provenance.h"
#include "setup.h"

static int hash_config(const struct sim *s, char text[HASH_TEXT], struct mh_error *err)
{
    struct mh_config identity;
    if (setup_identity(&s->cfg, &identity, err))
        return -1;
    struct hash *h = hash_begin();
    int status = setup_hash(&identity, h, err);
    hash_end(h, text);
    return status;
}

static void add(struct hash *h, const char *text)
{
    hash_add(h, text, strlen(text) + 1);
}

/* A parameter that is set to its default changes nothing. */
static void add_settings(struct hash *h, const struct settings *s)
{
    for (unsigned i = 0; i < s->count; i++)
        if (s->list[i].value != s->list[i].standard) {
            add(h, s->list[i].name);
            hash_add(h, &s->list[i].value, sizeof s->list[i].value);
        }
}

int sim_key(const struct sim *s, struct sim_key *key, struct mh_error *err)
{
    if (hash_config(s, key->config, err))
        return -1;
    struct hash *h = hash_begin();
    add(h, provenance_model());
    add(h, provenance_machine());
    add(h, key->config);
    add(h, s->image->sha256);
    add(h, s->image->twin ? "twin" : "qemu");
    add_settings(h, &s->image->settings);
#ifdef MH_DEBUG
    add(h, "debug");
#endif
    int status = core_plugin_needed(s) ? core_plugin_hash(s, h, err) : 0;
    hash_end(h, key->text);
    return status;
}
