#include <argp.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "dram/dram.h"
#include "argument.h"
#include "shared.h"
#include "run/setup.h"
#include "base/process.h"

static const char doc[] =
    "Drives the model of one DRAM channel, the same as in a whole run, with a trace of requests.\v"
    "A line of TRACE is `0xADDR READ|WRITE CYCLE`: byte address in the channel, and the cycle of the memory clock at\n"
    "which the request wants to enter. At most one enters per cycle, in order; it waits when the queue is full. Empty\n"
    "lines and lines that begin with # are skipped. TRACE may be packed (gzip, zstd); - is standard input.\n"
    "\n"
    "NAME is gddr5 (default), ddr3-1600, gddr6, hbm2, gddr5-8gb, hbm2e, hbm3, or a preset of `memhelm list presets`, "
    "whose channel is taken.\n"
    "Keys are those of `memhelm list config` that begin with dram. and clock.dram_hz.\n"
    "\n"
    "Examples:\n"
    "  memhelm dram trace.txt\n"
    "  memhelm dram trace.zst -p ddr3-1600 -s dram.ranks=1 -s dram.mapping='row bank rank column' --json r.json\n"
    "  memhelm dram trace.gz -p gddr6 -s dram.rows=closed --commands commands.txt\n"
    "\n"
    "Exit code: 0 done; 2 bad input, or a file could not be written.";

enum { KEY_COMMANDS = 0x100 };

static const struct argp_option options[] = {
    {"preset", 'p', "NAME", 0, "Built-in parameters (default: gddr5)", 1},
    {"config", 'c', "FILE", 0, "YAML; its keys change the preset's", 1},
    {"commands", KEY_COMMANDS, "FILE", 0, "Every command: cycle, command, rank, group, bank, row", 3},
    {0},
};

struct request {
    const char *trace, *preset, *config, *commands;
    struct shared shared;
};

static const struct argp_child children[] = {{&shared_set, 0, NULL, 0}, {&shared_json, 0, NULL, 0}, {0}};

static const struct take takes[] = {
    {'p', TAKE_ONCE, .at = offsetof(struct request, preset)},
    {'c', TAKE_INPUT, .at = offsetof(struct request, config)},
    {KEY_COMMANDS, TAKE_OUTPUT, .at = offsetof(struct request, commands)},
    {0},
};

static error_t parse_argument(struct request *q, char *arg, struct argp_state *state)
{
    if (q->trace)
        argp_error(state, "one trace, not also '%s'", arg);
    argument_input(&q->trace, "TRACE", arg, state);
    return 0;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct request *q = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        shared_begin(state, children, &q->shared);
        return 0;
    case ARGP_KEY_ARG:
        return parse_argument(q, arg, state);
    case ARGP_KEY_END:
        if (!q->trace)
            argp_error(state, "which trace? a file of lines such as `0x1f80 READ 120`, or -");
        return 0;
    default:
        return argument_take(takes, q, key, arg, state);
    }
}

/* A parameter set of a channel, or a whole preset, of which only the channel is used. */
static int load_preset(struct mh_config *cfg, const char *name, struct mh_error *err)
{
    memset(cfg, 0, sizeof *cfg);
    cfg->dram.channels = 1;
    if (preset_dram(cfg, name, err))
        return -1;
    snprintf(cfg->preset, sizeof cfg->preset, "%s", name);
    return 0;
}

/* A rule between keys begins with one of them: adds the --set or the line that gives it. Returns -1. */
static int refuse(const struct request *q, struct mh_error *err)
{
    struct mh_error why = *err;
    char key[sizeof why.text] = "";
    size_t length = strcspn(why.text, ": ,");
    memcpy(key, why.text, length);
    for (unsigned i = q->shared.set_count; i-- > 0;)
        if (!strncmp(q->shared.sets[i], key, length) && q->shared.sets[i][length] == '=')
            return mh_fail(err, "--set %.100s: %.380s", q->shared.sets[i], why.text);
    unsigned line = q->config ? mh_config_line(q->config, key) : 0;
    return line ? mh_fail(err, "%.120s:%u: %.380s", q->config, line, why.text) : -1;
}

static int configure(const struct request *q, struct mh_config *cfg, struct mh_error *err)
{
    if (load_preset(cfg, q->preset ? q->preset : "gddr5", err))
        return -1;
    if (q->config && (mh_config_load(cfg, q->config, err) || preset_agrees(cfg, q->preset, q->config, err)))
        return -1;
    for (unsigned i = 0; i < q->shared.set_count; i++)
        if (origin_set(cfg, q->shared.sets[i], err))
            return -1;
    if (!cfg->dram.request_bytes) /* of a whole preset: what its L2 asks for */
        cfg->dram.request_bytes = cfg->memory.line_bytes;
    if (cfg->dram.scheduler == MH_DRAM_MPKI)
        return mh_fail(err, "dram.scheduler: mpki orders tenants, of whom a trace says nothing; set it to fr-fcfs");
    return mh_config_check_dram(&cfg->dram, err) ? refuse(q, err) : 0;
}

static int close_commands(FILE *f, const char *path, struct mh_error *err)
{
    if (!f)
        return 0;
    bool bad = ferror(f);
    bad = fclose(f) || bad;
    if (bad && standard_output_named(path) && errno == EPIPE) /* its reader has seen enough */
        return 0;
    return bad ? mh_fail(err, "%s: cannot write: %s", path, strerror(errno)) : 0;
}

static int run_files(const struct request *q, const struct mh_config *cfg, struct dram_trace *trace,
                     struct dram_result *r, struct mh_error *err)
{
    struct mh_error late;
    FILE *commands = q->commands ? standard_output_or_file(q->commands) : NULL;
    if (q->commands && !commands)
        return mh_fail(err, "%s: cannot write: %s", q->commands, strerror(errno));
    int status = dram_run(&cfg->dram, trace, commands, isatty(STDERR_FILENO), r, err);
    int closed = close_commands(commands, q->commands, status ? &late : err);
    if (!status && !closed && !r->requests)
        return mh_fail(err, "%s: no request in it; a line looks like `0x1f80 READ 120`", q->trace);
    return status || closed ? -1 : 0;
}

static int serve_trace(const struct request *q, const struct mh_config *cfg, struct mh_error *err)
{
    struct dram_result r = {0};
    struct dram_trace *trace = dram_trace_open(q->trace, err);
    if (!trace)
        return -1;
    double start = wall_seconds();
    int status = run_files(q, cfg, trace, &r, err);
    if (!status) {
        dram_report(cfg, &r, wall_seconds() - start, stdout);
        status = q->shared.json ? dram_report_json(cfg, &r, q->shared.json, err) : 0;
    }
    dram_result_free(&r);
    dram_trace_close(trace);
    return status;
}

const struct argp dram_argp = {
    .options = options, .parser = parse, .args_doc = "TRACE", .doc = doc, .children = children};

int cmd_dram(int argc, char **argv)
{
    static struct mh_config cfg;
    struct request q = {0};
    struct mh_error err;
    command_parse(&dram_argp, argc, argv, &q);
    if (!configure(&q, &cfg, &err) && !serve_trace(&q, &cfg, &err))
        return EXIT_PASSED;
    return bad_input(&err);
}
