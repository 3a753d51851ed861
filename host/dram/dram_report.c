#include "dram.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "memhelm/config_file.h"

static uint32_t request_bytes(const struct mh_dram_cfg *d)
{
    return d->request_bytes ? d->request_bytes : MH_LINE_BYTES;
}

static double peak(const struct mh_config *c)
{
    return (double)c->dram.bus_bytes * c->dram.data_rate * (double)c->clock.dram_hz;
}

static double bandwidth(const struct mh_config *c, const struct dram_result *r)
{
    return (double)r->requests * request_bytes(&c->dram) / ((double)r->cycles / (double)c->clock.dram_hz);
}

static double mean(const struct dram_latency *l)
{
    return (double)l->sum / (double)l->reads;
}

static void title(const struct mh_config *c, FILE *out)
{
    const struct mh_dram_cfg *d = &c->dram;
    fprintf(out, "%s: %u bits at %.6g MHz x %u", c->preset, 8 * d->bus_bytes, (double)c->clock.dram_hz / 1e6,
            d->data_rate);
    if (d->ranks > 1)
        fprintf(out, ", %u ranks", d->ranks);
    fprintf(out, ", %u banks", d->banks);
    if (d->groups > 1)
        fprintf(out, " in %u groups", d->groups);
    fprintf(out, ", %s rows, address = %s%s\n", d->rows == MH_ROWS_CLOSED ? "closed" : "open",
            *d->mapping ? d->mapping : MH_DRAM_MAPPING, d->permute != MH_PERMUTE_NONE ? ", banks permuted" : "");
}

static void latency(const struct dram_latency *l, FILE *out)
{
    if (!l->reads)
        fprintf(out, "read latency  -\n");
    else
        fprintf(out,
                "read latency  mean %.1f, min %" PRIu64 ", p50 %" PRIu64 ", p99 %" PRIu64 ", max %" PRIu64
                " cycles, from acceptance to last beat\n",
                mean(l), l->min, dram_latency_percentile(l, 50), dram_latency_percentile(l, 99), l->max);
}

void dram_report(const struct mh_config *cfg, const struct dram_result *r, double seconds, FILE *out)
{
    title(cfg, out);
    fprintf(out, "requests      %" PRIu64 " of %u bytes: %" PRIu64 " reads, %" PRIu64 " writes\n", r->requests,
            request_bytes(&cfg->dram), r->reads, r->writes);
    fprintf(out, "cycles        %" PRIu64 " (%.6g us)\n", r->cycles,
            1e6 * (double)r->cycles / (double)cfg->clock.dram_hz);
    fprintf(out, "bandwidth     %.2f GB/s, %.1f %% of the peak of %.2f\n", bandwidth(cfg, r) * 1e-9,
            100 * bandwidth(cfg, r) / peak(cfg), peak(cfg) * 1e-9);
    latency(&r->latency, out);
    fprintf(out, "row hits      %.1f %%\n", 100 * (double)r->row_hits / (double)r->requests);
    fprintf(out, "wall time     %.3f s, %.3g requests/s\n", seconds, (double)r->requests / seconds);
}

/* Of the whole configuration the channel's clock and `dram` are shown, without the number of channels. */
static void put_value(void *config, const char *key, const char *text, bool number)
{
    const char *last = strchr(key, '.');
    if (!last || (strncmp(key, "dram.", 5) && strcmp(key, "clock.dram_hz")) || !strcmp(key, "dram.channels"))
        return;
    char section[8];
    snprintf(section, sizeof section, "%.*s", (int)(last - key), key);
    json_t *o = json_object_get(config, section);
    if (!o)
        json_put(config, section, o = json_object());
    json_put(o, last + 1, number ? json_integer(strtoll(text, NULL, 10)) : json_string(text));
}

static json_t *latency_json(const struct dram_latency *l)
{
    if (!l->reads)
        return json_null();
    return json_pack("{s:f, s:I, s:I, s:I, s:I}", "mean", mean(l), "min", (json_int_t)l->min, "p50",
                     (json_int_t)dram_latency_percentile(l, 50), "p99", (json_int_t)dram_latency_percentile(l, 99),
                     "max", (json_int_t)l->max);
}

static json_t *result_json(const struct mh_config *cfg, const struct dram_result *r)
{
    json_t *o = json_object(), *config = json_object();
    mh_config_visit(cfg, put_value, config);
    json_put(o, "schema", json_string("memhelm-dram-1"));
    json_put(o, "preset", json_string(cfg->preset));
    json_put(o, "config", config);
    json_put_count(o, "requests", r->requests);
    json_put_count(o, "reads", r->reads);
    json_put_count(o, "writes", r->writes);
    json_put_count(o, "bytes", r->requests * request_bytes(&cfg->dram));
    json_put_count(o, "cycles", r->cycles);
    json_put(o, "bandwidth_gbs", json_real(bandwidth(cfg, r) * 1e-9));
    json_put(o, "peak_gbs", json_real(peak(cfg) * 1e-9));
    json_put(o, "peak_share", json_real(bandwidth(cfg, r) / peak(cfg)));
    json_put_count(o, "row_hits", r->row_hits);
    json_put(o, "row_hit_rate", json_real((double)r->row_hits / (double)r->requests));
    json_put(o, "read_latency", latency_json(&r->latency));
    return o;
}

int dram_report_json(const struct mh_config *cfg, const struct dram_result *r, const char *path, struct mh_error *err)
{
    return json_write(result_json(cfg, r), path, err);
}
