#include "experiment.h"

#include <stdlib.h>
#include <string.h>

#include "run/mcu_plugin.h"
#include "base/standard_output.h"
#include "run/diagnose.h"
#include "run/jobs.h"
#include "run/run_dir.h"
#include "run/setup.h"
#include "run/kept.h"

static int open_images(struct experiment *x, struct mh_error *err)
{
    const struct options *o = x->options;
    for (unsigned i = 0; i < o->image_count; i++) {
        char word[HOST_PATH + IMAGE_NAME];
        if (settings_word(word, sizeof word, o->images[i], o->sets, o->set_count, err) ||
            image_open(&x->images[i], word, o->twin, err))
            return -1;
    }
    if (!x->with_alone)
        return 0;
    struct mh_error why;
    if (image_open(&x->baseline, "baseline", o->twin, &why))
        return mh_fail(err, "alone runs use the image baseline: %.800s; or give --no-alone", why.text);
    return 0;
}

static int place(const struct experiment *x, struct sim *s, const char *name, unsigned number, struct mh_error *err)
{
    char folder[IMAGE_NAME + 16];
    snprintf(folder, sizeof folder, "%s-%u", name, number);
    return path_join(s->dir, x->base, folder, err);
}

static int prepare_runs(struct experiment *x, struct mh_error *err)
{
    const struct options *o = x->options;
    for (unsigned i = 0; i < o->image_count; i++) {
        struct sim *s = &x->runs[i];
        s->image = &x->images[i];
        memcpy(&s->cfg, &x->cfg, sizeof s->cfg);
        s->view = (struct sim_view){o->console, o->gdb, o->trace, o->counts != NULL};
        if (place(x, s, x->images[i].name, i, err))
            return -1;
    }
    return 0;
}

static int prepare_alone(struct experiment *x, struct mh_error *err)
{
    struct kept_sim *list[MH_MAX_TENANTS];
    x->store = x->with_alone ? store_open(NULL, &x->no_store) : NULL;
    for (unsigned t = 0; x->with_alone && t < x->cfg.tenants_count; t++) {
        struct kept_sim *s = &x->alone[t];
        s->sim.image = &x->baseline;
        setup_alone(&x->cfg, t, &s->sim.cfg);
        if (place(x, &s->sim, "alone", t, err) || sim_key(&s->sim, &s->key, err))
            return -1;
        snprintf(s->what, sizeof s->what, "%s alone %s", x->baseline.name, setup_kernel_name(&s->sim.cfg.tenants[0]));
        list[t] = s;
    }
    if (x->with_alone && x->store)
        x->cached = kept_load(list, x->cfg.tenants_count, x->store);
    return 0;
}

struct experiment *experiment_open(const struct options *o, struct mh_error *err)
{
    char qemu[HOST_PATH];
    struct experiment *x = calloc(1, sizeof *x);
    if (!x) {
        (void)mh_fail(err, "out of memory");
        return NULL;
    }
    x->options = o;
    x->with_alone = !o->no_alone;
    if (setup_config(o, &x->cfg, err) || setup_identity(&x->cfg, &x->identity, err) || open_images(x, err) ||
        (!o->twin && (sim_qemu(qemu, err) || core_plugin_check(x->cfg.mcu.core, err))) ||
        make_run_dir(x->base, o->keep, err) || prepare_runs(x, err) || prepare_alone(x, err)) {
        experiment_close(x);
        return NULL;
    }
    return x;
}

/* A store that fails costs time only. */
static void keep_alone(struct experiment *x)
{
    bool failed = false;
    for (unsigned t = 0; x->with_alone && t < x->cfg.tenants_count; t++)
        if (x->alone[t].sim.seconds > 0)
            failed |= !x->store || kept_add(&x->alone[t], x->store, &x->no_store);
    if (failed)
        fprintf(stderr, "memhelm: warning: alone runs are not kept, a next call runs them again: %s\n",
                x->no_store.text);
}

static bool passed(const struct sim *s)
{
    return s->state == SIM_DONE && s->result.end == MH_END_PASS;
}

/* Where a tenant's alone run has failed, it is not known. */
static void tell_alone(struct experiment *x)
{
    for (unsigned t = 0; t < x->cfg.tenants_count; t++) {
        const struct sim *alone = &x->alone[t].sim;
        uint32_t ipc = passed(alone) ? metrics_alone_ipc(&x->cfg.tenants[t], &alone->result.stats) : 0;
        x->cfg.tenants[t].alone_ipc = x->identity.tenants[t].alone_ipc = ipc;
        for (unsigned i = 0; i < x->options->image_count; i++)
            x->runs[i].cfg.tenants[t].alone_ipc = ipc;
    }
}

static unsigned add_alone(struct experiment *x, struct sim **list)
{
    unsigned count = 0;
    for (unsigned t = 0; x->with_alone && t < x->cfg.tenants_count; t++)
        if (x->alone[t].sim.state == SIM_WAITING)
            list[count++] = &x->alone[t].sim;
    return count;
}

int experiment_run(struct experiment *x)
{
    struct sim *list[MAX_IMAGES + MH_MAX_TENANTS];
    unsigned count = add_alone(x, list);
    int signal = 0;
    if (x->options->tell_alone) {
        signal = jobs_run(list, count, x->options->jobs);
        tell_alone(x);
        count = 0;
    }
    for (unsigned i = 0; i < x->options->image_count; i++) {
        x->runs[i].state = signal ? SIM_STOPPED : SIM_WAITING;
        list[count++] = &x->runs[i];
    }
    if (!signal)
        signal = jobs_run(list, count, x->options->jobs);
    keep_alone(x);
    return signal;
}

bool experiment_metrics(const struct experiment *x, unsigned image, struct metrics *m)
{
    const struct mh_stats *alone[MH_MAX_TENANTS] = {NULL};
    for (unsigned t = 0; x->with_alone && t < x->cfg.tenants_count; t++)
        alone[t] = passed(&x->alone[t].sim) ? &x->alone[t].sim.result.stats : NULL;
    if (!passed(&x->runs[image]))
        return false;
    metrics_compute(m, &x->cfg, &x->runs[image].result.stats, alone);
    return true;
}

static bool report(const struct sim *s, const char *what)
{
    char text[2048];
    diagnose(s, text, sizeof text);
    if (!*text)
        return true;
    colour_word(COLOUR_BAD, "memhelm:", stderr);
    fprintf(stderr, " %s%s\n", what, text);
    return false;
}

bool experiment_report_failures(const struct experiment *x)
{
    bool good = true;
    for (unsigned t = 0; x->with_alone && t < x->cfg.tenants_count; t++)
        good &= report(&x->alone[t].sim, "alone run: ");
    for (unsigned i = 0; i < x->options->image_count; i++)
        good &= report(&x->runs[i], "");
    return good;
}

void experiment_close(struct experiment *x)
{
    if (*x->base && !x->options->keep)
        remove_tree(x->base);
    for (unsigned i = 0; i < MAX_IMAGES; i++)
        image_close(&x->images[i]);
    image_close(&x->baseline);
    if (x->store)
        store_close(x->store);
    free(x);
}
