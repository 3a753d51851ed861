#include "whole_options.h"

#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/nearest.h"
#include "describe.h"
#include "memhelm/config_file.h"

/* An option that is none: `length` letters of `word` behind its dashes; `value` is what it was given, or NULL. */
struct unknown {
    const char *word, *value;
    size_t length;
    char key[128]; /* of a configuration, of that name */
};

/* run.epoch is meant by --epoch, l2.ways by --l2.ways, dram.write_high by --write-high. */
static bool names_key(const struct unknown *u, const char *key)
{
    const char *dot = strrchr(key, '.'), *last = dot && !memchr(u->word + 2, '.', u->length) ? dot + 1 : key;
    if (strlen(last) != u->length)
        return false;
    for (size_t i = 0; i < u->length; i++)
        if (last[i] != (u->word[2 + i] == '-' ? '_' : u->word[2 + i]))
            return false;
    return true;
}

static void try_key(void *ctx, const char *key, const char *text, bool number)
{
    struct unknown *u = ctx;
    (void)text, (void)number;
    if (!*u->key && names_key(u, key))
        snprintf(u->key, sizeof u->key, "%s", key);
}

static void find_key(struct unknown *u)
{
    struct mh_config *cfg = calloc(1, sizeof *cfg);
    if (cfg && !mh_config_preset(cfg, "mask", NULL))
        mh_config_visit(cfg, try_key, u);
    free(cfg);
}

/* One that goes on where the word ends, as getopt would have it, else the nearest; NULL: none. */
static const struct described *find_meant(const struct unknown *u, const struct described *list, unsigned count)
{
    struct nearest near = nearest_begin(u->word, "=");
    const struct described *o = NULL;
    char name[72];
    for (unsigned i = 0; i < count; i++)
        if (list[i].name && u->length && !strncmp(list[i].name, u->word + 2, u->length))
            return &list[i];
    for (unsigned i = 0; i < count; i++) {
        const size_t before = near.distance;
        snprintf(name, sizeof name, "--%.64s", list[i].name ? list[i].name : "");
        if (list[i].name)
            nearest_try(&near, name);
        o = near.distance < before ? &list[i] : o;
    }
    return o;
}

static void refuse(struct argp_state *state, struct unknown *u, const struct described *list, unsigned count)
{
    const struct described *o = find_meant(u, list, count);
    char option[128] = "", key[320] = "", shown[200], value[100];
    if (describe_find(list, count, "set", strlen("set")))
        find_key(u);
    if (o)
        snprintf(option, sizeof option, "; nearest: --%s%s%s", o->name, o->arg ? " " : "", o->arg ? o->arg : "");
    if (*u->key)
        snprintf(key, sizeof key, "%s-s %s=%s", o ? ", or " : "; ", u->key,
                 escape_text(value, sizeof value, u->value ? u->value : "VALUE"));
    escape_text(shown, sizeof shown, u->word);
    state->name = state->argv[0]; /* argp sets it later */
    argp_error(state, "%.*s: no such option%s%s", (int)strcspn(shown, "="), shown, option, key);
}

/* Does a word of short options take the next word as its value? */
static bool takes_next(const char *word, const struct described *list, unsigned count)
{
    for (const char *c = word + 1; *c; c++) {
        const struct described *o = describe_find(list, count, c, 1);
        if (o && o->arg)
            return !o->optional && !c[1];
    }
    return false;
}

/* Does a long option take the next word as its value? An unknown option ends the program. */
static bool long_takes_next(struct argp_state *state, int at, const struct described *list, unsigned count)
{
    const char *word = state->argv[at], *next = at + 1 < state->argc ? state->argv[at + 1] : NULL;
    const size_t length = strcspn(word + 2, "=");
    const struct described *o = NULL;
    for (unsigned i = 0; i < count && !o; i++)
        if (list[i].name && strlen(list[i].name) == length && !strncmp(list[i].name, word + 2, length))
            o = &list[i];
    struct unknown u = {.word = word, .length = length};
    u.value = word[2 + length] ? word + 3 + length : next && *next != '-' ? next : NULL;
    if (!o)
        refuse(state, &u, list, count);
    return o && o->arg && !o->optional && !word[2 + length];
}

void whole_options_check(struct argp_state *state, const struct argp *argp)
{
    struct described list[DESCRIBE_OPTIONS];
    const unsigned count = describe_options(argp, list);
    for (int i = 1; i < state->argc; i++) {
        const char *word = state->argv[i];
        const bool option = word[0] == '-' && word[1];
        if (!strcmp(word, "--") || (!option && state->flags & ARGP_IN_ORDER))
            return;
        if (option && (word[1] == '-' ? long_takes_next(state, i, list, count) : takes_next(word, list, count)))
            i++;
    }
}
