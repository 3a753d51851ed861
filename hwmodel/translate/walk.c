#include "translate/walk.h"

#include "gpu/gpu.h"

int mh_walkers_init(struct mh_walkers *w, const struct mh_config *cfg)
{
    w->idle = mh_config_walkers(cfg);
    w->ports = mh_divisor(cfg->noc.walker_ports);
    w->places = cfg->walk.buffer ? cfg->walk.buffer : cfg->l2tlb.mshrs;
    mh_walk_queue_init(&w->waiting);
    return mh_pwc_init(&w->pwc, cfg);
}

void mh_walkers_free(struct mh_walkers *w)
{
    mh_tags_free(&w->pwc);
}

/* From `cycle` on it has its walker; that may be while it is still in the look-up that found the miss. */
static void start(struct mh_gpu *g, uint32_t walk, uint64_t cycle)
{
    uint64_t ready = g->l2tlb.walk[walk].ready;

    mh_wheel_add(&g->wheel, ready > cycle ? ready : cycle, MH_EVENT(EV_WALK, walk));
}

static void from_root(const struct mh_gpu *g, struct mh_walk *w)
{
    w->node = g->tenant[w->tenant].page_root;
    w->depth = 1;
    w->looked_up = w->restart = false;
}

void mh_walk_begin(struct mh_gpu *g, uint32_t walk, uint64_t cycle)
{
    struct mh_walk *w = &g->l2tlb.walk[walk];
    struct mh_tenant *t = &g->tenant[w->tenant];

    w->since = g->wheel.now;
    w->ready = cycle;
    from_root(g, w);
    w->record = mh_instruction_walk(g, w->instruction, w->tenant);
    t->count.walks_area -= w->since;
    if (++t->count.walks_live > t->count.walks_peak)
        t->count.walks_peak = t->count.walks_live;
    MH_CHECK(mh_walk_room(&g->walkers));
    if (!g->walkers.idle) {
        w->waits = true;
        mh_walk_queue_push(&g->walkers.waiting, g->l2tlb.walk, walk);
        mh_order_arrived(g, walk);
        return;
    }
    g->walkers.idle--;
    g->walkers.waiting.last = w->instruction;
    start(g, walk, g->wheel.now);
}

static void release_walker(struct mh_gpu *g)
{
    struct mh_walkers *k = &g->walkers;
    uint32_t next = mh_order_pick(g, &k->waiting);

    if (next == MH_NO_WALK) {
        k->idle++;
        return;
    }
    mh_order_leave(g, &k->waiting, next);
    start(g, next, g->wheel.now + mh_order_latency(g));
}

static void read_entry(struct mh_gpu *g, uint32_t walk)
{
    const struct mh_walk *w = &g->l2tlb.walk[walk];
    struct mh_req r = {.line = mh_pt_line(&g->pages, w->node, w->vpn, w->depth),
                       .owner = walk,
                       .port = (uint16_t)(g->cfg.sm.count + mh_remainder(&g->walkers.ports, walk)),
                       .kind = MH_REQ_PTE,
                       .tenant = w->tenant,
                       .depth = w->depth};

    if (g->knobs.l2_bypass)
        r.bypass = mh_l2_bypasses(g, &r);
    mh_noc_send(g, &r);
}

static void finish(struct mh_gpu *g, uint32_t walk, uint32_t ppn)
{
    const struct mh_walk *w = &g->l2tlb.walk[walk];
    struct mh_counters *c = &g->tenant[w->tenant].count;

    c->walks++;
    c->walks_live--;
    c->walks_area += g->wheel.now;
    c->walk_cycles += g->wheel.now - w->since;
    mh_instruction_walked(&g->instructions, w->record, g->wheel.now - w->since);
    if (g->cfg.iommu.l1_entries)
        mh_iommu_walked(g, walk, ppn);
    else
        mh_l2tlb_translated(g, walk, ppn);
    release_walker(g);
}

/* What it counted for while it waited it counts for no longer. */
static void ask_pwc(struct mh_gpu *g, struct mh_walk *w)
{
    struct mh_pwc_found f = mh_pwc_look_up(g, w->node, w->vpn, MH_PWC_DOWN, w->pinned);

    w->looked_up = true;
    w->pinned = 0;
    w->node = f.node;
    w->depth = f.depth;
    g->instructions.record[w->record].reads += g->pages.levels - w->depth + 1u;
}

/* A walk's first step is its look-up in the page walk cache; from then on it reads, one entry after the other. */
void mh_walk_step(struct mh_gpu *g, uint32_t walk)
{
    struct mh_walk *w = &g->l2tlb.walk[walk];

    if (w->restart)
        from_root(g, w);
    if (w->looked_up) {
        read_entry(g, walk);
        return;
    }
    ask_pwc(g, w);
    if (g->walkers.pwc.sets)
        mh_wheel_add(&g->wheel, g->wheel.now + g->cfg.walk.pwc_latency, MH_EVENT(EV_WALK, walk));
    else
        read_entry(g, walk);
}

void mh_walk_entry(struct mh_gpu *g, uint32_t walk)
{
    struct mh_walk *w = &g->l2tlb.walk[walk];

    if (w->restart) {
        mh_walk_step(g, walk);
        return;
    }
    uint32_t entry = mh_pt_entry(&g->pages, w->node, w->vpn, w->depth);

    MH_CHECK(entry != MH_PT_NONE);
    if (w->depth == g->pages.levels) {
        finish(g, walk, entry);
        return;
    }
    mh_pwc_fill(g, w->node, w->vpn, w->depth);
    w->node = entry;
    w->depth++;
    read_entry(g, walk);
}
