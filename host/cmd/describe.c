#include "describe.h"

#include <ctype.h>
#include <string.h>

#include "commands.h"

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
