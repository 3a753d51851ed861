#include "argument.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/memory.h"
#include "base/words.h"
#include "commands.h"
#include "memhelm/config_file.h"

/* argp's own, in words that it does not hand out. */
static const struct argp_option own_options[] = {
    {"help", '?', 0, 0, "All options and examples", -1},
    {"usage", 0x7ffe, 0, 0, "The options in short", -1},
    {"version", 'V', 0, 0, "Version of the program, and hashes of model and machine", -1},
    {0},
};

static bool is_end(const struct argp_option *o)
{
    return !o->name && !o->key && !o->doc && !o->group;
}

static unsigned add(const struct argp_option *options, struct described *list, unsigned count)
{
    int group = 0;
    for (const struct argp_option *o = options; o && !is_end(o) && count < DESCRIBE_OPTIONS; o++) {
        group = o->group ? o->group : !o->name ? group + 1 : group;
        if (!(o->flags & (OPTION_HIDDEN | OPTION_ALIAS)))
            list[count++] = (struct described){o->name, o->arg,
                                               o->doc,  o->key > 0 && o->key < 128 && isprint(o->key) ? o->key : 0,
                                               group,   o->flags & OPTION_ARG_OPTIONAL};
    }
    return count;
}

static unsigned add_all(const struct argp *argp, struct described *list, unsigned count)
{
    count = add(argp->options, list, count);
    for (const struct argp_child *c = argp->children; c && c->argp; c++)
        count = add_all(c->argp, list, count);
    return count;
}

/* As argp has it: 0, 1, 2 .., then the negative ones; of a group the heading first. */
static bool before(const struct described *a, const struct described *b)
{
    unsigned left = (unsigned)a->group, right = (unsigned)b->group;
    return left != right ? left < right : !a->name && b->name;
}

/* Few, and stable: those of one group stay in their order. */
static void sort(struct described *list, unsigned count)
{
    for (unsigned i = 1; i < count; i++)
        for (unsigned k = i; k && before(&list[k], &list[k - 1]); k--) {
            struct described other = list[k];
            list[k] = list[k - 1];
            list[k - 1] = other;
        }
}

unsigned describe_options(const struct argp *argp, struct described list[DESCRIBE_OPTIONS])
{
    unsigned kept = 0, count = add(own_options, list, add_all(&every_argp, list, add_all(argp, list, 0)));
    sort(list, count);
    for (unsigned i = 0; i < count; i++)
        if (list[i].name || (i + 1 < count && list[i + 1].name && list[i + 1].group == list[i].group))
            list[kept++] = list[i];
    return kept;
}

const struct described *describe_find(const struct described *list, unsigned count, const char *name, size_t length)
{
    for (unsigned i = 0; i < count; i++) {
        if (!list[i].name)
            continue;
        if (length == 1 ? list[i].letter == *name
                        : strlen(list[i].name) == length && !strncmp(list[i].name, name, length))
            return &list[i];
    }
    return NULL;
}

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
    struct mh_config *cfg = must_have(1, sizeof *cfg);
    if (!mh_config_preset(cfg, "mask", NULL))
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
