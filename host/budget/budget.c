#include "budget.h"

#include <stdlib.h>

#include "mcu/timing.h"
#include "run/machine.h"
#include "profile/interrupt.h"
#include "run/setup.h"
#include "base/memory.h"
#include "base/words.h"

static int open_image(struct budget *b, struct budget_image *i, const char *what, struct mh_error *err)
{
    if (image_open(&i->image, what, false, err))
        return -1;
    i->preset = reference_preset(&b->reference, i->image.base);
    if (!i->preset)
        return mh_fail(err, "%s: no preset in the reference set fits this name; add one to `presets`", i->image.name);
    i->known = !program_open(&i->program, &i->image, &i->why);
    if (i->known && i->program.mapped)
        i->owner_count = map_owners(&i->program.map, i->owners);
    if (i->known)
        code_read(&i->code, i->image.elf, &i->program.symbols, &b->core);
    i->checks = checks_of(&i->code);
    return baseline_of_image(&i->baseline, b->baselines, i->image.base, err);
}

static int open_images(struct budget *b, struct mh_error *err)
{
    const struct budget_request *q = b->request;
    if (q->baselines && !(b->baselines = baselines_read(q->baselines, err)))
        return -1;
    b->images = must_have(q->image_count, sizeof *b->images);
    for (; b->image_count < q->image_count; b->image_count++)
        if (open_image(b, &b->images[b->image_count], q->images[b->image_count], err)) {
            b->image_count++;
            return -1;
        }
    return 0;
}

/* Later ones take back earlier ones. */
static int configure(const struct budget *b, const struct budget_run *r, const char *clock, struct mh_config *cfg,
                     struct mh_error *err)
{
    const struct budget_request *q = b->request;
    char cycles[40], hz[80], core[HOST_PATH];
    struct options o;
    options_init(&o);
    const struct reference_preset *preset = b->images[r->image].preset;
    o.preset = preset->preset;
    o.workload = r->workload->tenants;
    snprintf(cycles, sizeof cycles, "run.cycles=%llu", (unsigned long long)b->reference.cycles);
    snprintf(hz, sizeof hz, "mcu.hz=%.60s", clock);
    snprintf(core, sizeof core, "mcu.core=%s", budget_core(b));
    o.sets[o.set_count++] = cycles;
    o.sets[o.set_count++] = core;
    o.sets[o.set_count++] = "mcu.watchdog=0"; /* a policy that is too slow has cycles, too */
    o.sets[o.set_count++] = hz;
    for (unsigned i = 0; i < preset->set_count; i++)
        o.sets[o.set_count++] = preset->sets[i];
    for (unsigned i = 0; i < r->workload->set_count; i++)
        o.sets[o.set_count++] = r->workload->sets[i];
    for (unsigned i = 0; i < q->set_count; i++)
        o.sets[o.set_count++] = q->sets[i];
    return setup_config(&o, cfg, err);
}

static int add_run(struct budget *b, unsigned image, const struct reference_workload *w, const char *clock,
                   struct mh_error *err)
{
    char folder[192];
    struct budget_run *r = &b->runs[b->run_count];
    struct kept_sim *s = must_have(1, sizeof *s);
    r->image = image;
    r->workload = w;
    s->sim.image = &b->images[image].image;
    s->sim.view.counts = true;
    snprintf(folder, sizeof folder, "%s-%.40s-%.20s", s->sim.image->name, w->name, clock);
    snprintf(s->what, sizeof s->what, "budget %s %s", s->sim.image->name, w->name);
    if (configure(b, r, clock, &s->sim.cfg, err)) {
        free(s);
        return -1;
    }
    r->kept = plan_add(b->plan, s, folder, err);
    b->run_count += r->kept != NULL;
    return r->kept ? 0 : -1;
}

static int add_runs(struct budget *b, unsigned image, struct mh_error *err)
{
    const struct budget_request *q = b->request;
    bool few = q->check || q->accept;
    for (unsigned w = 0; w < b->reference.workload_count; w++) {
        if (few && !b->reference.workloads[w].check)
            continue;
        for (unsigned c = few ? q->clock_count - 1 : 0; c < q->clock_count; c++)
            if (add_run(b, image, &b->reference.workloads[w], q->clocks[c], err))
                return -1;
    }
    return 0;
}

/* What is refused is not run. */
static int prepare_runs(struct budget *b, struct mh_error *err)
{
    const struct budget_request *q = b->request;
    size_t most = (size_t)b->image_count * b->reference.workload_count * q->clock_count;
    char qemu[HOST_PATH], plugin[HOST_PATH];
    if (q->no_runs)
        return 0;
    b->runs = must_have(most, sizeof *b->runs);
    if (sim_qemu(qemu, err) || core_plugin_check(budget_core(b), err) || core_plugin_path(plugin, err) ||
        !(b->plan = plan_open(q->keep, err)) || plan_store(b->plan, NULL, err))
        return -1;
    for (unsigned i = 0; i < b->image_count; i++)
        if (b->images[i].known && add_runs(b, i, err))
            return -1;
    return 0;
}

struct budget *budget_open(const struct budget_request *q, struct mh_error *err)
{
    struct budget *b = must_have(1, sizeof *b);
    b->request = q;
    if (!limits_open(&b->limits, q->limits, err) && !reference_open(&b->reference, q->reference, err) &&
        !core_open(&b->core, budget_core(b), err) && !open_images(b, err) && !prepare_runs(b, err))
        return b;
    budget_close(b);
    return NULL;
}

static void find_around(const struct budget *b, struct budget_run *r)
{
    const struct budget_image *image = &b->images[r->image];
    unsigned entry = core_table_entry(&b->core, CORE_IRQ_ENTRY), wake = core_table_entry(&b->core, CORE_IRQ_WAKE);
    uint32_t vector = 0;
    (void)symbol_value(image->image.elf, "trap_entry", &vector);
    interrupt_longest(r->around, &image->code, r->profile, vector, entry > wake ? entry : wake);
}

static int read_profiles(struct budget *b, struct mh_error *err)
{
    char path[HOST_PATH];
    for (unsigned i = 0; i < b->run_count; i++) {
        struct budget_run *r = &b->runs[i];
        const struct budget_image *image = &b->images[r->image];
        if (r->kept->sim.state != SIM_DONE || r->kept->sim.result.end != MH_END_PASS)
            continue;
        if (path_join(path, r->kept->sim.dir, "core.json", err))
            return -1;
        r->profile = profile_read(path, image->program.symbols.count, err);
        if (!r->profile)
            return -1;
        r->trap = trap_cycles(r->profile,
                              &(const struct image_code){&image->code, &image->program.symbols, &image->program.hooks});
        find_around(b, r);
        r->checks = checks_executed(&image->code, r->profile, &image->program.symbols, &image->program.hooks);
    }
    return 0;
}

int budget_run_all(struct budget *b, struct mh_error *err)
{
    int signal = 0;
    if (b->plan) {
        (void)plan_load(b->plan);
        signal = plan_run(b->plan, b->request->jobs);
    }
    return read_profiles(b, err) ? -1 : signal;
}

bool budget_passed(const struct budget_run *r)
{
    return r->profile;
}

const struct series *budget_series(const struct budget_run *r, unsigned source)
{
    return r->profile && r->profile->sources[source].count ? &r->profile->sources[source] : NULL;
}

const struct budget_run *budget_longest_source(const struct budget *b, unsigned image, unsigned source)
{
    const struct budget_run *longest = NULL;
    for (unsigned i = 0; i < b->run_count; i++) {
        const struct series *s = b->runs[i].image == image ? budget_series(&b->runs[i], source) : NULL;
        if (s && (!longest || s->cycles.max > budget_series(longest, source)->cycles.max))
            longest = &b->runs[i];
    }
    return longest;
}

const struct budget_run *budget_longest_hook(const struct budget *b, unsigned image, unsigned hook)
{
    const struct budget_run *longest = NULL;
    for (unsigned i = 0; i < b->run_count; i++) {
        const struct budget_run *r = &b->runs[i];
        if (r->image != image || !r->profile || !r->profile->hooks[hook].count)
            continue;
        if (!longest || r->profile->hooks[hook].cycles.max > longest->profile->hooks[hook].cycles.max)
            longest = r;
    }
    return longest;
}

uint64_t budget_interrupt(const struct budget_run *r, unsigned source)
{
    return r->around[source].cycles ? r->around[source].cycles : r->trap;
}

uint64_t budget_cycles(const struct budget_run *r, unsigned source)
{
    const struct series *s = budget_series(r, source);
    return s ? s->cycles.max + budget_interrupt(r, source) : 0;
}

enum { WORST_NAMED = 6 };

void budget_worst_text(const struct budget_image *i, const struct series *s, char *text, size_t size)
{
    *text = 0;
    for (unsigned n = 0; n < s->worst_count && n < WORST_NAMED; n++)
        text_add(text, size, ", ", "%s %llu", i->program.functions[s->worst[n].function].name,
                 (unsigned long long)s->worst[n].cycles);
}

const char *budget_core(const struct budget *b)
{
    return b->request->core ? b->request->core : b->limits.core;
}

/* The image's own figure, of paint, is from before its last line is printed. */
uint32_t budget_stack_measured(const struct budget *b, unsigned image)
{
    uint32_t most = 0, top = 0;
    (void)symbol_value(b->images[image].image.elf, "__stack_top", &top);
    for (unsigned i = 0; i < b->run_count; i++) {
        const struct budget_run *r = &b->runs[i];
        if (r->image != image || !budget_passed(r))
            continue;
        uint32_t low = r->profile->stack_low, used = low && low < top ? top - low : r->kept->sim.result.mcu.stack_used;
        most = used > most ? used : most;
    }
    return most;
}

/* Of its longest decision that is limited so; 0: it made none. */
static uint64_t most_cycles(const struct budget *b, unsigned image, enum limit limit)
{
    uint64_t most = 0;
    for (unsigned i = 0; i < b->run_count; i++)
        for (unsigned s = 0; b->runs[i].image == image && s < MH_SOURCES; s++) {
            struct source_info info = source_info(s);
            if (info.limited && info.limit == limit && budget_cycles(&b->runs[i], s) > most)
                most = budget_cycles(&b->runs[i], s);
        }
    return most;
}

uint64_t budget_need(const struct budget *b, unsigned image, enum limit limit)
{
    const struct budget_image *i = &b->images[image];
    switch (limit) {
    case LIMIT_CODE:
        return i->image.sizes.code + i->image.sizes.rodata + i->image.sizes.data;
    case LIMIT_DATA:
        return i->image.sizes.data + i->image.sizes.bss;
    case LIMIT_STACK:
        return i->known ? i->program.stack : 0;
    default:
        return most_cycles(b, image, limit);
    }
}

void budget_close(struct budget *b)
{
    for (unsigned i = 0; i < b->image_count; i++) {
        if (b->images[i].known)
            program_close(&b->images[i].program);
        code_free(&b->images[i].code);
        image_close(&b->images[i].image);
        baseline_free(&b->images[i].baseline);
    }
    for (unsigned i = 0; i < b->run_count; i++)
        if (b->runs[i].profile)
            profile_free(b->runs[i].profile);
    if (b->plan)
        plan_free(b->plan);
    json_decref(b->baselines);
    free(b->images);
    free(b->runs);
    core_close(&b->core);
    limits_close(&b->limits);
    reference_close(&b->reference);
    free(b);
}
