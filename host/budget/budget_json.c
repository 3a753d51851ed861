#include "budget_report.h"

#include <math.h>
#include <stdlib.h>

#include "profile/line_costs.h"
#include "base/json.h"
#include "plan/metrics.h"

static json_t *sizes_json(const uint32_t bytes[MAP_KINDS])
{
    static const char *const names[MAP_KINDS] = {"code", "rodata", "data", "bss"};
    json_t *o = json_object();
    for (unsigned k = 0; k < MAP_KINDS; k++)
        json_put_count(o, names[k], bytes[k]);
    return o;
}

static json_t *owners_json(const struct budget_image *i)
{
    json_t *o = json_object();
    for (unsigned n = 0; n < i->owner_count; n++)
        json_put(o, i->owners[n].name, sizes_json(i->owners[n].bytes));
    return o;
}

static json_t *path_json(const struct stack_path *path)
{
    json_t *o = json_object(), *list = json_array();
    for (unsigned i = 0; i < path->count; i++)
        json_array_append_new(list, json_pack("[s, i]", path->at[i].name, (int)path->at[i].bytes));
    json_put_count(o, "bytes", path->bytes);
    json_put(o, "path", list);
    return o;
}

/* Of policies: the deepest hook of each. */
static json_t *policy_stacks_json(const struct program *p)
{
    json_t *o = json_object();
    for (unsigned h = 0; h < p->hooks.count; h++) {
        if (program_deepest_hook(p, p->hooks.list[h].policy) != h)
            continue;
        json_t *stack = path_json(&p->hook_paths[h]);
        json_put(stack, "hook", json_string(p->hooks.list[h].kind));
        json_put(o, p->hooks.list[h].policy, stack);
    }
    return o;
}

static json_t *stack_json(const struct budget *b, unsigned image)
{
    const struct program *p = &b->images[image].program;
    json_t *o = json_object();
    uint32_t measured = budget_stack_measured(b, image);
    json_put_count(o, "worst", p->stack);
    for (unsigned r = 0; r < ROOTS; r++)
        json_put(o, stack_root_names[r], path_json(&p->paths[r]));
    json_put(o, "policies", policy_stacks_json(p));
    json_put(o, "measured", measured ? json_integer(measured) : json_null());
    return o;
}

static json_t *spread_json(const struct spread *s)
{
    return json_pack("{s:I, s:o, s:I, s:I}", "min", (json_int_t)s->min, "mean", json_number(s->mean), "p99",
                     (json_int_t)s->p99, "max", (json_int_t)s->max);
}

/* Decisions for a source, or calls of a hook. */
static json_t *series_json(const struct budget_image *i, const struct profile *p, const struct series *s)
{
    json_t *o = json_object(), *worst = json_array();
    for (unsigned n = 0; n < s->worst_count; n++)
        json_array_append_new(worst, json_pack("[s, I]", i->program.functions[s->worst[n].function].name,
                                               (json_int_t)s->worst[n].cycles));
    json_put_count(o, "count", s->count);
    json_put(o, "instructions", spread_json(&s->instructions));
    json_put(o, "cycles", spread_json(&s->cycles));
    json_put(o, "stalls", spread_json(&s->stalls));
    json_put(o, "stack_low", s->stack_low ? json_integer(s->stack_low) : json_null());
    json_put(o, "mix", mix_json(&s->mix));
    json_put(o, "worst_mix", mix_json(&s->worst_mix));
    json_put(o, "worst", worst);
    json_put(o, "path", budget_path_json(i, p, s));
    return o;
}

static json_t *sources_json(const struct budget_image *i, const struct budget_run *r)
{
    json_t *sources = json_object();
    for (unsigned s = 0; s < MH_SOURCES; s++) {
        const struct series *series = budget_series(r, s);
        const struct mh_source_stats *stats = &r->kept->sim.result.stats.control.source[s];
        if (!series)
            continue;
        json_t *o = series_json(i, r->profile, series);
        json_put(o, "interrupt_cycles",
                 r->around[s].cycles ? json_integer((json_int_t)r->around[s].cycles) : json_null());
        json_put_count(o, "interrupt_count", r->around[s].count);
        json_put_count(o, "raised", stats->raised);
        json_put_count(o, "missed", stats->missed);
        json_put(sources, source_info(s).name, o);
    }
    return sources;
}

static json_t *policies_json(const struct budget_image *i, const struct budget_run *r)
{
    json_t *policies = json_object();
    for (unsigned h = 0; h < i->program.hooks.count; h++) {
        const struct hook *hook = &i->program.hooks.list[h];
        json_t *hooks = json_object_get(policies, hook->policy);
        if (!r->profile->hooks[h].count)
            continue;
        if (!hooks)
            json_put(policies, hook->policy, hooks = json_object());
        json_put(hooks, hook->kind, series_json(i, r->profile, &r->profile->hooks[h]));
    }
    return policies;
}

static json_t *check_json(const struct check_cost *c)
{
    return json_pack("{s:I, s:I}", "instructions", (json_int_t)c->instructions, "cycles", (json_int_t)c->cycles);
}

/* Of all of the run; of sources, those that checked. */
static json_t *checks_run_json(const struct budget_run *r)
{
    json_t *o = check_json(&r->checks.all), *sources = json_object();
    for (unsigned s = 0; s < MH_SOURCES; s++)
        if (r->checks.sources[s].instructions)
            json_put(sources, source_info(s).name, check_json(&r->checks.sources[s]));
    json_put(o, "sources", sources);
    return o;
}

static json_t *irq_json(const struct mh_mcu_stats *c)
{
    const double mean = c->irq_latency_count ? (double)c->irq_latency_sum / (double)c->irq_latency_count : NAN;
    return json_pack("{s:I, s:o, s:I}", "count", (json_int_t)c->irq_latency_count, "mean", json_number(mean), "max",
                     (json_int_t)c->irq_latency_max);
}

/* Static functions may share a name: the later ones have their address behind it. */
static void put_function(json_t *functions, const char *name, uint32_t address, json_t *o)
{
    char unique[200];
    snprintf(unique, sizeof unique, "%s@0x%x", name, address);
    json_put(functions, json_object_get(functions, name) ? unique : name, o);
}

/* Those that ran. */
static json_t *functions_json(const struct budget_image *i, const struct budget_run *r)
{
    json_t *functions = json_object();
    struct counts *all = counts_of(r->profile, &i->code, i->program.symbols.count);
    for (unsigned f = 0; f < i->program.symbols.count; f++) {
        const struct counts *c = &all[f];
        if (!c->calls && !c->instructions)
            continue;
        json_t *o = json_object();
        json_put_count(o, "calls", c->calls);
        json_put_count(o, "instructions", c->instructions);
        json_put_count(o, "cycles", c->cycles);
        json_put_count(o, "mmio", c->mmio);
        json_put(o, "stack_low", c->stack_low ? json_integer(c->stack_low) : json_null());
        json_put(o, "classes", mix_classes_json(c->classes));
        put_function(functions, i->program.functions[f].name, i->program.symbols.list[f].address, o);
    }
    free(all);
    return functions;
}

static json_t *run_json(const struct budget_image *i, const struct budget_run *r)
{
    json_t *o = json_object();
    json_put(o, "workload", json_string(r->workload->name));
    json_put_count(o, "mcu_hz", r->kept->sim.cfg.mcu.hz);
    json_put_real(o, "awake", metrics_awake(&r->kept->sim.result));
    json_put_count(o, "boot", r->kept->sim.result.mcu.boot);
    json_put(o, "irq_latency", irq_json(&r->kept->sim.result.mcu));
    json_put_count(o, "instructions", r->profile->instructions);
    json_put(o, "mix", mix_json(&r->profile->mix));
    json_put_count(o, "interrupts", r->profile->traps);
    json_put_count(o, "interrupt_cycles", r->trap);
    json_put(o, "sources", sources_json(i, r));
    json_put(o, "policies", policies_json(i, r));
    json_put(o, "checks", checks_run_json(r));
    json_put(o, "functions", functions_json(i, r));
    return o;
}

static json_t *runs_json(const struct budget *b, unsigned image)
{
    json_t *list = json_array();
    for (unsigned i = 0; i < b->run_count; i++)
        if (b->runs[i].image == image && budget_passed(&b->runs[i]))
            json_array_append_new(list, run_json(&b->images[image], &b->runs[i]));
    return list;
}

static json_t *image_json(const struct budget *b, unsigned image, const struct excess *list, unsigned count)
{
    const struct budget_image *i = &b->images[image];
    const struct elf_sizes *z = &i->image.sizes;
    json_t *o = json_object(), *over = json_array();
    json_put(o, "name", json_string(i->image.name));
    json_put(o, "sha256", json_string(i->image.sha256));
    json_put(o, "preset", json_string(i->preset->preset));
    json_put(o, "sizes", sizes_json((const uint32_t[MAP_KINDS]){z->code, z->rodata, z->data, z->bss}));
    json_put(o, "owners", owners_json(i));
    json_put(o, "stack", i->known ? stack_json(b, image) : json_null());
    json_put(o, "checks",
             i->known ? json_pack("{s:i, s:i}", "sites", (int)i->checks.sites, "bytes", (int)i->checks.bytes)
                      : json_null());
    json_put(o, "runs", runs_json(b, image));
    for (unsigned n = 0; n < count; n++)
        if (list[n].image == image)
            json_array_append_new(over, json_string(list[n].text));
    json_put(o, "over", over);
    return o;
}

int budget_write_json(const struct budget *b, const struct excess *list, unsigned count, const char *path,
                      struct mh_error *err)
{
    json_t *o = json_object(), *images = json_array();
    for (unsigned i = 0; i < b->image_count; i++)
        json_array_append_new(images, image_json(b, i, list, count));
    json_put(o, "schema", json_string("memhelm-budget-1"));
    json_put(o, "core", json_string(budget_core(b)));
    json_put_count(o, "cycles", b->reference.cycles);
    json_put(o, "images", images);
    return json_write(o, path, err);
}
