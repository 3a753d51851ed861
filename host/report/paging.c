#include "paging.h"

#include <inttypes.h>
#include <string.h>

#include "plan/metrics.h"
#include "run/setup.h"

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
    return strcmp(c->uvm.mode, "on") == 0;
}

void report_paging(const struct mh_config *c, const struct mh_stats *s, FILE *out)
{
    for (uint32_t t = 0; is_on(c) && t < c->tenants_count; t++)
        tenant_line(c, t, &s->tenant[t], out);
}

void report_paging_heading(const struct mh_config *c, struct table *t)
{
    static const char *const names[] = {"page faults", "evictions", "MB over the link", NULL};

    for (const char *const *n = names; is_on(c) && *n; n++)
        table_text(t, "%s", *n);
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
