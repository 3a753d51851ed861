#include "gpu/gpu.h"
#include "engine/gpu.h"
#include "dram/memory.h"
#include "memhelm/dram.h"
#include "engine/clock.h"
#include "engine/upstream.h"
#include "memhelm/registers.h"
#include "memhelm/hwmodel.h"

#include <string.h>

void mh_series_init(struct mh_series *s, const struct mh_config *cfg)
{
    s->every = cfg->run.log_series;
    s->next = s->every ? s->every : UINT64_MAX;
}

static void take_one(struct mh_series *s, struct mh_gpu *g, uint32_t tenant)
{
    const struct mh_counters *c = &g->tenant[tenant].count;
    struct mh_series_row row = {.cycle = g->wheel.now, .tenant = tenant};
    const uint64_t now[] = {
#define MH_SERIES(field) c->field,
#include "memhelm/series.def"
    };

    for (uint32_t i = 0; i < MH_SERIES_COLUMNS; i++) {
        row.delta[i] = now[i] - s->last[tenant][i];
        s->last[tenant][i] = now[i];
    }
    if (s->obs.series)
        s->obs.series(s->obs.ctx, &row);
}

void mh_series_take(struct mh_gpu *g)
{
    g->series->next += g->series->every;
    for (uint32_t t = 0; t < g->tenants; t++)
        take_one(g->series, g, t);
}

void mh_timeline_init(struct mh_timeline *t, const struct mh_config *cfg)
{
    t->every = cfg->run.log_timeline;
    t->next = t->every ? t->every : UINT64_MAX;
}

void mh_timeline_take(struct mh_gpu *g)
{
    struct mh_timeline *t = g->timeline;
    struct mh_timeline_sample sample = {.cycle = g->wheel.now, .tenant = t->count, .channels = g->memory->channels};

    t->next += t->every;
    if (!t->obs.timeline)
        return;
    mh_blocks_counters(g, t->count);
    for (uint32_t c = 0; c < sample.channels; c++)
        sample.queued[c] = mh_dram_waiting(g->memory->channel[c].dram);
    t->obs.timeline(t->obs.ctx, &sample);
}

void mh_launch_over(struct mh_gpu *g, uint32_t tenant, const struct mh_counters *count, bool finished)
{
    struct mh_tenant *t = &g->tenant[tenant];
    const struct mh_observer *obs = &g->timeline->obs;
    const struct mh_launch_row row = {.tenant = tenant,
                                      .number = count->launches,
                                      .name = t->work->launches[t->launch].name,
                                      .from = t->launched.cycle,
                                      .to = g->wheel.now,
                                      .lane_instr = count->lane_instr - t->launched.lane_instr,
                                      .finished = finished};

    if (obs->launch && (finished || row.to > row.from))
        obs->launch(obs->ctx, &row);
    t->launched = (struct mh_completed){g->wheel.now, count->lane_instr};
}

#ifdef MH_DEBUG

/* Without a number the event is never lost: strtoul() of nothing is 0. */
void mh_loss_init(struct mh_loss *loss)
{
    const char *wish = getenv("MEMHELM_LOSE_EVENT");
    size_t n = wish ? strcspn(wish, ":") : 0;

    for (uint32_t kind = 0; n && mh_event_name(kind); kind++)
        if (strlen(mh_event_name(kind)) == n && !strncmp(wish, mh_event_name(kind), n))
            *loss = (struct mh_loss){.kind = kind, .number = (uint32_t)strtoul(wish + n + (wish[n] == ':'), NULL, 10)};
}

bool mh_event_lost(struct mh_gpu *g, uint32_t event)
{
    if (!g->loss->number || g->loss->kind != MH_EVENT_KIND(event) || --g->loss->number)
        return false;
    /* Put off, not lost: it comes again in this cycle, which so does not end. */
    if (g->loss->again) {
        g->loss->number = 1;
        mh_wheel_add(&g->wheel, g->wheel.now, event);
    }
    return true;
}

#endif

enum { PEAK_CYCLES = 1024 /* GPU cycles in which peaks are counted */ };

static uint64_t noc_hz(const struct mh_config *cfg)
{
    return cfg->clock.noc_hz ? cfg->clock.noc_hz : cfg->clock.gpu_hz;
}

/* amount * num / den; what does not fit is the most that does. */
static uint32_t scale(uint64_t amount, uint64_t num, uint64_t den)
{
    mh_u128 scaled = (mh_u128)amount * num / den;

    return scaled > UINT32_MAX ? UINT32_MAX : (uint32_t)scaled;
}

uint32_t mh_rate_interval(const struct mh_config *cfg)
{
    uint64_t hz = cfg->l1d.rate_clock == MH_RATE_NOC ? noc_hz(cfg) : cfg->clock.gpu_hz;

    return cfg->l1d.subqueues ? scale(256ull * cfg->l1d.rate_interval, cfg->clock.gpu_hz, hz) : 0;
}

uint32_t mh_reply_bytes(const struct mh_config *cfg)
{
    uint32_t flit = cfg->noc.flit_bytes;

    return (1 + (cfg->memory.line_bytes + flit - 1) / flit) * flit;
}

uint32_t mh_noc_peak(const struct mh_config *cfg)
{
    uint64_t bytes = (uint64_t)cfg->sm.count * cfg->noc.flit_bytes;

    return scale(PEAK_CYCLES * bytes, noc_hz(cfg), cfg->clock.gpu_hz);
}

uint32_t mh_dram_peak(const struct mh_config *cfg)
{
    uint64_t bytes = (uint64_t)cfg->dram.channels * cfg->dram.bus_bytes * cfg->dram.data_rate;

    return scale(PEAK_CYCLES * bytes, cfg->clock.dram_hz, cfg->clock.gpu_hz);
}

/* That an address space may own at most. */
static uint64_t share_of(const struct mh_config *cfg)
{
    return cfg->memory.owned == MH_OWNED_WHOLE ? cfg->memory.bytes : cfg->memory.bytes / MH_MAX_TENANTS;
}

int mh_fit_fail(const struct mh_config *cfg, uint32_t tenant, uint64_t bytes, struct mh_error *err)
{
    const char *kernel = cfg->tenants[tenant].kernel;
    unsigned long long needs = (bytes + (1 << 20) - 1) >> 20, has = share_of(cfg) >> 20;

    if (cfg->memory.owned == MH_OWNED_WHOLE)
        return mh_fail(err,
                       "%s: its buffers (at least %llu MiB) and their page table do not fit physical memory (%llu MiB) "
                       "beside those of the other tenants: raise memory.bytes or make the problem smaller; to page it "
                       "from host memory, raise memory.bytes to hold it, set uvm.mode to on and uvm.capacity to %llu "
                       "MiB or less",
                       kernel, needs, has, has);
    return mh_fail(err,
                   "%s: its buffers (at least %llu MiB) and their page table do not fit its share of physical memory "
                   "(%llu MiB, one %dth of memory.bytes): raise memory.bytes or make the problem smaller, or set "
                   "memory.owned to whole",
                   kernel, needs, has, MH_MAX_TENANTS);
}

/* Before the workloads are made, which may take long: from what each kernel needs at least. */
int mh_gpu_fits(const struct mh_config *cfg, struct mh_error *err)
{
    for (uint32_t t = 0; t < cfg->tenants_count; t++) {
        const struct mh_kernel *k = mh_kernel_find(cfg->tenants[t].kernel);
        uint64_t size = cfg->tenants[t].size;
        size_t length;

        if (!k || !k->least_bytes || mh_kernel_input(cfg->tenants[t].kernel, &length))
            continue;
        uint64_t bytes = mh_kernel_least_bytes(k, size ? size : k->size_default);

        if (bytes > share_of(cfg))
            return mh_fit_fail(cfg, t, bytes, err);
    }
    return 0;
}

/* Counts whole pages, each once: a buffer may begin in the page in which the one before it ends. */
int mh_fit_workload(const struct mh_config *cfg, uint32_t tenant, const struct mh_workload *w, struct mh_error *err)
{
    uint64_t page = cfg->memory.page_bytes, pages = 0, next = 0;

    for (uint32_t i = 0; i < w->buffer_count; i++) {
        const struct mh_buffer *b = &w->buffers[i];
        uint64_t first = b->base / page, end = (b->base + b->bytes - 1) / page + 1;

        first = first < next ? next : first;
        pages += end > first ? end - first : 0;
        next = end > next ? end : next;
    }
    return pages > share_of(cfg) / page ? mh_fit_fail(cfg, tenant, pages * page, err) : 0;
}

/* Files have to be read: traces, which have no kernel, and inputs. A kernel that says what it needs at least does so
 * because it is slow to make. */
bool mh_fit_is_slow(const struct mh_tenant_cfg *tenant)
{
    const struct mh_kernel *k = mh_kernel_find(tenant->kernel);
    size_t length;

    return !k || k->least_bytes || mh_kernel_input(tenant->kernel, &length);
}
