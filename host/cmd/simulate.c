#include "simulate.h"

#include <string.h>
#include <sys/stat.h>

#include "commands.h"
#include "files.h"
#include "base/standard_output.h"
#include "base/escape.h"
#include "mcu/timing.h"
#include "report/report.h"
#include "report/result.h"
#include "report/series_plot.h"
#include "run/setup.h"

int bad_input(const struct mh_error *err)
{
    colour_word(COLOUR_BAD, "memhelm:", stderr);
    fputc(' ', stderr);
    escape_print(stderr, err->text);
    fputc('\n', stderr);
    return EXIT_BAD_INPUT;
}

/* Not of a pipe or a device, nor of a descriptor by its name, whatever that is. */
static bool can_have_neighbour(const char *path)
{
    struct stat st;
    return !standard_output_named(path) && strncmp(path, "/dev/", 5) != 0 && strncmp(path, "/proc/", 6) != 0 &&
           (stat(path, &st) || S_ISREG(st.st_mode));
}

/* --timing FILE, else FILE.timing of --json; empty: neither is given, or --json is no file with a name of its own. */
static int timing_path(const struct options *o, char path[HOST_PATH], struct mh_error *err)
{
    *path = 0;
    if (!o->timing && (!o->json || !can_have_neighbour(o->json)))
        return 0;
    int n = snprintf(path, HOST_PATH, "%s%s", o->timing ? o->timing : o->json, o->timing ? "" : ".timing");
    return n < HOST_PATH ? 0 : mh_fail(err, "%.60s..: path of more than %d bytes", path, HOST_PATH - 1);
}

static int write_timing(const struct experiment *x, struct mh_error *err)
{
    char path[HOST_PATH];
    return timing_path(x->options, path, err) || (*path && result_write_timing(x, path, err)) ? -1 : 0;
}

static int finish(const struct experiment *x, const struct presentation *p, int signal)
{
    struct mh_error err;
    p->report(x, stdout);
    report_speed(x, stdout);
    fflush(stdout);
    bool good = plan_report_failures(x->plan);
    if (p->write(x, &err) || write_timing(x, &err))
        return bad_input(&err);
    return signal ? 128 + signal : good ? EXIT_PASSED : EXIT_NOT_PASSED;
}

/* Files that only the complete configuration names. */
static int check_inputs(struct experiment *x, struct mh_error *err)
{
    static char timing[HOST_PATH];
    for (uint32_t t = 0; t < x->cfg.tenants_count; t++)
        files_kernel(x->cfg.tenants[t].kernel);
    for (unsigned i = 0; i < x->options->image_count; i++)
        files_input(x->images[i]->path);
    if (core_is_file(x->cfg.mcu.core))
        files_input(x->cfg.mcu.core);
    if (timing_path(x->options, timing, err))
        return -1;
    if (*timing && !x->options->timing)
        files_output(timing);
    return files_check(err);
}

static int check_outputs(const struct options *o, struct mh_error *err)
{
    const char *const files[] = {o->json,       o->timing, o->epochs, o->registers,   o->counts,
                                 o->dram_trace, o->faults, o->series, o->series_plot, o->timeline};
    const size_t count = sizeof files / sizeof *files;
    for (size_t i = 0; i < count; i++)
        if (files[i] && check_writable(files[i], err))
            return -1;
    return o->series_plot && series_plot_check(o->series_plot, err) ? -1 : 0;
}

int simulate(const struct options *o, const struct presentation *p)
{
    struct mh_error err;
    struct experiment *x = check_outputs(o, &err) ? NULL : experiment_open(o, &err);
    if (!x)
        return bad_input(&err);
    if (check_inputs(x, &err)) {
        experiment_close(x);
        return bad_input(&err);
    }
    int code = finish(x, p, experiment_run(x));
    experiment_close(x);
    return code;
}
