#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "options.h"
#include "shared.h"
#include "simulate.h"
#include "base/file.h"
#include "base/memory.h"
#include "report/report.h"

static const char doc[] =
    "Simulates several firmware images on the same workload, in parallel, and prints a table: a row per image, with "
    "the change against the first.\v"
    "Examples:\n"
    "  memhelm compare baseline mask-tlb --workload MVT+GUPS --cycles 300000\n"
    "  memhelm compare baseline ./mine.elf -w HISTO+3DS --seed 2 --json c.json\n"
    "  memhelm compare baseline mask-tlb -w MVT+GUPS --twin    natively\n"
    "  memhelm compare baseline dws -w GUPS+3DS --seeds 1-5 --cycles 500K --markdown c.md\n"
    "\n"
    "With --seeds: the mean and half of its 95 % interval; changes are paired by seed. IPC is thread instructions per "
    "GPU cycle.\n"
    "\n"
    "Exit codes as of `memhelm run`; what is finished is reported and written even if another image fails or "
    "Ctrl-C ends it.";

enum { KEY_WIDE = 0x300 };

static const struct argp_option compare_options[] = {{"wide", KEY_WIDE, 0, 0, "All columns: TLB hits, walks, DRAM", 3},
                                                     {0}};

static struct shared shared;
static const struct argp_child children[] = {
    {&common_argp, 0, NULL, 0}, {&shared_seeds, 0, NULL, 0}, {&shared_markdown, 0, NULL, 0}, {0}};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct options *o = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        shared_init(&shared);
        shared_begin(state, children, &shared);
        state->child_inputs[0] = o;
        return 0;
    case KEY_WIDE:
        o->wide = true;
        return 0;
    case ARGP_KEY_ARG:
        options_image(o, arg, state);
        return 0;
    case ARGP_KEY_END:
        o->seed_first = shared.seed_first;
        o->seed_last = shared.seed_last;
        for (unsigned i = 0; o->seed_last && i < o->set_count; i++)
            if (!strncmp(o->sets[i], "run.seed=", strlen("run.seed=")))
                argp_error(state, "--seed and --seeds: one of them");
        if (o->image_count < 2)
            argp_error(state, "two images or more, such as: baseline mask-tlb; `memhelm list images` shows them");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static int write_markdown(const struct experiment *x, const char *path, struct mh_error *err)
{
    char *text = NULL;
    size_t size;
    FILE *out = must(open_memstream(&text, &size));
    report_compare_tables(x, &(struct doc){out, DOC_MARKDOWN, 0});
    fclose(out);
    int status = write_file(path, text, size, err);
    free(text);
    return status;
}

static int write_files(const struct experiment *x, struct mh_error *err)
{
    if (x->options->json && result_write_compare(x, x->options->json, err))
        return -1;
    return shared.markdown ? write_markdown(x, shared.markdown, err) : 0;
}

const struct argp compare_argp = {
    .options = compare_options, .parser = parse, .args_doc = "IMAGE...", .doc = doc, .children = children};

int cmd_compare(int argc, char **argv)
{
    struct options o;
    options_init(&o);
    command_parse(&compare_argp, argc, argv, &o);
    return simulate(&o, &(struct presentation){report_compare, write_files});
}
