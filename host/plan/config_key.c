#include "config_key.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "memhelm/config_file.h"

struct wanted {
    const char *key;
    double value;
};

static void take_value(void *ctx, const char *key, const char *text, bool number)
{
    struct wanted *w = ctx;
    if (number && !strcmp(w->key, key))
        w->value = strtod(text, NULL);
}

double config_key_value(const struct mh_config *cfg, const char *key)
{
    struct wanted w = {key, (double)NAN};
    mh_config_visit(cfg, take_value, &w);
    return w.value;
}

/* Calls `visit` for the keys of a configuration: they are the same in all presets. */
static void visit_keys(void (*visit)(void *ctx, const char *key, const char *text, bool number), void *ctx)
{
    struct mh_error none;
    struct mh_config *cfg = must_have(1, sizeof *cfg);
    if (!mh_config_preset(cfg, "mask", &none))
        mh_config_visit(cfg, visit, ctx);
    free(cfg);
}

bool config_key_is(const char *key)
{
    struct wanted w = {key, (double)NAN};
    visit_keys(take_value, &w);
    return !isnan(w.value);
}

static void try_key(void *ctx, const char *key, const char *text, bool number)
{
    (void)text;
    if (number && strncmp(key, "tenants", 7) != 0)
        nearest_try(ctx, key);
}

struct nearest config_key_near(const char *key)
{
    struct nearest near = nearest_begin(key, "");
    visit_keys(try_key, &near);
    return near;
}
