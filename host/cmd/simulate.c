#include "simulate.h"

#include <string.h>

#include "commands.h"
#include "base/colour.h"
#include "base/escape.h"
#include "report/report.h"
#include "report/result.h"
#include "report/series_plot.h"

int bad_input(const struct mh_error *err)
{
    colour_word(COLOUR_BAD, "memhelm:", stderr);
    fputc(' ', stderr);
    escape_print(stderr, err->text);
    fputc('\n', stderr);
    return EXIT_BAD_INPUT;
}

/* --timing FILE, else FILE.timing of --json. */
static int write_timing(const struct experiment *x, struct mh_error *err)
{
    const struct options *o = x->options;
    char path[HOST_PATH];
    if (!o->timing && !o->json)
        return 0;
    int n = snprintf(path, sizeof path, "%s%s", o->timing ? o->timing : o->json, o->timing ? "" : ".timing");
    if (n >= (int)sizeof path)
        return mh_fail(err, "%.60s..: path of more than %d bytes", path, HOST_PATH - 1);
    return result_write_timing(x, path, err);
}

static int finish(const struct experiment *x, const struct presentation *p, int signal)
{
    struct mh_error err;
    p->report(x, stdout);
    report_speed(x, stdout);
    fflush(stdout);
    bool good = experiment_report_failures(x);
    if (p->write(x, &err) || write_timing(x, &err))
        return bad_input(&err);
    return signal ? 128 + signal : good ? EXIT_PASSED : EXIT_NOT_PASSED;
}

/* The later one would replace the other; a device takes both. */
static int check_apart(const char *const *files, size_t count, struct mh_error *err)
{
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; files[i] && k < i; k++)
            if (files[k] && !strcmp(files[i], files[k]) && strncmp(files[i], "/dev/", strlen("/dev/")))
                return mh_fail(err, "%s: two results would be written to it: give each a file of its own", files[i]);
    return 0;
}

static int check_outputs(const struct options *o, struct mh_error *err)
{
    const char *const files[] = {o->json,       o->timing, o->epochs, o->registers,   o->counts,
                                 o->dram_trace, o->faults, o->series, o->series_plot, o->timeline};
    const size_t count = sizeof files / sizeof *files;
    for (size_t i = 0; i < count; i++)
        if (files[i] && check_writable(files[i], err))
            return -1;
    if (o->series_plot && series_plot_check(o->series_plot, err))
        return -1;
    return check_apart(files, count, err);
}

int simulate(const struct options *o, const struct presentation *p)
{
    struct mh_error err;
    struct experiment *x = check_outputs(o, &err) ? NULL : experiment_open(o, &err);
    if (!x)
        return bad_input(&err);
    int code = finish(x, p, experiment_run(x));
    experiment_close(x);
    return code;
}
