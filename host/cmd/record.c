#include <argp.h>
#include <stdlib.h>
#include <string.h>

#include "argument.h"
#include "base/number.h"
#include "commands.h"
#include "memhelm/kernels.h"
#include "record/record.h"

static const char doc[] =
    "Runs an OpenCL program without a GPU, under Oclgrind, and writes what its kernels access in global memory as a "
    "trace: NAME.gmt.zst, and NAME.pcs.json beside it. The program is not changed.\v"
    "What a record is, how work items become warps and what is left out: host/record/README.md.\n"
    "\n"
    "Examples:\n"
    "  memhelm record -o atax.gmt.zst -- ./atax\n"
    "      all launches of ./atax; then `memhelm trace info atax.gmt.zst`\n"
    "  memhelm record -o lud.gmt.zst --launches 0-2 --ctas 0-699 --stop -- ./lud -s 2048\n"
    "      the first 700 CTAs of the first three launches; the program ends behind them\n"
    "  memhelm run -i mask-tlb -w trace:lud.gmt.zst+GUPS -s sm.lanes=32\n"
    "      the recording as a tenant of the modelled GPU\n"
    "\n"
    "Exit code: 0 recorded; 1 recorded, but PROGRAM failed; 2 nothing is written; 128 + signal when interrupted: "
    "launches that were whole are written.";

enum { KEY_LAUNCHES = 0x100, KEY_CTAS, KEY_MAX, KEY_WARP, KEY_OPTIONS, KEY_STOP };

#define MAX_SIZE "256M"

static const struct argp_option options[] = {
    {"output", 'o', "FILE", 0, "Where the trace goes: NAME.gmt.zst, or NAME.gmt (not packed)", 1},
    {"launches", KEY_LAUNCHES, "A-B", 0, "These launches alone, or N; the first is 0 (default: all)", 2},
    {"ctas", KEY_CTAS, "A-B", 0, "Of each launch these CTAs alone, or N; x fastest, the first is 0 (default: all)", 2},
    {"max-size", KEY_MAX, "BYTES", 0,
     "Stop recording before the CTA that makes the trace larger, before it is packed; K, M, G (default: " MAX_SIZE ")",
     2},
    {"stop", KEY_STOP, 0, 0, "End PROGRAM behind the last CTA that is recorded", 2},
    {"warp", KEY_WARP, "32|64", 0, "Work items of a warp (default: 32)", 3},
    {"build-options", KEY_OPTIONS, "TEXT", 0, "For the OpenCL compiler, behind PROGRAM's own (default: -O2)", 3},
    {0},
};

static struct record_range parse_range(const char *option, const char *text, struct argp_state *state)
{
    char spec[64];
    struct mh_launch_range range;
    struct mh_error err;

    snprintf(spec, sizeof spec, "@launch%s=%.40s", strchr(text, '-') ? "es" : "", text);
    if (strlen(text) > 40 || mh_launches_range(spec, &range, &err))
        argp_error(state, "%s: '%s'; write a number such as 0, or a range such as 0-99", option, text);
    return (struct record_range){range.first, range.end};
}

static void parse_lanes(struct record_request *q, const char *text, struct argp_state *state)
{
    if (strcmp(text, "32") && strcmp(text, "64"))
        argp_error(state, "--warp: '%s'; there are: 32 64", text);
    q->lanes = (unsigned)atoi(text);
}

static void check(const struct record_request *q, struct argp_state *state)
{
    size_t length = q->out ? strlen(q->out) : 0;

    if (!q->argv || !q->argv[0])
        argp_error(state, "which program? write it behind --: memhelm record -o NAME.gmt.zst -- PROGRAM ARGS");
    if (!q->out)
        argp_error(state, "where to? give -o NAME.gmt.zst");
    if ((length < 5 || strcmp(q->out + length - 4, ".gmt")) && (length < 9 || strcmp(q->out + length - 8, ".gmt.zst")))
        argp_error(state, "-o: '%s'; a trace's name ends in .gmt.zst, or .gmt", q->out);
}

static const struct take takes[] = {
    {KEY_STOP, TAKE_TRUE, .at = offsetof(struct record_request, stop)},
    {KEY_OPTIONS, TAKE_ONCE, .at = offsetof(struct record_request, options)},
    {'o', TAKE_FILE, .at = offsetof(struct record_request, out), .what = "a trace"},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct record_request *q = state->input;
    switch (key) {
    case KEY_LAUNCHES:
        q->launches = parse_range("--launches", arg, state);
        return 0;
    case KEY_CTAS:
        q->ctas = parse_range("--ctas", arg, state);
        return 0;
    case KEY_MAX:
        if (!number_scaled(arg, &q->max_bytes) || !q->max_bytes)
            argp_error(state, "--max-size: '%s'; write bytes such as 500000, 64M or 2G", arg);
        return 0;
    case KEY_WARP:
        parse_lanes(q, arg, state);
        return 0;
    case ARGP_KEY_ARGS:
        q->argv = state->argv + state->next;
        return 0;
    case ARGP_KEY_END:
        check(q, state);
        return 0;
    default:
        return argument_take(takes, q, key, arg, state);
    }
}

const struct argp record_argp = {.options = options, .parser = parse, .args_doc = "-- PROGRAM ARGS", .doc = doc};

int cmd_record(int argc, char **argv)
{
    struct record_request q = {.lanes = 32, .launches.end = UINT64_MAX, .ctas.end = UINT64_MAX};
    struct mh_error err;
    int status;

    number_scaled(MAX_SIZE, &q.max_bytes);
    command_parse_in_order(&record_argp, argc, argv, &q);
    if (!q.options)
        q.options = "-O2";
    status = record(&q, &err);
    return status < 0 ? bad_input(&err) : status ? EXIT_NOT_PASSED : EXIT_PASSED;
}
