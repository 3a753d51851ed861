#include "study_call.h"

#include <string.h>

#include "argument.h"
#include "base/words.h"

enum { KEY_LIST = 0x300 /* apart from those of the commands */, KEY_QUICK, KEY_TWIN, KEY_CYCLES, KEY_ROWS };

static const struct argp_option study_options[] = {
    {"row", 'r', "ID", 0, "Only this row; of reproduce also: only this table. Repeatable", 1},
    {"quick", KEY_QUICK, 0, 0, "The subset that the rows file states", 1},
    {"workload", 'w', "A+B", 0, "In the place of every row's own workloads. Repeatable", 1},
    {"cycles", KEY_CYCLES, "N", 0, "Window in GPU cycles; rows with their own keep their proportion", 1},
    {"twin", KEY_TWIN, 0, 0, "Policies as native twins, whose decisions take no time", 1},
    {"rows", KEY_ROWS, "FILE", 0, "Another rows file (YAML) than the built-in one", 1},
    {"list", KEY_LIST, 0, 0, "Show what the call would run; run nothing", 1},
    {0},
};

static void parse_study(struct reproduce_options *o, const char *name, struct argp_state *state)
{
    if (o->study)
        argp_error(state, "one paper at a time: '%s', then '%s'", o->study, name);
    o->study = study_name(name);
    if (!o->study)
        argp_error(state, "'%.40s' is no paper here%s%s; there are: %s", name, meant_by(name, MEANT_OTHER).text,
                   nearest_word(name, study_names()).text, study_names());
}

static void take_shared(struct study_call *c, struct argp_state *state)
{
    struct reproduce_options *o = &c->options;
    for (unsigned i = 0; i < c->shared.set_count; i++)
        argument_add(o->sets, &o->set_count, REPRODUCE_MAX, "--set", c->shared.sets[i], state);
    if (c->shared.seed_first) {
        o->seed_first = c->shared.seed_first;
        o->seed_last = c->shared.seed_last;
    }
    o->results = c->shared.results;
    o->plots = c->shared.plots;
    o->jobs = c->shared.jobs;
}

static const struct take takes[] = {
    {KEY_LIST, TAKE_TRUE, .at = offsetof(struct reproduce_options, list)},
    {KEY_QUICK, TAKE_TRUE, .at = offsetof(struct reproduce_options, quick)},
    {KEY_TWIN, TAKE_TRUE, .at = offsetof(struct reproduce_options, twin)},
    {KEY_ROWS, TAKE_INPUT, .at = offsetof(struct reproduce_options, rows_file)},
    {KEY_CYCLES, TAKE_CYCLES, .at = offsetof(struct reproduce_options, cycles)},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct study_call *c = state->input;
    struct reproduce_options *o = &c->options;
    switch (key) {
    case 'r':
        argument_add(o->ids, &o->id_count, REPRODUCE_MAX, "--row", arg, state);
        return 0;
    case 'w':
        files_workload(arg);
        argument_add(o->workloads, &o->workload_count, MEASURE_LISTS, "--workload", arg, state);
        return 0;
    case ARGP_KEY_ARG:
        parse_study(o, arg, state);
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "which paper? there are: %s", study_names());
        return 0;
    case ARGP_KEY_END:
        take_shared(c, state);
        return 0;
    default:
        return argument_take(takes, o, key, arg, state);
    }
}

static const struct argp study_argp = {.options = study_options, .parser = parse};

const struct argp_child study_call_children[] = {
    {&study_argp, 0, NULL, 0},  {&shared_seeds, 0, NULL, 0},   {&shared_set, 0, NULL, 0},  {&shared_json, 0, NULL, 0},
    {&shared_kept, 0, NULL, 0}, {&shared_figures, 0, NULL, 0}, {&shared_jobs, 0, NULL, 0}, {0}};

void study_call_init(struct study_call *c, enum reproduce_mode mode)
{
    memset(c, 0, sizeof *c);
    c->options.mode = mode;
    c->options.seed_first = c->options.seed_last = 1;
    shared_init(&c->shared);
}

void study_call_begin(struct argp_state *state, struct study_call *c)
{
    shared_begin(state, study_call_children, &c->shared);
    state->child_inputs[0] = c; /* the first child is the study's own */
}
