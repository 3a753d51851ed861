#include <argp.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "argument.h"
#include "commands.h"
#include "base/words.h"
#include "base/process.h"
#include "memhelm/trace.h"
#include "run/traces.h"
#include "trace/trace_info.h"

static const char doc[] =
    "Describes a trace, or writes it in the compact format. A trace is a .gmt or .gmt.zst file, or one of Accel-Sim's: "
    "a kernelslist.g, or a .traceg of one kernel, plain or compressed (xz, gzip, zstd).\v"
    "  info FILE           launches, instructions, lanes, sectors, lines and pages per access, footprint\n"
    "  convert FILE OUT    writes OUT as GMT1; name it .gmt.zst to have it compressed\n"
    "FILE may be a pipe, such as <(tar -xOf traces.tar kernel-1.traceg): it is copied to $TMPDIR first. The files of a "
    "list that comes through one are in the current folder.\n"
    "\n"
    "GMT1 has no place for register numbers, registers per thread, shared memory and the instructions after a warp's "
    "last access; of an Accel-Sim trace, --full keeps what they mean to a run (format GMT2), so that a run is the "
    "same.\n"
    "\n"
    "Examples:\n"
    "  memhelm trace info tests/data/pb_gemm.w64.gmt.zst --pcs\n"
    "  memhelm trace convert --full traces/kernelslist.g bfs.gmt.zst\n"
    "  memhelm run -i mask-tlb -w trace:bfs.gmt.zst+GUPS -s sm.lanes=32\n"
    "\n"
    "Exit codes: 0; 2 bad input, or a file could not be written.";

enum { KEY_PCS = 0x100, KEY_JSON, KEY_FULL, KEY_LENIENT };

static const struct argp_option options[] = {
    {"pcs", KEY_PCS, 0, 0, "info: a row per static memory instruction", 0},
    {"json", KEY_JSON, 0, 0, "info: as JSON", 0},
    {"full", KEY_FULL, 0, 0, "convert: GMT2, which loses nothing that a run depends on", 0},
    {"trace-lenient", KEY_LENIENT, 0, 0,
     "GMT: an address outside the launch's buffers moves to the nearest place in one; Accel-Sim: what a header says "
     "wrongly is assumed; says what",
     0},
    {0},
};

struct request {
    const char *word[3];
    int count;
    bool pcs, json, full, lenient;
};

static const struct take takes[] = {
    {KEY_PCS, TAKE_TRUE, .at = offsetof(struct request, pcs)},
    {KEY_JSON, TAKE_TRUE, .at = offsetof(struct request, json)},
    {KEY_FULL, TAKE_TRUE, .at = offsetof(struct request, full)},
    {KEY_LENIENT, TAKE_TRUE, .at = offsetof(struct request, lenient)},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct request *r = state->input;
    switch (key) {
    case ARGP_KEY_ARG:
        if (r->count == 3)
            argp_error(state, "one word more than needed: %s", arg);
        if (r->count == 1)
            argument_meant(arg, MEANT_FILE, state);
        r->word[r->count++] = arg;
        return 0;
    case ARGP_KEY_END:
        if (!r->count)
            argp_error(state, "what? info or convert");
        return 0;
    default:
        return argument_take(takes, r, key, arg, state);
    }
}

static int info(const struct request *r, struct mh_error *err)
{
    const char *path;
    struct trace_info_how how = {.pcs = r->pcs, .lenient = r->lenient};

    if (r->count != 2 || r->full)
        return mh_fail(err, "write: memhelm trace info FILE [--pcs] [--json] [--trace-lenient]");
    path = piped_path(r->word[1], err);
    if (!path)
        return -1;
    return r->json ? trace_info_json(path, how, err) : trace_info_text(path, how, err);
}

static int convert(const struct request *r, struct mh_error *err)
{
    struct mh_workload *w;
    const char *path;
    char assumption[1024];
    int status;

    if (r->count != 3 || r->pcs || r->json)
        return mh_fail(err, "write: memhelm trace convert [--full] [--trace-lenient] FILE OUT.gmt.zst");
    if (standard_output_named(r->word[2]))
        return mh_fail(err, "OUT: - is standard output, and a trace needs a name of its own");
    files_trace(r->word[1]);
    files_output(r->word[2]);
    path = files_check(err) ? NULL : piped_path(r->word[1], err);
    w = path ? mh_trace_open(path, (struct mh_trace_how){.lenient = r->lenient}, err) : NULL;
    if (!w)
        return -1;
    status = mh_gmt_write(w, r->word[2], r->full ? MH_GMT2 : MH_GMT1, err);
    if (!status && !r->full && mh_trace_about(w)->dependences)
        fprintf(stderr,
                "memhelm: %s is GMT1: every access after a load waits for it, 32 registers a thread, no shared memory; "
                "--full keeps what %s says\n",
                r->word[2], r->word[1]);
    if (!status && mh_trace_about(w)->moved)
        fprintf(stderr, "memhelm: %" PRIu64 " addresses of lanes were outside the buffers of %s: moved into them\n",
                mh_trace_about(w)->moved, r->word[1]);
    if (!status && mh_trace_about(w)->assumption) {
        snprintf(assumption, sizeof assumption, "%s", mh_trace_about(w)->assumption);
        piped_names(assumption, sizeof assumption);
        fprintf(stderr, "memhelm: %s\n", assumption);
    }
    mh_trace_close(w);
    return status;
}

#define WORDS "info convert"

static int obey(const struct request *r, struct mh_error *err)
{
    if (!strcmp(r->word[0], "info"))
        return info(r, err);
    if (!strcmp(r->word[0], "convert"))
        return convert(r, err);
    return mh_fail(err, "no such thing to do with a trace: '%.60s'%s%s; there are: " WORDS, r->word[0],
                   meant_by(r->word[0], MEANT_OTHER).text, nearest_word(r->word[0], WORDS).text);
}

const struct argp trace_argp = {
    .options = options, .parser = parse, .args_doc = "info FILE\nconvert FILE OUT", .doc = doc};

int cmd_trace(int argc, char **argv)
{
    struct request r = {.count = 0};
    struct mh_error err;

    command_parse(&trace_argp, argc, argv, &r);
    if (!obey(&r, &err))
        return EXIT_PASSED;
    piped_names(err.text, sizeof err.text);
    return bad_input(&err);
}
