#include <argp.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "base/file.h"
#include "base/gnuplot.h"
#include "latency/latency_json.h"
#include "latency/latency_plot.h"
#include "latency/latency_report.h"
#include "latency/measured.h"
#include "options.h"

static const char doc[] =
    "What does it cost that a policy decides on a small core and not in hardware? Runs each image with its core at 25 "
    "MHz to 2 GHz and at bus latencies of 5 to 500 cycles, in no time (as hardware would) and not at all (image "
    "baseline), all with the same seeds, and finds the knee: the slowest core that, as all faster ones, keeps the gain "
    "of each workload.\v"
    "IMAGE is a name of `memhelm list images`, or the path of an ELF file; without one all images of the reference set "
    "are run. What is lost is the gain in no time less the gain at a point, with the same seed; a gain within its 95 % "
    "interval over the seeds is none and has no knee.\n"
    "\n"
    "Finished runs are kept: after Ctrl-C the next call goes on. The watchdog is off, so that a policy that is too "
    "slow has a number; where it would bite, the table says so.\n"
    "\n"
    "Examples:\n"
    "  memhelm latency mask                   some minutes on 2 processors\n"
    "  memhelm latency --core picorv32 dws    on another core: `memhelm list cores`\n"
    "  memhelm latency mine --preset mask --workload MVT+GUPS --workload RED+BP\n"
    "  memhelm latency ./mine.elf -p mask -w MVT+GUPS --seeds 3   a wider interval, sooner\n"
    "  memhelm latency --json latency.json --plots figures        all images: an hour or two\n"
    "\n"
    "Exit codes: 0 all runs passed, whatever they say; 1 one did not; 2 bad input;\n"
    "128 + signal when interrupted, after the tables of what was finished.";

enum {
    KEY_ALL = 0x100,
    KEY_CORE,
    KEY_CYCLES,
    KEY_SEEDS,
    KEY_REFERENCE,
    KEY_RESULTS,
    KEY_MARKDOWN,
    KEY_PLOTS,
};

static const struct argp_option latency_options[] = {
    {0, 0, 0, 0, "What runs:", 1},
    {"all", KEY_ALL, 0, 0, "Variants of MASK's parameters, too", 1},
    {"core", KEY_CORE, "NAME|FILE", 0, "Core whose instruction times firmware has (default: the preset's)", 1},
    {"preset", 'p', "NAME", 0, "Another GPU than the reference set's", 1},
    {"workload", 'w', "A+B", 0, "In the place of the reference set's workloads. Repeatable", 1},
    {"cycles", KEY_CYCLES, "N", 0, "Window in GPU cycles", 1},
    {"seeds", KEY_SEEDS, "N", 0, "Seeds 1..N (default: 5; 1 has no interval, so that nothing is concluded from it)", 1},
    {"set", 's', "KEY=VALUE", 0, "One key of `memhelm list config` in all runs. Repeatable", 1},
    {"reference", KEY_REFERENCE, "FILE", 0, "Another reference set (YAML) than the built-in one", 1},
    {0, 0, 0, 0, "What comes out, and how:", 2},
    {"json", 'o', "FILE", 0, "All that was measured; the same bytes for the same input", 2},
    {"markdown", KEY_MARKDOWN, "FILE", 0, "The tables as Markdown", 2},
    {"plots", KEY_PLOTS, "DIR", 0, "A figure per image, with the knee marked, SVG and PNG", 2},
    {"results", KEY_RESULTS, "FILE", 0,
     "SQLite file that keeps finished runs (default: results.sqlite in ~/.cache/memhelm)", 2},
    {"jobs", 'j', "N", 0, "Runs at once (default: one per processor)", 2},
    {0},
};

static void add(const char **list, unsigned *count, unsigned most, const char *what, const char *text,
                struct argp_state *state)
{
    if (*count == most)
        argp_error(state, "more than %u %s", most, what);
    else
        list[(*count)++] = text;
}

/* The core is what is varied. */
static void add_set(struct latency_request *r, const char *set, struct argp_state *state)
{
    if (!strncmp(set, "mcu.", 4) && strncmp(set, "mcu.quantum=", 12))
        argp_error(state, "--set %.60s: clock, bus and watchdog are what is varied here; there is --core", set);
    else if (!strncmp(set, "run.cycles=", 11) || !strncmp(set, "run.seed=", 9))
        argp_error(state, "--set %.60s: use --cycles or --seeds", set);
    else
        add(r->sets, &r->set_count, LATENCY_SETS, "--set", set, state);
}

static error_t parse_output(int key, char *arg, struct argp_state *state)
{
    struct latency_request *r = state->input;
    switch (key) {
    case 'o':
        r->json = arg;
        return 0;
    case KEY_MARKDOWN:
        r->markdown = arg;
        return 0;
    case KEY_PLOTS:
        r->plots = arg;
        return 0;
    case KEY_RESULTS:
        r->results = arg;
        return 0;
    case 'j':
        r->jobs = options_number("--jobs", arg, 256, state);
        return 0;
    case ARGP_KEY_END:
        if (r->all && r->image_count)
            argp_error(state, "--all and names of images: give one or the other");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct latency_request *r = state->input;
    switch (key) {
    case ARGP_KEY_ARG:
        add(r->images, &r->image_count, LATENCY_IMAGES, "images", arg, state);
        return 0;
    case KEY_ALL:
        r->all = true;
        return 0;
    case KEY_CORE:
        r->core = arg;
        return 0;
    case 'p':
        r->preset = arg;
        return 0;
    case 'w':
        add(r->workloads, &r->workload_count, SET_WORKLOADS, "--workload", arg, state);
        return 0;
    case 's':
        add_set(r, arg, state);
        return 0;
    case KEY_CYCLES:
        r->cycles = options_number("--cycles", arg, 2000000000, state);
        return 0;
    case KEY_SEEDS:
        r->seeds = options_number("--seeds", arg, LATENCY_MOST_SEEDS, state);
        return 0;
    case KEY_REFERENCE:
        r->reference = arg;
        return 0;
    default:
        return parse_output(key, arg, state);
    }
}

static int check_outputs(const struct latency_request *r, struct mh_error *err)
{
    if ((r->json && check_writable(r->json, err)) || (r->markdown && check_writable(r->markdown, err)))
        return -1;
    return r->plots && gnuplot_check(r->plots, err) ? -1 : 0;
}

static int write_all(const struct latency *l, struct mh_error *err)
{
    const struct latency_request *r = l->request;
    if ((r->json && latency_write_json(l, r->json, err)) ||
        (r->markdown && latency_report_markdown(l, r->markdown, err)))
        return -1;
    return r->plots && latency_plot(l, r->plots, err) ? -1 : 0;
}

static int run_and_show(struct latency *l)
{
    struct mh_error err;
    int signal = latency_run(l, &err);
    if (signal < 0)
        return bad_input(&err);
    latency_report(l, stdout);
    fflush(stdout);
    bool good = latency_report_failures(l);
    if (write_all(l, &err))
        return bad_input(&err);
    return signal ? 128 + signal : good ? EXIT_PASSED : EXIT_NOT_PASSED;
}

int cmd_latency(int argc, char **argv)
{
    static const struct argp argp = {.options = latency_options,
                                     .parser = parse,
                                     .args_doc = "[IMAGE...]",
                                     .doc = doc,
                                     .children = timeout_children};
    struct latency_request request = {.seeds = LATENCY_SEEDS};
    struct options defaults;
    struct mh_error err;
    options_init(&defaults);
    request.jobs = defaults.jobs;
    argp_parse(&argp, argc, argv, 0, NULL, &request);
    struct latency *l = check_outputs(&request, &err) ? NULL : latency_open(&request, &err);
    if (!l)
        return bad_input(&err);
    int code = run_and_show(l);
    latency_close(l);
    return code;
}
