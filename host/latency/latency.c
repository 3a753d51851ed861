#include "latency.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "base/memory.h"
#include "base/process.h"
#include "base/words.h"
#include "mcu/image.h"
#include "report/report.h"
#include "run/setup.h"

/* --- Which images, on what. */

static int use_row(struct latency_image *image, const struct latency_request *r, const struct set_images *row,
                   struct mh_error *err)
{
    const char *const *workloads = r->workload_count ? r->workloads : row ? row->workloads : NULL;
    if (!workloads || !(r->preset || row))
        return mh_fail(err,
                       "image %.60s: the reference set does not say on what it runs; give --preset and --workload "
                       "(once for each), or a row in a file for --reference",
                       image->what);
    image->workload_count = r->workload_count ? r->workload_count : row->workload_count;
    memcpy(image->workloads, workloads, image->workload_count * sizeof *workloads);
    return 0;
}

/* Report an unknown image with `run`'s message, not with one about the reference set. */
static int check_name(const char *what, char base[IMAGE_BASE], struct mh_error *err)
{
    struct image image;
    if (image_open(&image, what, false, err))
        return -1;
    snprintf(base, IMAGE_BASE, "%s", image.base);
    image_close(&image);
    return 0;
}

static int add_image(struct latency *l, const char *what, struct mh_error *err)
{
    const struct latency_request *r = l->request;
    char base[IMAGE_BASE];
    struct latency_image *image = &l->images[l->image_count];
    if (l->image_count == LATENCY_IMAGES)
        return mh_fail(err, "more than %d images", LATENCY_IMAGES);
    image->what = what;
    if (check_name(what, base, err))
        return -1;
    const struct set_images *row = names_file(what, ".elf") ? NULL : latency_set_images(&l->set, base);
    if (use_row(image, r, row, err))
        return -1;
    image->how = latency_set_preset(&l->set, r->preset ? r->preset : row->preset);
    if (r->cycles)
        image->how.cycles = r->cycles;
    l->image_count++;
    return 0;
}

/* Names of all images that are built; image_list() has no context. */
static struct words built;

static void add_built(const char *name, bool twin)
{
    if (twin)
        words_add(&built, name);
}

static int add_set(struct latency *l, struct mh_error *err)
{
    if (image_list(add_built, err))
        return -1;
    for (unsigned i = 0; i < built.count; i++) {
        const struct set_images *row = latency_set_images(&l->set, built.text[i]);
        if (!row && strcmp(built.text[i], "baseline"))
            fprintf(stderr, "memhelm: the reference set has no row for image %s: left out\n", built.text[i]);
        if (row && (l->request->all || !row->variant) && add_image(l, built.text[i], err))
            return -1;
    }
    return l->image_count ? 0 : mh_fail(err, "no image to run: none that is built is in the reference set");
}

static int choose_images(struct latency *l, struct mh_error *err)
{
    const struct latency_request *r = l->request;
    for (unsigned i = 0; i < r->image_count; i++)
        if (add_image(l, r->images[i], err))
            return -1;
    return r->image_count ? 0 : add_set(l, err);
}

/* --- Their runs. */

struct point *latency_cell(const struct latency *l, const struct latency_image *image, unsigned point,
                           unsigned workload, unsigned seed)
{
    return &image->cells[(point * image->workload_count + workload) * l->request->seeds + seed];
}

/* What makes firmware of an image: the mcu, and how far away the GPU is. */
struct firmware {
    struct variant variant;
    char text[4][MH_PATH_MAX + 16];
};

__attribute__((format(printf, 2, 3))) static void set(struct firmware *f, const char *format, ...)
{
    char *text = f->text[f->variant.set_count];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof f->text[0], format, args);
    va_end(args);
    f->variant.sets[f->variant.set_count++] = text;
}

/* A watchdog would end a policy that is slower than it, which is to yield a number. */
static void make_firmware(struct firmware *f, const struct latency *l, const struct latency_image *image,
                          const struct latency_point *p, bool guarded)
{
    f->variant = (struct variant){.image = image->what, .machine = MACHINE_QEMU};
    if (p->kind == POINT_NO_TIME)
        set(f, "mcu.hz=inf");
    else
        set(f, "mcu.hz=%" PRIu64, p->hz);
    set(f, "mcu.bus_latency=%u", p->bus);
    if (l->request->core)
        set(f, "mcu.core=%s", l->request->core);
    set(f, guarded ? "mcu.on_fault=recover" : "mcu.watchdog=0");
}

/* Costs of runs, for the estimate. A tenant that runs alone on its own SMs has its share of the work. */
static void foretell(struct latency *l, const struct latency_image *image, unsigned workload,
                     const struct kept_sim *run, unsigned first)
{
    const unsigned number = (unsigned)(image - l->images) * SET_WORKLOADS + workload;
    const struct set_preset *how = &image->how;
    double cost = latency_set_cost(how->preset, image->workloads[workload], how->cycles);
    l->guessed |= cost <= 0 || l->request->set_count;
    if (cost <= 0)
        cost = (double)how->cycles * (double)how->cost * 1e-9;
    for (unsigned i = first; i < plan_count(l->plan); i++) {
        struct kept_sim *s = plan_sims(l->plan)[i];
        s->sim.cost = s == run || how->alone_whole ? cost : cost / run->sim.cfg.tenants_count;
        s->sim.kind = 2 * number + (s == run ? 1 : 2);
    }
}

/* Twins have neither mcu nor watchdog. A file has no twin: an infinitely fast mcu decides as one does. */
static void add_point(struct latency *l, const struct latency_image *image, unsigned point, unsigned workload,
                      unsigned seed, bool guarded, struct point *out)
{
    const struct latency_point *p = &latency_points[point];
    bool none = p->kind == POINT_NO_POLICY;
    struct variant twin = {.image = none ? "baseline" : image->what, .machine = MACHINE_TWIN};
    struct firmware f;
    struct measure m = {
        .common = {.preset = image->how.preset}, .cycles = image->how.cycles, .alone_whole = image->how.alone_whole};
    struct plan_options o = {.sets = l->request->sets, .set_count = l->request->set_count, .times = 1};
    o.seed = l->request->seed_first + seed;
    memcpy(m.common.sets, image->how.sets, sizeof image->how.sets);
    m.common.set_count = image->how.set_count;
    m.expr = expr_parse(none ? "weighted_speedup" : "ipc", &(struct mh_error){{0}});
    make_firmware(&f, l, image, p, guarded);
    bool native = none || (p->kind == POINT_NO_TIME && !names_file(image->what, ".elf"));
    unsigned before = plan_count(l->plan);
    plan_point(l->plan, &m, native ? &twin : &f.variant, image->workloads[workload], &o, out);
    if (out->run)
        foretell(l, image, workload, out->run, before);
    expr_free(m.expr);
}

/* A recording that is damaged, a kernel that does not fit: before anything runs. */
static int check_given(const struct latency *l, const struct latency_image *image, struct mh_error *err)
{
    for (unsigned w = 0; w < image->workload_count; w++)
        if (setup_build(&latency_cell(l, image, 0, w, 0)->run->sim.cfg, err))
            return -1;
    return 0;
}

static int add_cells(struct latency *l, struct latency_image *image, struct mh_error *err)
{
    image->cells = must_have((size_t)POINTS * image->workload_count * l->request->seeds, sizeof *image->cells);
    image->guarded = must_have((size_t)POINTS * image->workload_count, sizeof *image->guarded);
    for (unsigned point = 0; point < POINTS; point++)
        for (unsigned w = 0; w < image->workload_count; w++)
            for (unsigned s = 0; s < l->request->seeds; s++) {
                struct point *out = latency_cell(l, image, point, w, s);
                add_point(l, image, point, w, s, false, out);
                if (!out->run)
                    return mh_fail(err, "image %.60s, workload %.60s: %s", image->what, image->workloads[w],
                                   out->reason);
            }
    image->core = latency_cell(l, image, POINTS_FIRST_CLOCK, 0, 0)->run->sim.cfg.mcu.core;
    return l->request->workload_count ? check_given(l, image, err) : 0;
}

static int open_all(struct latency *l, struct mh_error *err)
{
    if (latency_set_open(&l->set, l->request->reference, err) || choose_images(l, err) ||
        !(l->plan = plan_open(NULL, err)))
        return -1;
    for (unsigned i = 0; i < l->image_count; i++)
        if (add_cells(l, &l->images[i], err))
            return -1;
    return plan_store(l->plan, l->request->results, err);
}

struct latency *latency_open(const struct latency_request *request, struct mh_error *err)
{
    struct latency *l = must_have(1, sizeof *l);
    l->request = request;
    if (!open_all(l, err))
        return l;
    latency_close(l);
    return NULL;
}

void latency_close(struct latency *l)
{
    for (unsigned i = 0; i < l->image_count; i++) {
        free(l->images[i].cells);
        free(l->images[i].guarded);
    }
    words_free(&built);
    if (l->plan)
        plan_free(l->plan);
    latency_set_close(&l->set);
    free(l);
}

/* --- Running them. */

/* Processor seconds of the runs that are left. */
static double expected(const struct latency *l)
{
    double sum = 0;
    for (unsigned i = 0; i < plan_count(l->plan); i++) {
        const struct sim *s = &plan_sims(l->plan)[i]->sim;
        sum += s->state == SIM_WAITING ? s->cost : 0;
    }
    return sum;
}

/* Runs the plan from `first` on. The estimate is printed only if the costs of all workloads were measured. */
static int run_waiting(struct latency *l, unsigned first, const char *why)
{
    unsigned kept = plan_load(l->plan);
    double seconds = expected(l) / l->request->jobs;
    fprintf(stderr, "memhelm: %u runs%s, %u of them kept from before", plan_count(l->plan) - first, why, kept);
    fputs(seconds < 60 || l->guessed ? "\n" : "; ", stderr);
    if (seconds >= 60 && !l->guessed)
        wall_say(seconds, l->request->jobs, stderr);
    return plan_run(l->plan, l->request->jobs);
}

/*
 * Could the watchdog have bitten? Where every epoch is answered, and within half a one, two COMMITs are no further
 * apart than its time-out, one and a half. A decision that takes longer than an epoch answers none at all.
 */
static bool in_doubt(const struct point *p)
{
    if (!sim_passed(&p->run->sim))
        return false;
    const struct mh_control_stats *c = &p->run->sim.result.stats.control;
    return c->missed || 2 * c->latency_max > p->run->sim.cfg.run.epoch;
}

static int add_guarded(struct latency *l, struct mh_error *err)
{
    for (unsigned i = 0; i < l->image_count; i++)
        for (unsigned point = POINTS_FIRST_CLOCK; point < POINTS_LAST; point++)
            for (unsigned w = 0; w < l->images[i].workload_count; w++) {
                struct latency_image *image = &l->images[i];
                struct point *out = &image->guarded[point * image->workload_count + w];
                if (!in_doubt(latency_cell(l, image, point, w, 0)))
                    continue;
                add_point(l, image, point, w, 0, true, out);
                if (!out->run)
                    return mh_fail(err, "image %.60s: %s", image->what, out->reason);
            }
    return 0;
}

int latency_run(struct latency *l, struct mh_error *err)
{
    unsigned before = plan_count(l->plan);
    int signal = run_waiting(l, 0, "");
    if (signal || add_guarded(l, err))
        return signal ? signal : -1;
    return plan_count(l->plan) > before ? run_waiting(l, before, " more ask whether the watchdog would bite") : 0;
}

const char *latency_image_name(const struct latency_image *image)
{
    return image->cells[0].run->sim.image->name;
}

void latency_workload_name(const struct latency *l, const struct latency_image *image, unsigned workload, char *text,
                           size_t size)
{
    report_workload(&latency_cell(l, image, 0, workload, 0)->run->sim.cfg, "+", text, size);
}
