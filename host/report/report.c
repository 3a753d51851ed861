#include "report.h"

#include <inttypes.h>
#include <math.h>

#include "base/json.h"
#include "base/table.h"
#include "plan/metrics.h"
#include "run/machine.h"
#include "run/setup.h"

static void tenant_cells(struct table *t, const struct tenant_metrics *m, uint64_t walks, bool shares)
{
    table_number(t, m->ipc_alone, 2);
    table_number(t, m->ipc, 2);
    table_number(t, 1 / m->speedup, 2);
    table_percent(t, m->l1tlb_hit);
    table_percent(t, m->l2tlb_hit);
    table_percent(t, m->bypass_hit);
    table_text(t, "%" PRIu64, walks);
    table_number(t, m->walk_latency, 0);
    table_number(t, m->dram_gbs, 1);
    if (!shares)
        return;
    table_percent(t, m->dram_share);
    table_percent(t, m->noc_share);
}

/* Tenants on shared SMs also compete for the crossbar's ports towards them: two more columns. */
static void tenant_table(const struct experiment *x, const struct mh_stats *s, const struct metrics *m, FILE *out)
{
    const bool shares = x->cfg.sm.share;
    struct table *t = table_new();
    table_heading(
        t, "tenant|SMs|IPC alone|IPC|slowdown|L1 TLB hit|L2 TLB hit|bypass hit|walks|walk latency [cycles]|GB/s");
    table_names(t, shares ? "DRAM|NoC" : "");
    for (uint32_t i = 0; i < m->tenants; i++) {
        table_row(t);
        table_text(t, "%u %s", i, setup_kernel_name(&x->cfg.tenants[i]));
        table_text(t, "%u", x->cfg.tenants[i].sm_count);
        tenant_cells(t, &m->tenant[i], s->tenant[i].walks, shares);
    }
    table_row(t);
    table_text(t, "all");
    table_text(t, "%u", x->cfg.sm.count);
    tenant_cells(t, &m->all, m->walks, shares);
    table_print(t, out);
    table_free(t);
}

static void speedups(const struct metrics *m, FILE *out)
{
    if (!isnan(m->weighted_speedup))
        fprintf(out, "weighted speedup %.4g, harmonic %.4g, maximum slowdown %.4g, fairness %.4g\n",
                m->weighted_speedup, m->harmonic_speedup, m->maximum_slowdown, m->fairness);
    fprintf(out, "DRAM %.1f GB/s, %.1f %% of the peak of %.1f\n", m->all.dram_gbs, 100 * m->all.dram_share,
            m->dram_peak_gbs);
}

/* `count` decisions were applied. */
static void epoch_line(const char *what, uint64_t epochs, uint64_t count, uint64_t missed, double mean, uint64_t max,
                       FILE *out)
{
    fprintf(out, "%s %" PRIu64 ", decisions applied %" PRIu64 ", missed %" PRIu64, what, epochs, count, missed);
    if (count)
        fprintf(out, ", latency mean %.0f max %" PRIu64 " GPU cycles", mean, max);
    fputc('\n', out);
}

static void source_line(const char *what, const struct mh_source_stats *s, FILE *out)
{
    if (!s->raised)
        return;
    fprintf(out, "%s %" PRIu64 ", answered %" PRIu64 ", missed %" PRIu64, what, s->raised, s->answered, s->missed);
    if (s->answered)
        fprintf(out, ", latency mean %.0f max %" PRIu64 " GPU cycles", (double)s->latency_sum / (double)s->answered,
                s->latency_max);
    fputc('\n', out);
}

static void control_line(const struct mh_stats *s, const struct metrics *m, FILE *out)
{
    const struct mh_control_stats *c = &s->control;
    epoch_line("epochs", c->epochs, c->latency_count, c->missed, m->decision_latency, c->latency_max, out);
    if (c->walk_epochs)
        epoch_line("walk epochs", c->walk_epochs, c->walk_latency_count, c->walk_missed, m->walk_epoch_latency,
                   c->walk_latency_max, out);
    source_line("walk arrivals", &c->source[MH_SOURCE_ARRIVAL], out);
    source_line("tenants that came or went", &c->source[MH_SOURCE_TENANT], out);
    source_line("page faults told to the firmware", &c->source[MH_SOURCE_PAGE_FAULT], out);
    source_line("expiries of timer 1", &c->source[MH_SOURCE_TIMER], out);
    source_line("expiries of timer 2", &c->source[MH_SOURCE_TIMER_2], out);
    if (c->rejects)
        fprintf(out, "COMMITs rejected %u, the last for the register at 0x%04x\n", c->rejects, c->last_reject);
    if (c->bad_accesses || c->bad_writes || c->events_lost)
        fprintf(out, "bad accesses %u, bad writes %u, events lost %u\n", c->bad_accesses, c->bad_writes,
                c->events_lost);
}

static void decision_line(const char *what, const struct mh_decisions *d, FILE *out)
{
    if (d->count)
        fprintf(out, "mcu cycles per %s: min %" PRIu64 " mean %.0f max %" PRIu64 " (%" PRIu64 " decisions)\n", what,
                d->min, (double)d->sum / (double)d->count, d->max, d->count);
}

static void core_line(const struct sim *s, FILE *out)
{
    const struct mh_mcu_stats *c = &s->result.mcu;
    const struct elf_sizes *z = &s->image->sizes;
    if (s->image->twin)
        return;
    static const char *const what[MH_SOURCES] = {
        [MH_SOURCE_EPOCH] = "decision",           [MH_SOURCE_WALK_EPOCH] = "walk epoch",
        [MH_SOURCE_ARRIVAL] = "walk arrival",     [MH_SOURCE_TENANT] = "event of a tenant",
        [MH_SOURCE_PAGE_FAULT] = "page fault",    [MH_SOURCE_TIMER] = "expiry of timer 1",
        [MH_SOURCE_TIMER_2] = "expiry of timer 2"};

    for (unsigned i = 0; i < MH_SOURCES; i++)
        decision_line(what[i], &c->decision[i], out);
    if (c->irq_latency_count)
        fprintf(out, "interrupt latency mean %.0f max %" PRIu64 " mcu cycles\n",
                (double)c->irq_latency_sum / (double)c->irq_latency_count, c->irq_latency_max);
    fprintf(out, "image: code and constants %u bytes, data and bss %u; stack used %u\n", z->code + z->rodata,
            z->data + z->bss, c->stack_used);
}

/* With run.completions: every workload has finished as often as it should before the cycles were over, or which have
 * not. */
static void end_line(const char *before, const struct sim *s, FILE *out)
{
    const struct mh_stats *r = &s->result.stats;
    const char *between = "";
    if (s->result.end != MH_END_PASS || !s->cfg.run.completions)
        return;
    if (r->cycles < s->cfg.run.cycles) {
        fprintf(out, "%sall finished by GPU cycle %" PRIu64 "\n", before, r->cycles);
        return;
    }
    fprintf(out, "%sat GPU cycle %" PRIu64 ", where the run ends, have finished: ", before, r->cycles);
    for (uint32_t t = 0; t < r->tenants; t++, between = ", ")
        fprintf(out, "%s%u %s %" PRIu64 " of %u times", between, t, setup_kernel_name(&s->cfg.tenants[t]),
                r->tenant[t].completions, s->cfg.run.completions);
    fputc('\n', out);
}

/* At the clocks that an ibex has on an FPGA and in silicon. */
static void boot_line(const struct sim *s, FILE *out)
{
    json_t *boot = boot_json(s);
    const double cycles = (double)json_integer_value(json_object_get(boot, "rom_cycles"));
    const char *slot = json_string_value(json_object_get(boot, "slot"));
    if (slot)
        fprintf(out,
                "verified boot: slot %s, version %" JSON_INTEGER_FORMAT ", sha256 %.16s..; boot ROM %.0f mcu cycles: "
                "%.1f ms at 100 MHz, %.1f ms at 500 MHz\n",
                slot, json_integer_value(json_object_get(boot, "version")),
                json_string_value(json_object_get(boot, "sha256")), cycles, cycles / 100e3, cycles / 500e3);
    json_decref(boot);
}

/* --- What happened in the middle of a run: images that took over, and launches. */

static double ipc(const struct mh_swap_span *s)
{
    return metrics_ratio((double)s->lane_instr, (double)s->cycles);
}

static void row(struct table *t, const struct mh_swap *s)
{
    table_row(t);
    table_left(t, s->image);
    table_number(t, s->began ? (double)s->began : NAN, 0);
    table_number(t, s->committed ? (double)(s->committed - s->began) : NAN, 0);
    table_number(t, ipc(&s->before), 2);
    table_number(t, ipc(&s->during), 2);
    table_number(t, ipc(&s->after), 2);
}

/* What the table does not say. */
static void line(const struct mh_swap *s, const struct image *before, FILE *out)
{
    if (s->refused)
        fprintf(out, "at GPU cycle %" PRIu64 " %s was to take over, and %s goes on: %s\n", s->asked, s->image,
                before->name, mh_boot_texts[s->refused]);
    else if (s->rolled_back)
        fprintf(out, "%s failed, and at GPU cycle %" PRIu64 " the mcu booted %s again\n", s->image, s->rolled_back,
                before->name);
    else if (!s->confirmed)
        fprintf(out, "%s %s\n", s->image,
                s->committed ? "had its probation not behind it at the end" : "did not come to its first COMMIT");
}

/* And a line for each that did not stay. */
static void swap_table(const struct sim *s, FILE *out)
{
    const struct mh_swaps *all = &s->result.mcu.swaps;
    if (!all->count)
        return;
    struct table *t = table_new();
    table_heading(t, "<took over|at GPU cycle|no policy [cycles]|IPC an epoch before|meanwhile|an epoch after");
    for (uint32_t i = 0; i < all->count; i++)
        row(t, &all->list[i]);
    table_print(t, out);
    table_free(t);
    for (uint32_t i = 0; i < all->count; i++)
        line(&all->list[i], sim_image_at(s, all->list[i].asked - 1), out);
}

json_t *result_swaps(const struct sim *s)
{
    const struct mh_swaps *all = &s->result.mcu.swaps;
    json_t *list = json_array();
    for (uint32_t i = 0; i < all->count; i++) {
        const struct mh_swap *one = &all->list[i];
        json_t *none = one->committed ? json_integer((json_int_t)(one->committed - one->began)) : json_null();
        json_array_append_new(
            list, json_pack("{s:s, s:I, s:o, s:o, s:o, s:o}", "image", one->image, "cycle", (json_int_t)one->began,
                            "no_policy", none, "ipc_before", json_number(ipc(&one->before)), "ipc_during",
                            json_number(ipc(&one->during)), "ipc_after", json_number(ipc(&one->after))));
    }
    return list;
}

/* NULL: it cannot be read. */
static json_t *read_timeline(const struct sim *s)
{
    char path[HOST_PATH];

    return path_join(path, s->dir, "timeline.json", NULL) ? NULL : json_load_file(path, 0, NULL);
}

static double real(const json_t *o, const char *key)
{
    return json_number_value(json_object_get(o, key));
}

/* Launches are the slices that have such a number (hwmodel/record/trace_events.c). */
static json_t *launches_of(const json_t *timeline)
{
    json_t *list = json_array();
    const json_t *e;
    size_t i;

    json_array_foreach(json_object_get(timeline, "traceEvents"), i, e)
    {
        const json_t *args = json_object_get(e, "args");
        if (!json_object_get(args, "launch"))
            continue;
        json_t *o = json_copy((json_t *)args);
        json_put(o, "kernel", json_copy(json_object_get(e, "name")));
        json_put_real(o, "ipc", metrics_ratio(real(args, "lane_instr"), real(args, "cycles")));
        json_array_append_new(list, o);
    }
    return list;
}

json_t *result_launches(const struct sim *s)
{
    json_t *timeline = read_timeline(s), *list = launches_of(timeline);

    json_decref(timeline);
    return list;
}

static void put_row(struct table *t, const json_t *launch)
{
    char kernel[64];

    snprintf(kernel, sizeof kernel, "%.60s", json_string_value(json_object_get(launch, "kernel")));
    table_row(t);
    table_exact(t, real(launch, "launch"));
    table_left(t, kernel);
    table_exact(t, real(launch, "cycle"));
    table_exact(t, real(launch, "cycles"));
    table_exact(t, real(launch, "lane_instr"));
    table_number(t, metrics_ratio(real(launch, "lane_instr"), real(launch, "cycles")), 2);
    table_text(t, "%s", json_is_true(json_object_get(launch, "finished")) ? "" : "cut off");
}

static void put_tenant(const struct sim *s, uint32_t tenant, const json_t *launches, FILE *out)
{
    struct table *t = table_new();
    const json_t *launch;
    size_t i;

    table_heading(t, "launch|<kernel|from cycle|cycles|instructions|IPC|");
    json_array_foreach(launches, i, launch)
    {
        if (real(launch, "tenant") == tenant)
            put_row(t, launch);
    }
    fprintf(out, "launches of tenant %u %s\n", tenant, setup_kernel_name(&s->cfg.tenants[tenant]));
    table_print(t, out);
    table_free(t);
}

/* A table per tenant. */
static void launch_tables(const struct sim *s, FILE *out)
{
    json_t *timeline = read_timeline(s), *launches = launches_of(timeline);
    const char *kept = json_string_value(json_object_get(json_object_get(timeline, "otherData"), "launches"));
    uint64_t some, all;

    for (uint32_t t = 0; t < s->cfg.tenants_count; t++)
        put_tenant(s, t, launches, out);
    if (kept && sscanf(kept, "%" SCNu64 " of %" SCNu64, &some, &all) == 2 && some < all)
        fprintf(out, "%s launches are shown, spread over the run\n", kept);
    json_decref(launches);
    json_decref(timeline);
}

/* --- All. */

void report_run(const struct experiment *x, FILE *out)
{
    struct metrics m;
    const struct sim *s = &x->runs[0]->sim;
    if (!experiment_metrics(x, 0, &m))
        return;
    fprintf(out, "%s on ", s->image->name);
    report_title(x, out);
    tenant_table(x, &s->result.stats, &m, out);
    speedups(&m, out);
    report_paging(&s->cfg, &s->result.stats, out);
    end_line("", s, out);
    report_moved(s, out);
    report_short(&s->cfg, out);
    report_faster(&s->cfg, &m, out);
    control_line(&s->result.stats, &m, out);
    core_line(s, out);
    swap_table(s, out);
    boot_line(s, out);
    report_recovery(s, out);
    report_warnings(s, out);
    if (x->options->per_launch)
        launch_tables(s, out);
}

void report_lines(const struct sim *s, FILE *out)
{
    char image[96];
    if (s->state != SIM_DONE)
        return;
    snprintf(image, sizeof image, "%.80s: ", s->image->name);
    end_line(image, s, out);
    report_recovery(s, out);
    report_warnings(s, out);
}

void report_speed(const struct experiment *x, FILE *out)
{
    for (unsigned i = 0; x->seeds == 1 && i < x->options->image_count; i++) {
        const struct sim *s = &x->runs[i]->sim;
        if (s->state == SIM_DONE)
            fprintf(out, "%s: %.2f s, %.3g GPU cycles/s\n", s->image->name, s->seconds,
                    metrics_ratio((double)(s->result.stats.warmup + s->result.stats.cycles), s->seconds));
    }
    const unsigned tenants = x->with_alone ? x->cfg.tenants_count : 0;
    unsigned kept = 0;
    for (unsigned n = 0; n < x->seeds * tenants; n++)
        kept += x[n / tenants].alone[n % tenants]->kept;
    if (kept)
        fprintf(out, "%u of %u alone runs from the cache\n", kept, x->seeds * tenants);
}
