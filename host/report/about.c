#include "report.h"

#include <inttypes.h>
#include <string.h>

#include "base/escape.h"
#include "base/json.h"
#include "base/hash.h"
#include "base/words.h"
#include "plan/metrics.h"
#include "run/setup.h"

/* --- Title, and what made the numbers. */

/* Tenants that come or go: their rates count the cycles in which they were there. */
static void presence(const struct mh_config *c, FILE *out)
{
    for (uint32_t t = 0; t < c->tenants_count; t++) {
        const struct mh_tenant_cfg *tenant = &c->tenants[t];
        if (!tenant->arrive && !tenant->leave)
            continue;
        fprintf(out, "tenant %u %s is there from cycle %" PRIu64, t, setup_kernel_name(tenant), tenant->arrive);
        if (tenant->leave)
            fprintf(out, " to %" PRIu64, tenant->leave);
        fputs("; its IPC, slowdown and GB/s are of these cycles\n", out);
    }
}

static void window(const struct mh_config *c, FILE *out)
{
    if (c->run.completions)
        fprintf(out, ", until each has finished %u time%s, at most", c->run.completions,
                c->run.completions > 1 ? "s" : "");
    else
        fputc(',', out);
    if (c->run.warmup)
        fprintf(out, " GPU cycles %" PRIu64 " to %" PRIu64, c->run.warmup, c->run.cycles);
    else
        fprintf(out, " %" PRIu64 " GPU cycles", c->run.cycles);
}

/* "dws as changed by gpu.yaml and 2 keys": a preset's name alone would promise the paper's GPU. */
static void gpu(const struct experiment *x, FILE *out)
{
    const struct options *o = x->options;
    const char *file = o->config ? o->config : o->preset && preset_is_file(o->preset) ? o->preset : NULL;
    unsigned keys = 0;
    for (unsigned i = 0; i < o->set_count; i++) /* length and seed stand behind */
        keys += strncmp(o->sets[i], "run.", strlen("run.")) != 0;
    fprintf(out, "%s%s%s%s", x->cfg.preset, *x->cfg.design ? ", design " : "", x->cfg.design,
            file || keys ? " as changed by " : "");
    if (file)
        escape_print(out, file);
    if (keys)
        fprintf(out, "%s%u key%s", file ? " and " : "", keys, keys == 1 ? "" : "s");
    fputs(": ", out);
}

void report_workload(const struct mh_config *cfg, const char *between, char *text, size_t size)
{
    *text = 0;
    for (uint32_t t = 0; t < cfg->tenants_count; t++)
        text_add(text, size, between, "%s", setup_kernel_name(&cfg->tenants[t]));
}

void report_title(const struct experiment *x, FILE *out)
{
    const struct mh_config *c = &x->cfg;
    gpu(x, out);
    for (uint32_t t = 0; t < c->tenants_count; t++)
        fprintf(out, "%s%s", t ? " + " : "", setup_kernel_name(&c->tenants[t]));
    window(c, out);
    if (x->seeds > 1)
        fprintf(out, ", seeds %u-%u", x->options->seed_first, x->options->seed_last);
    else
        fprintf(out, ", seed %" PRIu64, c->run.seed);
    fprintf(out, ", epoch %" PRIu64 ", ", c->run.epoch);
    if (x->options->twin)
        fputs("native twin", out);
    else if (c->mcu.hz)
        fprintf(out, "core %s at %.6g MHz", c->mcu.core, (double)c->mcu.hz / 1e6);
    else
        fputs("infinitely fast mcu", out);
    fputs("; IPC counts thread instructions\n", out);
    presence(c, out);
}

/* Two files may have one name: a built image, and a file of the user's. */
static void put_image(json_t *images, const struct image *image)
{
    char name[96];
    const char *suffix = image->twin ? ".so" : ".elf", *known;
    snprintf(name, sizeof name, "%s%s", image->base, suffix);
    for (unsigned n = 2; (known = json_string_value(json_object_get(images, name))); n++) {
        if (!strcmp(known, image->sha256))
            return;
        snprintf(name, sizeof name, "%s%s (%u)", image->base, suffix, n);
    }
    json_put(images, name, json_string(image->sha256));
}

void made_put(json_t *o, const struct plan *p)
{
    json_t *images = json_object();
    for (unsigned i = 0; i < plan_count(p); i++)
        put_image(images, plan_sims(p)[i]->sim.image);
    json_put(o, "made_by", provenance_json());
    json_put(o, "images", images);
}

static void add_config(struct hash *h, const struct kept_sim *s)
{
    if (s)
        hash_add(h, s->key.config, sizeof s->key.config);
}

void made_add_configs(struct hash *h, const struct point *points, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        add_config(h, points[i].run);
        for (unsigned t = 0; t < MH_MAX_TENANTS; t++)
            add_config(h, points[i].alone[t]);
    }
}

/* --- What a table of numbers would not tell. */

void report_recovery(const struct sim *s, FILE *out)
{
    const struct mh_recovery *r = &s->result.mcu.recovery;
    const struct image *image = sim_image_at(s, r->first_cycle);
    const char *function = image_function(image, r->first.pc);
    if (!r->resets)
        return;
    fprintf(out, "%s recovered %u time%s; at GPU cycle %" PRIu64 ": %s", s->image->name, r->resets,
            r->resets == 1 ? "" : "s", r->first_cycle, r->first.reason);
    fprintf(out, "; pc 0x%08x in %s, called from %s; %" PRIu64 " GPU cycles (%.1f epochs) without a policy\n",
            r->first.pc, function, image_function(image, r->first.ra), r->cycles_lost,
            metrics_ratio((double)r->cycles_lost, (double)s->cfg.run.epoch));
}

void report_moved(const struct sim *s, FILE *out)
{
    for (uint32_t t = 0; t < s->cfg.tenants_count; t++)
        if (s->result.stats.moved[t])
            fprintf(out,
                    "tenant %u %s: %" PRIu64
                    " addresses of lanes were outside the recording's buffers: moved into them\n",
                    t, setup_kernel_name(&s->cfg.tenants[t]), s->result.stats.moved[t]);
}

void report_short(const struct mh_config *cfg, FILE *out)
{
    if (cfg->run.cycles < cfg->run.epoch)
        fprintf(out,
                "the run ends before its first epoch of %" PRIu64
                " GPU cycles (run.epoch): nothing was decided at the end of one\n",
                cfg->run.epoch);
}

void report_faster(const struct mh_config *cfg, const struct metrics *m, FILE *out)
{
    const double faster = 1.05; /* [ours] */
    for (uint32_t t = 0; t < m->tenants; t++)
        if (m->tenant[t].speedup > faster)
            fprintf(out,
                    "tenant %u %s: %.2f times as fast as alone: the image would help it alone, too, or in this window "
                    "it is "
                    "elsewhere in its program; --set run.completions=1 compares whole programs\n",
                    t, setup_kernel_name(&cfg->tenants[t]), m->tenant[t].speedup);
}

/* An event source as its warnings see it. */
struct asked {
    const char *what;        /**< events that must be answered in time */
    const char *wakes;       /**< events that wake the firmware */
    uint64_t raised, missed; /**< of `what` */
    uint64_t woken;          /**< upper bound of the number of `wakes` */
    uint64_t taken;          /**< decisions that the firmware took for `wakes` */
};

/*
 * Events that need no answer wake the firmware, too: completions, launches (LAUNCH_EVENTS), the host's. Results count
 * no events, so this is an upper bound: it assumes an event for each launch, and that no event was lost. With a
 * warm-up there is none: its launches are not counted.
 */
static uint64_t most_events(const struct sim *s)
{
    const struct mh_stats *r = &s->result.stats;
    if (r->warmup)
        return UINT64_MAX;
    uint64_t most = r->control.source[MH_SOURCE_TENANT].raised;
    for (uint32_t t = 0; t < r->tenants; t++)
        most += r->tenant[t].completions + r->tenant[t].launches;
    return most + (s->cfg.run.status_every ? r->cycles / s->cfg.run.status_every : 0);
}

/* More than one in a hundred missed [ours]: too many for chance, and a policy that is late decides on old counters. */
static void missed_line(const struct sim *s, const struct asked *a, FILE *out)
{
    const struct mh_config *c = &s->cfg;
    if (s->result.mcu.recovery.resets || s->result.mcu.swaps.count || a->missed * 100 <= a->raised)
        return;
    fprintf(out, "%s: %" PRIu64 " of %" PRIu64 " %s missed: ", s->image->name, a->missed, a->raised, a->what);
    if (s->image->twin || !c->mcu.hz)
        fputs("the firmware does not answer them in time\n", out);
    else
        fprintf(out, "at %.6g MHz the mcu decides more slowly than they come; memhelm budget shows where\n",
                (double)c->mcu.hz / 1e6);
}

/* A handler that leaves its interrupt pending is entered again as soon as it returns. */
static void storm_line(const struct sim *s, const struct asked *a, FILE *out)
{
    if (a->taken <= 2 * a->woken + 10)
        return;
    fprintf(out,
            "%s: decided %" PRIu64 " times for %" PRIu64 " %s: an interrupt that is not acknowledged (IRQ_PENDING) is "
            "taken again and again\n",
            s->image->name, a->taken, a->woken, a->wakes);
}

/* A source that wakes the firmware at most once per question. */
static struct asked source_asked(const char *what, const struct mh_source_stats *source, uint64_t taken)
{
    return (struct asked){what, what, source->raised, source->missed, source->raised, taken};
}

/* The cycles that an image reports are shown only here, where they differ from those counted. */
static void counted_lines(const struct sim *s, FILE *out)
{
    const struct mh_mcu_stats *c = &s->result.mcu;
    if (c->underreported)
        fprintf(out,
                "%s: %u decision%s took longer than the firmware reported: %" PRIu64
                " mcu cycles were counted, %" PRIu64 " reported; those that were counted are shown\n",
                s->image->name, c->underreported, c->underreported == 1 ? "" : "s", c->underreported_cycles,
                c->underreported_claim);
    if (c->undecided_cycles)
        fprintf(out,
                "%s: the mcu was awake for %" PRIu64 " more mcu cycles, outside of the decisions that it reported\n",
                s->image->name, c->undecided_cycles);
}

void report_warnings(const struct sim *s, FILE *out)
{
    const struct mh_control_stats *c = &s->result.stats.control;
    const struct mh_source_stats *source = c->source, *tenant = &source[MH_SOURCE_TENANT];
    const struct mh_mcu_stats *core = &s->result.mcu;
    const struct asked asked[] = {
        {"epochs", "epochs", c->epochs, c->missed, c->epochs, core->decision[MH_SOURCE_EPOCH].count},
        {"walk epochs", "walk epochs", c->walk_epochs, c->walk_missed, c->walk_epochs,
         core->decision[MH_SOURCE_WALK_EPOCH].count},
        source_asked("walk arrivals", &source[MH_SOURCE_ARRIVAL], core->decision[MH_SOURCE_ARRIVAL].count),
        {"tenants that came or went", "events at most, the host's and the ends of launches and programs included",
         tenant->raised, tenant->missed, most_events(s), core->decision[MH_SOURCE_TENANT].count},
        source_asked("page faults told to the firmware", &source[MH_SOURCE_PAGE_FAULT],
                     core->decision[MH_SOURCE_PAGE_FAULT].count),
        source_asked("expiries of timer 1", &source[MH_SOURCE_TIMER], core->decision[MH_SOURCE_TIMER].count),
        source_asked("expiries of timer 2", &source[MH_SOURCE_TIMER_2], core->decision[MH_SOURCE_TIMER_2].count),
    };
    for (unsigned i = 0; i < sizeof asked / sizeof *asked; i++) {
        missed_line(s, &asked[i], out);
        storm_line(s, &asked[i], out);
    }
    counted_lines(s, out);
}
