#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "base/memory.h"
#include "base/words.h"
#include "run/setup.h"
#include "search/search.h"
#include "search/combinations.h"
#include "argument.h"
#include "shared.h"

static const char doc[] =
    "Runs every CTA combination of a workload, as many CTAs of each kernel on an SM as --list shows, and finds the "
    "best "
    "one by each metric: the oracles that CCBP (Lin et al., TACO 2019) compares with.\v"
    "CTA_oracle: kernels share all SMs, and a combination is what fits an SM: registers, shared memory, warps, CTA "
    "slots. Spatial_oracle (--spatial): SMs are split evenly, and each kernel has any number of CTAs on its own. All "
    "combinations are run, on the native twin of image baseline, whose limits stand from the start. Limits that no "
    "launch can reach are left out: they give the same run. Speedups are over the kernel alone on all SMs with as many "
    "CTAs as fit (in preset ccbp under GTO).\n"
    "\n"
    "Finished runs are kept: after Ctrl-C the next call goes on. A pair takes minutes to an hour: --list says how "
    "long, "
    "and runs nothing. The best of many noisy values is a little too good: take several seeds, and twice the window, "
    "before a small difference counts.\n"
    "\n"
    "Examples:\n"
    "  memhelm search -w BP+CFD --list             the combinations, and how long\n"
    "  memhelm search -w BP+CFD                    CTA_oracle of a pair\n"
    "  memhelm search -w BP+CFD --spatial --metric weighted --plots figures\n"
    "  memhelm search -w BP+CFD+FDTD --cycles 300000 --seeds 1-3\n"
    "  memhelm search --pairs all --list           the 66 pairs of the paper\n"
    "  memhelm search --pairs LS+BI --json search.json --markdown search.md\n"
    "  memhelm search --pairs LS+BI --from search.json --cycles 5000000   the best of these in a longer window\n"
    "\n"
    "Exit codes: 0 all runs passed; 1 one did not; 2 bad input; 128 + signal when interrupted, after the tables of "
    "what "
    "was finished.";

#define WINDOW 1000000

enum { KEY_CYCLES = 0x100, KEY_PAIRS, KEY_SPATIAL, KEY_METRIC, KEY_LIST, KEY_FROM, KEY_FINALISTS };

static const struct argp_option search_options[] = {
    {0, 0, 0, 0, "What runs:", 1},
    {"workload", 'w', "A+B", 0,
     "Kernels that share the GPU: KERNEL[@VARIANT][@launch=N][:SIZE] or trace:FILE[@launch=N]. Repeatable", 1},
    {"pairs", KEY_PAIRS, "CLASS", 0, "The paper's pairs of a class: LS+LS, LS+BI, NBI+DBI or all. Repeatable", 1},
    {"spatial", KEY_SPATIAL, 0, 0, "SMs are split evenly between the kernels", 1},
    {"cycles", KEY_CYCLES, "N", 0, "Window in GPU cycles (default: 1000000)", 1},
    {"from", KEY_FROM, "FILE", 0, "Only the best combinations of another search (its --json), in this window", 1},
    {"finalists", KEY_FINALISTS, "N", 0, "So many of them by harmonic and by weighted speedup (default: 4)", 1},
    {"list", KEY_LIST, 0, 0, "Show the combinations and how long they would take; run nothing", 1},
    {0, 0, 0, 0, "On which GPU:", 2},
    {"preset", 'p', "NAME", 0, "Built-in configuration (default: ccbp)", 2},
    {0, 0, 0, 0, "What comes out:", 3},
    {"metric", KEY_METRIC, "NAME", 0,
     "Whose surface is shown: harmonic (default), weighted, max-slowdown or fairness; the best is found by each", 3},
    {0, 0, 0, 0, "How:", 4},
    {0},
};

static const struct argp_child children[] = {{&shared_seeds, 0, NULL, 0},
                                             {&shared_set, 0, NULL, 0},
                                             {&shared_json, 0, NULL, 0},
                                             {&shared_kept, 0, NULL, 0},
                                             {&shared_figures, 0, NULL, 0},
                                             {&shared_jobs, 0, NULL, 0},
                                             {0}};

static struct shared shared;
static char *joined[SEARCH_WORKLOADS]; /* texts of --pairs */
static unsigned joined_count;

struct arguments {
    struct search_request request;
    bool list;
};

static void add_workload(struct search_request *r, const char *workload, const char *group, struct argp_state *state)
{
    if (r->workload_count == SEARCH_WORKLOADS) {
        argp_error(state, "more than %d workloads", SEARCH_WORKLOADS);
        return;
    }
    files_workload(workload);
    r->groups[r->workload_count] = group;
    r->workloads[r->workload_count++] = workload;
}

static void add_pairs(struct search_request *r, const char *class, struct argp_state *state)
{
    struct pair pairs[PAIRS_MOST];
    unsigned count = pairs_all(pairs), before = r->workload_count;
    for (unsigned i = 0; i < count && joined_count < SEARCH_WORKLOADS; i++) {
        const char *name = pair_names[pairs[i].class];
        if (strcmp(class, "all") != 0 && strcmp(class, name) != 0)
            continue;
        joined[joined_count] = must_print("%s+%s", pairs[i].first, pairs[i].second);
        add_workload(r, joined[joined_count++], name, state);
    }
    if (r->workload_count == before)
        argp_error(state, "--pairs: '%.40s'%s; there are: " SEARCH_PAIRS, class,
                   nearest_word(class, SEARCH_PAIRS).text);
}

/* --set may not change what is searched (CTA limits) or what other options say. */
static void add_set(struct search_request *r, const char *set, struct argp_state *state)
{
    if (!strncmp(set, "run.cycles=", 11) || !strncmp(set, "run.seed=", 9))
        argp_error(state, "--set %.60s: use --cycles or --seeds", set);
    else if (!strncmp(set, "sm.share=", 9))
        argp_error(state, "--set %.60s: use --spatial, or leave it out", set);
    else if (!strncmp(set, "tenants[", 8) && strstr(set, "].cta_limit="))
        argp_error(state, "--set %.60s: CTA limits are what is searched", set);
    else
        argument_add(r->sets, &r->set_count, SEARCH_SETS, "--set", set, state);
}

static void parse_end(struct search_request *r, struct argp_state *state)
{
    for (unsigned i = 0; i < shared.set_count; i++)
        add_set(r, shared.sets[i], state);
    if (shared.seed_first) {
        r->seed_first = shared.seed_first;
        r->seeds = shared.seed_last - shared.seed_first + 1;
    }
    r->results = shared.results;
    r->jobs = shared.jobs;
    if (!r->workload_count)
        argp_error(state, "which workload? --workload BP+CFD, or --pairs LS+BI");
}

static const struct take takes[] = {
    {KEY_SPATIAL, TAKE_TRUE, .at = offsetof(struct search_request, spatial)},
    {KEY_FROM, TAKE_INPUT, .at = offsetof(struct search_request, from)},
    {KEY_CYCLES, TAKE_CYCLES, .at = offsetof(struct search_request, cycles)},
    {KEY_FINALISTS, TAKE_NUMBER, .at = offsetof(struct search_request, finalists), .most = SEARCH_FINALISTS},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct arguments *a = state->input;
    struct search_request *r = &a->request;
    switch (key) {
    case ARGP_KEY_INIT:
        shared_begin(state, children, &shared);
        return 0;
    case ARGP_KEY_END:
        parse_end(r, state);
        return 0;
    case 'w':
        add_workload(r, arg, NULL, state);
        return 0;
    case 'p':
        r->preset = arg;
        return 0;
    case KEY_PAIRS:
        add_pairs(r, arg, state);
        return 0;
    case KEY_METRIC:
        r->metric = search_metric_named(arg);
        if (r->metric == SEARCH_METRICS)
            argp_error(state, "--metric: '%.40s'%s; there are: " SEARCH_METRIC_NAMES, arg,
                       nearest_word(arg, SEARCH_METRIC_NAMES).text);
        return 0;
    case KEY_LIST:
        a->list = true;
        return 0;
    default:
        return argument_take(takes, r, key, arg, state);
    }
}

static int write_all(const struct search *s, struct mh_error *err)
{
    struct draft d;

    if (shared.json && search_write_json(s, shared.json, err))
        return -1;
    if (shared.markdown) {
        draft_open(&d);
        search_report(s, &(struct doc){d.out, DOC_MARKDOWN, 0});
        if (draft_write(&d, shared.markdown, err))
            return -1;
    }
    return shared.plots && search_plot(s, shared.plots, err) ? -1 : 0;
}

static int run_and_show(struct search *s)
{
    struct mh_error err;
    int signal = search_run(s);
    search_report(s, &(struct doc){stdout, DOC_TEXT, 0});
    fflush(stdout);
    bool good = plan_report_failures(s->plan);
    if (write_all(s, &err))
        return bad_input(&err);
    if (signal)
        fputs("memhelm: interrupted; what is finished is kept, the same call goes on\n", stderr);
    return signal ? 128 + signal : good ? EXIT_PASSED : EXIT_NOT_PASSED;
}

const struct argp search_argp = {.options = search_options, .parser = parse, .doc = doc, .children = children};

int cmd_search(int argc, char **argv)
{
    struct arguments a = {.request = {.preset = "ccbp", .cycles = WINDOW, .seed_first = 1, .seeds = 1, .finalists = 4}};
    struct mh_error err;
    int code = EXIT_PASSED;
    shared_init(&shared);
    command_parse(&search_argp, argc, argv, &a);
    struct search *s = shared_check_outputs(&shared, &err) ? NULL : search_open(&a.request, &err);
    if (!s)
        return bad_input(&err);
    if (a.list)
        search_list(s, stdout);
    else
        code = run_and_show(s);
    search_close(s);
    while (joined_count)
        free(joined[--joined_count]);
    return code;
}
