#include "pivot_call.h"

#include <string.h>

#include "argument.h"
#include "base/words.h"

enum {
    KEY_ROWS = 0x400, /* apart from those of the commands */
    KEY_COLUMNS,
    KEY_VALUE,
    KEY_WHERE,
    KEY_AGAINST,
    KEY_AS,
    KEY_MEAN,
    KEY_SORT
};

static const struct argp_option pivot_options[] = {
    {"rows", KEY_ROWS, "COL[,COL]", 0, "A line for each value of these columns", 1},
    {"columns", KEY_COLUMNS, "COL[,COL]", 0, "A column for each value of these", 1},
    {"value", KEY_VALUE, "METRIC[,METRIC]", 0, "What the cells have (default: all metrics)", 1},
    {"where", KEY_WHERE, "COL=VALUE[,VALUE]", 0,
     "Only points that have one of these values; also !=, and of numbers <, <=, > and >=. Repeatable", 1},
    {"against", KEY_AGAINST, "COL=VALUE[,COL=VALUE]", 0,
     "Each value relative to that of the point which has this and is otherwise of the same axes", 1},
    {"as", KEY_AS, "gain|ratio|difference", 0, "How (default: gain, in percent)", 1},
    {"mean", KEY_MEAN, "geometric|arithmetic|median|min|max", 0,
     "Of the points of a cell (default: geometric for gains, ratios and speedups, else arithmetic)", 1},
    {"sort", KEY_SORT, 0, 0, "Values of axes from the least to the most, not as the sweep has them", 1},
    {0},
};

#define RELATIONS "gain, ratio, difference"
#define MEANS     "geometric, arithmetic, median, min, max"

static enum relation relation_named(const char *name, struct argp_state *state)
{
    static const struct {
        const char *name;
        enum relation relation;
    } names[] = {{"gain", RELATION_GAIN}, {"ratio", RELATION_RATIO}, {"difference", RELATION_DIFFERENCE}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(names[i].name, name))
            return names[i].relation;
    argp_error(state, "--as: '%s'%s; allowed: " RELATIONS, name, nearest_word(name, RELATIONS).text);
    return RELATION_LEVEL;
}

static enum mean_kind kind_named(const char *name, struct argp_state *state)
{
    const enum mean_kind kind = mean_named(name);
    if (kind == MEAN_DEFAULT)
        argp_error(state, "--mean: '%s'%s; allowed: " MEANS, name, nearest_word(name, MEANS).text);
    return kind;
}

static void check(struct pivot_request *q, struct argp_state *state)
{
    if (!q->file)
        argp_error(state, "which file? one that `memhelm sweep` made");
    if (q->relation != RELATION_LEVEL && !q->against)
        argp_error(state, "--as needs --against, such as --against image=baseline");
    if (q->against && q->relation == RELATION_LEVEL)
        q->relation = RELATION_GAIN;
}

static const struct take takes[] = {
    {KEY_SORT, TAKE_TRUE, .at = offsetof(struct pivot_request, sort)},
    {KEY_ROWS, TAKE_ONCE, .at = offsetof(struct pivot_request, rows)},
    {KEY_COLUMNS, TAKE_ONCE, .at = offsetof(struct pivot_request, columns)},
    {KEY_VALUE, TAKE_ONCE, .at = offsetof(struct pivot_request, values)},
    {KEY_AGAINST, TAKE_ONCE, .at = offsetof(struct pivot_request, against)},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct pivot_request *q = state->input;
    switch (key) {
    case KEY_WHERE:
        argument_add(q->where, &q->where_count, PIVOT_FILTERS, "--where", arg, state);
        return 0;
    case KEY_AS:
        q->relation = relation_named(arg, state);
        return 0;
    case KEY_MEAN:
        q->mean = kind_named(arg, state);
        return 0;
    case ARGP_KEY_ARG:
        argument_input(&q->file, "FILE", arg, state);
        return 0;
    case ARGP_KEY_END:
        check(q, state);
        return 0;
    default:
        return argument_take(takes, q, key, arg, state);
    }
}

const struct argp pivot_call_argp = {.options = pivot_options, .parser = parse};
