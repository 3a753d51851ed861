#include "shared.h"

#include <string.h>
#include <sys/stat.h>

#include "commands.h"
#include "argument.h"
#include "base/process.h"
#include "base/escape.h"
#include "mcu/image.h"
#include "mcu/timing.h"
#include "base/figure.h"
#include "report/report.h"
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
    for (unsigned i = 0; i < x->options->swap_count; i++)
        files_input(x->swapped[i]->path);
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
    return o->series_plot && gnuplot_check_file("--series-plot", o->series_plot, err) ? -1 : 0;
}

/* The table's row of an image's word, which may set parameters or be a former name; NULL: the user's own file. */
static const struct image_row *row_of(const char *word)
{
    char name[IMAGE_BASE];
    snprintf(name, sizeof name, "%.*s", (int)(settings_begin(word) - word), word);
    const char *now = image_formerly(name);
    if (now)
        snprintf(name, sizeof name, "%.*s", (int)(settings_begin(now) - now), now);
    return image_row(name);
}

/* All images that a run may boot: those of the command, then those of --swap. NULL behind the last. */
static const char *nth_word(const struct options *o, unsigned i)
{
    if (i < o->image_count)
        return o->images[i];
    return i - o->image_count < o->swap_count ? o->swaps[i - o->image_count].image : NULL;
}

/* Its policies set or read registers of single SMs. */
static bool steers_sms(const struct image_row *row)
{
    static const char *const knobs[] = {"cta_limit", "sm_throttle", NULL}; /* and sm_cta_limit */
    for (const char *const *knob = knobs; *knob; knob++)
        if (strstr(row->steers, *knob))
            return true;
    return false;
}

/* An image of the user's own learns it from CAP_FEATURES. */
static int check_steered(const struct experiment *x, struct mh_error *err)
{
    const char *word;
    for (unsigned i = 0; x->cfg.sm.count > MH_STEERED_SMS && (word = nth_word(x->options, i)); i++) {
        const struct image_row *row = row_of(word);
        if (row && steers_sms(row))
            return mh_fail(err,
                           "image %s steers single SMs (%s), and only a GPU of %d SMs or fewer has registers for "
                           "them: this one has %u (sm.count)",
                           row->name, row->steers, MH_STEERED_SMS, x->cfg.sm.count);
    }
    return 0;
}

static void choose_preset(struct options *o)
{
    const struct image_row *row = NULL;
    for (unsigned i = 0; i < o->image_count && (!row || !strcmp(row->name, "baseline")); i++)
        row = row_of(o->images[i]);
    if (o->preset || o->config || !row || !strcmp(row->preset, "mask"))
        return;
    o->preset = row->preset;
    fprintf(stderr, "memhelm: preset %s, the GPU that image %s is for; -p NAME takes another\n", row->preset,
            row->name);
}

/* Policies that steer reads of page walks by depth know four depths: the image would end at cycle 0. */
static int check_levels(const struct experiment *x, struct mh_error *err)
{
    const char *word;
    for (unsigned i = 0; x->cfg.walk.levels > 4 && (word = nth_word(x->options, i)); i++) {
        const struct image_row *row = row_of(word);
        if (row && strstr(row->needs, "levels"))
            return mh_fail(
                err,
                "image %s steers page tables of 4 levels at most, and this GPU's have %u (walk.levels): take "
                "another image, or -s walk.format=plain with 4 levels, 3 for pages of 2 MiB",
                row->name, x->cfg.walk.levels);
    }
    return 0;
}

/* What an image needs and this run lacks, with the remedy; NULL: nothing, as far as `need` says. */
static const char *lacks(const struct mh_config *cfg, const char *need)
{
    if (!strcmp(need, "uvm") && cfg->uvm.mode != MH_UVM_ON)
        return "demand paging, which is off: -s uvm.mode=on -s uvm.capacity=75%";
    if (!strcmp(need, "uvm") && !strcmp(cfg->uvm.capacity, "unlimited"))
        return "memory that is too small, and it is unlimited: -s uvm.capacity=75%";
    if (strcmp(need, "uvm") && strcmp(need, "slots") && strcmp(need, "levels") && cfg->tenants_count < 2)
        return "two tenants, and there is one: -w A+B";
    if (!strcmp(need, "shared") && !cfg->sm.share)
        return "tenants on the same SMs, and each has SMs of its own: -s sm.share=1";
    return NULL;
}

/* Once, of the first image that it is true of. */
static void say_lacks(const struct experiment *x)
{
    const char *said[MAX_IMAGES] = {NULL};
    unsigned count = 0, known;
    const char *word;
    for (unsigned i = 0; (word = nth_word(x->options, i)); i++) {
        const struct image_row *row = row_of(word);
        char needs[64], *rest = NULL;
        snprintf(needs, sizeof needs, "%s", row ? row->needs : "");
        for (char *need = strtok_r(needs, " ", &rest); need; need = strtok_r(NULL, " ", &rest)) {
            const char *text = lacks(&x->cfg, need);
            for (known = 0; known < count && said[known] != text; known++)
                ;
            if (!text || known < count || count == MAX_IMAGES)
                continue;
            said[count++] = text;
            fprintf(stderr, "memhelm: image %s needs %s\n", row->name, text);
        }
    }
}

int simulate(struct options *o, const struct presentation *p)
{
    struct mh_error err;
    choose_preset(o);
    struct experiment *x = check_outputs(o, &err) ? NULL : experiment_open(o, &err);
    if (!x)
        return bad_input(&err);
    if (check_inputs(x, &err) || check_steered(x, &err) || check_levels(x, &err)) {
        experiment_close(x);
        return bad_input(&err);
    }
    say_lacks(x);
    int code = finish(x, p, experiment_run(x));
    experiment_close(x);
    return code;
}
