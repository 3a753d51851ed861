
#include "control/control.h"
#include "engine/gpu.h"
#include "engine/arith.h"
#include "gpu/gpu.h"
#include "sm/sm.h"
#include "pages/page_table.h"
#include "translate/steal.h"
#include "translate/walk.h"
#include "uvm/uvm.h"

/* A CTA that no SM can hold would wait for ever. */
static int bad_launch(const struct mh_config *cfg, uint32_t tenant, const struct mh_launch *l, struct mh_error *err)
{
    const struct mh_sm_cfg *sm = &cfg->sm;
    const struct mh_cta_room needs = mh_room_of_cta(cfg, l);
    const char *kernel = cfg->tenants[tenant].kernel;

    if (!l->ctas || !l->threads)
        return mh_fail(err, "%s: launch %s has no CTAs or no threads", kernel, l->name);
    if (needs.warps > sm->warps)
        return mh_fail(err, "%s: a CTA of launch %s has %u threads; an SM holds %u warps of %u (sm.warps, sm.lanes)",
                       kernel, l->name, l->threads, sm->warps, sm->lanes);
    if (needs.registers > sm->registers)
        return mh_fail(err, "%s: a CTA of launch %s needs %u x %u registers; an SM has %u (sm.registers)", kernel,
                       l->name, l->threads, l->registers, sm->registers);
    if (l->shared_bytes > sm->shared_bytes)
        return mh_fail(err, "%s: a CTA of launch %s needs %u bytes of shared memory; an SM has %u (sm.shared_bytes)",
                       kernel, l->name, l->shared_bytes, sm->shared_bytes);
    return 0;
}

/* A page table takes the low bits of a page's number: buffers that lie further apart would share entries. */
static int check_reach(const struct mh_gpu *g, uint32_t tenant, struct mh_error *err)
{
    const struct mh_workload *w = g->tenant[tenant].work;
    uint64_t page = g->cfg.memory.page_bytes, lowest = UINT64_MAX, highest = 0;

    for (uint32_t i = 0; i < w->buffer_count; i++) {
        lowest = mh_min64(lowest, w->buffers[i].base / page);
        highest = mh_max64(highest, (w->buffers[i].base + w->buffers[i].bytes - 1) / page);
    }
    if (!w->buffer_count || !((highest - lowest) >> g->pages->reach_bits))
        return 0;
    return mh_fail(
        err,
        "%s: buffers from 0x%llx to 0x%llx; a page table of %u levels of %u bits (walk.levels, walk.node_bits) "
        "tells 2^%u pages apart",
        g->cfg.tenants[tenant].kernel, (unsigned long long)(lowest * page), (unsigned long long)(highest * page),
        g->cfg.walk.levels, g->cfg.walk.node_bits, g->pages->reach_bits);
}

/* Every page of every buffer is mapped before the run: there is no demand paging. */
static int map_buffers(struct mh_gpu *g, uint32_t tenant, struct mh_error *err)
{
    struct mh_tenant *t = &g->tenant[tenant];
    uint64_t page = g->cfg.memory.page_bytes;

    t->page_root = mh_pt_root(g->pages, t->asid);
    if (t->page_root == MH_PT_NONE)
        return mh_fail(err, "memory.bytes: no frame left for the page table of tenant %u", tenant);
    if (check_reach(g, tenant, err))
        return -1;
    for (uint32_t i = 0; i < t->work->buffer_count; i++) {
        const struct mh_buffer *b = &t->work->buffers[i];

        /* Virtual lines have 32 bits (struct mh_line). */
        if ((b->base + b->bytes - 1) >> g->line_shift > UINT32_MAX)
            return mh_fail(err, "%s: a buffer at 0x%llx; virtual addresses end at 0x%llx with lines of %u bytes",
                           g->cfg.tenants[tenant].kernel, (unsigned long long)b->base,
                           (unsigned long long)g->cfg.memory.line_bytes << 32, g->cfg.memory.line_bytes);
        const uint32_t first = (uint32_t)(b->base / page), last = (uint32_t)((b->base + b->bytes - 1) / page);

        if (mh_pt_map(g->pages, t->page_root, t->asid, first, last - first + 1))
            return mh_fit_fail(&g->cfg, tenant, (uint64_t)(last - first + 1) * page, err);
    }
    return 0;
}

static int init_tenant(struct mh_gpu *g, uint32_t i, struct mh_error *err)
{
    const struct mh_tenant_cfg *c = &g->cfg.tenants[i];
    struct mh_tenant *t = &g->tenant[i];

    t->asid = c->asid;
    g->tenant_of_asid[t->asid] = (uint8_t)i;
    for (uint32_t l = 0; l < t->work->launch_count; l++)
        if (bad_launch(&g->cfg, i, &t->work->launches[l], err))
            return -1;
    return map_buffers(g, i, err);
}

static void control_counters(void *gpu, struct mh_counters *out)
{
    mh_blocks_counters(gpu, out);
}

static void control_restart(void *gpu)
{
    mh_blocks_restart(gpu);
}

/* Blocks that act on a change alone compare with what was in force. */
static void control_apply(void *gpu, const struct mh_knobs *knobs)
{
    struct mh_gpu *g = gpu;
    const struct mh_knobs before = g->knobs;

    g->knobs = *knobs;
    mh_blocks_apply(g, &before);
}

static bool control_score(void *gpu, uint32_t instruction, uint32_t score)
{
    return mh_order_score(gpu, instruction, score);
}

static int init_control(struct mh_gpu *g)
{
    const struct mh_config *c = &g->cfg;
    /* What firmware does to single SMs. CTA_LIMIT is the tenant's, but policies that set it read SM_CTAS. */
    const bool steered = c->sm.count <= MH_STEERED_SMS;
    struct mh_caps caps = {
        .sms = c->sm.count,
        .tenants = c->tenants_count,
        .warps = c->sm.warps,
        .lanes = c->sm.lanes,
        .cta_slots = c->sm.cta_slots,
        .sm_registers = c->sm.registers,
        .sm_shared = c->sm.shared_bytes,
        .walkers = mh_config_walkers(c),
        .walk_queue = mh_walk_places(c),
        .walk_queues = g->steal->walkers > 0,
        .walker_owners = g->steal->walkers,
        .levels = c->walk.levels,
        .l2tlb_entries = c->l2tlb.entries,
        .bypass_entries = c->l2tlb.bypass_entries,
        .channels = c->dram.channels,
        .l1d_ways = c->l1d.ways,
        .dram_banks = c->dram.banks * mh_max32(c->dram.ranks, 1),
        .features = (c->l2tlb.bypass_entries ? MH_FEATURE_TOKENS : 0) | (c->walk.pwc_bytes ? MH_FEATURE_PWC : 0) |
                    (steered ? MH_FEATURE_CTA_LIMIT | MH_FEATURE_SM_THROTTLE : 0) | MH_FEATURE_CTA_THROTTLE |
                    MH_FEATURE_L2_BYPASS | MH_FEATURE_WALK_ORDER | MH_FEATURE_WALK_SCORES |
                    (steered && !g->shared_sms ? MH_FEATURE_SM_ROOT : 0) |
                    (g->steal->walkers ? MH_FEATURE_WALK_QUEUES : 0) | (c->dram.golden ? MH_FEATURE_DRAM_QUEUES : 0) |
                    (g->uvm->on ? MH_FEATURE_UVM : 0) | (g->subqueues ? MH_FEATURE_MISS_QUEUES : 0) |
                    (g->shared_sms ? MH_FEATURE_QUOTAS | MH_FEATURE_L1D_WAYS : 0) |
                    (c->dram.scheduler != MH_DRAM_MPKI ? MH_FEATURE_DRAM_RANK : 0),
        .uvm = g->uvm->capacity,
        .uvm_unit = g->uvm->bytes,
        .rate_interval = mh_rate_interval(c),
        .issue_patience = c->l1d.arbiter_patience,
        .reply_bytes = mh_reply_bytes(c),
        .line_bytes = c->memory.line_bytes,
        .noc_peak = mh_noc_peak(c),
        .dram_peak = mh_dram_peak(c),
        .epoch = (uint32_t)c->run.epoch,
        .gpu_khz = (uint32_t)(c->clock.gpu_hz / 1000),
        .mcu_khz = (uint32_t)(c->mcu.hz / 1000),
        .arrivals = c->walk.fifo,
        .fault_cycles = g->uvm->fault_cycles,
        .present = mh_tenants_status(g, MH_REG_TENANTS),
    };
    struct mh_control_ops ops = {.gpu = g,
                                 .counters = control_counters,
                                 .restart = control_restart,
                                 .apply = control_apply,
                                 .status = mh_tenants_status,
                                 .command = mh_tenants_command,
                                 .score = control_score};

    for (uint32_t s = 0; steered && s < c->sm.count; s++)
        caps.sm_root[s] = g->sm[s].root;
    for (uint32_t t = 0; t < c->tenants_count; t++) {
        caps.cta_limit[t] = (uint8_t)c->tenants[t].cta_limit;
        caps.alone_ipc[t] = c->tenants[t].alone_ipc;
    }

    g->control = mh_control_create(&caps, &ops);
    if (!g->control)
        return -1;
    /* No apply() for reset values: the blocks were made with them. */
    g->knobs = *mh_control_knobs(g->control);
    return 0;
}

/* Blocks before tenants, which take SMs. */
static int init(struct mh_gpu *g)
{
    const struct mh_config *c = &g->cfg;

    g->line_shift = (uint32_t)__builtin_ctz(c->memory.line_bytes);
    g->lines_per_page = c->memory.page_bytes >> g->line_shift;
    g->page_shift = (uint32_t)__builtin_ctz(g->lines_per_page);
    if (mh_wheel_init(&g->wheel) || mh_blocks_init(g))
        return -1;
    mh_tenants_init(g);
    return 0;
}

/* The GPU with what gpu/ itself has: one block of memory. */
static struct mh_gpu *allocate(void)
{
    struct whole {
        struct mh_gpu gpu;
        struct mh_deadlock deadlock;
        struct mh_loss loss;
        struct mh_series series;
        struct mh_timeline timeline;
    } *w = aligned_alloc(_Alignof(struct whole), sizeof *w);

    if (!w)
        return NULL;
    memset(w, 0, sizeof *w);
    w->gpu.deadlock = &w->deadlock;
    w->gpu.loss = &w->loss;
    w->gpu.series = &w->series;
    w->gpu.timeline = &w->timeline;
    return &w->gpu;
}

/* The workloads are those of `g` from here on, but when they are lent. */
static struct mh_gpu *create(struct mh_gpu *g, const struct mh_config *cfg, struct mh_workload *const work[],
                             struct mh_error *err)
{
    for (uint32_t i = 0; i < cfg->tenants_count; i++)
        g->tenant[i].work = work[i];
    g->cfg = *cfg;
    g->tenants = cfg->tenants_count;
    mh_deadlock_init(g->deadlock, cfg);
    mh_loss_init(g->loss);
    mh_series_init(g->series, cfg);
    mh_timeline_init(g->timeline, cfg);
    g->next_warm = cfg->run.warmup ? cfg->run.warmup : UINT64_MAX;
    g->next_status = cfg->run.status_every ? cfg->run.status_every : UINT64_MAX;
    int bad = init(g);

    /* After init(), which makes the wheel without a limit. */
    g->wheel.most = mh_deadlock_most_events(cfg);
    /* Up to here only memory can be short. init_tenant() gives its own reason. */
    if (bad)
        (void)mh_fail(err, "out of memory for a GPU of %u SMs", cfg->sm.count);
    for (uint32_t i = 0; !bad && i < g->tenants; i++)
        bad = init_tenant(g, i, err);
    bad = bad || mh_gpu_fits_together(cfg, work, err) || mh_uvm_start(g, err);
    /* Last: registers show roots, present tenants and how much of each is in memory. */
    if (!bad && init_control(g))
        bad = mh_fail(err, "out of memory for the register window");
    if (bad) {
        mh_gpu_destroy(g);
        return NULL;
    }
    /* The first CTAs start in cycle 0, behind the COMMIT with which firmware lets GPU time begin: an SM that it
     * throttles gets none. */
    mh_wheel_add(&g->wheel, 0, MH_EVENT(EV_START, 0));
    return g;
}

struct mh_gpu *mh_gpu_create_with(const struct mh_config *cfg, struct mh_workload *const work[], struct mh_error *err)
{
    struct mh_gpu *g = allocate();

    if (g)
        return create(g, cfg, work, err);
    for (uint32_t i = 0; i < cfg->tenants_count; i++)
        work[i]->destroy(work[i]);
    (void)mh_fail(err, "out of memory for a GPU");
    return NULL;
}

struct mh_gpu *mh_gpu_create_of(const struct mh_config *cfg, struct mh_workload *const work[], struct mh_error *err)
{
    struct mh_gpu *g = allocate();

    if (!g) {
        (void)mh_fail(err, "out of memory for a GPU");
        return NULL;
    }
    g->lent = true;
    return create(g, cfg, work, err);
}

static struct mh_workload *create_workload(const struct mh_config *cfg, uint32_t i, struct mh_error *err)
{
    const struct mh_tenant_cfg *t = &cfg->tenants[i];
    /* Data depends on the seed and the address space alone, so that a tenant has the same data alone and shared. */
    uint64_t seed = cfg->run.seed * MH_MAX_TENANTS + t->asid - 1;
    struct mh_trace_how how = {.lanes = cfg->sm.lanes, .lenient = cfg->workload.trace_lenient};
    struct mh_workload *w = mh_workload_create_how(t->kernel, t->size, seed, how, err);

    if (w && cfg->workload.instructions == MH_INSTRUCTIONS_PTX)
        mh_workload_ptx(w);
    if (w && cfg->l2.atomics == MH_ATOMICS_BANK)
        mh_workload_results(w);
    if (w && mh_fit_workload(cfg, i, w, err)) {
        w->destroy(w);
        return NULL;
    }
    return w;
}

struct mh_workload *mh_workload_make(const struct mh_config *cfg, uint32_t tenant, struct mh_error *err)
{
    return mh_gpu_fits(cfg, err) ? NULL : create_workload(cfg, tenant, err);
}

void mh_workload_free(struct mh_workload *w)
{
    if (w)
        w->destroy(w);
}

const struct mh_launch *mh_workload_launches(const struct mh_workload *w, uint32_t *count)
{
    *count = w->launch_count;
    return w->launches;
}

/* Workloads that are made at once come first: one that does not fit fails before any slow one is made. */
static int create_workloads(const struct mh_config *cfg, struct mh_workload *work[], struct mh_error *err)
{
    for (int slow = 0; slow < 2; slow++)
        for (uint32_t i = 0; i < cfg->tenants_count; i++) {
            if (mh_fit_is_slow(&cfg->tenants[i]) != slow)
                continue;
            work[i] = create_workload(cfg, i, err);
            if (!work[i])
                return -1;
        }
    return 0;
}

struct mh_gpu *mh_gpu_create(const struct mh_config *cfg, struct mh_error *err)
{
    struct mh_workload *work[MH_MAX_TENANTS] = {0};

    /* From its call on mh_gpu_create_with() owns the workloads, also when it fails. */
    if (!mh_gpu_fits(cfg, err) && !create_workloads(cfg, work, err))
        return mh_gpu_create_with(cfg, work, err);
    for (uint32_t i = 0; i < cfg->tenants_count; i++)
        if (work[i])
            work[i]->destroy(work[i]);
    return NULL;
}

void mh_gpu_destroy(struct mh_gpu *g)
{
    if (!g)
        return;
    for (uint32_t i = 0; i < g->tenants && !g->lent; i++)
        if (g->tenant[i].work)
            g->tenant[i].work->destroy(g->tenant[i].work);
    mh_blocks_free(g);
    mh_control_destroy(g->control);
    mh_wheel_free(&g->wheel);
    free(g);
}
