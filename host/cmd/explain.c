#include <stdio.h>

#include "base/file.h"
#include "explain/explain.h"
#include "report/report.h"
#include "commands.h"
#include "shared.h"

static const char doc[] =
    "Says why image B does more or less than image A on a workload: where each tenant's SM cycles went, cycle by "
    "cycle, "
    "beside each other.\v"
    "Each cycle of an SM belongs to one part: something was issued, or the SM waited for what the load that ended the "
    "wait was at: the LSU, TLBs, a walk and its queue, a page, the crossbar, the L2, DRAM and its queue. Parts are in "
    "SM "
    "cycles per warp instruction, so that they add up to what an instruction takes (hwmodel/waits). One seed is one "
    "run: "
    "look at a second one before a small change counts.\n"
    "\n"
    "Examples:\n"
    "  memhelm explain baseline mask --workload MVT+GUPS --cycles 1M\n"
    "  memhelm explain baseline dws -p dws -w GUPS+3DS8 --twin --plots figures\n"
    "  memhelm explain baseline ./mine.elf -w RED+3DS --set l1tlb.mshrs=4 --markdown why.md --json runs.json\n"
    "\n"
    "Exit codes as of `memhelm run`.";

static struct shared shared;

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct options *o = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = o;
        state->child_inputs[1] = &shared;
        return 0;
    case ARGP_KEY_ARG:
        options_image(o, arg, state);
        return 0;
    case ARGP_KEY_END:
        if (o->image_count != 2)
            argp_error(state, "two images, such as: baseline mask; `memhelm list images` shows them");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* false: one of the two did not pass, and nothing can be said. */
static bool runs_of(const struct experiment *x, struct explain_run of[2])
{
    for (unsigned i = 0; i < 2; i++) {
        of[i] = (struct explain_run){x->images[i]->name, &x->cfg, &x->runs[i]->sim.result.stats};
        if (!sim_passed(&x->runs[i]->sim))
            return false;
    }
    return true;
}

static void report(const struct experiment *x, FILE *out)
{
    struct explain_run of[2];
    if (runs_of(x, of))
        explain_pair(of, &(struct doc){out, DOC_TEXT, 0});
}

static int write_markdown(const struct explain_run of[2], const char *path, struct mh_error *err)
{
    struct draft d;

    draft_open(&d);
    explain_pair(of, &(struct doc){d.out, DOC_MARKDOWN, 0});
    return draft_write(&d, path, err);
}

static int write_files(const struct experiment *x, struct mh_error *err)
{
    struct explain_run of[2];
    if (x->options->json && result_write_compare(x, x->options->json, err))
        return -1;
    if (!runs_of(x, of))
        return 0;
    if (shared.markdown && write_markdown(of, shared.markdown, err))
        return -1;
    return shared.plots ? explain_draw(of, 2, shared.plots, "waits", err) : 0;
}

static const struct argp_child children[] = {{&common_argp, 0, NULL, 0}, {&shared_figures, 0, NULL, 0}, {0}};
const struct argp explain_argp = {.parser = parse, .args_doc = "A B", .doc = doc, .children = children};

int cmd_explain(int argc, char **argv)
{
    struct options o;
    struct mh_error err;
    options_init(&o);
    shared_init(&shared);
    command_parse(&explain_argp, argc, argv, &o);
    o.no_alone = true;
    if (shared_check_outputs(&shared, &err))
        return bad_input(&err);
    if (options_add(&o, "sm.wait_reasons=1")) {
        (void)snprintf(err.text, sizeof err.text, "too many --set: write a file for --config");
        return bad_input(&err);
    }
    return simulate(&o, &(struct presentation){report, write_files});
}
