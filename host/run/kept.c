#include "store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "machine.h"
#include "jobs.h"
#include "base/hash.h"
#include "setup.h"

unsigned kept_load(struct kept_sim *const *sims, unsigned count, struct store *st)
{
    unsigned found = 0;
    for (unsigned i = 0; i < count; i++) {
        struct kept_sim *s = sims[i];
        if (s->sim.state != SIM_WAITING || !store_find(st, s->key.text, &s->sim))
            continue;
        s->kept = true;
        found++;
    }
    store_report_damage(st);
    return found;
}

struct keeper {
    struct store *store;
    bool failed, leave_dirs;
};

static void finished(void *ctx, struct sim *sim)
{
    struct keeper *k = ctx;
    const struct kept_sim *s = (struct kept_sim *)sim;
    struct mh_error err;
    if (k->store && !s->fleeting && store_keep(k->store, s->key.text, s->what, sim, &err) && !k->failed) {
        k->failed = true;
        fprintf(stderr, "\nmemhelm: warning: results are not kept, a next call runs them again: %s\n", err.text);
    }
}

static void left(void *ctx, struct sim *sim)
{
    const struct keeper *k = ctx;
    if (!k->leave_dirs && !((struct kept_sim *)sim)->fleeting)
        remove_tree(sim->dir);
}

int kept_run(struct kept_sim *const *sims, unsigned count, struct store *st, unsigned jobs, bool leave_dirs)
{
    struct keeper k = {.store = st, .leave_dirs = leave_dirs};
    const struct jobs_hooks hooks = {finished, left, &k};
    unsigned waiting = 0;
    struct sim **list = must_have(count, sizeof *list);
    for (unsigned i = 0; i < count; i++)
        if (sims[i]->sim.state == SIM_WAITING)
            list[waiting++] = &sims[i]->sim;
    int signal = jobs_run(list, waiting, jobs, &hooks);
    free(list);
    return signal;
}

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
    add(h, sim_boots(s)->sha256);
    add(h, s->image->twin ? "twin" : "qemu");
    add_settings(h, &sim_boots(s)->settings);
    for (unsigned i = 0; i < s->swap_count; i++) {
        char when[MH_SWAP_TEXT];
        mh_swap_when_write(&s->swaps[i].when, when);
        add(h, when);
        add(h, s->swaps[i].image->sha256);
        add_settings(h, &s->swaps[i].image->settings);
        hash_add(h, &s->probation, sizeof s->probation);
    }
#ifdef MH_DEBUG
    add(h, "debug");
#endif
    int status = core_plugin_needed(s) ? core_plugin_hash(s, h, err) : 0;
    if (!status && s->boot)
        status = boot_add(s->boot, h, err);
    hash_end(h, key->text);
    return status;
}
