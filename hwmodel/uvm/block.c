#include "engine/block.h"
#include "uvm/internal.h"
#include "memhelm/kernels.h"
#include "uvm/uvm.h"
#include "workload/op_stats.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Demand paging as a block (engine/block.h). */

uint64_t mh_uvm_cycles(const struct mh_config *c, uint64_t ns)
{
    return (ns * c->clock.gpu_hz + 999999999) / 1000000000;
}

static int init_link(struct mh_link *l, const struct mh_config *c, uint64_t rate, uint32_t lines)
{
    l->to_bytes = mh_ratio(rate, c->clock.gpu_hz);
    l->to_cycles = mh_ratio(c->clock.gpu_hz, rate);
    l->latency = (uint32_t)mh_uvm_cycles(c, c->uvm.link_ns);
    l->dirty = malloc(lines * sizeof *l->dirty);
    return l->dirty ? 0 : -1;
}

static uint32_t unit_bytes(const struct mh_config *c)
{
    return c->memory.page_bytes > MH_UVM_UNIT_BYTES ? c->memory.page_bytes : MH_UVM_UNIT_BYTES;
}

static int init(struct mh_gpu *g)
{
    const struct mh_config *c = &g->cfg;
    struct mh_uvm *m = g->uvm;

    m->on = g->paging = c->uvm.mode == MH_UVM_ON;
    m->newest = m->oldest = m->overfull = MH_NONE;
    if (!m->on)
        return 0;
    m->bytes = unit_bytes(c);
    m->pages = m->bytes / c->memory.page_bytes;
    m->shift = (uint32_t)__builtin_ctz(m->pages);
    m->lines = m->bytes / c->memory.line_bytes;
    g->compressing = c->uvm.compression == MH_COMPRESSION_LCP;
    g->watch_units = c->uvm.evict == MH_EVICT_LRU || !c->uvm.evict_clean;
    m->by_block = c->uvm.evict == MH_EVICT_BLOCK;
    m->wait_all = c->uvm.evict_wait == MH_EVICT_WAIT_ALL;
    m->fault_cycles = (uint32_t)mh_uvm_cycles(c, c->uvm.fault_ns + c->uvm.fault_each_ns + c->uvm.block_ns);
    return init_link(&m->in, c, c->uvm.in_rate, m->lines) || init_link(&m->out, c, c->uvm.out_rate, m->lines) ? -1 : 0;
}

static void free_all(struct mh_gpu *g)
{
    struct mh_uvm *m = g->uvm;

    free(m->on_host);
    free(m->unit);
    free(m->frame);
    free(m->free_sets);
    free(m->unit_of);
    free(m->used);
    free(m->region);
    mh_uvm_end_packing(m);
    free(m->in.dirty);
    free(m->out.dirty);
    mh_index_free(&m->index);
}

/* Of a full batch whose faults lie in as many blocks. */
static uint64_t longest_batch_ns(const struct mh_config *c)
{
    return c->uvm.fault_ns + (uint64_t)c->uvm.batch * (c->uvm.fault_each_ns + c->uvm.block_ns);
}

uint64_t mh_uvm_longest_wait(const struct mh_config *c)
{
    uint64_t rate = c->uvm.in_rate < c->uvm.out_rate ? c->uvm.in_rate : c->uvm.out_rate;

    if (c->uvm.mode != MH_UVM_ON)
        return 0;
    return mh_uvm_cycles(c, longest_batch_ns(c) + c->uvm.link_ns) + c->clock.gpu_hz / rate * unit_bytes(c) +
           unit_bytes(c);
}

int mh_uvm_capacity(const char *text, uint64_t footprint, uint64_t *bytes, struct mh_error *err)
{
    char *end;

    *bytes = footprint;
    if (!strcmp(text, "unlimited"))
        return 0;
    errno = 0;
    unsigned long long n = strtoull(text, &end, 10);

    if (*text < '0' || *text > '9' || (*end && strcmp(end, "%")) || errno)
        return mh_fail(err, "uvm.capacity: '%s'; a number of bytes, a part such as 75%%, or unlimited", text);
    /* 100 % and more are as much as the workload has. */
    *bytes = !*end ? n : n < 100 ? footprint / 100 * n + footprint % 100 * n / 100 : footprint;
    return 0;
}

int mh_uvm_resolve(const struct mh_config *c, struct mh_error *err)
{
    const uint32_t unit = unit_bytes(c);
    uint64_t bytes;

    if (mh_uvm_capacity(c->uvm.capacity, unit, &bytes, err))
        return -1;
    for (uint32_t t = 0; t < c->tenants_count; t++)
        if (*c->tenants[t].hints && c->uvm.mode != MH_UVM_ON)
            return mh_fail(err, "tenants[%u].hints: '%s', but uvm.mode is off: all pages are in GPU memory", t,
                           c->tenants[t].hints);
    if (c->uvm.mode != MH_UVM_ON)
        return 0;
    if (c->l1tlb.ideal)
        return mh_fail(err, "uvm.mode: on, but l1tlb.ideal is 1, and where no page is walked none can be missing: set "
                            "one of them to off or 0");
    if (longest_batch_ns(c) > MH_UVM_BATCH_NS)
        return mh_fail(err,
                       "uvm.batch: %u faults may take %" PRIu64 " ns (uvm.fault_ns + batch x (fault_each_ns + "
                       "block_ns)), more than a second: lower uvm.batch, fault_each_ns or block_ns",
                       c->uvm.batch, longest_batch_ns(c));
    if (!strchr(c->uvm.capacity, '%') && (!bytes || bytes % unit))
        return mh_fail(err,
                       "uvm.capacity: %" PRIu64 " bytes are not whole units of %u bytes (64 KB, or a page if that is "
                       "larger), one or more: %" PRIu64,
                       bytes, unit, bytes / unit * unit + unit);
    return 0;
}

void mh_uvm_observe(struct mh_gpu *g, const struct mh_observer *obs)
{
    g->uvm->obs = *obs;
}

/* --- Registers. */

uint32_t mh_uvm_free(const struct mh_gpu *g)
{
    const struct mh_uvm *m = g->uvm;

    return m->on && m->memory > m->taken ? (uint32_t)((m->memory - m->taken) / m->bytes) : 0;
}

static void read_gauges(const struct mh_gpu *g, struct mh_counters *out)
{
    const struct mh_uvm *m = g->uvm;

    for (uint32_t t = 0; t < g->tenants; t++) {
        out[t].uvm_allocated = g->tenant[t].presence == MH_PRESENT ? m->allocated[t] : 0;
        out[t].uvm_resident = m->resident[t];
        out[t].uvm_queue = m->queued[t];
        out[t].uvm_shared = m->shared[t];
        out[t].uvm_bytes = m->held[t];
    }
    if (g->compressing)
        mh_uvm_read_packing(g, out);
}

const struct mh_block mh_block_uvm = {MH_BLOCK_STATE(uvm, 1), .init = init, .free = free_all, .check = mh_uvm_check,
                                      .read = read_gauges};

const struct mh_sharing mh_sharing[] = {
#define MH_SHARING(kernel, paper, note) {kernel, paper, note},
#include "uvm/sharing.def"
#undef MH_SHARING
    {NULL, false, NULL},
};

const struct mh_sharing *mh_sharing_find(const char *spec)
{
    const struct mh_kernel *k = mh_kernel_find(spec);

    for (const struct mh_sharing *s = mh_sharing; k && s->kernel; s++)
        if (!strcmp(s->kernel, k->name))
            return s;
    return NULL;
}

int mh_sharing_derive(const char *spec, uint32_t lanes, struct mh_error *err)
{
    struct mh_workload *w = mh_workload_create(spec, 0, 1, lanes, err);
    int shares;

    if (!w)
        return -1;
    shares = mh_workload_shares(w, lanes);
    w->destroy(w);
    return shares < 0 ? mh_fail(err, "%s: out of memory", spec) : shares;
}

int mh_uvm_shares(const struct mh_config *c, uint32_t tenant, const struct mh_workload *w)
{
    const char *spec = c->tenants[tenant].kernel;
    const bool paper = c->uvm.sharing == MH_SHARING_PAPER && !*mh_launches_part(spec); /* it lists whole programs */
    const struct mh_sharing *s = paper ? mh_sharing_find(spec) : NULL;

    return s ? s->paper : mh_workload_shares(w, c->sm.lanes);
}
