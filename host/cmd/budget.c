#define _GNU_SOURCE
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "budget/budget_report.h"
#include "commands.h"
#include "memhelm/config_file.h"
#include "argument.h"
#include "shared.h"
#include "base/memory.h"

static const char doc[] =
    "Does a policy fit the mcu? Shows whose bytes an image consists of, the deepest stack that it can "
    "need, and what its decisions cost on a reference set of workloads.\v"
    "The stack's worst case is added up from the compiler's frames and the calls of the linked image; an image whose "
    "stack has no bound is refused, with the function. Cycles are measured: a decision that no run made is not in "
    "them.\n"
    "\n"
    "Examples:\n"
    "  memhelm budget mask                    all of one image\n"
    "  memhelm budget ./mine.elf --static     without running it\n"
    "  memhelm budget --all --mcu-hz 25M,100M,500M\n"
    "  memhelm budget mask --flame mask.folded --callgrind callgrind.out.mask\n"
    "  memhelm budget --all --check           what `make check-all` does\n"
    "\n"
    "Exit codes: 0 all fit; 1 one is over a limit or did not pass its runs; 2 bad "
    "input; 128 + signal when interrupted.";

enum {
    KEY_ALL = 0x100,
    KEY_STATIC,
    KEY_CHECK,
    KEY_ACCEPT,
    KEY_MCU_HZ,
    KEY_FLAME,
    KEY_CALLGRIND,
    KEY_LIMITS,
    KEY_REFERENCE,
    KEY_BASELINES
};

#define BASELINES "firmware/budget/baselines.json"
#define CLOCKS    "100M,500M"

static const struct argp_option budget_options[] = {
    {0, 0, 0, 0, "What is looked at:", 1},
    {"all", KEY_ALL, 0, 0, "Every image that is built", 1},
    {"static", KEY_STATIC, 0, 0, "Only what can be said without a run", 1},
    {"mcu-hz", KEY_MCU_HZ, "LIST", 0, "Clocks of the mcu to run at, such as 25M,2G (default: " CLOCKS ")", 2},
    {"reference", KEY_REFERENCE, "FILE", 0, "Other workloads than the built-in ones", 1},
    {0, 0, 0, 0, "On which GPU and mcu, against what:", 2},
    {"limits", KEY_LIMITS, "FILE", 0, "Other limits than the built-in ones", 2},
    {"check", KEY_CHECK, 0, 0, "The workloads marked so, the last clock; and compare with the baselines", 2},
    {"accept", KEY_ACCEPT, 0, 0, "Run what --check runs; then make that the baselines, unless something is over", 2},
    {"baselines", KEY_BASELINES, "FILE", 0, "Where they are (default: " BASELINES ")", 2},
    {0, 0, 0, 0, "What comes out:", 3},
    {"flame", KEY_FLAME, "FILE", 0, "Folded stacks of one image, in cycles: `flamegraph.pl FILE` draws them", 3},
    {"callgrind", KEY_CALLGRIND, "FILE", 0, "Where cycles went, by line of the source, for KCachegrind", 3},
    {0, 0, 0, 0, "How:", 4},
    {0},
};

static const struct argp_child children[] = {{&shared_core, 0, NULL, 0}, {&shared_set, 0, NULL, 0},
                                             {&shared_json, 0, NULL, 0}, {&shared_keep, 0, NULL, 0},
                                             {&shared_jobs, 0, NULL, 0}, {0}};

static struct shared shared;
static struct budget_request request;

static void add_image(const char *name)
{
    if (request.image_count < BUDGET_IMAGES)
        request.images[request.image_count++] = name;
}

static void add_built(const char *name, bool twin)
{
    (void)twin;
    add_image(must(strdup(name)));
}

/* As the configuration reads it, in plain digits: equal clocks have equal names. */
static void take_clock(const char *word, size_t length, struct argp_state *state)
{
    static char texts[BUDGET_CLOCKS][24];
    static struct mh_config cfg;
    struct mh_error err;
    char set[80];
    snprintf(set, sizeof set, "mcu.hz=%.*s", length < 60 ? (int)length : 60, word);
    cfg.mcu.hz = 0;
    if (length > 60 || mh_config_set(&cfg, set, &err) || !cfg.mcu.hz)
        argp_error(state, "--mcu-hz: '%.40s' is no clock in Hz; such as 25000000, 25M or 2G", set + strlen("mcu.hz="));
    if (request.clock_count == BUDGET_CLOCKS)
        argp_error(state, "--mcu-hz: more than %d clocks", BUDGET_CLOCKS);
    char *text = texts[request.clock_count];
    snprintf(text, sizeof *texts, "%llu", (unsigned long long)cfg.mcu.hz);
    request.clocks[request.clock_count++] = text;
}

static void parse_clocks(const char *list, struct argp_state *state)
{
    size_t length;
    do {
        length = strcspn(list, ",");
        take_clock(list, length, state);
        list += length + 1;
    } while (list[-1]);
}

static void take_shared(struct argp_state *state)
{
    if (shared.set_count > BUDGET_SETS)
        argp_error(state, "more than %d --set", BUDGET_SETS);
    for (unsigned i = 0; i < shared.set_count && i < BUDGET_SETS; i++)
        request.sets[request.set_count++] = shared.sets[i];
    request.core = shared.core;
    request.json = shared.json;
    request.keep = shared.keep;
    request.jobs = shared.jobs;
}

static void parse_end(struct argp_state *state, bool all)
{
    struct mh_error err;
    take_shared(state);
    if (all && request.image_count)
        argp_error(state, "--all and names of images: give one or the other");
    if (all && image_list(add_built, &err))
        argp_failure(state, EXIT_BAD_INPUT, 0, "%s", err.text);
    if (!request.image_count)
        argp_error(state, "which image? a name, the path of an ELF file, or --all");
    if (request.no_runs && request.accept)
        argp_error(state, "--accept needs runs: leave out --static");
    if ((request.flame || request.callgrind) && request.no_runs)
        argp_error(state, "--flame and --callgrind need runs: leave out --static");
    if ((request.flame || request.callgrind) && request.image_count != 1)
        argp_error(state, "--flame and --callgrind are of one image");
    if (!request.clock_count)
        parse_clocks(CLOCKS, state);
    if (!request.check && !request.accept)
        request.baselines = NULL;
    else if (!request.baselines)
        request.baselines = BASELINES;
}

static const struct take takes[] = {
    {KEY_STATIC, TAKE_TRUE, .at = offsetof(struct budget_request, no_runs)},
    {KEY_CHECK, TAKE_TRUE, .at = offsetof(struct budget_request, check)},
    {KEY_ACCEPT, TAKE_TRUE, .at = offsetof(struct budget_request, accept)},
    {KEY_LIMITS, TAKE_INPUT, .at = offsetof(struct budget_request, limits)},
    {KEY_REFERENCE, TAKE_INPUT, .at = offsetof(struct budget_request, reference)},
    {KEY_FLAME, TAKE_OUTPUT, .at = offsetof(struct budget_request, flame)},
    {KEY_CALLGRIND, TAKE_OUTPUT, .at = offsetof(struct budget_request, callgrind)},
    {KEY_BASELINES, TAKE_FILE, .what = "a file of baselines", .at = offsetof(struct budget_request, baselines)},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    bool *all = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        shared_begin(state, children, &shared);
        return 0;
    case KEY_ALL:
        *all = true;
        return 0;
    case KEY_MCU_HZ:
        request.clock_count = 0;
        parse_clocks(arg, state);
        return 0;
    case ARGP_KEY_ARG:
        add_image(arg);
        return 0;
    case ARGP_KEY_END:
        parse_end(state, *all);
        return 0;
    default:
        return argument_take(takes, &request, key, arg, state);
    }
}

/* Tables, JSON, baselines, in this order; an image over a limit is never accepted. */
static int finish(const struct budget *b, int signal)
{
    struct mh_error err;
    unsigned over;
    struct excess *list = excess_find(b, &over);
    if (!request.check && !request.accept)
        budget_report_images(b, stdout);
    if (b->image_count > 1 || request.check || request.accept)
        budget_report_summary(b, stdout);
    budget_report_excess(b, list, over, stdout);
    if (request.check)
        growth_report(b, stdout);
    fflush(stdout);
    bool good = (!b->plan || plan_report_failures(b->plan)) && !over;
    int status = request.json ? budget_write_json(b, list, over, request.json, &err) : 0;
    if (!status)
        status = budget_write_flames(b, &err);
    if (!status && request.accept && good && !signal)
        status = growth_accept(b, &err);
    free(list);
    return status ? bad_input(&err) : signal ? 128 + signal : good ? EXIT_PASSED : EXIT_NOT_PASSED;
}

const struct argp budget_argp = {
    .options = budget_options, .parser = parse, .args_doc = "IMAGE...", .doc = doc, .children = children};

int cmd_budget(int argc, char **argv)
{
    struct mh_error err;
    bool all = false;
    shared_init(&shared);
    request = (struct budget_request){0};
    command_parse(&budget_argp, argc, argv, &all);
    bool writable = !shared_check_outputs(&shared, &err);
    struct budget *b = writable ? budget_open(&request, &err) : NULL;
    if (!b)
        return bad_input(&err);
    int signal = budget_run_all(b, &err);
    int code = signal < 0 ? bad_input(&err) : finish(b, signal);
    budget_close(b);
    return code;
}
