#include "setup.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "memhelm/hwmodel.h"
#include "memhelm/kernels.h"
#include "memhelm/trace.h"
#include "base/memory.h"
#include "base/file.h"
#include "base/words.h"
#include "base/number.h"
#include "mcu/image.h"
#include "bursts.h"
#include "machine.h"
#include "traces.h"

#define TRACE "trace:"

/* Between samples of a timeline, at first. */
enum { TIMELINE_CYCLES = 1000 };

static int unknown_kernel(uint32_t tenant, const char *name, struct mh_error *err)
{
    struct nearest near = nearest_begin(name, "@:");
    const struct meant meant = meant_by(name, MEANT_WORKLOAD);
    if (*meant.text)
        return mh_fail(err, "tenants[%u].kernel: unknown kernel '%.60s'%s", tenant, name, meant.text);
    for (const struct mh_kernel *const *k = mh_kernels; *k; k++)
        nearest_try(&near, (*k)->name);
    return mh_fail(err, "tenants[%u].kernel: unknown kernel '%.60s'%s; there are:%s; a recorded one is trace:FILE",
                   tenant, name, near.text, near.names);
}

/* As the papers write it; the default variant is not written. */
static int complete_name(struct mh_tenant_cfg *tenant, const struct mh_kernel *k, int variant,
                         struct mh_launch_range range, struct mh_error *err)
{
    char launches[MH_LAUNCHES_TEXT], whole[2 * MH_PATH_MAX];
    size_t length = 0;
    const char *file = mh_kernel_input(tenant->kernel, &length);
    mh_launches_text(range, launches);
    int n = snprintf(whole, sizeof whole, "%s%s%s%s%.*s%s", k->name, variant ? "@" : "",
                     variant ? k->variants[variant] : "", file ? ":" : "", (int)length, file ? file : "", launches);
    if (n >= MH_PATH_MAX)
        return mh_fail(err, "%.60s..: more than %d bytes", whole, MH_PATH_MAX - 1);
    memset(tenant->kernel, 0, sizeof tenant->kernel);
    memcpy(tenant->kernel, whole, (size_t)n);
    return 0;
}

/* Names as the papers write them and sizes spelt out, so that equal workloads have equal configurations. */
static int complete_kernels(struct mh_config *cfg, struct mh_error *err)
{
    for (uint32_t t = 0; t < cfg->tenants_count; t++) {
        struct mh_tenant_cfg *tenant = &cfg->tenants[t];
        struct mh_launch_range range;
        struct mh_error why;
        size_t length;
        if (mh_launches_range(tenant->kernel, &range, &why))
            return mh_fail(err, "tenants[%u].kernel: %.900s", t, why.text);
        if (!strncmp(tenant->kernel, TRACE, strlen(TRACE)))
            continue;
        const struct mh_kernel *k = mh_kernel_find(tenant->kernel);
        if (!k)
            return unknown_kernel(t, tenant->kernel, err);
        const int variant = mh_kernel_variant(k, tenant->kernel, &why);
        if (variant < 0 || mh_kernel_check_input(k, (uint32_t)variant, tenant->size, tenant->kernel, &why) ||
            complete_name(tenant, k, variant, range, &why))
            return mh_fail(err, "tenants[%u].kernel: %.900s", t, why.text);
        if (mh_kernel_input(tenant->kernel, &length))
            continue;
        if (!tenant->size)
            tenant->size = k->size_default;
        if (mh_kernel_check_size(k, (uint32_t)variant, tenant->size, &why))
            return mh_fail(err, "tenants[%u].size: %.900s", t, why.text);
    }
    return 0;
}

/* A line of what looks like an answer and may be none: once, however many runs have it. */
#define SAID_TEXT 640
static void say_once(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void say_once(const char *format, ...)
{
    static char said[32][SAID_TEXT];
    static unsigned count;
    char text[SAID_TEXT];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    for (unsigned i = 0; i < count; i++)
        if (!strcmp(said[i], text))
            return;
    if (count < sizeof said / sizeof *said)
        strcpy(said[count++], text);
    fprintf(stderr, "memhelm: %s\n", text);
}

static void say_what_is_assumed(const struct mh_gpu *gpu, const struct mh_config *cfg)
{
    char text[SAID_TEXT];
    for (uint32_t t = 0; t < cfg->tenants_count; t++)
        if (mh_gpu_assumption(gpu, t)) {
            snprintf(text, sizeof text, "%s", mh_gpu_assumption(gpu, t));
            piped_names(text, sizeof text);
            say_once("%s", text);
        }
}

/* A bad trace, a kernel that does not fit: found before anything runs. The simulations build the GPU again. */
int setup_build(const struct mh_config *cfg, struct mh_error *err)
{
    struct mh_config *piped = must_have(1, sizeof *piped), *kept = must_have(1, sizeof *kept);
    struct mh_gpu *gpu = NULL;
    const int status = piped_config(cfg, piped, err);
    if (!status) {
        trace_kept_config(piped, kept);
        gpu = mh_gpu_create(kept, err);
        if (!gpu && memcmp(kept, piped, sizeof *kept)) /* the error is to be about what the user gave */
            gpu = mh_gpu_create(piped, err);
    }
    if (gpu)
        say_what_is_assumed(gpu, cfg);
    else if (!status)
        piped_names(err->text, sizeof err->text);
    mh_gpu_destroy(gpu);
    free(kept);
    free(piped);
    return gpu ? 0 : -1;
}

/* What a tenant that leaves is there to show would not happen. */
static int check_leaving(const struct mh_config *cfg, struct mh_error *err)
{
    for (uint32_t t = 0; t < cfg->tenants_count; t++)
        if (cfg->tenants[t].leave > cfg->run.cycles)
            return mh_fail(err,
                           "tenants[%u].leave: cycle %" PRIu64 ", but the run ends at %" PRIu64
                           " (run.cycles): it would never leave; earlier, or 0 to stay",
                           t, cfg->tenants[t].leave, cfg->run.cycles);
    return 0;
}

/* -c is --config; a number after it was meant for --cycles. */
static int load_config(const char *path, struct mh_config *cfg, struct mh_error *err)
{
    struct mh_error why;
    uint64_t cycles;
    if (!mh_config_load(cfg, path, &why))
        return 0;
    if (!access(path, F_OK))
        return mh_fail(err, "%s", why.text);
    bool number = number_scaled(path, &cycles);
    return mh_fail(err, "--config %.900s%s%.60s%s", why.text, number ? "; --cycles " : "", number ? path : "",
                   number ? " is the length of a run" : "");
}

/* A file may stand in the place of the preset's name: where presets are listed, the user's own is one of them. */
static int make_gpu(const struct options *o, struct mh_config *cfg, struct mh_error *err)
{
    const bool own = o->preset && preset_is_file(o->preset);
    const char *preset = own ? NULL : o->preset, *config = own ? o->preset : o->config;
    if (own && o->config)
        return mh_fail(err, "--preset %s, --config %s: two configurations; give one", o->preset, o->config);
    if (preset_load(cfg, preset ? preset : "mask", err) || (o->design && preset_design(cfg, o->design, err)))
        return -1;
    return config && (load_config(config, cfg, err) || preset_agrees(cfg, preset, config, err)) ? -1 : 0;
}

static int make_words(const struct options *o, struct mh_config *cfg, struct mh_error *err)
{
    memset(cfg, 0, sizeof *cfg);
    if (make_gpu(o, cfg, err))
        return -1;
    if (o->workload && mh_config_workload(cfg, o->workload, err))
        return -1;
    for (unsigned i = 0; i < o->set_count; i++)
        if (!is_param_set(o->sets[i]) && mh_config_set(cfg, o->sets[i], err))
            return -1;
    if (!cfg->tenants_count)
        return mh_fail(err, "no workload: give one such as --workload MVT+GUPS; `memhelm list kernels` shows all");
    cfg->run.log_epochs |= o->epochs || o->epochs_dir;
    cfg->run.log_registers |= o->registers != NULL;
    cfg->run.log_dram |= o->dram_trace != NULL;
    cfg->run.log_faults |= o->faults != NULL;
    if ((o->timeline || o->per_launch) && !cfg->run.log_timeline)
        cfg->run.log_timeline = TIMELINE_CYCLES;
    if ((o->series || o->series_plot) && !cfg->run.log_series)
        cfg->run.log_series = BURST_CYCLES;
    return core_name_check(cfg->mcu.core, err) || mh_config_resolve(cfg, err) || check_leaving(cfg, err) ||
                   complete_kernels(cfg, err) || mh_gpu_fits(cfg, err)
               ? -1
               : 0;
}

static int make_all(const struct options *o, struct mh_config *cfg, struct mh_error *err)
{
    return make_words(o, cfg, err) || setup_build(cfg, err) ? -1 : 0;
}

static void say_what_does_not_compress(const struct mh_config *cfg)
{
    for (uint32_t t = 0; t < cfg->tenants_count; t++)
        if (!mh_values_are_known(&cfg->tenants[t]))
            say_once("uvm.compression: what the arrays of %.60s hold is not known: they do not compress",
                     cfg->tenants[t].kernel);
}

/* MASK's queues gain by size alone where writes may take nearly all of the one that they share. */
static void say_what_writes_fill(const struct mh_dram_cfg *dram)
{
    const uint32_t most = dram->queue - dram->queue / 4; /* [ours]; the presets' are a quarter or a half */
    if (!dram->write_queue && dram->write_high > most)
        say_once("dram.write_high %u of dram.queue %u: writes fill the queue before any is written, and reads wait "
                 "behind them; set both, with dram.write_low",
                 dram->write_high, dram->queue);
}

/* Reading a large file takes seconds: each is looked at once. */
static bool is_new_input(const char *kernel)
{
    static struct memo *known;
    size_t length;
    struct memo *m = mh_kernel_input(kernel, &length) ? memo_of(&known, kernel) : NULL;
    if (!m || m->text)
        return false;
    m->text = m->key;
    return true;
}

/* A search may end where it starts, and then its run measures launches alone. */
static void say_what_hardly_works(const struct mh_config *cfg)
{
    struct mh_config *piped = must_have(1, sizeof *piped);
    struct mh_error later; /* a file that cannot be read is refused when it is run */
    const uint32_t count = !piped_config(cfg, piped, &later) ? cfg->tenants_count : 0;
    for (uint32_t t = 0; t < count; t++) {
        const struct mh_tenant_cfg *tenant = &cfg->tenants[t];
        struct mh_reach r;
        struct mh_workload *w = is_new_input(tenant->kernel) ? mh_workload_make(piped, t, &later) : NULL;
        if (w && mh_workload_reach(w, &r) && r.reached * 100 < r.of)
            say_once("%.60s: %" PRIu64 " of %" PRIu64 " %s: hardly any work", setup_kernel_name(tenant), r.reached,
                     r.of,
                     r.starts ? "vertices are reached from where it starts"
                     : mh_kernel_find(tenant->kernel)->input == MH_INPUT_GRAPH ? "vertices have an edge"
                                                                               : "rows have an entry");
        mh_workload_free(w);
    }
    free(piped);
}

static int set_up(const struct options *o, origin_make *make, struct mh_config *cfg, struct mh_error *err)
{
    if (make(o, cfg, err))
        return origin_name(o, make, cfg, err);
    if (o->workload && o->config && mh_config_line(o->config, "tenants"))
        fprintf(stderr, "memhelm: --workload replaces the tenants of %s\n", o->config);
    if (cfg->uvm.mode == MH_UVM_ON && cfg->uvm.compression == MH_COMPRESSION_LCP && !cfg->uvm.compression_ratio)
        say_what_does_not_compress(cfg);
    say_what_writes_fill(&cfg->dram);
    say_what_hardly_works(cfg);
    return 0;
}

int setup_words(const struct options *o, struct mh_config *cfg, struct mh_error *err)
{
    return set_up(o, make_words, cfg, err);
}

int setup_config(const struct options *o, struct mh_config *cfg, struct mh_error *err)
{
    origin_make *make = make_words(o, cfg, err) ? make_words : make_all; /* finding a bad word needs no GPU */
    return set_up(o, make, cfg, err);
}

/* Logs determine no result. */
static void no_logs(struct mh_run_cfg *run)
{
    run->log_series = run->log_timeline = 0;
    run->log_epochs = run->log_registers = run->log_dram = run->log_faults = run->log_dram_channel = 0;
}

void setup_alone(const struct mh_config *cfg, uint32_t t, struct mh_config *alone)
{
    memcpy(alone, cfg, sizeof *alone);
    memset(alone->tenants, 0, sizeof alone->tenants);
    memcpy(&alone->tenants[0], &cfg->tenants[t], sizeof alone->tenants[0]);
    alone->tenants_count = 1;
    alone->tenants[0].cta_limit = alone->tenants[0].alone_ipc = 0;
    alone->sm.share = 0; /* no tenant to share with: the same run, whatever the SMs of the others were */
    no_logs(&alone->run);
}

bool setup_file(const char *kernel, char file[MH_PATH_MAX])
{
    const char *colon = strchr(kernel, ':');
    if (colon)
        snprintf(file, MH_PATH_MAX, "%.*s", (int)(mh_launches_part(kernel) - colon - 1), colon + 1);
    return colon != NULL;
}

/* The hash instead of the path, of a trace or an input. */
static int name_file(char kernel[MH_PATH_MAX], struct mh_error *err)
{
    char before[MH_NAME_MAX], file[MH_PATH_MAX], text[HASH_TEXT], launches[MH_LAUNCHES_TEXT];
    struct mh_launch_range range;
    const char *colon = strchr(kernel, ':') + 1;
    bool trace = !strncmp(kernel, TRACE, strlen(TRACE));
    snprintf(before, sizeof before, "%.*s", (int)(colon - kernel), kernel); /* a kernel's name, or trace: */
    setup_file(kernel, file);
    const char *real = piped_path(file, err);
    if (!real || mh_launches_range(kernel, &range, err) ||
        (trace ? trace_hash(real, text, err) : hash_file(real, text, err)))
        return -1;
    mh_launches_text(range, launches);
    memset(kernel, 0, MH_PATH_MAX);
    snprintf(kernel, MH_PATH_MAX, "%s%s%s", before, text, launches);
    return 0;
}

int setup_identity(const struct mh_config *cfg, struct mh_config *identity, struct mh_error *err)
{
    memcpy(identity, cfg, sizeof *identity);
    no_logs(&identity->run);
    for (uint32_t t = 0; t < cfg->tenants_count; t++) {
        char *kernel = identity->tenants[t].kernel;
        if (strchr(kernel, ':') && name_file(kernel, err))
            return -1;
    }
    return 0;
}

int setup_hash(const struct mh_config *identity, struct hash *h, struct mh_error *err)
{
    struct draft d;
    draft_open(&d);
    int status = mh_config_write(identity, d.out, err);
    char *text = draft_text(&d);
    if (!status)
        hash_add(h, text, d.length);
    free(text);
    return status;
}

/* SPMV:b.mtx of SPMV:a/b.mtx. Kept to the program's end: tables and figures hold on to names. */
static const char *input_name(const char *kernel, const char *slash)
{
    static struct memo *names;
    struct memo *m = memo_of(&names, kernel);
    if (!m->text)
        m->text = must_print("%.*s%s", (int)strcspn(kernel, ":") + 1, kernel, slash + 1);
    return m->text;
}

const char *setup_kernel_name(const struct mh_tenant_cfg *tenant)
{
    const char *slash = strrchr(tenant->kernel, '/');
    size_t length;
    if (slash && mh_kernel_input(tenant->kernel, &length))
        return input_name(tenant->kernel, slash);
    if (slash)
        return slash + 1;
    return strncmp(tenant->kernel, TRACE, strlen(TRACE)) ? tenant->kernel : tenant->kernel + strlen(TRACE);
}
