#include "origin.h"

#include <stdlib.h>
#include <string.h>

enum { PLACE = 400 };

/* The key that a text begins with: up to a colon or a blank. */
static void key_of(const struct mh_error *err, char key[static 64])
{
    snprintf(key, 64, "%.*s", (int)strcspn(err->text, ": "), err->text);
}

/* What follows "'l2.wayz=3': ", which the place says, too. */
static const char *without_set(const char *text, const char *set)
{
    size_t n = strlen(set);
    return *text == '\'' && !strncmp(text + 1, set, n) && !strncmp(text + 1 + n, "': ", 3) ? text + n + 4 : text;
}

int origin_set(struct mh_config *cfg, const char *set, struct mh_error *err)
{
    struct mh_error why;
    if (!mh_config_set(cfg, set, &why))
        return 0;
    return mh_fail(err, "--set %.200s: %.800s", set, without_set(why.text, set));
}

static bool gives(const char *set, const char *key)
{
    size_t n = strlen(key);
    return !strncmp(set, key, n) && set[n] == '=';
}

/* Assignments of the same key go with it: the last one counts. */
static void leave_out(struct options *o, unsigned i)
{
    char key[80];
    unsigned kept = 0;
    snprintf(key, sizeof key, "%.*s", (int)strcspn(o->sets[i], "="), o->sets[i]);
    for (unsigned k = 0; k < o->set_count; k++)
        if (k != i && !gives(o->sets[k], key))
            o->sets[kept++] = o->sets[k];
    o->set_count = kept;
}

static bool passes_without(const struct options *o, unsigned i, origin_make *make)
{
    struct mh_error ignored;
    struct options *less = malloc(sizeof *less);
    struct mh_config *cfg = malloc(sizeof *cfg);
    bool passes = false;
    if (less && cfg) {
        memcpy(less, o, sizeof *less);
        leave_out(less, i);
        passes = !make(less, cfg, &ignored);
    }
    free(cfg);
    free(less);
    return passes;
}

/* Is it refused with the same text by itself, without the other assignments? */
static bool is_refused(const char *set, const struct mh_error *err)
{
    struct mh_error why = {""};
    struct mh_config *cfg = calloc(1, sizeof *cfg);
    bool refused = cfg && mh_config_set(cfg, set, &why) && !strcmp(why.text, err->text);
    free(cfg);
    return refused;
}

/* The assignment to blame, or set_count. */
static unsigned find_set(const struct options *o, origin_make *make, const char *key, const struct mh_error *err)
{
    for (unsigned i = 0; i < o->set_count; i++)
        if (is_refused(o->sets[i], err))
            return i;
    for (unsigned i = o->set_count; i-- > 0;)
        if (passes_without(o, i, make))
            return i;
    for (unsigned i = o->set_count; i-- > 0;)
        if (gives(o->sets[i], key))
            return i;
    return o->set_count;
}

/* Is it refused in the same words with these tenants, on the preset, and nothing else? */
static bool is_designs(const struct mh_config *cfg, const struct mh_error *err)
{
    struct mh_error why = {""};
    struct mh_config *alone = malloc(sizeof *alone);
    if (alone && *cfg->design && !mh_config_preset(alone, cfg->preset, &why) &&
        !mh_config_design(alone, cfg->design, &why)) {
        memcpy(alone->tenants, cfg->tenants, sizeof alone->tenants);
        alone->tenants_count = cfg->tenants_count;
        (void)mh_config_resolve(alone, &why);
    }
    free(alone);
    return !strcmp(why.text, err->text);
}

static void put_line(const struct options *o, const char *key, const char *before, char place[static PLACE])
{
    unsigned line = o->config ? mh_config_line(o->config, key) : 0;
    if (line)
        snprintf(place, PLACE, "%s%.300s:%u", before, o->config, line);
}

/* A tenant's line says more than the assignment that it does not go with. */
static void put_set(const struct options *o, unsigned i, const char *key, char place[static PLACE])
{
    options_typed(o, i, place, PLACE / 2);
    if (!o->workload && !gives(o->sets[i], key) && !strncmp(key, "tenants[", strlen("tenants[")))
        put_line(o, key, ", ", place + strlen(place));
}

int origin_name(const struct options *o, origin_make *make, const struct mh_config *cfg, struct mh_error *err)
{
    char key[64], place[2 * PLACE] = "";
    struct mh_error copy = *err;
    key_of(err, key);
    unsigned set = find_set(o, make, key, err);
    const char *text = set < o->set_count ? without_set(copy.text, o->sets[set]) : copy.text;
    if (set < o->set_count)
        put_set(o, set, key, place);
    else if (o->workload && !strncmp(key, "tenants", strlen("tenants")))
        snprintf(place, sizeof place, "--workload %.200s", o->workload);
    else if (is_designs(cfg, err) && o->design)
        snprintf(place, sizeof place, "--design %s", o->design);
    else
        put_line(o, is_designs(cfg, err) ? "design" : key, "", place);
    return *place ? mh_fail(err, "%s: %.*s", place, (int)(sizeof err->text - strlen(place) - 3), text) : -1;
}
