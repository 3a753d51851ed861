#include <argp.h>
#include <stdio.h>
#include <string.h>

#include "base/escape.h"
#include "memhelm/text.h"
#include "reproduce/study.h"
#include "sweep/sweep.h"
#include "argument.h"
#include "commands.h"
#include "shared.h"

static const char doc[] =
    "Runs images and workloads over a range of GPUs: every combination, a sample of them, or a list of points.\v"
    "FILE is YAML; what it may say stands in host/sweep/README.md. All of it can be said by options, too, which "
    "replace what the file says. VALUES are separated by commas; 1..8, 1..64*2 and 0..100+25 are ranges: each whole "
    "number, each times 2, each plus 25. A workload @LIST is a list of FILE's or of a rows file of `reproduce`: "
    "@dws:heavy; @pairs with preset mask.\n"
    "\n"
    "Points go into an SQLite file, NAME.sqlite after NAME.yaml, one row each: `memhelm table` and `plot` show it. "
    "Finished runs are kept in the user's store: a call that was interrupted goes on where it stopped, and what "
    "another sweep has run is not run again.\n"
    "\n"
    "Examples:\n"
    "  memhelm sweep --vary l2tlb.entries=128,512,2048 --image baseline,mask --workload MVT+GUPS --seeds 1-5\n"
    "  memhelm sweep --image dws --workload @dws:HH --vary walk.walkers=4..64*2 --vary l1tlb.mshrs=1..64*2 \\\n"
    "      --latin 20 --preset dws --dry-run       how many runs, and how long?\n"
    "  memhelm sweep tlb.yaml --jobs 2             what the file says\n"
    "  memhelm sweep tlb.yaml --shard 1/4 --results one.sqlite    a quarter of its runs, on another machine\n"
    "  memhelm sweep tlb.yaml --slurm --array 16 --sbatch '--partition=short --cpus-per-task=4'\n"
    "  memhelm sweep tlb.yaml --merge one.sqlite --merge two.sqlite   the points, of what these have\n"
    "\n"
    "Exit codes: 0 all points have values; 1 some have none, the file says why; 2 bad input; 128 + signal when "
    "interrupted, after what is finished was written.";

enum {
    KEY_VARY = 0x100,
    KEY_RANDOM,
    KEY_LATIN,
    KEY_SAMPLE_SEED,
    KEY_CYCLES,
    KEY_DESIGN,
    KEY_METRIC,
    KEY_WHOLE,
    KEY_WHY,
    KEY_TWIN,
    KEY_SHARD,
    KEY_MERGE,
    KEY_DRY,
    KEY_SLURM,
    KEY_TASKS,
    KEY_SBATCH
};

static const struct argp_option sweep_options[] = {
    {0, 0, 0, 0, "What runs:", 1},
    {"image", 'i', "A,B", 0, "Firmware images, of `memhelm list images`. Repeatable", 1},
    {"workload", 'w', "A+B,@LIST", 0, "Workloads, separated by commas. Repeatable", 1},
    {"cycles", KEY_CYCLES, "N", 0, "Window in GPU cycles (default: 1M)", 1},
    {"random", KEY_RANDOM, "N", 0, "N different combinations of what is varied, instead of all", 1},
    {"latin", KEY_LATIN, "N", 0, "A Latin hypercube of N combinations", 1},
    {"sample-seed", KEY_SAMPLE_SEED, "N", 0, "Which sample (default: 1)", 1},
    {"shard", KEY_SHARD, "I/N", 0, "Only part I of N of the runs; no points", 1},
    {"merge", KEY_MERGE, "STORE", 0,
     "First take over the points' runs from another store, one in 50 of them after it is run again. Repeatable", 1},
    {"dry-run", KEY_DRY, 0, 0, "Say how many points and runs, and how long; run nothing", 1},
    {"slurm", KEY_SLURM, 0, 0,
     "As a job array of Slurm: a folder NAME.slurm, the tasks, and a job that takes their runs together; with "
     "--dry-run "
     "the folder alone",
     1},
    {"array", KEY_TASKS, "N", 0, "Tasks of --slurm (default: 8)", 1},
    {"sbatch", KEY_SBATCH, "OPTIONS", 0, "Of its jobs, such as '--partition=short --cpus-per-task=4'", 1},
    {0, 0, 0, 0, "On which GPU:", 2},
    {"preset", 'p', "A,B", 0, "Built-in configurations (default: mask), or files FILE.yaml", 2},
    {"design", KEY_DESIGN, "A,B", 0, "Built-in changes of one, `none` among them", 2},
    {"vary", KEY_VARY, "KEY=VALUES", 0, "A key of the configuration and its values. Repeatable, for other keys", 2},
    {0, 0, 0, 0, "What comes out:", 3},
    {"metric", KEY_METRIC, "[NAME=]EXPR", 0,
     "Counters and metrics, of `memhelm list metrics` (default: weighted_speedup, max_slowdown, ipc). Repeatable", 3},
    {"whole", KEY_WHOLE, 0, 0, "A tenant alone has the whole GPU, not the SMs that it has beside the others", 3},
    {"why", KEY_WHY, 0, 0,
     "Count what SMs wait for (sm.wait_reasons): each point says why it differs from that of the first image", 3},
    {"output", 'o', "FILE", 0, "The points (default: NAME.sqlite in the current folder)", 3},
    {0, 0, 0, 0, "How:", 4},
    {"twin", KEY_TWIN, 0, 0, "Policies as native twins, whose decisions take no time", 4},
    {0},
};

static const struct argp_child children[] = {{&shared_seeds, 0, NULL, 0},
                                             {&shared_set, 0, NULL, 0},
                                             {&shared_kept, 0, NULL, 0},
                                             {&shared_jobs, 0, NULL, 0},
                                             {0}};

/* What the command line says, before it goes over what the file says. */
struct arguments {
    struct words images, workloads, presets, designs, vary, metrics, merge;
    const char *file, *output, *sbatch;
    uint64_t cycles;
    unsigned random, latin, sample_seed, shard, shards;
    unsigned tasks;
    bool whole, why, twin, dry, slurm;
};

static struct shared shared;

static void add(struct words *w, const char *text, bool split, struct argp_state *state)
{
    char shown[200];
    if (mh_utf8_broken(text))
        argp_error(state, "'%s' is not UTF-8", escape_text(shown, sizeof shown, text));
    (split ? words_split : words_add)(w, text);
}

static void parse_shard(struct arguments *a, const char *text, struct argp_state *state)
{
    char end;
    if (sscanf(text, "%u/%u%c", &a->shard, &a->shards, &end) != 2 || !a->shard || a->shard > a->shards ||
        a->shards > 100000)
        argp_error(state, "--shard: '%.40s'; write 1/4 for the first of four parts", text);
}

static const struct take takes[] = {
    {KEY_SLURM, TAKE_TRUE, .at = offsetof(struct arguments, slurm)},
    {KEY_WHOLE, TAKE_TRUE, .at = offsetof(struct arguments, whole)},
    {KEY_WHY, TAKE_TRUE, .at = offsetof(struct arguments, why)},
    {KEY_TWIN, TAKE_TRUE, .at = offsetof(struct arguments, twin)},
    {KEY_DRY, TAKE_TRUE, .at = offsetof(struct arguments, dry)},
    {KEY_SBATCH, TAKE_ONCE, .at = offsetof(struct arguments, sbatch)},
    {'o', TAKE_FILE, .at = offsetof(struct arguments, output), .what = "a database"},
    {KEY_CYCLES, TAKE_CYCLES, .at = offsetof(struct arguments, cycles)},
    {KEY_RANDOM, TAKE_NUMBER, .at = offsetof(struct arguments, random), .most = 1000000},
    {KEY_LATIN, TAKE_NUMBER, .at = offsetof(struct arguments, latin), .most = 1000000},
    {KEY_SAMPLE_SEED, TAKE_NUMBER, .at = offsetof(struct arguments, sample_seed), .most = 1000000000},
    {KEY_TASKS, TAKE_NUMBER, .at = offsetof(struct arguments, tasks), .most = 1000},
    {0},
};

static error_t parse_option(struct arguments *a, int key, char *arg, struct argp_state *state)
{
    const char *merged = NULL;
    switch (key) {
    case 'i':
        add(&a->images, arg, true, state);
        return 0;
    case 'w':
        add(&a->workloads, arg, true, state);
        return 0;
    case 'p':
        add(&a->presets, arg, true, state);
        return 0;
    case KEY_DESIGN:
        add(&a->designs, arg, true, state);
        return 0;
    case KEY_VARY:
        add(&a->vary, arg, false, state);
        return 0;
    case KEY_METRIC:
        add(&a->metrics, arg, false, state);
        return 0;
    case KEY_MERGE:
        argument_input(&merged, "--merge", arg, state);
        words_add(&a->merge, arg); /* a file may have any name */
        return 0;
    case KEY_SHARD:
        parse_shard(a, arg, state);
        return 0;
    default:
        return argument_take(takes, a, key, arg, state);
    }
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct arguments *a = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        shared_begin(state, children, &shared);
        return 0;
    case ARGP_KEY_ARG:
        argument_input(&a->file, "a sweep's file", arg, state);
        return 0;
    case ARGP_KEY_END:
        if (a->random && a->latin)
            argp_error(state, "--random and --latin: one of them");
        if (a->slurm && (a->shards || a->merge.count))
            argp_error(state, "--slurm makes its own --shard and --merge");
        if (!a->slurm && (a->tasks || a->sbatch))
            argp_error(state, "--array and --sbatch: with --slurm only");
        if (a->shards && a->merge.count)
            argp_error(state, "--shard and --merge: shards run first, then one call merges their stores");
        return 0;
    default:
        return parse_option(a, key, arg, state);
    }
}

/* --- Over what the file says. */

static void replace(struct words *of, struct words *by)
{
    if (!by->count)
        return;
    words_free(of);
    *of = *by;
    *by = (struct words){0};
}

/* The later one would win, and say nothing of it. */
static int check_once(const struct words *all, struct mh_error *err)
{
    for (unsigned i = 0; i < all->count; i++)
        for (unsigned j = 0; j < i; j++) {
            const char *one = all->text[j], *other = all->text[i];
            const int key = (int)strcspn(one, "=");
            if (one[key] && !strncmp(one, other, (size_t)key + 1))
                return mh_fail(err, "--vary: %.*s is given twice; write its values with commas: --vary %.200s,%.200s",
                               key, one, one, other + key + 1);
        }
    return 0;
}

static int vary(struct sweep_spec *s, const struct arguments *a, struct mh_error *err)
{
    struct mh_error why;
    if (check_once(&a->vary, err))
        return -1;
    for (unsigned i = 0; i < a->vary.count; i++)
        if (spec_vary(s, a->vary.text[i], &why))
            return mh_fail(err, "--vary %.900s", why.text);
    for (unsigned i = 0; i < shared.set_count; i++) {
        if (spec_check_set(shared.sets[i], &why))
            return mh_fail(err, "--set %.900s", why.text);
        if (s->sets.count == SPEC_SETS)
            return mh_fail(err, "more than %d assignments", SPEC_SETS);
        words_add(&s->sets, shared.sets[i]);
    }
    return 0;
}

static int take_metrics(struct sweep_spec *s, const struct arguments *a, struct mh_error *err)
{
    if (a->metrics.count) {
        words_free(&s->metrics);
        words_free(&s->metric_names);
    }
    for (unsigned i = 0; i < a->metrics.count; i++)
        if (spec_metric(s, a->metrics.text[i], err))
            return -1;
    return 0;
}

static void take_sample(struct sweep_spec *s, const struct arguments *a)
{
    if (a->random || a->latin) {
        s->sampling = a->random ? SPEC_RANDOM : SPEC_LATIN;
        s->samples = a->random ? a->random : a->latin;
    }
    s->sample_seed = a->sample_seed ? a->sample_seed : s->sample_seed;
}

static int take(struct sweep_spec *s, struct arguments *a, struct mh_error *err)
{
    if (a->file && spec_load(s, a->file, err))
        return -1;
    replace(&s->images, &a->images);
    replace(&s->workloads, &a->workloads);
    replace(&s->presets, &a->presets);
    replace(&s->designs, &a->designs);
    take_sample(s, a);
    s->cycles = a->cycles ? a->cycles : s->cycles;
    s->alone_whole |= a->whole;
    s->why |= a->why;
    s->twin |= a->twin;
    if (shared.seed_first) {
        s->seed_first = shared.seed_first;
        s->seed_last = shared.seed_last;
    }
    return vary(s, a, err) || take_metrics(s, a, err) ? -1 : 0;
}

/* A list may name a recording, too. */
static int check_files(const struct sweep_spec *s, struct mh_error *err)
{
    for (unsigned i = 0; i < s->workloads.count; i++)
        files_workload(s->workloads.text[i]);
    return files_check(err);
}

static int run(const struct sweep_request *r, const struct words *merge, bool dry)
{
    struct mh_error err;
    struct sweep *s = sweep_open(r, &err);
    int status = s ? 0 : -1;
    for (unsigned i = 0; !status && i < merge->count; i++)
        status = sweep_merge(s, merge->text[i], dry, &err);
    if (!status)
        status = sweep_run(s, dry, &err);
    if (status < 0) {
        if (s)
            sweep_close(s);
        return bad_input(&err);
    }
    sweep_report(s, dry, stdout);
    if (status)
        fputs("memhelm: interrupted; what is finished is kept, the same call goes on\n", stderr);
    const struct sweep_tally *t = sweep_tally(s);
    bool good = !t->refused && !t->failed && !t->valueless;
    sweep_close(s);
    return status ? 128 + status : good ? EXIT_PASSED : EXIT_NOT_PASSED;
}

static int submit(const struct sweep_request *r, const struct arguments *a)
{
    const struct slurm_request slurm = {r, a->tasks ? a->tasks : 8, a->sbatch, !a->dry};
    struct slurm_jobs jobs;
    struct mh_error err;
    if (slurm_submit(&slurm, &jobs, &err))
        return bad_input(&err);
    printf("%s: scripts, and later stores and logs\n", jobs.folder);
    if (a->dry)
        printf("nothing is submitted: sbatch --array=1-%u task.sh there, and merge.sh behind it\n", slurm.tasks);
    else
        printf("submitted: job %lu, %u tasks; job %lu, the points, when they have ended\n", jobs.tasks, slurm.tasks,
               jobs.merge);
    return EXIT_PASSED;
}

const struct argp sweep_argp = {
    .options = sweep_options, .parser = parse, .args_doc = "[FILE]", .doc = doc, .children = children};

int cmd_sweep(int argc, char **argv)
{
    struct arguments a = {0};
    struct sweep_request r = {0};
    struct mh_error err;
    shared_init(&shared);
    spec_init(&r.spec);
    command_parse(&sweep_argp, argc, argv, &a);
    r.output = a.output;
    r.results = shared.results;
    r.jobs = shared.jobs;
    r.shard = a.shard;
    r.shards = a.shards;
    int code;
    if (take(&r.spec, &a, &err) || spec_complete(&r.spec, study_named_list, &err) || check_files(&r.spec, &err))
        code = bad_input(&err);
    else
        code = a.slurm ? submit(&r, &a) : run(&r, &a.merge, a.dry);
    struct words *const all[] = {&a.images, &a.workloads, &a.presets, &a.designs, &a.vary, &a.metrics, &a.merge};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        words_free(all[i]);
    spec_free(&r.spec);
    return code;
}
