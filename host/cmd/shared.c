#include "shared.h"

#include "base/file.h"
#include "base/figure.h"
#include "base/words.h"
#include "run/jobs.h"
#include "argument.h"

enum {
    KEY_MARKDOWN = 0x2000, /* apart from the options of any command */
    KEY_PLOTS,
    KEY_RESULTS,
    KEY_SEEDS,
    KEY_KEEP,
    KEY_CORE,
    KEY_TIMEOUT
};

static void parse_seeds(struct shared *s, const char *text, struct argp_state *state)
{
    struct mh_error why;
    if (seeds_parse(text, &s->seed_first, &s->seed_last, &why))
        argp_error(state, "--seeds: %s", why.text);
}

static void add_set(struct shared *s, const char *set, struct argp_state *state)
{
    if (s->run ? options_add(s->run, set) : s->set_count == SHARED_SETS)
        argp_error(state, "more than %d --set: write a file for --config", SHARED_SETS);
    else if (!s->run)
        s->sets[s->set_count++] = set;
}

static const struct take takes[] = {
    {KEY_CORE, TAKE_ONCE, .at = offsetof(struct shared, core)},
    {'o', TAKE_OUTPUT, .at = offsetof(struct shared, json)},
    {KEY_MARKDOWN, TAKE_OUTPUT, .at = offsetof(struct shared, markdown)},
    {KEY_PLOTS, TAKE_FOLDER, .at = offsetof(struct shared, plots)},
    {KEY_KEEP, TAKE_FOLDER, .at = offsetof(struct shared, keep)},
    {KEY_RESULTS, TAKE_FILE, .at = offsetof(struct shared, results), .what = "a database"},
    {'j', TAKE_NUMBER, .at = offsetof(struct shared, jobs), .most = 256},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct shared *s = state->input;
    switch (key) {
    case 's':
        add_set(s, arg, state);
        return 0;
    case KEY_TIMEOUT:
        jobs_limit(argument_number("--timeout", arg, 100000000, state));
        return 0;
    case KEY_SEEDS:
        parse_seeds(s, arg, state);
        return 0;
    default:
        return argument_take(takes, s, key, arg, state);
    }
}

static const struct argp_option json_options[] = {
    {"json", 'o', "FILE", 0,
     "All that was measured; the same bytes for the same input. - is standard output; tables go to standard error then",
     3},
    {0}};
#define MARKDOWN_OPTION                                                                                                \
    {                                                                                                                  \
        "markdown", KEY_MARKDOWN, "FILE", 0, "The tables as Markdown", 3                                               \
    }
static const struct argp_option markdown_options[] = {MARKDOWN_OPTION, {0}};
static const struct argp_option figure_options[] = {
    MARKDOWN_OPTION, {"plots", KEY_PLOTS, "DIR", 0, "Figures, SVG and PNG, with what gnuplot drew them from", 3}, {0}};
static const struct argp_option kept_options[] = {
    {"results", KEY_RESULTS, "FILE", 0,
     "SQLite file that keeps finished runs (default: results.sqlite in ~/.cache/memhelm)", 4},
    {0}};
static const struct argp_option keep_options[] = {
    {"keep", KEY_KEEP, "DIR", 0, "Keep configurations, logs and the consoles' text of all runs in DIR", 3}, {0}};
static const struct argp_option set_options[] = {
    {"set", 's', "KEY=VALUE", 0, "One key, such as l2tlb.entries=256; `memhelm list config` shows all. Repeatable", 2},
    {0}};
static const struct argp_option core_options[] = {
    {"core", KEY_CORE, "NAME|FILE", 0, "Core whose instruction times the mcu has: `memhelm list cores`", 2}, {0}};
static const struct argp_option seed_options[] = {
    {"seeds", KEY_SEEDS, "N|N-M", 0,
     "Of data and page placement; several give the mean and its interval (default: 1; of latency 1-5)", 1},
    {0}};
static const struct argp_option job_options[] = {
    {"jobs", 'j', "N", 0, "Runs at once (default: one per processor)", 4},
    {"timeout", KEY_TIMEOUT, "SECONDS", 0,
     "End a run that takes longer, of wall time; the others go on (default: none)", 4},
    {0}};

const struct argp shared_json = {.options = json_options, .parser = parse};
const struct argp shared_markdown = {.options = markdown_options, .parser = parse};
const struct argp shared_figures = {.options = figure_options, .parser = parse};
const struct argp shared_kept = {.options = kept_options, .parser = parse};
const struct argp shared_keep = {.options = keep_options, .parser = parse};
const struct argp shared_set = {.options = set_options, .parser = parse};
const struct argp shared_core = {.options = core_options, .parser = parse};
const struct argp shared_seeds = {.options = seed_options, .parser = parse};
const struct argp shared_jobs = {.options = job_options, .parser = parse};

void shared_init(struct shared *s)
{
    struct options defaults;
    options_init(&defaults);
    *s = (struct shared){.jobs = defaults.jobs};
}

void shared_begin(struct argp_state *state, const struct argp_child *children, struct shared *s)
{
    for (unsigned i = 0; children[i].argp; i++)
        state->child_inputs[i] = s;
}

int shared_check_outputs(const struct shared *s, struct mh_error *err)
{
    if ((s->json && check_writable(s->json, err)) || (s->markdown && check_writable(s->markdown, err)))
        return -1;
    return s->plots && gnuplot_check(s->plots, err) ? -1 : 0;
}
