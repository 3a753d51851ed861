#include "shared.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "mcu/signed.h"
#include "run/setup.h"
#include "argument.h"

enum {
    KEY_SHORT = 0x100, /* + enum option_short */
    KEY_EPOCHS = KEY_SHORT + SHORTS,
    KEY_REGISTERS,
    KEY_COUNTS,
    KEY_DRAM_TRACE,
    KEY_FAULTS,
    KEY_SERIES,
    KEY_SERIES_PLOT,
    KEY_TIMELINE,
    KEY_PER_LAUNCH,
    KEY_TIMING,
    KEY_GDB,
    KEY_TRACE,
    KEY_CONSOLE,
    KEY_TWIN,
    KEY_NO_ALONE,
    KEY_TELL_ALONE,
    KEY_PARAM,
    KEY_ROI,
    KEY_SWAP,
    KEY_PROBATION,
    KEY_VERIFY,
    KEY_KEY,
    KEY_COUNTER,
};

static const struct argp_option common_options[] = {
    {0, 0, 0, 0, "What runs:", 1},
    {"image", 'i', "NAME|FILE", 0, "Firmware image: a name of `memhelm list images`, or any ELF file", 1},
    {"workload", 'w', "A+B", 0,
     "One tenant per part: KERNEL[@VARIANT][:SIZE], KERNEL:FILE, where it takes a matrix or a graph (`memhelm list "
     "kernels`), or trace:FILE; of several launches, @launch=N or @launches=A-B "
     "takes some, the first being 0: CORR@launch=3:1024",
     1},
    {"param", KEY_PARAM, "NAME=VALUE", 0,
     "Parameter of the image, such as throttle.degree=4 (`memhelm list images IMAGE`); one image of several is given "
     "its "
     "own behind its name: etc:throttle.degree=4:throttle.release=2",
     1},
    {"cycles", KEY_SHORT + SHORT_CYCLES, "N", 0, "Length of the run in GPU cycles, such as 500K or 2M", 1},
    {"warmup", KEY_SHORT + SHORT_WARMUP, "N", 0, "GPU cycles at the start that the results leave out", 1},
    {"roi", KEY_ROI, "A..B", 0, "Results of cycles A to B alone: --warmup A --cycles B", 1},
    {"seed", KEY_SHORT + SHORT_SEED, "N", 0, "Of data and page placement", 1},
    {"twin", KEY_TWIN, 0, 0, "Run the policies natively, in no GPU time, instead of firmware in QEMU", 1},
    {0, 0, 0, 0, "On which GPU and mcu:", 2},
    {"preset", 'p', "NAME", 0,
     "Built-in configuration (default: the image's own, of `memhelm list images`), or FILE.yaml as --config", 2},
    {"design", 'd', "NAME", 0, "Built-in changes to it, such as PWCache or Ideal: `memhelm list designs`", 2},
    {"config", 'c', "FILE", 0, "YAML; its keys change the preset's", 2},
    {"core", KEY_SHORT + SHORT_CORE, "NAME|FILE", 0, "Core whose instruction times the mcu has: `memhelm list cores`",
     2},
    {"mcu-hz", KEY_SHORT + SHORT_MCU_HZ, "N|inf", 0, "Clock of the mcu, such as 500M; inf: decisions take no GPU time",
     2},
    {"on-fault", KEY_SHORT + SHORT_ON_FAULT, "stop|recover", 0,
     "After a trap or a hang of the firmware: end the run, or reset the knobs and boot the mcu again", 2},
    {"trace-lenient", KEY_SHORT + SHORT_TRACE_LENIENT, 0, 0,
     "trace:FILE: an address outside the launch's buffers moves to the nearest place in one, and what a header says "
     "wrongly is assumed; says how many, and what",
     2},
    {0, 0, 0, 0, "What comes out:", 3},
    {"timing", KEY_TIMING, "FILE", 0, "Wall time and simulated cycles per second (default: FILE.timing of --json)", 3},
    {"status", KEY_SHORT + SHORT_STATUS, "CYCLES", 0, "Ask the firmware for a status line this often", 3},
    {0, 0, 0, 0, "How:", 4},
    {"no-alone", KEY_NO_ALONE, 0, 0, "Do not run each tenant alone: no speedups", 4},
    {"tell-alone", KEY_TELL_ALONE, 0, 0,
     "Run each tenant alone first, and tell the firmware its IPC (tenants[].alone_ipc), which ccbp with ccbp.told=1 "
     "takes",
     4},
    {0},
};

static const struct argp_option single_options[] = {
    {"swap", KEY_SWAP, "WHEN:IMAGE", 0,
     "Another image takes over, while the GPU works: at a GPU cycle, --swap 2M:dws --swap 4M:mask, or once a counter's "
     "sum over all tenants is above a value, --swap 'walks>50K:dws'. Knobs stay in force up to its first COMMIT, which "
     "takes back those that it does not set",
     1},
    {"probation", KEY_PROBATION, "EPOCHS", 0,
     "With --swap and --on-fault recover: an image that fails before it has answered so many epochs is replaced by the "
     "one before it (default: 3)",
     1},
    {"verify", KEY_VERIFY, 0, 0,
     "Boot through the boot ROM, which verifies the signature: what `memhelm sign` made of the image, or "
     "IMAGE, a FILE.signed, itself",
     1},
    {"key", KEY_KEY, "FILE", 0,
     "Key that the boot ROM trusts, PEM, public or private (default: the development key); implies --verify", 1},
    {"counter", KEY_COUNTER, "N", 0, "Monotonic counter: the boot ROM refuses a lower version; implies --verify", 1},
    {"epochs", KEY_EPOCHS, "FILE", 0, "CSV: a row per epoch and tenant, all counters, knobs, the decision's latency",
     3},
    {"registers", KEY_REGISTERS, "FILE", 0, "Every access of the mcu to the GPU window, in order", 3},
    {"counts", KEY_COUNTS, "FILE", 0,
     "What the mcu executed: instructions and cycles per address, call and decision (JSON)", 3},
    {"dram-trace", KEY_DRAM_TRACE, "FILE", 0,
     "Every request that enters one DRAM channel, as `memhelm dram` reads them; its last line says what the channel "
     "did",
     3},
    {"dram-trace-channel", KEY_SHORT + SHORT_DRAM_CHANNEL, "N", 0, "Which channel (default: 0)", 3},
    {"faults", KEY_FAULTS, "FILE", 0,
     "CSV: a row per page fault: cycle, address, tenant, SM, latency, what it evicted and prefetched (uvm.mode on)", 3},
    {"series", KEY_SERIES, "FILE", 0,
     "CSV: a row per 400 GPU cycles and tenant, with what its L1D and L2 look-ups, requests for data, reply flits and "
     "DRAM accesses grew "
     "by",
     3},
    {"series-plot", KEY_SERIES_PLOT, "FILE.svg", 0,
     "Figure of the end of such a series: demand and use of crossbar and DRAM in each period", 3},
    {"series-cycles", KEY_SHORT + SHORT_SERIES, "N", 0,
     "GPU cycles of a period of --series and --series-plot (default: 400)", 3},
    {"timeline", KEY_TIMELINE, "FILE", 0,
     "Trace events for Perfetto: what the mcu did, tenants and their launches, walks, DRAM queues, page faults over "
     "time (JSON, at most 32 MiB)",
     3},
    {"per-launch", KEY_PER_LAUNCH, 0, 0,
     "For each tenant a table of its launches: kernel, first cycle, cycles, thread instructions, IPC; with --json also "
     "there, as `launches`",
     3},
    {"console", KEY_CONSOLE, 0, 0, "The firmware's uart on this terminal", 4},
    {"gdb", KEY_GDB, "PORT", OPTION_ARG_OPTIONAL, "Wait for a debugger (default port 1234)", 4},
    {"trace", KEY_TRACE, "PATTERN", 0, "QEMU's trace events on standard error, such as 'memhelm_*'", 4},
    {0},
};

void options_short(struct options *o, enum option_short which, const char *value, struct argp_state *state)
{
    if (options_add_short(o, which, value))
        argp_error(state, "%s: '%.40s' is no number, or given too often", options_short_name(which), value);
}

static const struct take takes[] = {
    {KEY_TWIN, TAKE_TRUE, .at = offsetof(struct options, twin)},
    {KEY_NO_ALONE, TAKE_TRUE, .at = offsetof(struct options, no_alone)},
    {KEY_TELL_ALONE, TAKE_TRUE, .at = offsetof(struct options, tell_alone)},
    {KEY_PER_LAUNCH, TAKE_TRUE, .at = offsetof(struct options, per_launch)},
    {KEY_CONSOLE, TAKE_TRUE, .at = offsetof(struct options, console)},
    {'c', TAKE_INPUT, .at = offsetof(struct options, config)},
    {KEY_VERIFY, TAKE_TRUE, .at = offsetof(struct options, verify)},
    {KEY_KEY, TAKE_INPUT, .at = offsetof(struct options, key)},
    {KEY_TIMING, TAKE_OUTPUT, .at = offsetof(struct options, timing)},
    {KEY_EPOCHS, TAKE_OUTPUT, .at = offsetof(struct options, epochs)},
    {KEY_REGISTERS, TAKE_OUTPUT, .at = offsetof(struct options, registers)},
    {KEY_COUNTS, TAKE_OUTPUT, .at = offsetof(struct options, counts)},
    {KEY_DRAM_TRACE, TAKE_OUTPUT, .at = offsetof(struct options, dram_trace)},
    {KEY_FAULTS, TAKE_OUTPUT, .at = offsetof(struct options, faults)},
    {KEY_SERIES, TAKE_OUTPUT, .at = offsetof(struct options, series)},
    {KEY_SERIES_PLOT, TAKE_OUTPUT, .at = offsetof(struct options, series_plot)},
    {KEY_TIMELINE, TAKE_OUTPUT, .at = offsetof(struct options, timeline)},
    {KEY_COUNTER, TAKE_NUMBER, .at = offsetof(struct options, counter), .most = UINT32_MAX},
    {KEY_PROBATION, TAKE_NUMBER, .at = offsetof(struct options, probation), .most = 1000},
    {0},
};

/* Options that are taken as they stand, or are an assignment by another name. */
static error_t parse_plain(struct options *o, int key, char *arg, struct argp_state *state)
{
    if (key < KEY_SHORT || key >= KEY_SHORT + SHORTS)
        return argument_take(takes, o, key, arg, state);
    options_short(o, (enum option_short)(key - KEY_SHORT), arg ? arg : "1", state);
    return 0;
}

static void parse_roi(struct options *o, const char *arg, struct argp_state *state)
{
    const char *dots = strstr(arg, "..");
    char from[24] = "";
    if (dots && dots - arg < (int)sizeof from)
        snprintf(from, sizeof from, "%.*s", (int)(dots - arg), arg);
    if (!*from || !dots[2])
        argp_error(state, "--roi %.60s: two cycles, such as 100K..500K", arg);
    options_short(o, SHORT_WARMUP, from, state);
    options_short(o, SHORT_CYCLES, dots + 2, state);
}

void options_image(struct options *o, const char *image, struct argp_state *state)
{
    if (!signed_named(image)) /* where none is expected, it is refused as no ELF file */
        argument_meant(image, MEANT_IMAGE, state);
    if (o->image_count == MAX_IMAGES)
        argp_error(state, "more than %d images", MAX_IMAGES);
    else
        o->images[o->image_count++] = image;
}

static error_t parse_config(int key, char *arg, struct argp_state *state)
{
    struct options *o = state->input;
    switch (key) {
    case 'p':
        argument_once(&o->preset, "--preset", arg, state);
        if (!preset_is_file(arg))
            argument_meant(arg, MEANT_PRESET, state);
        break;
    case 'd':
        argument_once(&o->design, "--design", arg, state);
        argument_meant(arg, MEANT_DESIGN, state);
        break;
    default:
        return parse_plain(o, key, arg, state);
    }
    return 0;
}

static struct shared shared;
static const struct argp_child common_children[] = {
    {&shared_set, 0, NULL, 0}, {&shared_json, 0, NULL, 0}, {&shared_keep, 0, NULL, 0}, {&shared_jobs, 0, NULL, 0}, {0}};

static error_t parse_common(int key, char *arg, struct argp_state *state)
{
    struct options *o = state->input;
    switch (key) {
    case 'i':
        options_image(o, arg, state);
        break;
    case 'w':
        argument_workload(&o->workload, arg, state);
        break;
    case KEY_PARAM:
        if (options_add_param(o, arg))
            argp_error(state, "--param %.60s: too many parameters, or too long a one", arg);
        break;
    case KEY_ROI:
        parse_roi(o, arg, state);
        break;
    case ARGP_KEY_INIT:
        shared_init(&shared);
        shared.run = o;
        shared_begin(state, common_children, &shared);
        break;
    case ARGP_KEY_END:
        o->json = shared.json;
        o->jobs = shared.jobs;
        o->keep = shared.keep;
        if (o->tell_alone && o->no_alone)
            argp_error(state, "--tell-alone tells what --no-alone does not run");
        if (o->twin && o->of_core)
            argp_error(state, "--twin has no mcu: %s does not go with it", o->of_core);
        break;
    default:
        return parse_config(key, arg, state);
    }
    return 0;
}

/* "2M", or "walks>50K", as mh_swap_when_read() takes it: digits alone. */
static int read_when(const char *text, struct mh_swap_when *when, struct mh_error *err)
{
    const char *number = strchr(text, '>');
    char plain[80];
    uint64_t value;
    number = number ? number + 1 : text;
    if (number_scaled(number, &value))
        snprintf(plain, sizeof plain, "%.*s%" PRIu64, (int)(number - text), text, value);
    return mh_swap_when_read(number_scaled(number, &value) ? plain : text, when, err);
}

static void add_swap(struct options *o, const char *arg, struct argp_state *state)
{
    const char *image = strchr(arg, ':');
    char when[64] = "";
    struct mh_error err;
    if (image && image - arg < (int)sizeof when)
        snprintf(when, sizeof when, "%.*s", (int)(image - arg), arg);
    if (!*when || !image[1])
        argp_error(state, "--swap %.60s: when, and an image, such as 2M:dws or 'walks>50K:dws'", arg);
    if (o->swap_count == MH_SWAPS)
        argp_error(state, "more than %d --swap", MH_SWAPS);
    if (!signed_named(image + 1))
        argument_meant(image + 1, MEANT_IMAGE, state);
    struct option_swap *s = &o->swaps[o->swap_count++];
    s->image = image + 1;
    if (read_when(when, &s->when, &err))
        argp_error(state, "--swap %.60s: %s", arg, err.text);
    for (struct option_swap *before = o->swaps; before < s && s->when.cycle; before++)
        if (before->when.cycle >= s->when.cycle)
            argp_error(state, "--swap %.60s: not after the swap before it, at cycle %" PRIu64, arg, before->when.cycle);
}

/* QEMU takes more than names here: other options of its own behind a comma, `help`, a file of names. */
static void check_pattern(const char *text, struct argp_state *state)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_*?";
    if (!*text || text[strspn(text, allowed)] || !strcmp(text, "help") || !strcmp(text, "?"))
        argp_error(state,
                   "--trace: '%.60s' is no pattern of trace events: letters, digits and _, * for any of them, "
                   "such as 'memhelm_*'",
                   text);
}

static error_t parse_single(int key, char *arg, struct argp_state *state)
{
    struct options *o = state->input;
    o->verify |= key == KEY_KEY || key == KEY_COUNTER;
    switch (key) {
    case KEY_SWAP:
        add_swap(o, arg, state);
        break;
    case KEY_TRACE:
        check_pattern(arg, state);
        argument_once(&o->trace, "--trace", arg, state);
        break;
    case KEY_GDB:
        o->gdb = arg ? argument_number("--gdb", arg, 65535, state) : 1234;
        break;
    default:
        return parse_plain(o, key, arg, state);
    }
    return 0;
}

const struct argp common_argp = {.options = common_options, .parser = parse_common, .children = common_children};
const struct argp single_argp = {.options = single_options, .parser = parse_single};
