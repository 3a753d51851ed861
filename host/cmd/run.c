#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "mcu/signed.h"
#include "shared.h"
#include "report/report.h"

static const char doc[] =
    "Simulates one firmware image on a GPU shared by the tenants of a workload, and each tenant alone for the "
    "speedups (from a cache where possible). Prints a table.\v"
    "Examples:\n"
    "  memhelm run -i mask-tlb -w MVT+GUPS --cycles 300000 --seed 1 --json r.json\n"
    "  memhelm run -i mask-tlb -w MVT:1024+GUPS -s l2tlb.entries=256 --epochs e.csv\n"
    "  memhelm run -i ./my.elf -w trace:k.w64.gmt.zst+GUPS --console --status 50000\n"
    "  memhelm run -i mask-tlb -w MVT+GUPS --mcu-hz inf    no GPU time to decide\n"
    "  memhelm run -i mask-tlb -w MVT+GUPS --twin          the policies, natively\n"
    "  memhelm run -i mask-tlb -w GUPS --gdb --no-alone    waits for a debugger\n"
    "  memhelm run -i mask -w MVT+GUPS --timeline t.json   then open it in Perfetto\n"
    "  memhelm run -i ccbp -p ccbp -w CFD+FDTD --cycles 2M --series-plot ccbp.svg\n"
    "  memhelm run -i etc -p etc -w ATAX:2048 -s uvm.mode=on -s uvm.capacity=75%\n"
    "\n"
    "Exit code: 0 passed; 1 the firmware failed, faulted or hung, or the model deadlocked (a diagnosis is printed); 2 "
    "bad input; "
    "128 + signal when interrupted.";

/* FILE.signed boots; the image, whose symbols and sizes are shown, is FILE.elf, or the built one of that name. */
static void take_signed(const struct options *o, const char **image, const char **signed_file, char elf[HOST_PATH],
                        struct argp_state *state)
{
    const char *file = *image, *end = strrchr(file, '.');
    if (!signed_named(file))
        return;
    if (!o->verify)
        argp_error(state, "%.400s is a signed image: add --verify", file);
    if (snprintf(elf, HOST_PATH, "%.*s.elf", (int)(end - file), file) >= HOST_PATH)
        argp_error(state, "%.60s..: the name is too long", file);
    if (access(elf, F_OK))
        file_stem(file, elf, HOST_PATH);
    *signed_file = file;
    *image = elf;
}

static void take_all_signed(struct options *o, struct argp_state *state)
{
    static char elf[1 + MH_SWAPS][HOST_PATH];
    take_signed(o, &o->images[0], &o->signed_file, elf[MH_SWAPS], state);
    for (unsigned i = 0; i < o->swap_count; i++)
        take_signed(o, &o->swaps[i].image, &o->swaps[i].signed_file, elf[i], state);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct options *o = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = state->child_inputs[1] = o;
        return 0;
    case ARGP_KEY_ARG:
        options_image(o, arg, state);
        return 0;
    case ARGP_KEY_END:
        if (o->image_count != 1)
            argp_error(state, o->image_count ? "one image; `memhelm compare` takes several"
                                             : "which image? --image NAME; `memhelm list images` shows them");
        if (o->twin && (o->gdb || o->trace || o->counts || o->verify))
            argp_error(state, "--twin has no QEMU: --gdb, --trace, --counts and --verify do not go with it");
        if (o->swap_count && o->counts)
            argp_error(state, "--counts tells instructions of one image by address, and --swap brings in another");
        take_all_signed(o, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static int copy_log(const struct sim *s, const char *name, const char *to, struct mh_error *err)
{
    char from[HOST_PATH];
    if (!to || s->state != SIM_DONE)
        return 0;
    return path_join(from, s->dir, name, err) ? -1 : copy_file(from, to, err);
}

static int write_files(const struct experiment *x, struct mh_error *err)
{
    const struct options *o = x->options;
    if (copy_log(&x->runs[0]->sim, "epochs.csv", o->epochs, err) ||
        copy_log(&x->runs[0]->sim, "registers.log", o->registers, err) ||
        copy_log(&x->runs[0]->sim, "core.json", o->counts, err) ||
        copy_log(&x->runs[0]->sim, "dram.trace", o->dram_trace, err) ||
        copy_log(&x->runs[0]->sim, "faults.csv", o->faults, err) ||
        copy_log(&x->runs[0]->sim, "series.csv", o->series, err) ||
        copy_log(&x->runs[0]->sim, "timeline.json", o->timeline, err))
        return -1;
    if (o->series_plot && series_plot_write(x, o->series_plot, err))
        return -1;
    return o->json ? result_write_run(x, o->json, err) : 0;
}

static const struct argp_child children[] = {{&common_argp, 0, NULL, 0}, {&single_argp, 0, NULL, 0}, {0}};
const struct argp run_argp = {.parser = parse, .args_doc = "[IMAGE]", .doc = doc, .children = children};

int cmd_run(int argc, char **argv)
{
    struct options o;
    options_init(&o);
    command_parse(&run_argp, argc, argv, &o);
    return simulate(&o, &(struct presentation){report_run, write_files});
}
