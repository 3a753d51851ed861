#include "report.h"

#include <stdlib.h>
#include <string.h>
#include <inttypes.h>

#include "run/machine.h"
#include "base/json.h"
#include "base/hash.h"
#include "run/setup.h"
#include "plan/metrics.h"

/* "l2tlb.entries" goes to {"l2tlb": {"entries": ..}}, "tenants[1].size" to the second object of an array. */
static json_t *place_of(json_t *root, const char *key, const char **last)
{
    char name[64];
    const char *dot = strchr(key, '.');
    *last = dot ? dot + 1 : key;
    if (!dot)
        return root;
    size_t n = strcspn(key, ".[");
    snprintf(name, sizeof name, "%.*s", (int)n, key);
    bool list = key[n] == '[';
    json_t *child = json_object_get(root, name);
    if (!child)
        json_put(root, name, child = list ? json_array() : json_object());
    if (!list)
        return child;
    size_t index = strtoul(key + n + 1, NULL, 10);
    if (index == json_array_size(child))
        json_array_append_new(child, json_object());
    return json_array_get(child, index);
}

static void put_value(void *root, const char *key, const char *text, bool number)
{
    const char *last;
    json_t *object = place_of(root, key, &last);
    json_put(object, last,
             number && *text >= '0' && *text <= '9' ? json_integer(strtoll(text, NULL, 10)) : json_string(text));
}

static json_t *config_hash(const struct experiment *x)
{
    char text[HASH_TEXT];
    struct hash *h = hash_begin();
    int status = setup_hash(&x->identity, h, NULL);
    hash_end(h, text);
    return status ? json_null() : json_string(text);
}

/* Those that are set. */
static void put_parameters(json_t *o, const struct settings *s)
{
    json_t *set = s->count ? json_object() : NULL;
    for (unsigned i = 0; i < s->count; i++)
        json_put(set, s->list[i].name, json_integer(s->list[i].value));
    if (set)
        json_put(o, "parameters", set);
}

static json_t *image_json(const struct image *image)
{
    json_t *o = json_object();
    json_put(o, "name", json_string(image->name));
    json_put(o, "machine", json_string(image->twin ? "twin" : "qemu"));
    json_put(o, "sha256", json_string(image->sha256));
    put_parameters(o, &image->settings);
    if (image->twin)
        return o;
    json_put(o, "code", json_integer(image->sizes.code));
    json_put(o, "rodata", json_integer(image->sizes.rodata));
    json_put(o, "data", json_integer(image->sizes.data));
    json_put(o, "bss", json_integer(image->sizes.bss));
    return o;
}

static json_t *workload_json(const struct experiment *x)
{
    json_t *list = json_array();
    for (uint32_t t = 0; t < x->cfg.tenants_count; t++)
        json_array_append_new(list, json_string(x->identity.tenants[t].kernel));
    return list;
}

static json_t *tenant_json(const struct tenant_metrics *m)
{
    json_t *o = json_object();
    json_put(o, "cycles", json_integer((json_int_t)m->cycles));
    json_put_real(o, "ipc", m->ipc);
    json_put_real(o, "ipc_alone", m->ipc_alone);
    json_put_real(o, "speedup", m->speedup);
    json_put_real(o, "l1tlb_hit_rate", m->l1tlb_hit);
    json_put_real(o, "l2tlb_hit_rate", m->l2tlb_hit);
    json_put_real(o, "bypass_hit_rate", m->bypass_hit);
    json_put_real(o, "walk_latency", m->walk_latency);
    json_put_real(o, "dram_gbs", m->dram_gbs);
    json_put_real(o, "dram_share", m->dram_share);
    json_put_real(o, "noc_share", m->noc_share);
    return o;
}

static json_t *metrics_json(const struct metrics *m)
{
    json_t *o = json_object(), *tenants = json_array();
    json_put_real(o, "weighted_speedup", m->weighted_speedup);
    json_put_real(o, "harmonic_speedup", m->harmonic_speedup);
    json_put_real(o, "maximum_slowdown", m->maximum_slowdown);
    json_put_real(o, "fairness", m->fairness);
    json_put_real(o, "ipc", m->all.ipc);
    json_put_real(o, "l2tlb_hit_rate", m->all.l2tlb_hit);
    json_put_real(o, "bypass_hit_rate", m->all.bypass_hit);
    json_put(o, "walks", json_integer((json_int_t)m->walks));
    json_put_real(o, "walk_latency", m->all.walk_latency);
    json_put_real(o, "dram_gbs", m->all.dram_gbs);
    json_put_real(o, "dram_peak_gbs", m->dram_peak_gbs);
    json_put_real(o, "dram_share", m->all.dram_share);
    json_put_real(o, "noc_share", m->all.noc_share);
    json_put_real(o, "decision_latency", m->decision_latency);
    json_put_real(o, "walk_epoch_latency", m->walk_epoch_latency);
    for (uint32_t t = 0; t < m->tenants; t++)
        json_array_append_new(tenants, tenant_json(&m->tenant[t]));
    json_put(o, "tenants", tenants);
    return o;
}

/* What is known of the images of --swap before the run; `swaps` of the run says when they took over. */
static json_t *swapped_json(const struct experiment *x)
{
    json_t *list = json_array();
    for (unsigned i = 0; i < x->options->swap_count; i++)
        json_array_append_new(list, image_json(x->swapped[i]));
    return list;
}

/* NULL for a run without a result. */
static json_t *run_json(const struct experiment *x, unsigned image)
{
    struct metrics m;
    char path[HOST_PATH];
    const struct sim *sim = &x->runs[image]->sim;
    json_t *record = NULL; /* the statistics as the simulation wrote them */

    if (sim->state == SIM_DONE && !path_join(path, sim->dir, "result.json", NULL))
        record = json_load_file(path, 0, NULL);
    if (!record)
        return NULL;
    json_t *o = json_object(), *config = json_object();
    json_put(o, "schema", json_string("memhelm-result-1"));
    json_put(o, "made_by", provenance_json());
    json_put(o, "image", image_json(x->images[image]));
    json_put(o, "core", core_plugin_json(sim));
    if (sim->boot)
        json_put(o, "boot", boot_json(sim));
    json_put(o, "workload", workload_json(x));
    json_put(o, "seed", json_integer((json_int_t)x->cfg.run.seed));
    json_put(o, "config_sha256", config_hash(x));
    mh_config_visit(&x->identity, put_value, config);
    json_put(o, "config", config);
    json_put(o, "alone", /* their configuration is this one with a single tenant, their IPCs stand in the metrics */
             x->with_alone ? json_pack("{s:s, s:s}", "image", x->alone[0]->sim.image->name, "sha256",
                                       x->alone[0]->sim.image->sha256)
                           : json_null());
    json_t *metrics = experiment_metrics(x, image, &m) ? metrics_json(&m) : json_null();
    if (json_is_object(metrics) && sim->result.mcu.swaps.count)
        json_put(metrics, "swaps", result_swaps(sim));
    json_put(o, "metrics", metrics);
    json_put(o, "run", record);
    if (x->options->swap_count)
        json_put(o, "swapped", swapped_json(x));
    if (x->options->warm)
        json_put(o, "warm", image_json(sim->first));
    if (x->options->per_launch)
        json_put(o, "launches", result_launches(sim));
    return o;
}

int result_write_run(const struct experiment *x, const char *path, struct mh_error *err)
{
    json_t *o = run_json(x, 0);
    return o ? json_write(o, path, err) : 0;
}

/* A file of `schema` with the list `name` in it; no file for an empty list. */
static int write_list(const char *schema, const char *name, json_t *list, const char *path, struct mh_error *err)
{
    if (!json_array_size(list)) {
        json_decref(list);
        return 0;
    }
    return json_write(json_pack("{s:s, s:o}", "schema", schema, name, list), path, err);
}

int result_write_compare(const struct experiment *x, const char *path, struct mh_error *err)
{
    json_t *list = json_array();
    for (unsigned n = 0; n < x->seeds * x->options->image_count; n++) {
        json_t *run = run_json(&x[n / x->options->image_count], n % x->options->image_count);
        if (run)
            json_array_append_new(list, run);
    }
    return write_list("memhelm-compare-1", "results", list, path, err);
}

static json_t *timing_json(const struct sim *s)
{
    const uint64_t cycles = s->result.stats.warmup + s->result.stats.cycles;
    return json_pack("{s:s, s:s, s:f, s:I, s:o}", "image", s->image->name, "machine", s->image->twin ? "twin" : "qemu",
                     "seconds", s->seconds, "gpu_cycles", (json_int_t)cycles, "gpu_cycles_per_second",
                     json_number(metrics_ratio((double)cycles, s->seconds)));
}

int result_write_timing(const struct experiment *x, const char *path, struct mh_error *err)
{
    json_t *list = json_array();
    for (unsigned n = 0; n < x->seeds * x->options->image_count; n++) {
        const struct sim *s = &x[n / x->options->image_count].runs[n % x->options->image_count]->sim;
        if (s->state == SIM_DONE)
            json_array_append_new(list, timing_json(s));
    }
    return write_list("memhelm-timing-1", "runs", list, path, err);
}

enum { UNIT_LEAST = 65536 };

static double megabytes(uint64_t bytes)
{
    return (double)bytes / 1e6;
}

static void tenant_line(const struct mh_config *c, uint32_t t, const struct mh_counters *n, FILE *out)
{
    const uint32_t unit = c->memory.page_bytes > UNIT_LEAST ? c->memory.page_bytes : UNIT_LEAST;
    double us = metrics_ratio((double)n->uvm_fault_cycles, (double)n->uvm_faults) * 1e6 / (double)c->clock.gpu_hz;

    fprintf(out, "demand paging: tenant %u %s has %" PRIu64 " of its %" PRIu64 " units of %u KiB in GPU memory", t,
            setup_kernel_name(&c->tenants[t]), n->uvm_resident, n->uvm_allocated, unit / 1024);
    fprintf(out, "; page faults %" PRIu64, n->uvm_faults);
    if (n->uvm_faults)
        fprintf(out, " of %.1f us", us);
    fprintf(out, ", evictions %" PRIu64, n->uvm_evictions);
    if (n->uvm_prefetches)
        fprintf(out, ", prefetched %" PRIu64 " (%.0f %% used)", n->uvm_prefetches,
                100 * metrics_ratio((double)n->uvm_prefetches_used, (double)n->uvm_prefetches));
    if (n->uvm_host_lines)
        fprintf(out, ", lines from and to the host %" PRIu64, n->uvm_host_lines);
    fprintf(out, "; %.1f MB came, %.1f MB left\n", megabytes(n->uvm_in_bytes), megabytes(n->uvm_out_bytes));
}

static bool is_on(const struct mh_config *c)
{
    return c->uvm.mode == MH_UVM_ON;
}

void report_paging(const struct mh_config *c, const struct mh_stats *s, FILE *out)
{
    for (uint32_t t = 0; is_on(c) && t < c->tenants_count; t++)
        tenant_line(c, t, &s->tenant[t], out);
}

void report_paging_heading(const struct mh_config *c, struct table *t)
{
    table_names(t, is_on(c) ? "page faults|evictions|MB over the link" : "");
}

void report_paging_cells(const struct mh_config *c, const struct mh_stats *s, struct table *t)
{
    uint64_t faults = 0, evictions = 0, bytes = 0;

    if (!is_on(c))
        return;
    for (uint32_t i = 0; i < c->tenants_count; i++) {
        faults += s->tenant[i].uvm_faults;
        evictions += s->tenant[i].uvm_evictions;
        bytes += s->tenant[i].uvm_in_bytes + s->tenant[i].uvm_out_bytes;
    }
    table_text(t, "%" PRIu64, faults);
    table_text(t, "%" PRIu64, evictions);
    table_number(t, megabytes(bytes), 1);
}
