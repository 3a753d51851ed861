#include "plan.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "run/machine.h"
#include "run/setup.h"
#include "base/memory.h"

static const struct image *open_image(struct experiment *x, const char *name, struct mh_error *err)
{
    const struct options *o = x->options;
    char word[HOST_PATH + IMAGE_NAME];
    return settings_word(word, sizeof word, name, o->sets, o->set_count, err) ? NULL
                                                                              : plan_image(x->plan, word, o->twin, err);
}

static int open_images(struct experiment *x, struct mh_error *err)
{
    const struct options *o = x->options;
    for (unsigned i = 0; i < o->image_count; i++)
        if (!(x->images[i] = open_image(x, o->images[i], err)))
            return -1;
    for (unsigned i = 0; i < o->swap_count; i++)
        if (!(x->swapped[i] = open_image(x, o->swaps[i].image, err)))
            return -1;
    return 0;
}

static struct kept_sim *add(struct experiment *x, const struct image *image, const struct mh_config *cfg,
                            const struct boot *boot, const char *folder, struct mh_error *err)
{
    struct kept_sim *s = must_have(1, sizeof *s);
    s->sim.image = image;
    s->sim.boot = boot;
    memcpy(&s->sim.cfg, cfg, sizeof s->sim.cfg);
    snprintf(s->what, sizeof s->what, "%s alone %s", image->name, setup_kernel_name(&cfg->tenants[0]));
    return plan_add(x->plan, s, folder, err);
}

/* Of several seeds each has folders of its own. */
static void name_folder(const struct experiment *x, const char *name, unsigned number, char *folder, size_t size)
{
    if (x->seeds > 1)
        snprintf(folder, size, "%s-%u-seed-%" PRIu64, name, number, x->cfg.run.seed);
    else
        snprintf(folder, size, "%s-%u", name, number);
}

static int add_alone(struct experiment *x, struct mh_error *err)
{
    struct mh_config *cfg = must_have(1, sizeof *cfg);
    struct mh_error why;
    const struct image *baseline = plan_image(x->plan, "baseline", x->options->twin, &why);
    int status = 0;
    if (!baseline)
        status = mh_fail(err, "alone runs use the image baseline: %.800s; or give --no-alone", why.text);
    for (unsigned t = 0; !status && t < x->cfg.tenants_count; t++) {
        char folder[64];
        name_folder(x, "alone", t, folder, sizeof folder);
        setup_alone(&x->cfg, t, cfg);
        x->alone[t] = add(x, baseline, cfg, NULL, folder, err);
        status = x->alone[t] ? 0 : -1;
    }
    free(cfg);
    return status;
}

enum { PROBATION = 3 /* epochs [ours] */ };

/* Of --swap, or of --warm. */
static void add_swaps(const struct experiment *x, struct sim *s)
{
    const struct options *o = x->options;
    s->probation = o->probation ? o->probation : PROBATION;
    for (s->swap_count = 0; s->swap_count < o->swap_count; s->swap_count++)
        s->swaps[s->swap_count] = (struct sim_swap){o->swaps[s->swap_count].when, x->swapped[s->swap_count]};
    if (!o->warm)
        return;
    s->first = x->images[0];
    s->swaps[s->swap_count++] = (struct sim_swap){{.cycle = o->warm}, s->image};
}

static int add_runs(struct experiment *x, struct mh_error *err)
{
    const struct options *o = x->options;
    const struct boot *boot = o->verify ? &x->boot : NULL;
    for (unsigned i = 0; i < o->image_count; i++) {
        char folder[IMAGE_NAME + 64];
        name_folder(x, x->images[i]->name, i, folder, sizeof folder);
        x->runs[i] = add(x, x->images[i], &x->cfg, boot, folder, err);
        if (!x->runs[i])
            return -1;
        x->runs[i]->fleeting = true;
        add_swaps(x, &x->runs[i]->sim);
        x->runs[i]->sim.view = (struct sim_view){o->console, o->gdb, o->trace, o->counts != NULL};
    }
    return 0;
}

/* A store that fails costs time only. */
static void load_alone(struct experiment *x)
{
    struct mh_error why;
    if (plan_store(x->plan, NULL, &why))
        fprintf(stderr, "memhelm: warning: alone runs are not kept, a next call runs them again: %s\n", why.text);
    else
        plan_load(x->plan);
}

/* Of the array's experiment `k`. */
static int configure(struct experiment *x, unsigned k, struct mh_error *err)
{
    struct options own = *x->options;
    char text[24];
    snprintf(text, sizeof text, "%u", own.seed_first + k);
    if (own.seed_last && options_add_short(&own, SHORT_SEED, text))
        return mh_fail(err, "too many --set: write a file for --config");
    return setup_config(own.seed_last ? &own : x->options, &x->cfg, err) || setup_identity(&x->cfg, &x->identity, err)
               ? -1
               : 0;
}

static int check_swaps(const struct experiment *x, struct mh_error *err)
{
    const struct options *o = x->options;
    uint64_t last = o->warm;
    for (unsigned i = 0; i < o->swap_count; i++)
        last = o->swaps[i].when.cycle > last ? o->swaps[i].when.cycle : last;
    if (last >= x->cfg.run.cycles)
        return mh_fail(err, "%s %" PRIu64 ": the run ends at GPU cycle %" PRIu64 ": give --cycles more",
                       o->warm ? "--warm" : "--swap", last, x->cfg.run.cycles);
    return 0;
}

static int open_first(struct experiment *x, struct mh_error *err)
{
    const struct options *o = x->options;
    char qemu[HOST_PATH];
    if (!o->twin && (sim_qemu(qemu, err) || core_plugin_check(x->cfg.mcu.core, err)))
        return -1;
    return plan_directory(x->plan, o->keep, err);
}

static int open_all(struct experiment *x, struct mh_error *err)
{
    const struct options *o = x->options;
    for (unsigned k = 0; k < x->seeds; k++)
        if (configure(&x[k], k, err) || check_swaps(&x[k], err) || open_images(&x[k], err) ||
            (!k && open_first(x, err)) || (o->verify && boot_open(&x[k].boot, o, x[k].images[0], x[k].swapped, err)) ||
            (x->with_alone && add_alone(&x[k], err)))
            return -1;
    if (x->with_alone)
        load_alone(x);
    for (unsigned k = 0; k < x->seeds; k++)
        if (add_runs(&x[k], err))
            return -1;
    return 0;
}

struct experiment *experiment_open(const struct options *o, struct mh_error *err)
{
    const unsigned seeds = o->seed_last ? o->seed_last - o->seed_first + 1 : 1;
    struct plan *plan = plan_new("");
    struct experiment *x = must_have(seeds, sizeof *x);
    for (unsigned k = 0; k < seeds; k++) {
        x[k].options = o;
        x[k].seeds = seeds;
        x[k].plan = plan;
        x[k].with_alone = !o->no_alone;
    }
    if (!open_all(x, err))
        return x;
    experiment_close(x);
    return NULL;
}

/* Where a tenant's alone run has failed, its IPC is not known. */
static void tell_alone(struct experiment *x)
{
    for (unsigned t = 0; t < x->cfg.tenants_count; t++) {
        const struct kept_sim *alone = x->alone[t];
        uint32_t ipc = sim_passed(&alone->sim) ? metrics_alone_ipc(&x->cfg.tenants[t], &alone->sim.result.stats) : 0;
        x->cfg.tenants[t].alone_ipc = x->identity.tenants[t].alone_ipc = ipc;
        for (unsigned i = 0; i < x->options->image_count; i++)
            x->runs[i]->sim.cfg.tenants[t].alone_ipc = ipc;
    }
}

static void set_runs(struct experiment *x, enum sim_state state)
{
    for (unsigned k = 0; k < x->seeds; k++)
        for (unsigned i = 0; i < x->options->image_count; i++)
            x[k].runs[i]->sim.state = state;
}

int experiment_run(struct experiment *x)
{
    if (x->options->tell_alone) {
        set_runs(x, SIM_STOPPED);
        int signal = plan_run(x->plan, x->options->jobs);
        if (signal)
            return signal;
        for (unsigned k = 0; k < x->seeds; k++)
            tell_alone(&x[k]);
        set_runs(x, SIM_WAITING);
    }
    return plan_run(x->plan, x->options->jobs);
}

bool point_metrics(const struct point *p, const struct point *yardstick, struct metrics *m)
{
    const struct mh_stats *alone[MH_MAX_TENANTS] = {NULL};
    for (unsigned t = 0; t < MH_MAX_TENANTS && yardstick->alone[t]; t++) {
        if (!sim_passed(&yardstick->alone[t]->sim))
            return false;
        alone[t] = &yardstick->alone[t]->sim.result.stats;
    }
    if (!p->run || !sim_passed(&p->run->sim))
        return false;
    metrics_compute(m, &p->run->sim.cfg, &p->run->sim.result.stats, alone);
    return true;
}

bool experiment_metrics(const struct experiment *x, unsigned image, struct metrics *m)
{
    const struct mh_stats *alone[MH_MAX_TENANTS] = {NULL};
    for (unsigned t = 0; x->with_alone && t < x->cfg.tenants_count; t++)
        alone[t] = sim_passed(&x->alone[t]->sim) ? &x->alone[t]->sim.result.stats : NULL;
    if (!sim_passed(&x->runs[image]->sim))
        return false;
    metrics_compute(m, &x->cfg, &x->runs[image]->sim.result.stats, alone);
    return true;
}

void experiment_close(struct experiment *x)
{
    plan_free(x->plan);
    free(x);
}
