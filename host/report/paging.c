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

void report_paging(const struct mh_config *c, const struct mh_stats *s, FILE *out)
{
    if (strcmp(c->uvm.mode, "on") != 0)
        return;
    for (uint32_t t = 0; t < c->tenants_count; t++)
        tenant_line(c, t, &s->tenant[t], out);
}
